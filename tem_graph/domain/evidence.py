"""What comes out of a search: facts with their status, events, notes and turns, still apart from any wording."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tem_graph.domain.fact import Fact, Status


@dataclass(frozen=True, slots=True)
class MarkedFact:
    """A fact as seen from one point. `successor` is the fact that made a historical one historical.

    `score` is cosine similarity times the relation's weight (TEM, section 3.3): higher is better, at most
    the weight; None where nothing was searched for.
    """

    fact: Fact
    status: Status
    successor: Fact | None = None
    score: float | None = None


class PassageKind(StrEnum):
    EVENT = "event"
    NOTE = "note"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Passage:
    """An event, a note or a turn: what hybrid memory remembers beside facts (TEM, section 3.5)."""

    kind: PassageKind
    id: str
    text: str
    """One line of content: `speaker: what was said [shares caption]` for a turn, summary or text for the others."""
    session: str
    source_key: str
    """Sort key of the session in its memory (`domain.conversation.source_key`)."""
    day: date | None
    """Local day of the session; for an event the day it happened, where a whole day is known."""
    turns: tuple[int, ...]
    """Positions of the turns behind it, ascending; a turn's own."""
    speaker: str | None = None
    """Who says the turn; its name stands before the text."""
    told_on: date | None = None
    """Local day of the session, also for an event."""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage as a question found it. Higher is better in both; None where that way did not find it."""

    passage: Passage
    similarity: float | None = None
    """Cosine similarity of question and passage, at most 1."""
    lexical: float | None = None
    """Full-text (BM25) score, unbounded."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What one round trip brings for a question: facts best first (design, law 8), passages in no order."""

    facts: tuple[MarkedFact, ...]
    passages: tuple[ScoredPassage, ...]
