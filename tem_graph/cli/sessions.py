"""`tem-graph sessions | rejected`: what was read, how it ended, and what was not believed."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common


@click.command(short_help="List sessions with their outcome.")
@click.argument("session", required=False)
@common
def sessions(app: App, session: str | None) -> None:
    """List the sessions in source order with their outcome; with SESSION, show its turns."""
    if session is not None:
        _show_turns(app, session)
        return
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import print_table, sessions_table

    with app.open_existing() as memory:
        stored, outcomes = memory.sessions(), memory.outcomes()
    last, known = {o.session: o for o in outcomes}, {s.id for s in stored}
    document = {
        "memory": memory.id,
        "sessions": [as_json.session(s, last.get(s.id)) for s in stored],
        "not_stored": [as_json.outcome(o) for o in outcomes if o.session not in known],
    }
    app.show(document, lambda console: print_table(console, sessions_table(stored, outcomes)))


def _show_turns(app: App, session: str) -> None:
    from tem_graph.cli.render.tables import draw_turns
    from tem_graph.errors import NotFound

    with app.open_existing() as memory:
        turns = [turn for _, turn in memory.turns(session)]
        if not turns and session not in {s.id for s in memory.sessions()}:
            raise NotFound(f"memory {memory.id!r} has no session {session!r}", hint="`tem-graph sessions` lists them")
    document = {
        "memory": memory.id,
        "session": session,
        "turns": [
            {"position": t.position, "speaker": t.speaker, "text": t.text, "caption": t.caption, "metadata": t.metadata}
            for t in turns
        ],
    }
    app.show(document, lambda console: draw_turns(console, turns))


@click.command(short_help="List what was not believed, and why.")
@click.argument("session", required=False)
@click.option("--reason", help="Only those rejected for this reason, such as question or not_in_text.")
@common
def rejected(app: App, session: str | None, reason: str | None) -> None:
    """List candidate facts that were not believed, with the reason: of one SESSION, or of all."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import print_table, rejections_table

    with app.open_existing() as memory:
        found = memory.rejected(session)
    kept = [(id_, rejection) for id_, rejection in found if reason in (None, rejection.reason)]
    document = {"memory": memory.id, "rejected": [as_json.rejection(id_, rejection) for id_, rejection in kept]}
    app.show(document, lambda console: print_table(console, rejections_table(kept)))
    if not kept:
        app.say("nothing was rejected")
