"""`tem-graph facts`: list them, and add those that a person or program already has."""

from __future__ import annotations

from typing import Literal

import click

from tem_graph.cli.app import App, common, point, seen_from

FactFormat = Literal["auto", "csv", "json"]


@click.group(invoke_without_command=True, short_help="List facts with their status, or add some.")
@click.option("--subject", help="Only facts about this subject.")
@click.option("--relation", help="Only facts of this relation.")
@click.option("--status", help="Only facts of this status, such as current or conflicting.")
@click.option("--ids", is_flag=True, help="Show the id of each fact, for correct and retract.")
@seen_from
@common
def facts(
    app: App,
    subject: str | None,
    relation: str | None,
    status: str | None,
    ids: bool,
    on: str | None,
    known_after: str | None,
) -> None:
    """List all facts in source order with their status, or `add` some."""
    if click.get_current_context().invoked_subcommand is not None:
        return
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import facts_table, print_table

    with app.open_existing() as memory:
        found = memory.facts(subject=subject, relation=relation, as_of=point(memory, on, known_after))
    hits = [hit for hit in found if status in (None, hit.status.value)]
    document = {"memory": memory.id, "facts": as_json.marked_facts(hits)}
    app.show(document, lambda console: print_table(console, facts_table(hits, ids=ids)))


@facts.command(short_help="Add facts by hand, one or a file of them.")
@click.argument("subject", required=False)
@click.argument("relation", required=False)
@click.argument("object", required=False)
@click.option("--source", help="Where the fact comes from, such as 'call Feb 12'; the same name is the same session.")
@click.option("--date", help="Day or time of the source, ISO 8601.")
@click.option("--index", type=click.IntRange(min=0), help="Place of the source, for all sessions of a memory or none.")
@click.option("--effective", metavar="DATE", help="Since when it holds: YYYY, YYYY-MM or YYYY-MM-DD.")
@click.option("--until", metavar="DATE", help="Until when it held, where the source says so.")
@click.option("--ended", is_flag=True, help="The object holds no longer.")
@click.option("--slot", help="For a relation that holds many: the favourite of what kind, such as drink.")
@click.option("--file", "path", metavar="FILE", help="A CSV, JSON or JSON Lines file of facts; - is standard input.")
@click.option(
    "--format",
    type=click.Choice(["auto", "csv", "json"]),
    default="auto",
    show_default=True,
    help="Form of the file; json is JSON Lines too.",
)
@common
def add(
    app: App,
    subject: str | None,
    relation: str | None,
    object: str | None,
    source: str | None,
    path: str | None,
    format: FactFormat,
    **stated: object,
) -> None:
    """Add one fact (SUBJECT RELATION OBJECT and --source), or all of a --file. No model is asked.

    A CSV file has the columns subject, relation, object, source, and any of date, index, effective, until, ended,
    slot. Nothing is stored if one fact is wrong.
    """
    from tem_graph.ingest.by_hand import FactInput
    from tem_graph.ingest.fact_files import read_facts

    alone = [subject, relation, object, source]
    if path is not None and not any(alone):
        given = read_facts(path, format=format)
    elif path is None and all(value is not None for value in alone):
        given = [FactInput(subject, relation, object, source, **stated)]  # type: ignore[arg-type]
    else:
        raise click.UsageError("give SUBJECT RELATION OBJECT and --source, or --file and none of these")
    with app.open() as memory:
        added = memory.add_facts(given)
    document = {"memory": memory.id, "given": len(given), "added": added}
    known = f", {len(given) - added} known already" if added < len(given) else ""
    app.show(document, lambda console: console.print(f"{added} of {len(given)} facts added{known}"))
