"""Questions over two stays: which came first, did they overlap.

A stay is somebody's time at a value. The two may share the person ("Did Ana live in Lund while she worked at
Acme?"), the value ("Who joined Acme first, Ana or Bo?"), or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tem_graph.answer.route import Known
from tem_graph.answer.rules.items import Item
from tem_graph.answer.rules.reading import Aspect, Clause, Reading, read_clause

_FORBIDDEN = frozenset({
    "never", "ago_far", "would", "total", "change", "replace", "gives_way", "used_to", "current", "ordinal", "from_end",
})  # fmt: skip
"""Cues that make another question of it."""
_AT_ONCE = frozenset({"immediately", "directly", "right", "straight", "next"})
_FIRST = frozenset({"first", "came_first"})
_EARLIER = frozenset({"earlier", "sooner", "earliest", "first"})


@dataclass(frozen=True, slots=True)
class PairReading:
    """Two clauses with one value each, and what is asked of them. In `order`, `a` is what may have come first."""

    operator: str
    a: Clause
    b: Clause


def read_pair(items: Sequence[Item], reading: Reading, question: str, known: Known) -> PairReading | None:
    """The two stays that a question compares; None where it does not, or where not each has one person and value."""
    operator = _operator(items, reading)
    if operator is None or any(map(_is_other, items)):
        return None
    split = _split(items)
    if split is None or (operator == "order" and _asks_for_a_change(items)):
        return None
    a, b = (read_clause(part, question, known, is_main=True) for part in split)
    if not _share(a, b, items, question, known):
        return None
    aspects = {a.aspect, b.aspect}
    is_already = any("already" in i.keys for i in items) and any(set(i.keys) & {"had", "when"} for i in items)
    if operator == "overlap" and is_already and Aspect.BEGIN in aspects:
        operator = "order"  # "Had she already moved to Lund when Bo joined Acme?"
    if Aspect.END in aspects or (operator == "overlap" and Aspect.BEGIN in aspects):
        return None
    links = {name for i in items for name in ("before", "after") if i.has(name)}
    return PairReading(operator, b, a) if operator == "order" and links == {"after"} else PairReading(operator, a, b)


def _asks_for_a_change(items: Sequence[Item]) -> bool:
    """ "Was Graz her next home right after Lund?": of one person, with nothing between, it is one change."""
    return len({i.subjects for i in items if i.subjects}) == 1 and any(set(i.keys) & _AT_ONCE for i in items)


def _is_other(item: Item) -> bool:
    """Whether the item makes another question of it."""
    return bool(item.date) or item.session is not None or (item.has(*_FORBIDDEN) and not item.has("while"))


def _operator(items: Sequence[Item], reading: Reading) -> str | None:
    kind = reading.kind
    says_first = any(i.has(*_FIRST) or set(i.keys) & _EARLIER for i in items)
    has_link = any(i.has("before", "after") for i in items)
    if reading.is_yes_no:
        if any(i.has("overlap", "both", "while") or i.keys == ("when",) for i in items) and not has_link:
            return "overlap"
        return "order" if has_link or says_first else None
    is_order = any("order" in i.keys for i in items)
    return (
        "order"
        if kind in {"who", "where", "what", "list", None} and not has_link and (says_first or is_order)
        else None
    )


def _split(items: Sequence[Item]) -> tuple[Sequence[Item], Sequence[Item]] | None:
    """The items of either stay: each has a person or a value that the other has not."""
    people = [n for n, i in enumerate(items) if len(i.subjects) == 1 or i.has("who_is_asking")]
    values = [n for n, i in enumerate(items) if i.is_word]
    later = [n for n, i in enumerate(items) if i.has("pronoun") and "it" not in i.keys]
    match len(people), len(values):
        case 2, 2:
            pairs = sorted([*people, *values])
            if {pairs[0], pairs[1]} <= set(people) or {pairs[0], pairs[1]} <= set(values):
                return None
            cut = _cut(items, pairs[1] + 1, pairs[2])
            return items[:cut], items[cut:]
        case 2, 1:
            return (items[: people[1]], items[people[1] :]) if values[0] < people[1] else (items, items[people[1] :])
        case 1, 2:
            cut = next((n for n in later if values[0] < n < values[1]), values[0] + 1)
            return items[:cut], items[cut:]
        case _:
            return None


def _cut(items: Sequence[Item], start: int, end: int) -> int:
    """Where the second stay begins between two names: at the word that joins them, else right after the first."""
    for tags in (("before", "after", "while"), ("overlap", "or"), ("mark",)):
        for at in range(start, end):
            if items[at].has(*tags):
                return at
    return start


def _share(a: Clause, b: Clause, items: Sequence[Item], question: str, known: Known) -> bool:
    """Give each stay the person, value and relation that only the other names; whether both are complete then."""
    whole = read_clause(items, question, known, is_main=True)
    for clause, other in ((a, b), (b, a)):
        clause.subject = clause.subject or other.subject
        if not clause.values:
            clause.values = list(other.values)
    if len({v.start for v in whole.values}) == 1:
        a.values = b.values = list(whole.values)
        a.relation = b.relation = whole.relation
    for clause, other in ((a, b), (b, a)):
        if len(clause.values) > 1:
            return False
        if clause.relation is None and clause.values and clause.values[0].role not in {"in", "at", "a", "an", "as"}:
            clause.relation = other.relation
    first = {name for name, _ in a.named}
    second = {name for name, _ in b.named}
    if len(first | second) > 1 and len(a.values) == 1 and first >= second:
        a.subject, b.subject = next(n for n, _ in a.named if n not in second), next(iter(second))
    return all(c.subject and len(c.values) == 1 and not c.choices for c in (a, b)) and (
        a.subject != b.subject or a.values[0].text != b.values[0].text
    )
