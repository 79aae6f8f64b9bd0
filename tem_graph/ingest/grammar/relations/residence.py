"""Where somebody lives: moves, returns, staying on; visits are none."""

from __future__ import annotations

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.frames import Reading, dated, read_frames
from tem_graph.ingest.grammar.lexicon import singular, words
from tem_graph.ingest.grammar.names import is_surely_named, name_span, place
from tem_graph.ingest.grammar.phrases import phrases
from tem_graph.ingest.grammar.verbs import Tense

_MOVING = frozenset(("move", "relocate", "settle", "resettle", "emigrate"))
_LASTING = frozenset(("have", "'ve", "been", "since"))


def read(clause: Clause) -> list[Reading]:
    """Residence facts of a clause. A stay with an end in sight ("for the weekend") is a visit."""
    found = read_frames(clause, "residence")
    if clause.key == "leave" and {w.lower for w in clause.sentence.words} & words("labels", "occupation"):
        found = []  # "I left Acme for a job at Globex"
    found = (
        found or _left(clause) or _home_is(clause) or _resident(clause) or _in_passing(clause) or _named_alone(clause)
    )
    return [] if found and _is_visit(clause) else found


def leaves_home(clause: Clause) -> bool:
    """Whether "I left X" speaks of a town: the sentence goes on about moving or living, not about work."""
    if clause.key != "leave":
        return False
    lowers = {w.lower for w in clause.sentence.words}
    left = clause.tail[0].stop if clause.tail else clause.stop
    goes_there = any(p.prep == "for" and place(p, ()) for p in clause.tail)
    names_a_town = goes_there or any(w.ent in {"GPE", "LOC"} for w in clause.sentence.words[left:])
    is_about_living = names_a_town or bool(lowers & words("residence", "living"))
    return is_about_living and not lowers & words("labels", "occupation")


def _left(clause: Clause) -> list[Reading]:
    leaving = clause.tail[0] if clause.tail and leaves_home(clause) else None
    span = place(leaving, clause.tail[1:]) if leaving and not leaving.prep else None
    is_told = force(clause, stative=False) is FactKind.VALUE
    return [dated(clause, clause.person, "residence", span, FactKind.END, stative=False)] if span and is_told else []


def _is_visit(clause: Clause) -> bool:
    cues = lexicon.cues("residence", "visits")
    if _MOVING & set(clause.keys):
        cues = tuple(cue for cue in cues if cue not in {("for", "work"), ("for", "business")})
    return any(clause.says(*cue) for cue in cues) and not _LASTING & set(clause.words)


def _home_is(clause: Clause) -> list[Reading]:
    """ "Lund is home now": the subject is the place, unless it is somebody who is at home."""
    if clause.key != "be home" or clause.subject is None or "at" in clause.words:
        return []
    if any(not p.after_comma for p in clause.tail):
        return []
    if clause.unreal or clause.tense not in {Tense.PRESENT, Tense.PERFECT}:
        return []
    span = place(clause.subject, ())
    is_person = span is not None and any(w.ent == "PERSON" for w in span.words)
    kind = force(clause, stative=True)
    if span is None or is_person or kind is None or not is_surely_named(span):
        return []
    return [dated(clause, SPEAKER, "residence", span, kind, stative=True)]


def _resident(clause: Clause) -> list[Reading]:
    """ "I'm a Lund resident now": the place in front of the noun."""
    phrase = clause.tail[0] if clause.tail else None
    if phrase is None or clause.key not in {"be", "become"} or phrase.words[-1].lower not in {"resident", "local"}:
        return []
    if phrase.negated or phrase.determiner == "no":
        return []
    inside = name_span(phrase)
    kind = force(clause, stative=clause.key == "be")
    if inside is None or kind is None or clause.person.role is Role.NOBODY:
        return []
    return [dated(clause, clause.person, "residence", inside, kind, stative=True)]


def _named_alone(clause: Clause) -> list[Reading]:
    """ "Lund. Moved three weeks ago.": the sentence before is nothing but the place."""
    before = clause.sentence.before
    if clause.key not in {"move", "relocate", "move back"} or before is None or clause.first or clause.subject:
        return []
    named_there = phrases(before, 0, len(before.words))
    is_alone = len(named_there) == 1 and all(
        named_there[0].first <= w.i < named_there[0].stop or w.tag in {".", ",", "UH"} for w in before.words
    )
    span = place(named_there[0], ()) if is_alone and not clause.tail else None
    if span is None or force(clause, stative=False) is not FactKind.VALUE:
        return []
    return [dated(clause, SPEAKER, "residence", span, FactKind.VALUE, stative=False)]


def _in_passing(clause: Clause) -> list[Reading]:
    """ "My flat in Lund is tiny": where the home stands that is spoken of."""
    subject = clause.subject
    if (
        subject is None
        or subject.owner not in {"my", "our"}
        or "'s" in {w.lower for w in subject.words}
        or singular(subject.head.lower) not in words("residence", "dwellings")
    ):
        return []
    if (
        clause.unreal
        or clause.tense is not Tense.PRESENT
        or {"old", "holiday", "summer", "former", "first"} & set(clause.words)
    ):
        return []
    inner = next((p for p in clause.subject_tail if p.prep in {"in", "at"}), None)
    span = place(inner, ()) if inner else None
    return [dated(clause, SPEAKER, "residence", span, FactKind.VALUE, stative=True)] if span else []
