"""A second reader for questions that no rule accounts for: the operator by the nearest phrasing, the rest by names.

Only the operator is a guess. People, values, days and sessions must be in the question, all of them used, and the
relation must be named or be the one that the memory knows the value in.
"""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.route import Known, Routed
from tem_graph.answer.rules.arguments import Names
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import mask, with_names
from tem_graph.answer.rules.phrasings import NO_OPERATOR, Phrasings, stored_phrasings
from tem_graph.answer.rules.possible import is_out_of_reach, may_be_turned, possible
from tem_graph.answer.rules.reading import NO_PERSON
from tem_graph.answer.rules.sentence import kind_of_items
from tem_graph.temporal.registry import Call, make_call

SURE_MARGIN = 3.0
"""Log odds per word from which a reading counts as sure. Calibrated by leaving one set of wordings out."""
DISPUTE_MARGIN = 0.25
"""Log odds per word from which another operator than the rules' speaks against them. Set on the counts of held-out
sets, where rules that the nearest phrasing contradicted were wrong nearly as often as right."""
CLEAR_MARGIN = 5.0
"""Log odds per word from which "not", "never", "another" do not make a reading unsure. Calibrated likewise."""
CERTAIN_MARGIN = 7.0
"""Log odds per word from which a reading is believed against the rules. Left-out sets gave the same from 5 on."""
_NEIGHBOURS = frozenset({"before", "after"})
CERTAIN, _SURE, _UNSURE = 0.8, 0.75, 0.5
_PER_UNKNOWN_WORD = 0.5
"""What each word that no phrasing of an operator has takes from the margin: "colleagues" may turn the question."""


class NearestPhrasing:
    """A `Router` without a model, to be asked after the rules."""

    name = "nearest phrasing"

    def __init__(self, phrasings: Phrasings | None = None) -> None:
        self._phrasings = phrasings

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator of the nearest phrasing; None where its arguments are not all in the question."""
        return self.place(question, known)

    def place(self, question: str, known: Known, items: Sequence[Item] | None = None) -> Routed | None:
        """The same, without waiting: nothing here does I/O. `items` are the question's, where they are at hand."""
        items = items or read_items(question, known, lexicon_of(known.catalog, known.relations), join=False)
        people = {i.subjects for i in items if i.subjects}
        phrasings = self._phrasings or stored_phrasings()
        if any(len(names) > 1 for names in people) or is_out_of_reach(items, phrasings):
            return None
        masked = mask(items)
        operator, margin = phrasings.nearest(masked, possible(items))
        if operator == NO_OPERATOR:
            return None
        args = Names(items, question, known).arguments(operator)
        if args is None or (kind_of_items(items) == "who" and args.get("relation") in NO_PERSON):
            return None
        needed = CLEAR_MARGIN if may_be_turned(items) else SURE_MARGIN
        margin -= _PER_UNKNOWN_WORD * phrasings.unknown_words(masked)
        confidence = CERTAIN if margin >= CERTAIN_MARGIN else _SURE if margin >= needed else _UNSURE
        return Routed(make_call(operator, args), confidence, self.name, f"Nearest to phrasings of {operator}.")

    def disputes(self, items: Sequence[Item], call: Call) -> bool:
        """Whether a question is nearer to phrasings of another operator than a call's, or of none.

        Which of two replaced the other is told by their order, which words and pairs of words do not show.
        """
        phrasings = self._phrasings or stored_phrasings()
        masked = mask(with_names(items, call.arguments))
        operator, margin = phrasings.nearest(masked, possible(items) | {call.operator})
        if {operator, call.operator} == _NEIGHBOURS and any(i.has("replace", "gives_way") for i in items):
            return False
        return operator != call.operator and margin >= DISPUTE_MARGIN
