"""`tem-graph as-of | when | count | operator`: questions about time, answered by the law and without a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from tem_graph.cli.app import App, common, point, seen_from
from tem_graph.errors import InputError

_slot = click.option("--slot", help="For a relation that holds many: the favourite of what kind, such as drink.")


@click.command("as-of", short_help="Show what held on a day.")
@click.argument("date")
@click.argument("subject")
@click.argument("relation")
@_slot
@click.option("--known-after", metavar="SESSION", help="Only what was known after that session: its id, or its place.")
@common
def as_of(app: App, date: str, subject: str, relation: str, slot: str | None, known_after: str | None) -> None:
    """Show what held on DATE (YYYY, YYYY-MM or YYYY-MM-DD): SUBJECT's RELATION on that day."""
    _answer(app, "as_of_date", None, known_after, subject=subject, relation=relation, slot=slot, date=date)


@click.command(short_help="Show when a value began or ended.")
@click.argument("subject")
@click.argument("relation")
@click.argument("value", required=False)
@_slot
@click.option("--ended", is_flag=True, help="When VALUE ended, instead of when it began.")
@click.option("--which", metavar="first|last|N", default="last", show_default=True, help="Which stay at VALUE.")
@seen_from
@common
def when(
    app: App,
    subject: str,
    relation: str,
    value: str | None,
    slot: str | None,
    ended: bool,
    which: str,
    on: str | None,
    known_after: str | None,
) -> None:
    """Show when VALUE began for SUBJECT's RELATION; without VALUE, since when that holds which holds now."""
    if value is None and ended:
        raise click.UsageError("--ended needs the VALUE whose end is asked for")
    arguments: dict[str, object] = {"subject": subject, "relation": relation, "slot": slot, "value": value}
    if value is not None:
        arguments["occurrence"] = int(which) if which.isdecimal() else which
    name = "since" if value is None else "ended" if ended else "became"
    _answer(app, name, on, known_after, **arguments)


@click.command(short_help="Count stays, changes or values.")
@click.argument("subject")
@click.argument("relation")
@click.argument("value", required=False)
@_slot
@click.option(
    "--of",
    "counted",
    type=click.Choice(["stays", "changes", "values"]),
    default="stays",
    show_default=True,
    help="Count stays (a return is one more), changes, or different values.",
)
@seen_from
@common
def count(
    app: App,
    subject: str,
    relation: str,
    value: str | None,
    slot: str | None,
    counted: str,
    on: str | None,
    known_after: str | None,
) -> None:
    """Count the stays in SUBJECT's RELATION, or how often VALUE was taken up."""
    names = {"stays": "count_versions", "changes": "count_changes", "values": "count_distinct"}
    name = "count_value" if value is not None else names[counted]
    _answer(app, name, on, known_after, subject=subject, relation=relation, slot=slot, value=value)


@click.command(short_help="Apply any temporal operator, or list them.")
@click.argument("name", required=False)
@click.option(
    "-a",
    "--arg",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="An argument, such as subject=Ana; a part of one with a dot: while.relation=employer.",
)
@seen_from
@common
def operator(app: App, name: str | None, given: tuple[str, ...], on: str | None, known_after: str | None) -> None:
    """Apply the temporal operator NAME; without NAME, list them all with their arguments."""
    from tem_graph.cli.render.operators import draw_operators
    from tem_graph.temporal.registry import tool_schemas

    if name is None:
        schemas = tool_schemas()
        app.show({"operators": schemas}, lambda console: draw_operators(console, schemas))
        return
    _answer(app, name, on, known_after, **parse_arguments(given))


def parse_arguments(given: Iterable[str]) -> dict[str, Any]:
    """The arguments that `KEY=VALUE` pairs name; dots in a key make an object.

    >>> parse_arguments(["subject=Ana", "while.relation=employer"])
    {'subject': 'Ana', 'while': {'relation': 'employer'}}

    Raises:
        InputError: a pair without `=`, or a key that is both a value and an object.
    """
    arguments: dict[str, Any] = {}
    for pair in given:
        key, equals, value = pair.partition("=")
        *outer, last = key.split(".")
        inner: Any = arguments
        for part in outer:
            inner = inner.setdefault(part, {}) if isinstance(inner, dict) else None
        if not equals or not all([*outer, last]) or not isinstance(inner, dict) or last in inner:
            raise InputError(f"--arg {pair!r} cannot be used", hint="write KEY=VALUE, each key once: --arg subject=Ana")
        inner[last] = value
    return arguments


def _answer(app: App, name: str, on: str | None, known_after: str | None, **arguments: Any) -> None:
    """Applies one operator and shows its result. Arguments that are None are not given."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.answers import draw_result
    from tem_graph.temporal.registry import make_call

    wanted = {key: value for key, value in arguments.items() if value is not None}
    make_call(name, wanted)  # a wrong name or argument is said before anything is connected
    with app.open_existing() as memory:
        result = memory.operator(name, as_of=point(memory, on, known_after), **wanted)
    document = {"memory": memory.id, "arguments": wanted, **as_json.result(result)}
    app.show(document, lambda console: draw_result(console, result))
