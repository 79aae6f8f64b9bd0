"""`tem-graph conflicts | correct | retract`: what contradicts itself, and putting the record right, on record."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common, point, seen_from

_why = click.option("--why", required=True, help="Why; kept with the old record.")
_by = click.option("--by", help="Who says so; else the setting user, or the login name.")


@click.command(short_help="List facts that contradict each other.")
@seen_from
@common
def conflicts(app: App, on: str | None, known_after: str | None) -> None:
    """List facts that contradict another one of the same place, with nothing later to settle it.

    `correct` or `retract` one of them by its id.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import facts_table, print_table

    with app.open_existing() as memory:
        hits = memory.conflicts(as_of=point(memory, on, known_after))
    document = {"memory": memory.id, "facts": as_json.marked_facts(hits)}
    app.show(document, lambda console: print_table(console, facts_table(hits, ids=True)))
    if not hits:
        app.say("no conflicts")


@click.command(short_help="Put right what was recorded wrong, on record.")
@click.argument("fact_id")
@click.argument("object")
@click.option("--effective", metavar="DATE", help="Since when it holds, where that was wrong too.")
@_by
@_why
@common
def correct(app: App, fact_id: str, object: str, effective: str | None, by: str | None, why: str) -> None:
    """Put OBJECT in the place of what FACT_ID says: the record was wrong, the world did not change.

    The new fact takes the session and place of the old one, which stays on record as retracted.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.domain.time import PartialDate

    stated = PartialDate.parse(effective, words=effective) if effective else None
    with app.open_existing() as memory:
        new = memory.correct(fact_id, object=object, by=by, why=why, effective=stated)
    document = {"memory": memory.id, "retracted": fact_id, "fact": as_json.fact(new)}
    app.show(document, lambda console: console.print(f"corrected: {new.text} (fact {new.id})"))


@click.command(short_help="Withdraw facts, on record.")
@click.argument("fact_ids", nargs=-1, required=True)
@_by
@_why
@common
def retract(app: App, fact_ids: tuple[str, ...], by: str | None, why: str) -> None:
    """Withdraw facts by FACT_IDS. The records stay, with who, when and why; nothing counts them any more."""
    with app.open_existing() as memory:
        withdrawn = memory.retract(*fact_ids, by=by, why=why)
    document = {"memory": memory.id, "retracted": list(withdrawn)}
    before = f", {len(fact_ids) - len(withdrawn)} were before" if len(withdrawn) < len(fact_ids) else ""
    app.show(document, lambda console: console.print(f"{len(withdrawn)} facts retracted{before}"))
