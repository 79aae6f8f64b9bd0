"""Sorts what was missed of FactConsolidation into classes. Pure; the scores are those of the package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tem_graph.answer.chain.question import name_key, read_open_question
from tem_graph.domain.fact import Fact
from tem_graph.domain.names import fold
from tem_graph.evaluate.scoring.intervals import wilson

DEEPEST = 5


def interval(right: int, asked: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share, in per cent."""
    found = wilson(right, asked)
    return round(100 * found.low, 1), round(100 * found.high, 1)


@dataclass
class Ways:
    """What can be reached from a name along stored facts: newest values only, or outdated ones too."""

    newest: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    every: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, facts: Iterable[Fact]) -> Ways:
        ways, newest = cls(), dict[tuple[str, str], Fact]()
        for fact in facts:
            ways.names[name_key(fact.subject)] = fact.subject
            ways.every[fact.subject_key].add(fact.object_key)
            held = newest.get((fact.subject_key, fact.relation.key))
            if held is None or held.source.key < fact.source.key:
                newest[fact.subject_key, fact.relation.key] = fact
        for (subject, _), fact in newest.items():
            ways.newest[subject].add(fact.object_key)
        return ways

    def miss_class(self, question: str, golds: Sequence[str], answered: bool) -> str:
        """Why a question was missed: the gold answer follows a value that a later fact replaced; no path leads to
        it; another path was taken; or nobody answered."""
        wanted = {fold(gold) for gold in golds}
        starts = {fold(reading.anchor) for reading in read_open_question(question, self.names)}
        if not starts:
            return "no known name in the question"
        if not wanted & _reached(starts, self.newest):
            return "gold is outdated" if wanted & _reached(starts, self.every) else "gold is on no path"
        return "another path taken" if answered else "not answered"


def _reached(starts: set[str], edges: dict[str, set[str]]) -> set[str]:
    seen, here = set(starts), set(starts)
    for _ in range(DEEPEST):
        here = {there for place in here for there in edges.get(place, ())} - seen
        seen |= here
    return seen
