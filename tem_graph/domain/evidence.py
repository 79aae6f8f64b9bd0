"""What comes out of a search: facts with their status, still apart from any wording."""

from __future__ import annotations

from dataclasses import dataclass

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
