"""A value in a question, and whether something came from it or went to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from tem_graph.answer.rules.items import SWAPS, Item
from tem_graph.answer.rules.lexicon import Target

_BE = frozenset({"was", "were", "is", "been", "being"})
ASPECTS = ("hold", "begin", "end")
"""Tags of the verbs of a relation."""


@dataclass
class Mention:
    """A value in a question: its text, the word before it ("at", "a"), and whether it is what something came
    "from" or went "to"."""

    text: str
    role: str | None
    start: int
    way: str | None = None
    relation: Target | None = None
    """The relation of the nearest verb before it."""


def read_mention(items: Sequence[Item], at: int, question: str) -> Mention:
    item = items[at]
    role = items[at - 1].keys[-1] if at else None
    relation = None
    for before in reversed(items[:at]):
        if before.is_word:
            break
        tag = next((before.tags[name] for name in ASPECTS if before.has(name) and not before.has("auxiliary")), None)
        if tag is not None:
            relation = tag.target
            break
    way = _way(items, at)
    return Mention(item.value or question[item.start : item.end], role, item.start, way, relation)


def _way(items: Sequence[Item], at: int) -> str | None:
    """Whether the value is what something came "from" or went "to"; None where no word says so.

    "Replace" and "give way to" turn around what stands before and after them. After a value that something came
    from, "for" and the beginning of something lead to the next: "leave Lund for Graz", "quit nursing to teach".
    """
    before = _until_name(reversed(items[:at]))
    after = _until_name(items[at + 1 :])
    if before and before[0].keys == ("with",) and any(i.has("replace", "gives_way") for i in items[:at]):
        return "to"  # "what did she replace with Neo4j"
    said = {k for i in items[:at] for k in i.keys}
    if before and before[0].keys == ("that",) and after and after[0].has("replace"):
        return "to"  # "What was the plan that Neo4j replaced?"
    if before and before[0].keys == ("by",) and any(i.has("replace", "gives_way") for i in (*before, *items[at:])):
        return "to"  # "By Neo4j, which plan was replaced?", "Was tea replaced by coffee?"
    is_passive = bool(said & _BE) and not said & {"did", "does"} and not _is_inside_that(items, at)
    is_passive = is_passive or any(i.keys[0] in {"get", "got"} for i in items[at:])  # "When did Neo4j get replaced?"
    for near, replaced, gave_way in ((before, "from", "to"), (after, "to", "from")):
        is_relative = bool(near) and any(set(i.keys) & {"that", "which"} for i in near)  # "the one that replaced it"
        is_replaced = not is_relative and (any(i.keys == ("replaced",) for i in near) or _is_participle(near))
        if is_passive and near is after and is_replaced:
            return gave_way  # "When was Neo4j replaced?", "By what was Neo4j superseded?"
        if any(i.has("replace") for i in near):
            return replaced
        if any(i.has("gives_way") for i in near):
            return gave_way
    if _is_traded_for(before):
        return "to"
    came = _has_origin(items, at)
    for item in before:
        if item.keys[-1] in {"from", "to", "into", "of", "for"} and item.has("from", "to", "begin", "end", "became"):
            is_to = item.has("begin", "to", "became") and not item.has("from", "end")
            return "to" if is_to else "from"
        if item.keys == ("for",) and len(before) > 1 and before[1].has("left", "stop", "end"):
            return "to"  # "Which company did she leave for Acme?"
        if came and (item.keys[0] in {"for", "to", "with"} or item.has("begin", "became")):
            return "to"
        if item.keys[-1] in {"to", "into"} and item.has("goes", "change", "next"):
            return "to"
    is_origin = any(i.has("left", "stop", "end") or i.keys[0] in SWAPS for i in before)
    return "from" if is_origin else None


def _is_inside_that(items: Sequence[Item], at: int) -> bool:
    """ "Is it true that coffee replaced tea": what "is" speaks of is the whole clause."""
    be = next((n for n in range(at - 1, -1, -1) if set(items[n].keys) & _BE), at)
    return any("that" in i.keys for i in items[be:at])


def _is_participle(near: Sequence[Item]) -> bool:
    return bool(near) and near[0].has("replace") and len(near[0].keys) == 1 and near[0].keys[0].endswith("ed")


def _is_traded_for(before: Sequence[Item]) -> bool:
    """ "Ana gave up which city for Graz?": what is asked went, and the value came."""
    asked = next((n for n, i in enumerate(before) if i.has("what", "where")), None)
    is_for = asked is not None and before[0].keys == ("for",)
    return is_for and any(i.has("left", "stop", "end") for i in before[asked:])


def _until_name(items: Iterable[Item]) -> list[Item]:
    """The items up to the next value, person or day."""
    return list(takewhile(lambda i: not (i.is_word or i.subjects or i.date), items))


def _has_origin(items: Sequence[Item], at: int) -> bool:
    """Whether a value before this one is what something came from."""
    names = [n for n in range(at) if items[n].is_word]
    return bool(names) and _way(items, names[-1]) == "from"
