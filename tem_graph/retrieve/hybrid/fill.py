"""One token budget filled with the best passages. Pure.

Costs are those of the lines as they will stand: a session's heading is paid by the first of its passages.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tem_graph.domain.evidence import Passage
from tem_graph.retrieve.hybrid.rank import Ranking
from tem_graph.retrieve.hybrid.render import heading, passage_line, said
from tem_graph.retrieve.hybrid.repeats import repeats, words_of
from tem_graph.retrieve.hybrid.trim import Cut, trim

MISSES = 25
"""Passages in a row that do not fit, after which the rest is not tried: what is left of the budget is a scrap."""

WHOLE = 8
"""The best passages stand whole: what answers best may be the sentence that shares no word with the question. Cutting
these too would find one gold turn in a hundred more, and lose every sixth answer that stands in one (measured)."""

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A passage in the evidence, with what is shown of it and the tokens of its line."""

    passage: Passage
    cut: Cut
    cost: int


@dataclass(frozen=True, slots=True)
class Filling:
    """The chosen passages, best first, and the tokens that are left."""

    chosen: tuple[Chosen, ...]
    left: int


def fill(ranking: Ranking, budget: int, count: Count) -> Filling:
    """The passages that fit `budget` tokens, best first, long turns cut. One that is too long makes room for a
    shorter, lesser one. What is left over makes turns whole again, the best first."""
    chosen: list[Chosen] = []
    headed: set[str] = set()
    seen: list[frozenset[str]] = []
    left, misses = budget, 0
    for passage in ranking.passages:
        words = words_of(passage)
        if any(repeats(words, other) for other in seen):
            continue
        text = said(passage)
        cut = Cut(text, True) if len(chosen) < WHOLE else trim(text, ranking.value, count)
        piece = _piece(passage, cut, count)
        title = 0 if passage.session in headed else count(f"\n{heading(passage)}")
        if piece.cost + title > left:
            misses += 1
            if misses >= MISSES:
                break
            continue
        misses = 0
        left -= piece.cost + title
        headed.add(passage.session)
        chosen.append(piece)
        seen.append(words)
    return _made_whole(chosen, left, count)


def _piece(passage: Passage, cut: Cut, count: Count) -> Chosen:
    return Chosen(passage, cut, count(f"\n{passage_line(passage, cut)}"))


def _made_whole(chosen: Sequence[Chosen], left: int, count: Count) -> Filling:
    result = []
    for piece in chosen:
        whole = piece if piece.cut.is_whole else _piece(piece.passage, Cut(said(piece.passage), True), count)
        if whole.cost - piece.cost > left:
            whole = piece
        left -= whole.cost - piece.cost
        result.append(whole)
    return Filling(tuple(result), left)
