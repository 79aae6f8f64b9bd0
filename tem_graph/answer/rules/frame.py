"""The frame of a question: what stands before the question itself and names nothing that it is about.

"The bank wants to know how often she moved", "For my infographic: how many homes", "I lost track, where does she live".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

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
    start = _behind_errand(items)
    if any(item.subjects for item in items):  # else "I" is who it is about, and stands in what looks like a frame
        for at in range(start + 1, len(items)):
            if _names_something(items[at - 1]):
                break
            if _is_border(items, at):
                start = at
    return list(items[start:])


def _behind_errand(items: Sequence[Item]) -> int:
    """Where a question goes on behind "Before I book the room, …"; 0 where it does not begin so."""
    said = [n for n, i in enumerate(items) if not i.has("filler", "opening") or i.has("before")]
    if len(said) < 2 or not (items[said[0]].has("before") and items[said[1]].has("who_is_asking")):
        return 0
    end = next((n for n, i in enumerate(items) if i.keys[0] in {",", ":"} and n > said[1]), 0)
    is_empty = not any(i.subjects or i.date or i.value or i.session is not None for i in items[:end])
    return end + 1 if is_empty and 0 < end < len(items) - 1 else 0


def asking_sentence(items: Sequence[Item]) -> list[Item]:
    """The items of the sentence that asks, where it names all there is to name and others stand around it; else none.

    "I keep losing track. Which city is home for Ana?", but not "Ana moved again. Where is she now?". Pure.
    """
    starts = [0, *(at for at in range(1, len(items)) if _opens(items, at)), len(items)]
    sentences = [items[one:other] for one, other in pairwise(starts)]
    naming = [s for s in sentences if any(i.subjects or i.date or i.value or i.session is not None for i in s)]
    of_now = [s for s in naming if any(i.has("current") for i in s)]
    if len(of_now) == 1 and not any(
        i.subjects or i.value or i.session is not None for s in naming if s not in of_now for i in s
    ):
        naming = of_now  # "We have lunch tomorrow. What is her favourite drink now?"
    if len(sentences) < 2 or len(naming) != 1 or not any(i.subjects for i in naming[0]):
        return []
    return [] if any(_asks_on(s) for s in sentences if s is not naming[0]) else list(naming[0])


def _asks_on(sentence: Sequence[Item]) -> bool:
    """Whether a sentence asks itself, or speaks of whom another names: "… Where is she now?"."""
    return sentence[-1].keys == ("?",) or any(i.has("pronoun") and "it" not in i.keys for i in sentence)


def _opens(items: Sequence[Item], at: int) -> bool:
    return items[at].opens or (items[at - 1].keys == ("?",) and not items[at].is_mark)


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
