"""A second reader for questions that no rule accounts for: the operator by the nearest phrasing, the rest by names.

Only the operator is a guess. People, values, days and sessions must be in the question, all of them used, and the
relation must be named or be the one that the memory knows the value in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from tem_graph.answer.route import Known, Routed
from tem_graph.answer.rules.arguments import Names
from tem_graph.answer.rules.items import Item, name_keys, read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import Masked, mask, named_texts, with_names
from tem_graph.answer.rules.phrasings import NO_OPERATOR, Phrasings, stored_phrasings
from tem_graph.answer.rules.possible import NEIGHBOURS, conceivable, is_out_of_reach, may_be_turned, possible
from tem_graph.answer.rules.reading import NO_PERSON
from tem_graph.answer.rules.sentence import kind_of_items
from tem_graph.answer.rules.weights import Weights, stored_weights
from tem_graph.domain.names import fold
from tem_graph.temporal.registry import Call, make_call

SURE_MARGIN = 7.5
"""Lead in log odds from which a reading counts as sure. Like all margins set by leaving out one writer of eleven at a
time: between 6 and 8 one reading in four was wrong, between 8 and 12 one in fifty."""
DISPUTE_MARGIN = 3.0
"""Lead from which another operator than the rules' speaks against them: below, they were right as often as wrong."""
CLEAR_MARGIN = 12.5
"""Lead from which "not", "never", "another" and unknown names do not make a reading unsure."""
CERTAIN_MARGIN = 20.0
"""Lead from which a reading is believed against the rules: they were wrong all 25 times then."""
CERTAIN, _SURE, _UNSURE = 0.8, 0.75, 0.5
_PER_UNKNOWN_WORD = 1.5
"""What each word that no phrasing of an operator has takes from the margin: "colleagues" may turn the question."""


_PER_LOG_ODDS = 3.0
"""What a log odd of the weights counts beside one of the phrasings, which are that much more sure of themselves."""


class NearestPhrasing:
    """A `Router` without a model, to be asked after the rules."""

    name = "nearest phrasing"

    def __init__(self, phrasings: Phrasings | None = None, weights: Weights | None = None) -> None:
        self._given = (phrasings, weights)

    @property
    def _phrasings(self) -> Phrasings:
        return self._given[0] or stored_phrasings()

    @property
    def _weights(self) -> Weights:
        return self._given[1] or stored_weights()

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator of the nearest phrasing; None where its arguments are not all in the question."""
        return self.place(question, known)

    def place(self, question: str, known: Known, items: Sequence[Item] | None = None) -> Routed | None:
        """The same, without waiting: nothing here does I/O. `items` are the question's, where they are at hand."""
        items = items or read_items(question, known, lexicon_of(known.catalog, known.relations), join=False)
        people = {i.subjects for i in items if i.subjects}
        phrasings = self._phrasings
        if any(len(names) > 1 for names in people) or is_out_of_reach(items, phrasings):
            return None
        masked = mask(items)
        operator, margin = self._nearest(masked, possible(items))
        if operator == NO_OPERATOR:
            return None
        names = Names(items, question, known)
        args = names.arguments(operator)
        if args is None or (kind_of_items(items) == "who" and args.get("relation") in NO_PERSON):
            return None
        needed = CLEAR_MARGIN if names.is_strained or may_be_turned(items, phrasings) else SURE_MARGIN
        margin -= _PER_UNKNOWN_WORD * phrasings.unknown_words(masked)
        confidence = CERTAIN if margin >= CERTAIN_MARGIN else _SURE if margin >= needed else _UNSURE
        return Routed(make_call(operator, args), confidence, self.name, f"Nearest to phrasings of {operator}.")

    def operator(self, items: Sequence[Item]) -> str:
        """The operator of the nearest phrasing, or `NO_OPERATOR`, however small its lead is."""
        return self._nearest(mask(items), possible(items))[0]

    def _nearest(self, masked: Masked, among: frozenset[str]) -> tuple[str, float]:
        """The likeliest operator of `among` or `NO_OPERATOR`, and its lead.

        The lead is over any other, be it one that the shape of the question does not allow: it is below zero then.
        """
        scores = self._scores(masked)
        best = max((o for o in scores if o in among or o == NO_OPERATOR), key=lambda o: scores[o])
        return best, scores[best] - max((score for o, score in scores.items() if o != best), default=0.0)

    def _scores(self, masked: Masked) -> Mapping[str, float]:
        return _scores_of(self._phrasings, self._weights, masked)

    def small_values(self, call: Call, known: Known) -> list[str]:
        """The values of a call that the memory does not know and that have no capital: "nurse", or "few"."""
        values = {fold(v.object) for v in known.values}
        unknown = [t for field, t in named_texts(call.arguments) if field != "subject" and fold(t) not in values]
        return [t for t in unknown if t[0].islower()]

    def asks_with(self, text: str) -> bool:
        """Whether it has words of questions, and so is most likely no value."""
        return any(map(self._phrasings.is_of_operators, name_keys(text)))

    def disputes(self, items: Sequence[Item], call: Call) -> bool:
        """Whether a question is nearer to phrasings of another operator than a call's, or of none.

        Which of two replaced the other is told by their order, which words and pairs of words do not show.
        """
        named = with_names(items, call.arguments)
        scores = self._scores(mask(named))
        rivals = conceivable(named) | {call.operator, NO_OPERATOR}
        nearest = max((o for o in scores if o in rivals), key=lambda o: scores[o])
        if {nearest, call.operator} == NEIGHBOURS and any(i.has("replace", "gives_way") for i in items):
            return False
        lead = scores[nearest] - scores.get(call.operator, 0.0)
        return nearest != call.operator and (nearest == NO_OPERATOR or lead >= DISPUTE_MARGIN)


@lru_cache(maxsize=16)
def _scores_of(phrasings: Phrasings, weights: Weights, masked: Masked) -> Mapping[str, float]:
    """Operator, or `NO_OPERATOR` → log odds by both together. A question is scored to read it and to dispute it."""
    near, weighed = phrasings.scores(masked), weights.scores(masked)
    return {o: near[o] + _PER_LOG_ODDS * weighed.get(o, 0.0) for o in near}
