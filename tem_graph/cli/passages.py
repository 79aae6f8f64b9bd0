"""`tem-graph events | notes | reindex`: what hybrid memory keeps beside facts."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common


@click.command(short_help="List what happened, session by session.")
@click.argument("session", required=False)
@common
def events(app: App, session: str | None) -> None:
    """List the events of one SESSION, or of all, in source order: when, what, who, and the turns behind each.

    Read by a model they are sentences of its own; without one they are the telling sentences themselves (extractive).
    """
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import events_table, print_table

    with app.open_existing() as memory:
        found = memory.events(session)
    document = {"memory": memory.id, "events": [as_json.event(event) for event in found]}
    app.show(document, lambda console: print_table(console, events_table(found)))
    if not found:
        app.say("no events")


@click.command(short_help="List plans, reasons and opinions.")
@click.argument("session", required=False)
@common
def notes(app: App, session: str | None) -> None:
    """List the notes of one SESSION, or of all, in source order. Only a model writes notes."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import notes_table, print_table

    with app.open_existing() as memory:
        found = memory.notes(session)
    document = {"memory": memory.id, "notes": [as_json.note(note) for note in found]}
    app.show(document, lambda console: print_table(console, notes_table(found)))
    if not found:
        app.say("no notes")


@click.command(short_help="Make sessions stored earlier searchable by their turns.")
@common
def reindex(app: App) -> None:
    """Give sessions that were stored by an earlier version, or with the setting passages at none, what hybrid memory
    needs: vectors and full text of their turns, and the events that their own sentences tell.

    No model is asked, facts are not touched, and what is complete is left alone.
    """
    with app.open_existing() as memory:
        done = memory.reindex()
    document = {"memory": memory.id, "sessions": done.sessions, "turns": done.turns, "events": done.events}
    app.show(
        document,
        lambda console: console.print(
            f"{done.sessions} sessions completed: {done.turns} turns, {done.events} events"
            if done.sessions
            else "every session is complete"
        ),
    )
