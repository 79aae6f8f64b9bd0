"""The frame of a question: its kind, its clauses, its tense, and what it only ends with ("…, isn't she?")."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.rules.items import Item

KINDS = ("until_when", "since_when", "how_long", "how_often", "how_many", "how", "where", "who", "what", "when", "list")
PAST = frozenset({"did", "was", "were", "had", "'d"})
PRESENT = frozenset({"does", "do", "is", "are", "am"})
PERFECT = frozenset({"has", "have", "'ve"})
AUX = PAST | PRESENT | PERFECT


def kind_of_items(items: Sequence[Item]) -> str | None:
    """The kind of the first item that has one; "the number of" and the like may follow "what is"."""
    found = [k for i in items if i.tags for k in KINDS if k in i.tags]
    if found and found[0] == "what" and any(_names_a_day(i) for i in items):
        return "when"  # "what is her start date at Acme", "what was her last day there"
    counting = [k for k in found if k in {"how_often", "how_many", "how_long", "since_when", "until_when"}]
    return counting[0] if counting else found[0] if found else None


def _names_a_day(item: Item) -> bool:
    return item.has("when", "begin", "end", "start", "stop") and bool({"date", "day"} & set(item.keys))


def without_tail(items: list[Item]) -> tuple[list[Item], bool]:
    """The clause without "…, right?" and "…, isn't she?", and whether it had one."""
    at = len(items)
    while at > 1 and items[at - 1].has("tail") and _opens_tail(items, at - 1):
        at -= 2 if items[at - 2].keys == (",",) else 1
    return items[:at], at < len(items)


def _opens_tail(items: Sequence[Item], at: int) -> bool:
    return items[at - 1].keys == (",",) or items[at].keys[0] in {"or", "yes", "innit"} or len(items[at].keys) > 2


def is_inverted(items: Sequence[Item]) -> bool:
    """Whether an auxiliary comes before anything else that is asked: "Did Ana …", "At any time, was Lund …"."""
    for item in items:
        if item.session is None and (item.has("auxiliary") or (item.keys[0] in AUX and not item.has("filler"))):
            return True
        if item.subjects or item.is_word or item.has("pronoun", "who_is_asking", "noun", *KINDS):
            return False
    return False


def asks_of_now(items: Sequence[Item]) -> bool:
    """Whether the first auxiliary is "is" or "does": "Is Neo4j the database that she has now?"."""
    first = next((i.keys[0] for i in items if i.keys[0] in AUX and not i.has("filler")), None)
    return first in PRESENT


def tells_the_past(items: Sequence[Item]) -> bool:
    """Whether a clause without an auxiliary has a verb in the past: "whether Ana lived in Lund"."""
    if any(set(i.keys) & AUX for i in items):
        return False
    return any(i.has("hold", "begin", "end") and i.keys[0].endswith("ed") for i in items)


def split_clauses(items: list[Item]) -> tuple[list[Item], str | None, list[Item] | None]:
    """(main clause, link, subordinate clause). A clause in front ends where the question word comes."""
    start = next((n for n, i in enumerate(items) if not (set(i.tags) <= {"filler", "opening", "mark"} and i.tags)), 0)
    for at in range(len(items)):
        link = _link_of(items, at, start)
        follows = items[at + 1] if at + 1 < len(items) else None
        if link is None or (follows is not None and (follows.date or follows.session is not None)):
            continue
        if link == "while" and follows is not None and follows.keys == (",",):
            continue  # "at the time, in 2019"
        if follows is None and link != "while":
            if link == "before":
                return items[:at], "before", []
            continue
        if at == start:
            main_at = _main_after(items, at)
            if main_at is not None:
                return items[main_at:], link, _without_comma(items[at + 1 : main_at])
        return items[:at], link, _without_comma(items[at + 1 :])
    return items, None, None


def _link_of(items: Sequence[Item], at: int, start: int) -> str | None:
    """Before, after or while, if the item joins two clauses. "When" does unless it is what the question asks."""
    item = items[at]
    if item.keys == ("when",):
        if at == start and at + 1 < len(items) and items[at + 1].keys[0] in AUX:
            return None  # "When did tea stop being what she likes best?"
        is_inside = at > start and (kind_of_items(items[:at]) is not None or bool(set(items[start].keys) & AUX))
        return "while" if is_inside or (at == start and _main_after(items, at) is not None) else None
    if item.keys == ("having",) and at != start:
        return None
    if item.keys == ("once",):
        follows = items[at + 1] if at + 1 < len(items) else None
        if follows is None or not (follows.subjects or follows.value or follows.has("pronoun", "who_is_asking")):
            return None
    return next((name for name in ("before", "after", "while") if item.has(name)), None)


def _without_comma(items: list[Item]) -> list[Item]:
    return items[:-1] if items and items[-1].keys == (",",) else items


def _main_after(items: Sequence[Item], at: int) -> int | None:
    """Where the main clause begins after a clause in front: at a question word, or at an auxiliary after a comma."""
    commas = [n for n in range(at + 2, len(items)) if items[n].keys == (",",)]
    for n in range(commas[0] if commas else at + 2, len(items)):
        if any(items[n].has(k) for k in KINDS):
            return n
        if items[n].keys == (",",) and n + 1 < len(items) and set(items[n + 1].keys) & AUX:
            return n + 1
    return None
