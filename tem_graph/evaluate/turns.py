"""Turns as evidence: what the RAG baselines and full context hand to the model. Pure, but for the token counter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tem_graph.domain.conversation import Session
from tem_graph.domain.evidence import Passage, ScoredPassage
from tem_graph.evaluate.datasets.shape import turn_line
from tem_graph.ports import TokenCounter

Place = tuple[str, int]
"""(session id, position) of a turn."""


@dataclass(frozen=True, slots=True)
class ChosenTurns:
    """Turns as text, one a line. `left_out` counts those that the room did not hold."""

    text: str
    turns: tuple[Place, ...]
    tokens: int
    left_out: int = 0


def passage_line(passage: Passage) -> str:
    """One retrieved turn as one line, `(2023-05-08) Caroline: what was said [shares caption]`."""
    day = f"({passage.day.isoformat()}) " if passage.day else ""
    return " ".join(f"{day}{passage.text}".split())


def choose_turns(
    hits: Sequence[ScoredPassage], counter: TokenCounter, *, limit: int, budget: int | None, in_order: bool
) -> ChosenTurns:
    """Retrieved turns, best first, or in session order.

    With a budget, turns are taken in order of rank as long as they fit; one that does not fit is passed over and
    the next is tried. Without one, the first `limit` are taken. Order never changes what is taken.
    """
    taken: list[Passage] = []
    if budget is None:
        taken = [hit.passage for hit in hits[:limit]]
    else:
        spent = 0
        for hit in hits:
            tokens = counter.count(passage_line(hit.passage) + "\n")
            if spent + tokens <= budget:
                taken.append(hit.passage)
                spent += tokens
    if in_order:
        taken.sort(key=lambda passage: (passage.source_key, passage.session, passage.turns))
    text = "\n".join(map(passage_line, taken))
    while budget is not None and taken and counter.count(text) > budget:  # pieces may merge across lines
        taken.pop()
        text = "\n".join(map(passage_line, taken))
    places = tuple((passage.session, position) for passage in taken for position in passage.turns)
    return ChosenTurns(text, places, counter.count(text), len(hits) - len(taken))


def full_context(sessions: Sequence[Session], counter: TokenCounter, room: int) -> ChosenTurns:
    """Every turn of the sessions, in order; the oldest are left out where the room is too small for all.

    The paper cuts at the model's window (TEM, section 4.6) and does not say at which end; the newest turns are kept
    here, since later questions are about them no less, and states that hold now stand there.
    """
    lines = [
        (turn_line(session, turn), (session.id, turn.position))
        for session in sorted(sessions, key=lambda s: s.source_key)
        for turn in session.turns
    ]
    kept: list[tuple[str, Place]] = []
    spent = 0
    for line, place in reversed(lines):
        tokens = counter.count(line + "\n")
        if spent + tokens > room:
            break
        spent += tokens
        kept.append((line, place))
    kept.reverse()
    text = "\n".join(line for line, _ in kept)
    return ChosenTurns(text, tuple(place for _, place in kept), counter.count(text), len(lines) - len(kept))
