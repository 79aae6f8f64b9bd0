"""The frame of a question: what stands before the question itself and names nothing that it is about.

"The bank wants to know how often she moved", "For my infographic: how many homes", "I lost track, where does she live".
"""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.rules.items import Item
from tem_graph.answer.rules.lexicon import english

_ASKS = frozenset({
    "know", "asks", "ask", "asked", "asking", "wonder", "wonders", "wondering", "see", "say", "check", "tell", "find",
    "remember", "figure", "hear", "learn", "wants", "want", "need", "needs", "requires", "curious", "unsure", "sure",
    "about", "out", "me", "us", "describe", "to",
})  # fmt: skip
"""Words right before what somebody wants to know."""
_SAYS_NOTHING = frozenset({"filler", "opening", "mark", "auxiliary", "holds", "who_is_asking", "as_of", "whether"})
_OF_PLANS = frozenset({"want", "wants", "will", "need", "needs"})
_UNITS = frozenset({"day", "days", "weeks", "months", "years", "words", "order", "repeats", "duplicates", "returns"})


def without_frame(items: Sequence[Item]) -> list[Item]:
    """The items from where the question itself begins: all of them, where the words before it name anything. Pure."""
    start = 0
    if any(item.subjects for item in items):  # else "I" is who it is about, and stands in what looks like a frame
        for at in range(1, len(items)):
            if _names_something(items[at - 1]):
                break
            if _is_border(items, at):
                start = at
    return list(items[start:])


def _is_border(items: Sequence[Item], at: int) -> bool:
    """Whether a new part begins here: behind a mark or a full stop, or where what is asked follows "wants to know"."""
    before = items[at - 1]
    if items[at].opens or before.is_mark:
        return not items[at].is_mark
    is_told = before.keys in {("know",), ("see",)} and items[max(at - 2, 0)].keys[-1] != "to"  # "I know where …, but"
    return before.keys[-1] in _ASKS and not is_told and items[at].has("whether", *english()["kinds"])


def _names_something(item: Item) -> bool:
    """Whether the question could be about it, or whether it says what is asked of that."""
    if item.subjects or item.date or item.value or item.session is not None or set(item.keys) & _UNITS:
        return True
    is_asking = item.keys[-1] in _ASKS or item.keys[0] in _OF_PLANS
    return not (is_asking or item.tags.keys() <= _SAYS_NOTHING)
