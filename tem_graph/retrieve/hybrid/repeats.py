"""Lines that say again what another says. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.domain.evidence import Passage, PassageKind, ScoredPassage
from tem_graph.retrieve.hybrid.words import terms

SAME = 0.85
"""The share of a passage's words that another line has, from which it is a near duplicate. A guess."""
FEW = 3
"""A passage of no more words is repeated only by the same ones: "Thanks, Mel!" is in many a line."""


def repeats(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether `other` already says nearly all of `words`."""
    return words == other if len(words) <= FEW else len(words & other) >= SAME * len(words)


def words_of(passage: Passage) -> frozenset[str]:
    """What the passage says, as words, without the name of its speaker."""
    return frozenset(terms(passage.text.removeprefix(f"{passage.speaker}: ")))


def without_repeats(found: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The hits less the events and notes that only repeat a turn behind them, as events chosen without a model do."""
    turns = {
        (hit.passage.session, hit.passage.turns[0]): frozenset(terms(hit.passage.text))
        for hit in found
        if hit.passage.kind is PassageKind.TURN
    }
    return [hit for hit in found if hit.passage.kind is PassageKind.TURN or not _is_said(hit.passage, turns)]


def _is_said(passage: Passage, turns: dict[tuple[str, int], frozenset[str]]) -> bool:
    words = words_of(passage)
    behind = (turns.get((passage.session, at), frozenset()) for at in passage.turns)
    # However few the words: it comes from this turn, so this is no chance.
    return any(len(words & turn) >= SAME * len(words) for turn in behind)
