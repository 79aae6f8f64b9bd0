"""How much one reply may hold, from how much there is to read.

A small model under schema decoding can repeat an item without end: every further one is valid. So lists are bounded
while decoding, at several times what a conversation of that length holds, and the reply's limit is what those lists
take. Both are held to what the configured limit allows: a reply beyond it would be cut, and nothing of it kept. Pure.
"""

from __future__ import annotations

from dataclasses import dataclass

ITEM_TOKENS = {"facts": 80, "events": 60, "notes": 50}
"""Tokens of one item. Source: the worked examples of `extract_memory`, indented as models like to, in the tokenizer of
Qwen2.5, the longest of each kind (82, 60, 45)."""
_FRAME_TOKENS = 100
"""Tokens of a reply around its items. A guess."""
_READ_PER_ITEM = 16
"""Tokens of conversation for each event, each note and each two facts. The densest worked example has one fact and one
event in 27 and 36, LoCoMo's own observations one in 70: twice to eight times as many fit."""
_FACTS_PER_PASSAGE = 2
_STEPS = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
"""Bounds come in steps, because a server compiles each schema that it has not seen, and keeps it."""


@dataclass(frozen=True, slots=True)
class Room:
    """The most items of each list that a reply may hold, and the tokens that so many take."""

    facts: int
    events: int = 0
    notes: int = 0

    def most(self, name: str) -> int:
        """The bound of the list of that name."""
        bound: int = getattr(self, name)
        return bound

    @property
    def tokens(self) -> int:
        return _FRAME_TOKENS + sum(each * self.most(name) for name, each in ITEM_TOKENS.items())


def room_for(turns: int, read_tokens: int, *, max_tokens: int, passages: bool) -> Room:
    """The room of the reply to so many turns of so many tokens, within `max_tokens` where a least reply fits those.

    >>> room_for(6, 90, max_tokens=8192, passages=True)
    Room(facts=16, events=8, notes=8)
    >>> room_for(400, 12_000, max_tokens=8192, passages=True)
    Room(facts=58, events=29, notes=29)
    """
    wanted = max(turns, -(-read_tokens // _READ_PER_ITEM))
    step = next((step for step in _STEPS if step >= wanted), _STEPS[-1])
    each = _FACTS_PER_PASSAGE * ITEM_TOKENS["facts"] + passages * (ITEM_TOKENS["events"] + ITEM_TOKENS["notes"])
    step = min(step, max(_STEPS[0], (max_tokens - _FRAME_TOKENS) // each))
    return Room(_FACTS_PER_PASSAGE * step, step, step) if passages else Room(_FACTS_PER_PASSAGE * step)
