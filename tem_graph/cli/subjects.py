"""`tem-graph subjects`: who and what is known, and two names for one, said explicitly and taken back at will."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common


@click.group(invoke_without_command=True, short_help="List who is known, or merge and split names.")
@common
def subjects(app: App) -> None:
    """List who and what the memory knows, or `merge` and `split` names."""
    if click.get_current_context().invoked_subcommand is not None:
        return
    from tem_graph.cli.render.tables import print_table, subjects_table

    with app.open_existing() as memory:
        known = memory.subjects()
    document = {
        "memory": memory.id,
        "subjects": [
            {"name": s.name, "facts": s.facts, "relations": list(s.relations), "merged_into": s.merged_into}
            for s in known
        ],
    }
    app.show(document, lambda console: print_table(console, subjects_table(known)))


@subjects.command(short_help="Say that two names are one subject.")
@click.argument("name")
@click.argument("into")
@click.option("--by", help="Who says so; else the setting user, or the login name.")
@click.option("--why", required=True, help="Why; kept with the merge.")
@common
def merge(app: App, name: str, into: str, by: str | None, why: str) -> None:
    """Count facts about NAME as facts about INTO, until `split`. Each keeps the name that it was told under.

    Nothing is ever merged because names look alike. A NAME that is not known yet becomes an alias.
    """
    with app.open_existing() as memory:
        moved = memory.merge_subjects(name, into, by=by, why=why)
    document = {"memory": memory.id, "merged": name, "into": into, "facts": moved}
    app.show(document, lambda console: console.print(f"{name} is {into}: {moved} facts moved"))


@subjects.command(short_help="Take a merge back.")
@click.argument("name")
@common
def split(app: App, name: str) -> None:
    """Let facts about NAME be facts about NAME again."""
    with app.open_existing() as memory:
        moved = memory.split_subject(name)
    document = {"memory": memory.id, "split": name, "facts": moved}
    app.show(document, lambda console: console.print(f"{name} stands alone again: {moved} facts moved back"))
