"""What the speaker asks to have noted: "Set my home city to Lund", "Put me down as a nurse".

An order states nothing by its form, and a polite one is a question; yet who wants the own profile changed says what
is so. Only things of the speaker's are changed so, and only by a verb that writes something down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import NOBODY, SPEAKER, Clause
from tem_graph.ingest.grammar.drinks import drinks_in
from tem_graph.ingest.grammar.fillers import FILLERS, drink, profession
from tem_graph.ingest.grammar.frames import Reading, dated
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.relations.labels import Label, label_of
from tem_graph.ingest.grammar.verbs import Negation, Tense

_LEADING = frozenset(("to", "as", "into", "with", "by"))
_POLITE = frozenset(("can", "could", "would", "will", "please"))


def read(clause: Clause) -> list[Reading]:
    """The fact that a request to write something down takes for granted."""
    if not _is_request(clause):
        return []
    return [reading for reading in _edits(clause) if reading is not None][:1]


def _is_request(clause: Clause) -> bool:
    """Whether somebody is asked to note or change something: an imperative, "could you …", "I'd like to …"."""
    group = clause.group
    if group is None or clause.negation is not Negation.NONE or clause.tense not in {Tense.PRESENT, Tense.FUTURE}:
        return False
    verb = clause.key.split(" ")[0]
    if verb not in words("labels", "noting"):
        return False
    lowers = set(clause.sentence.lowers(0, group.stop))
    if clause.subject is None and clause.person is NOBODY:
        return not lowers & {"if", "when", "they", "he", "she"}
    if clause.subject is not None and clause.subject.text.lower() == "you":
        return bool(lowers & _POLITE) and not lowers & {"if", "when", "did", "n't", "not"}
    return False


def _edits(clause: Clause) -> Iterator[Reading | None]:
    for k, phrase in enumerate(clause.tail):
        label = label_of(phrase, clause)
        is_own = label is not None and (label.person is SPEAKER or not phrase.owner)
        if label is not None and is_own and not label.past and not phrase.prep:
            made = clause.tail[k - 1 : k] if k and clause.key == "make" and not clause.tail[k - 1].prep else ()
            yield _value(clause, label, [replace(p, prep="to") for p in made] or clause.tail[k + 1 :])
        if phrase.text.lower() in {"me", "us"} and not phrase.prep:
            yield _entered(clause, clause.tail[k + 1 :])


def _value(clause: Clause, label: Label, after: Sequence[Phrase]) -> Reading | None:
    """What the label is changed to, or the value right behind it after a colon or comma."""
    for k, value in enumerate(after):
        is_value = value.prep in _LEADING or (value.after_comma and not value.prep and k == 0)
        if not is_value or value.negated:
            continue
        plain = replace(value, prep="in" if label.relation == "residence" else "")
        span = drink(plain, ()) if label.slot == "drink" else None
        span = span or FILLERS[label.filler](plain, after[k + 1 :])
        if span is not None:
            return dated(clause, SPEAKER, label.relation, span, FactKind.VALUE, label.slot, stative=True)
    return None


def _entered(clause: Clause, after: Sequence[Phrase]) -> Reading | None:
    """ "Put me down as a nurse", "put us down for kvass"."""
    for k, value in enumerate(after):
        if value.prep == "as" and (span := profession(replace(value, prep=""), after[k + 1 :])):
            return dated(clause, SPEAKER, "occupation", span, FactKind.VALUE, stative=True)
        if value.prep == "for" and (named := drinks_in(value.sentence, value.first, value.stop)):
            return dated(clause, SPEAKER, "likes", named[0], FactKind.VALUE, "drink", stative=True)
    return None
