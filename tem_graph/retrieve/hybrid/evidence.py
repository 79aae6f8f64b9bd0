"""From candidates to evidence in one token budget: rank, cut, fill, order, render. Pure.

What is chosen never depends on status or on labels: the budget is counted with labels, whether they are shown or
not, so that marked and unmarked evidence hold the same lines in the same order (TEM, section 4.6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tem_graph.domain.evidence import Candidates, MarkedFact, Passage, ScoredPassage
from tem_graph.errors import SettingsError
from tem_graph.ports import TokenCounter
from tem_graph.retrieve.block import BlockStyle, fact_line, ordered
from tem_graph.retrieve.hybrid.fill import fill
from tem_graph.retrieve.hybrid.named import days_named
from tem_graph.retrieve.hybrid.rank import Ranking, rank
from tem_graph.retrieve.hybrid.render import CLOSING, OPENING, kept_turns, place, render
from tem_graph.retrieve.hybrid.trim import Cut
from tem_graph.retrieve.hybrid.when import When

BUDGET_TOKENS = 1024
"""TEM, section 4.6."""
FACTS = 15
"""Facts at most (TEM, section 3.3); the budget limits the rest (design, law 8)."""
FACT_SHARE = 0.25
"""Of the budget, for facts, before the passages; what passages leave over is the facts' again."""
AS_NEAR_AS = 15
"""A fact stands before the passages where it is at least as near to the question as the fifteenth of them."""
HYBRID_STYLE = BlockStyle(legend=False)
"""Facts as in the memory block. What the labels mean is said by the prompt, not by every piece of evidence."""


@dataclass(frozen=True, slots=True)
class HybridEvidence:
    """What is handed to the answering model, and what it was made of."""

    text: str
    tokens: int
    """Of `text`, by `counter`; at most the budget."""
    counter: str
    facts: tuple[MarkedFact, ...]
    """In their order, oldest to newest."""
    passages: tuple[Passage, ...]
    """In their order; a long turn may stand cut."""
    turns: tuple[tuple[str, int], ...]
    """(session id, position) of the turns that the text holds, whole or with at least half of their tokens."""

    def __str__(self) -> str:
        return self.text


def hybrid_evidence(
    question: str,
    candidates: Candidates,
    counter: TokenCounter,
    *,
    budget_tokens: int = BUDGET_TOKENS,
    marks: bool = True,
    when: Sequence[When] = (),
    style: BlockStyle = HYBRID_STYLE,
) -> HybridEvidence:
    """The best of `candidates` for the question in at most `budget_tokens`: facts that are near enough within their
    share, then passages, then what room is left to the other facts. `when` are the days that the question names.

    Raises:
        SettingsError: the budget does not even hold the frame.
    """
    selection = _Selection(lru_cache(maxsize=None)(counter.count), replace(style, marks=True), budget_tokens)
    # A date says more than the name of an event, and may be part of it: "before the wedding in June".
    beside = () if when else days_named(question, candidates)
    ranking = rank(question, candidates.passages, when, beside)
    facts = candidates.facts[:FACTS]
    selection.add_facts(near_enough(facts, candidates.passages), share=FACT_SHARE)
    selection.add_passages(ranking)
    selection.add_facts(facts, share=1.0)
    selection.settle()
    text = selection.text(replace(style, marks=marks))
    lines = selection.lines
    return HybridEvidence(
        text=text,
        tokens=counter.count(text),
        counter=counter.name,
        facts=tuple(ordered(selection.facts, style)),
        passages=tuple(sorted((passage for passage, _ in lines), key=place)),
        turns=kept_turns(lines),
    )


def near_enough(facts: Sequence[MarkedFact], passages: Sequence[ScoredPassage]) -> list[MarkedFact]:
    """The facts that are worth their tokens before any passage is, by score alone: status is not looked at."""
    near = sorted((hit.similarity for hit in passages if hit.similarity is not None), reverse=True)
    floor = near[AS_NEAR_AS - 1] if len(near) >= AS_NEAR_AS else -1.0
    return [fact for fact in facts if fact.score is None or fact.score >= floor]


class _Selection:
    """What is in the evidence so far, and what of the budget is left."""

    def __init__(self, count: Callable[[str], int], style: BlockStyle, budget: int) -> None:
        self._count = count
        self._style = style
        self._budget = budget
        self._left = budget - count(f"{OPENING}\n{CLOSING}\n\n")
        self.facts: list[MarkedFact] = []
        self.lines: list[tuple[Passage, Cut]] = []

    def add_facts(self, facts: Sequence[MarkedFact], *, share: float) -> None:
        """Adds the best facts while all of them together stay within `share` of the budget and what is left."""
        room = min(self._left, int(self._budget * share) - sum(self._cost(fact) for fact in self.facts))
        for fact in facts:
            if fact in self.facts or (cost := self._cost(fact)) > room:
                continue
            self.facts.append(fact)
            self._left -= cost
            room -= cost

    def add_passages(self, ranking: Ranking) -> None:
        """Adds the best passages that fit into what is left, long turns cut; then makes whole again what has room."""
        filling = fill(ranking, self._left, self._count)
        self.lines = [(chosen.passage, chosen.cut) for chosen in filling.chosen]
        self._left = filling.left

    def settle(self) -> None:
        """Takes lines out, the least worth first, until the whole text fits: tokens of a text are not always the sum
        of those of its lines."""
        while self._count(self.text(self._style)) > self._budget:
            if self.lines:
                self.lines.pop()
            elif self.facts:
                self.facts.pop()
            else:
                raise SettingsError(
                    f"a budget of {self._budget} tokens does not even hold an empty block", hint="raise the budget"
                )

    def text(self, style: BlockStyle) -> str:
        return render(self.facts, self.lines, style)

    def _cost(self, fact: MarkedFact) -> int:
        return self._count(f"\n{fact_line(fact, self._style)}")
