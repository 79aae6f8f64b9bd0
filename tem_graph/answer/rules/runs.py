"""Runs: stretches of a question that say one thing in many ways, made into one item each.

"Going by all that we had been told up to session 4" is the point of knowing, "counting every return as a new home"
says what counts. Too many to list as phrases; `english.toml` has the words they are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tem_graph.answer.rules.lexicon import Tag, english

if TYPE_CHECKING:
    from tem_graph.answer.rules.items import Item

_EARLIER = frozenset({"before", "since", "earlier", "prior"})
_LEAVING_OUT = frozenset({
    "ignore", "ignoring", "disregard", "disregarding", "forget", "forgetting", "excluding", "leaving", "discarding",
    "without", "nothing", "setting", "leave", "skip", "skipping", "drop", "omit", "omitting", "strike", "striking",
    "cut", "cutting", "delete", "deleting", "remove", "removing", "never",
})  # fmt: skip
LATER = frozenset({"after", "later", "past", "beyond", "following", "onward", "onwards", "since"})
"""Words that make "before session 4" another point than "after session 4"."""


_LEADS = frozenset({"if", "when", "a", "each", "every", "any", "and"})
"""Words that a run about returns may begin with."""


def join_runs(items: list[Item]) -> list[Item]:
    """The items with every run as one item. A run about returns is tagged `versions` or `once`."""
    return _join_returns(_join_sessions(items))


def _join_sessions(items: list[Item]) -> list[Item]:
    at = next((n for n, i in enumerate(items) if i.session is not None), None)
    if at is None:
        return items
    run = english()["run"]["session"]
    words = frozenset(run["words"])
    start = at
    while start > 0 and _is_plain(items[start - 1]) and set(items[start - 1].keys) <= words:
        start -= 1
    is_front = start == 0 or items[start - 1].keys == (",",)
    openers = frozenset(run["openers"]) | (frozenset(run["at_start"]) if is_front else frozenset())
    while start < at and items[start].keys[0] not in openers:
        start += 1
    end = at + 1
    while end < len(items) and _is_plain(items[end]) and set(items[end].keys) <= frozenset(run["after"]):
        end += 1
    span = items[start:end]
    said = [k for i in items[start:at] for k in i.keys]
    lead = next((k for k in reversed(said) if k in _EARLIER), None)
    if (left_out := set(said) & _LEAVING_OUT) and ("cut", "off") not in pairwise(said):
        is_behind = bool({*said, *items[at].keys} & LATER)  # "ignore everything after session 4", not "up to"
        lead = None if is_behind else left_out.pop()
    trailing = {k for i in items[at + 1 : end] for k in i.keys}
    if set(items[at].keys) & LATER and not (set(said) | trailing) & (_LEAVING_OUT | {"left", "aside"}):
        lead = "after"  # "only the sessions after 4"
    if (end < len(items) and trailing & {"was", "were", "is", "had", "has"} and not _ends_well(items, end)) or (
        "earlier" in trailing and "and" not in trailing
    ):
        end, span = at + 1, items[start : at + 1]
    return [*items[:start], _joined(span, items[at], lead), *items[end:]]


def _ends_well(items: Sequence[Item], end: int) -> bool:
    """Whether the clause "session 4 was over" ends here: an auxiliary that goes on belongs to the question."""
    return items[end - 1].keys[-1] in {"over", "ended", "ends", "done", "finished", "closed", "account", "end", "close"}


def _joined(span: Sequence[Item], session: Item, lead: str | None) -> Item:
    keys = tuple(k for i in span for k in i.keys)
    return replace(session, keys=keys, start=span[0].start, end=span[-1].end, session_lead=lead)


def _join_returns(items: list[Item]) -> list[Item]:
    run: Mapping[str, Any] = english()["run"]["returns"]
    needs, says = frozenset(run["needs"]), frozenset(run["says"])
    words = needs | says | frozenset(run["words"])
    joined: list[Item] = []
    at = 0
    while at < len(items):
        end = at
        if set(items[at].keys) & (says | needs | _LEADS):
            while end < len(items) and _is_plain(items[end]) and set(items[end].keys) <= words:
                end += 1
        keys = tuple(k for i in items[at:end] for k in i.keys)
        if len(keys) > 1 and set(keys) & needs and set(keys) & says:
            is_again = ("once", "more") in pairwise(keys)
            tag = "once" if set(keys) & frozenset(run["not_again"]) and not is_again else "versions"
            span = items[at:end]
            joined.append(replace(span[0], keys=keys, end=span[-1].end, tags={tag: Tag(tag)}))
            at = end
        else:
            joined.append(items[at])
            at += 1
    return joined


def _is_plain(item: Item) -> bool:
    """Whether the item names nothing: no subject, date, session or known value."""
    names = item.subjects or item.date or item.session is not None or item.value or item.is_mark
    return not (names or (item.has("hold") and item.keys[-1] == "as"))
