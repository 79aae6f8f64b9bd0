"""What the graph would hand to the ranking, found in this process: turns alone, by the same vectors and by BM25.

For measuring the ranking without a database. Facts, events and notes are missing, and shared words are weighed over
the turns of one conversation, where the full-text index weighs them over all that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tem_graph.domain.conversation import Session
from tem_graph.domain.evidence import Candidates, Passage, PassageKind, ScoredPassage
from tem_graph.retrieve.hybrid.lexical import shared_words, term_weights
from tem_graph.retrieve.hybrid.words import terms

PASSAGES = 100
"""Turns by vector, and as many by words, as `graph.search` has them."""


@dataclass(frozen=True)
class Conversation:
    """The turns of one conversation, in order, ready to be searched. `vectors`: (n, d) float32, L2-normalised."""

    passages: tuple[Passage, ...]
    vectors: NDArray[np.float32]
    documents: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, sessions: Sequence[Session], vectors: Sequence[Sequence[float]]) -> Conversation:
        """`vectors` are those of `lines_of(sessions)`."""
        passages = tuple(passages_of(sessions))
        documents = tuple(terms(passage.text) for passage in passages)
        return cls(passages, np.asarray(vectors, dtype=np.float32), documents)

    def candidates(self, question: str, vector: Sequence[float]) -> Candidates:
        """The nearest turns, those with most of the question's words, and the turns beside them."""
        similar = self.vectors @ np.asarray(vector, dtype=np.float32)
        words = shared_words(term_weights(list(dict.fromkeys(terms(question))), self.documents), self.documents)
        hits = set(np.argsort(-similar, kind="stable")[:PASSAGES].tolist())
        hits |= set(sorted((n for n, score in enumerate(words) if score > 0), key=lambda n: -words[n])[:PASSAGES])
        near = {n + step for n in hits for step in (-1, 0, 1) if self._is_beside(n, n + step)}
        return Candidates((), tuple(ScoredPassage(self.passages[n], float(similar[n])) for n in sorted(near)))

    def nearest(self, vector: Sequence[float], limit: int) -> list[ScoredPassage]:
        """Plain retrieval: the nearest turns, best first."""
        similar = self.vectors @ np.asarray(vector, dtype=np.float32)
        best = np.argsort(-similar, kind="stable")[:limit].tolist()
        return [ScoredPassage(self.passages[n], float(similar[n])) for n in best]

    def _is_beside(self, n: int, other: int) -> bool:
        inside = 0 <= other < len(self.passages)
        return inside and self.passages[n].session == self.passages[other].session


def lines_of(sessions: Iterable[Session]) -> list[str]:
    """The lines that are embedded, in order."""
    return [turn.line for session in sessions for turn in session.turns]


def passages_of(sessions: Iterable[Session]) -> Iterable[Passage]:
    for session in sessions:
        day = session.date.day if session.date else None
        for turn in session.turns:
            id_ = f"{session.id}:{turn.position:06d}"
            yield Passage(
                PassageKind.TURN,
                id_,
                turn.line,
                session.id,
                session.source_key,
                day,
                (turn.position,),
                turn.speaker,
                day,
            )
