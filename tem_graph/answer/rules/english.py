"""The router without a model: the rules and the nearest phrasing together.

Either reader alone is sure of a wrong operator now and then, on different questions. So a reading by the rules
counts as sure only where the nearest phrasing does not speak against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tem_graph.answer.route import Known, Routed
from tem_graph.answer.rules.frame import asking_sentence, without_frame
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.nearest import CERTAIN, NearestPhrasing
from tem_graph.answer.rules.router import DOUBTED, RulesRouter
from tem_graph.temporal.registry import Call

_SURE = 0.7
_DISPUTED = 0.6


class EnglishRouter:
    """A `Router` without a model. English only; a question in another language is not placed."""

    name = "rules and nearest phrasing"

    def __init__(self, rules: RulesRouter, nearest: NearestPhrasing) -> None:
        self._rules, self._nearest = rules, nearest

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator of a question, with less confidence than 0.7 where the readers do not agree on it."""
        return self.place(question, known)

    def place(self, question: str, known: Known) -> Routed | None:
        """The same, without waiting: nothing here does I/O."""
        items = read_items(question, known, lexicon_of(known.catalog, known.relations), join=False)
        asked = without_frame(items)
        if len(asked) < len(items):
            return self.place(question[asked[0].start :], known)
        routed = self._by_both(question, known, items)
        sentence = asking_sentence(items)
        if not sentence or (routed is not None and (routed.call is None or routed.confidence >= _SURE)):
            return routed
        alone = self.place(question[sentence[0].start : sentence[-1].end], known)
        if alone is None or alone.call is None or alone.confidence < _SURE:
            return routed
        # What stands around the sentence must not make it another question: "Count returns twice. How many homes …".
        return alone if alone.call.operator == self._nearest.operator(items) else routed

    def _by_both(self, question: str, known: Known, items: Sequence[Item]) -> Routed | None:
        by_rules = self._rules.place(question, known)
        if by_rules is not None and by_rules.call is None:
            return by_rules
        if by_rules is not None and by_rules.confidence <= DOUBTED:
            return by_rules  # the rules know what makes it another question
        by_phrasing = self._nearest.place(question, known, items)
        if by_rules is None or by_rules.call is None or by_rules.confidence < _SURE:
            is_better = by_phrasing is not None and (by_rules is None or by_phrasing.confidence >= _SURE)
            return by_phrasing if is_better else by_rules
        if self._nearest.disputes(items, by_rules.call):
            if by_phrasing is not None and by_phrasing.confidence >= CERTAIN:
                return by_phrasing
            reading = f"{by_rules.reading} The nearest phrasings are of another operator."
            return replace(by_rules, confidence=_DISPUTED, reading=reading)
        small = self._nearest.small_values(by_rules.call, known)
        if by_phrasing is not None and by_phrasing.call is not None and by_phrasing.confidence >= _SURE:
            # Rules that take a word for a value see another shape of question, and with it another operator.
            if small or _groups(by_phrasing.call) != _groups(by_rules.call):
                return by_phrasing  # names nothing but what the memory knows
        elif any(map(self._nearest.asks_with, small)):
            reading = f"{by_rules.reading} {' and '.join(small)} may be no value."
            return replace(by_rules, confidence=_DISPUTED, reading=reading)
        return by_rules


def _groups(call: Call) -> set[tuple[str, str, str | None]]:
    return {(group.subject, group.relation, group.slot) for group in call.groups}
