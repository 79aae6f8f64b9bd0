"""`tem-graph regroup`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tem_graph.cli.app import App, common

if TYPE_CHECKING:
    from rich.console import Console

    from tem_graph.graph.regroup import Regrouping


@click.command(short_help="Follow a changed relations file in stored facts.")
@click.option("--dry-run", is_flag=True, help="Only say what would be moved.")
@common
def regroup(app: App, dry_run: bool) -> None:
    """Move stored facts into the version groups that the relations file makes now.

    Needed after a relation there has become single- or multi-valued, or has another opposite; `doctor` says so. What
    was told, ids and sources stay, and a second run moves nothing. Answers may be mixed while it runs.
    """
    with app.open_existing() as memory:
        done = memory.regroup(dry_run=dry_run)
    document = {
        "memory": memory.id,
        "dry_run": dry_run,
        "checked": done.checked,
        "moved": dict(done.moved),
        "renamed": dict(done.renamed),
        "open_ends": done.open_ends,
    }
    app.show(document, lambda console: _draw(console, done, dry_run))
    for stored, now in done.renamed.items():
        app.say(f"{stored!r} is now a name of {now!r}; facts stored under it keep the old name")
    if done.open_ends:
        app.say(f"{done.open_ends} ends name no object; under a relation that holds many they end nothing")


def _draw(console: Console, done: Regrouping, dry_run: bool) -> None:
    from tem_graph.cli.output import text

    would = "would be " if dry_run else ""
    for relation, facts in done.moved.items():
        console.print(text(f"{relation}: {facts} facts {would}moved"))
    if not done.moved:
        console.print(f"all {done.checked} facts stand where the relations file puts them")
