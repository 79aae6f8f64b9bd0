"""Statements that name a thing of somebody's and say what it is: "My go-to drink is chai", "Lund is my home".

The noun says which relation is meant, whatever the order and the verb: "new job: welder" as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import NOBODY, SPEAKER, Clause, Person, Role
from tem_graph.ingest.grammar.drinks import drinks_in
from tem_graph.ingest.grammar.fillers import FILLERS, drink
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.frames import Reading, dated
from tem_graph.ingest.grammar.lexicon import slot_of, words
from tem_graph.ingest.grammar.names import is_surely_named
from tem_graph.ingest.grammar.people import named
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.verbs import Negation, Tense

_FILLER_OF = {"residence": "place", "occupation": "title", "employer": "org"}
_NOT_A_VALUE = frozenset(
    (
        "for",
        "with",
        "because of",
        "instead of",
        "by",
        "about",
        "than",
        "like",
        "after",
        "before",
        "without",
        "from",
        "on",
    )
)


# What may stand in front of a label without an owner: "whose favourite drink" is none of the speaker's.
_OPENING = frozenset(",.;:-–—(!?") | {"and", "but", "so", "now", "the"}


@dataclass(frozen=True, slots=True)
class Label:
    """Whose label it is, which relation it stands for, and whether it speaks of the past ("my old job")."""

    person: Person
    relation: str
    filler: str
    slot: str | None = None
    past: bool = False


def read(clause: Clause) -> list[Reading]:
    """The facts of a clause that says what somebody's home, job or favourite is."""
    if clause.key not in words("labels", "copulas") or clause.subject is None:
        return _apposed(clause) or _announced(clause)
    apposed = _apposed(clause)
    if apposed:
        return apposed
    forward = label_of(clause.subject, clause) or _label_in_front(clause)
    if forward is not None:
        return _readings(clause, forward, list(clause.tail))
    for value in clause.tail:
        backward = label_of(value, clause) if not value.prep and not value.negated else None
        if backward is not None and (value.owner or backward.person.role is Role.NAMED):
            return _readings(clause, backward, [clause.subject])
    return []


def _label_in_front(clause: Clause) -> Label | None:
    """ "Could you update my city? It's Lund now.": what "it" stands for in the sentence before."""
    before = clause.sentence.before
    if before is None or clause.subject is None or clause.subject.text.lower() not in {"it", "that"}:
        return None
    if not words("labels", "noting") & {w.lower for w in before.words}:
        return None
    own = (p for p in phrases(before, 0, len(before.words)) if p.owner in words("people", "ours") and not p.prep)
    return next((label for p in own if (label := label_of(p, clause)) is not None and not label.past), None)


def _apposed(clause: Clause) -> list[Reading]:
    """ "My favourite drink, chai, was sold out", "I made chai, my favourite drink": taken for granted."""
    row = [p for p in (clause.subject, *clause.subject_tail, *clause.tail) if p is not None]
    for before, after in pairwise(row):
        if not after.after_comma or after.first - before.stop > 1:
            continue
        for label, value in ((before, after), (after, before)):
            lowers = [w.lower for w in label.words]
            if label.owner in words("people", "ours") and _favourite(label, lowers, clause) == "drink":
                span = drink(value, ())
                if span is not None and not _goes_on(value):
                    return [dated(clause, SPEAKER, "likes", span, FactKind.VALUE, "drink", stative=True)]
    return []


def _goes_on(phrase: Phrase) -> bool:
    """Whether a phrase is what the next words speak of: "…, mate I don't like any more"."""
    items = phrase.sentence.words
    return phrase.stop < len(items) and items[phrase.stop].tag in {"PRP", "MD"}


def _announced(clause: Clause) -> list[Reading]:
    """ "I've got a new favourite drink: chai", "I have a new occupation, cook"."""
    if clause.key not in {"have", "get", "find", "discover"} or len(clause.tail) < 2 or not clause.tail[1].after_comma:
        return []
    label, value = clause.tail[:2]
    is_new_job = label.head.lower in words("labels", "occupation") and "new" in {w.lower for w in label.words}
    if is_new_job and clause.person is SPEAKER and not label.owner:
        return _readings(replace(clause, key="become"), Label(SPEAKER, "occupation", "profession"), [value])
    slot = _favourite(label, [w.lower for w in label.words], clause)
    if slot is None or clause.person is not SPEAKER:
        return []
    as_label = replace(clause, key="label" if clause.tense is Tense.PRESENT else "become")
    return _readings(as_label, Label(SPEAKER, "likes", "liked", slot), [value])


def label_of(phrase: Phrase, clause: Clause) -> Label | None:
    """What a phrase is the label of, if it is one: "my home city", "favourite drink", "Mia's job"."""
    lowers = [w.lower for w in phrase.words]
    person = _owner(phrase, clause)
    if person is None or person is NOBODY or set(lowers) & words("labels", "unreal"):
        return None
    past = bool(set(lowers) & words("labels", "past"))
    slot = _favourite(phrase, lowers, clause)
    if slot is not None:
        return Label(
            person,
            "likes",
            "drink" if slot == "drink" and not _names_a_drink(lowers) else "liked",
            slot,
            past,
        )
    relation = next((r for r in _FILLER_OF if phrase.head.lower in words("labels", r)), None)
    if relation is None or set(lowers) & words("labels", "favourite"):
        return None
    return Label(person, relation, _FILLER_OF[relation], None, past)


def _names_a_drink(lowers: list[str]) -> bool:
    """Whether the label itself says that its value is a drink, so that a value of any name is one."""
    return bool(set(lowers) & (words("labels", "favourite") | {"choice", "go", "usual"})) and bool(
        set(lowers) & words("slots", "drink")
    )


def _favourite(phrase: Phrase, lowers: list[str], clause: Clause) -> str | None:
    """The slot of likes that a favourite fills: "my go-to drink", "my usual", "my favourite thing to drink"."""
    head = phrase.head.lower
    text = phrase.text.lower().replace(" ", "-")
    is_favourite = bool(set(lowers) & words("labels", "favourite"))
    is_go_to = is_favourite or "go-to" in text or "of-choice" in text or bool(set(lowers) & words("labels", "go_to"))
    slot = slot_of(head) or next((s for w in lowers if (s := slot_of(w)) == "drink"), None)
    if slot is not None and (is_go_to or (slot == "drink" and head in words("labels", "drinks"))):
        return slot
    follows = tuple(clause.sentence.lowers(phrase.stop, phrase.stop + 2))
    if head == "thing" and is_favourite and follows in {("to", "drink"), ("to", "order")}:
        return "drink"
    is_bare = head in words("labels", "bare") or (is_go_to and head in {"to", "go", "choice", "go-to"})
    return "drink" if is_bare and head not in {"new", "number"} else None


def _owner(phrase: Phrase, clause: Clause) -> Person | None:
    """Whose: "my", "Mia's"; a label without an owner in "New job: welder" is the speaker's."""
    lowers = [w.lower for w in phrase.words]
    if "'s" in lowers:
        k = lowers.index("'s")
        return named(replace(phrase, stop=phrase.first + k)) if k else None
    if phrase.owner in words("people", "ours") or "my" in lowers:
        return SPEAKER
    if phrase.owner:
        return NOBODY
    is_title = clause.key == "label" or lowers == ["home"] or _is_entry(phrase, clause)
    return SPEAKER if is_title or _is_relative(phrase, clause) else None


def _is_entry(phrase: Phrase, clause: Clause) -> bool:
    """ "Occupation is now cook", "set home city to Lund", "the new job is …": the line of a form, so the writer's."""
    lowers = [w.lower for w in phrase.words]
    before = clause.sentence.before
    is_of_others = before is not None and bool(
        {w.lower for w in before.words} & (words("people", "kin") | words("people", "third") - {"it", "this", "that"})
    )
    is_new = lowers[:2] == ["the", "new"] and phrase.head.lower in words("labels", "held") and not is_of_others
    is_bare = not phrase.determiner and phrase.head.lower in words("labels", "held") | words("labels", "drinks")
    in_front = clause.sentence.words[phrase.first - 1].lower if phrase.first else ","
    opens = in_front in _OPENING or in_front in words("labels", "noting")
    return is_new or (is_bare and opens and (len(lowers) == 1 or bool(set(lowers) & words("labels", "own"))))


def _is_relative(phrase: Phrase, clause: Clause) -> bool:
    """ "The drink I love most is …": the speaker's by what follows the noun."""
    follows = clause.sentence.lowers(phrase.stop, phrase.stop + 5)
    return phrase.head.lower in words("labels", "drinks") and "i" in follows[:2]


def _readings(clause: Clause, label: Label, values: list[Phrase]) -> list[Reading]:
    if clause.key == "change" and clause.negation is Negation.NOT:
        # "My favourite drink hasn't changed: chai."
        clause, values = replace(clause, negation=Negation.NONE), [v for v in values if v.after_comma]
    if clause.key == "be" and clause.tense is Tense.PERFECT and clause.negation is Negation.NONE:
        clause = replace(clause, tense=Tense.PRESENT)  # "It's been my favourite ever since"
    instead = _instead(clause, values)
    if instead is not None:
        clause, values = replace(clause, negation=Negation.NONE), [instead]
    kind = force(clause, stative=clause.key not in {"become", "change", "switch"})
    if kind is None:
        return []
    kind = FactKind.END if label.past else kind
    for k, value in enumerate(values):
        is_value = (
            not value.negated
            and value.prep not in _NOT_A_VALUE
            and not (value.prep == "in" and label.relation != "residence")
        )
        span = drink(value, values[k + 1 :]) if is_value and label.slot == "drink" else None
        if span is None and is_value and not (label.slot == "drink" and _ends_in_a_drink(value)):
            span = FILLERS[label.filler](value, values[k + 1 :])
        if span is not None and _fits(span, label, clause):
            return [dated(clause, label.person, label.relation, span, kind, label.slot, stative=True)]
        if not value.prep and not value.negated:
            break
    return []


def _instead(clause: Clause, values: list[Phrase]) -> Phrase | None:
    """ "My usual is no longer chai but mate": what takes the place of the value that is denied."""
    if clause.negation is Negation.NONE:
        return None
    lowers = clause.sentence.lowers(0, len(clause.sentence.words))
    return next((replace(v, conjoined=False) for v in values[1:] if lowers[v.first - 1] == "but"), None)


def _ends_in_a_drink(value: Phrase) -> bool:
    """Whether a value is a known drink after all, but not one that is named as such: "sorry tea"."""
    return any(found.stop == value.stop for found in drinks_in(value.sentence, value.first, value.stop))


def _fits(span: Phrase, label: Label, clause: Clause) -> bool:
    """Whether a value can be what the label says: a usual that is no drink is none of the slot."""
    if label.relation == "residence" and span.first == 0 and not is_surely_named(span):
        return False  # "Music is my home"
    if label.relation == "occupation" and clause.key == "be" and _is_quality(span):
        return False
    if label.slot == "drink" and label.filler == "drink":
        return lexicon.is_drink(span.text)
    # "My favourite drink is too expensive" tells a quality; of colours, qualities are the names.
    return label.slot in {None, "colour"} or span.words[-1].is_noun or span.words[-1].tag == "VBG"


def _is_quality(span: Phrase) -> bool:
    """ "My job is mostly paperwork": what it is like, not what it is."""
    before = span.sentence.words[span.first - 1].lower if span.first else ""
    is_title = lexicon.is_occupation(span.head.text, agents=True) or before in {"a", "an", "the"}
    return len(span.words) == 1 and not is_title
