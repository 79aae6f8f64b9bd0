"""What somebody likes and dislikes, and the drink of the moment (relation likes, slot drink)."""

from __future__ import annotations

from dataclasses import replace

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.fillers import drink
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.frames import Reading, dated, read_frames
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.verbs import Effect, Negation, Tense

_DISLIKING = frozenset(("hate", "detest", "loathe", "dislike", "despise"))
_GIVING_UP = frozenset(("go", "give", "quit", "ditch", "drop", "lose", "cut", "swear", "kick", "stop", "get", "move"))
_DRINKERS = frozenset(
    ("drinker", "person", "guy", "girl", "gal", "man", "woman", "lover", "addict", "fan", "convert", "fiend")
)


def read(clause: Clause) -> list[Reading]:
    """Likes and dislikes of a clause. "I don't like X" is a dislike, "I don't like X any more" ends the like."""
    found = read_frames(clause, "taste") or _it_is(clause) or _drinker(clause)
    if not found and clause.negation is Negation.NOT:
        return _disliked(clause)
    if clause.key.startswith("can't") or clause.key in _DISLIKING:
        # "I can't stand it any more" is no end of the dislike but its beginning.
        return found if clause.effect is Effect.WAS else [_begun(r) for r in found if clause.tense is Tense.PRESENT]
    is_plain_past = clause.tense is Tense.PAST and clause.effect is None and clause.negation is Negation.NONE
    if (
        is_plain_past
        and not any(r.kind is FactKind.VALUE for r in found)
        and (clause.key.split(" ")[0] not in _GIVING_UP or clause.key == "get")
    ):
        return []  # "I loved the show", "we had tea every day there": over, but no taste that ended
    return found


def _begun(reading: Reading) -> Reading:
    return replace(reading, kind=FactKind.VALUE) if reading.relation == "dislikes" else reading


def _disliked(clause: Clause) -> list[Reading]:
    if clause.key not in {"like", "enjoy", "love"} or clause.unreal or clause.tense is not Tense.PRESENT:
        return []
    readings = read_frames(replace(clause, negation=Negation.NONE), "taste")
    return [replace(r, relation="dislikes", slot=None) for r in readings if r.relation == "likes"]


def _it_is(clause: Clause) -> list[Reading]:
    """ "It's chai for me these days", "but now it's barley tea", "Favourite drink? That would be chai"."""
    is_it = clause.subject is not None and clause.subject.head.lower in {"it", "that"}
    if clause.key not in {"be", "be all"} or not is_it or clause.tense is not Tense.PRESENT or not clause.tail:
        return []
    is_of_today = any(clause.says(*cue) for cue in (("for", "me"), ("these", "days"), ("now",), ("nowadays",)))
    is_announced = bool({w.lower for w in clause.sentence.words[: clause.first]} & words("labels", "favourite"))
    is_certain = not clause.sentence.question and "if" not in {w.lower for w in clause.sentence.words}
    is_polite = is_announced and is_certain and clause.says("would", "be")
    kind = FactKind.VALUE if is_polite else force(clause, stative=True)
    if kind is None or not (is_of_today or is_announced):
        return []
    span = drink(clause.tail[0], clause.tail[1:]) if not clause.tail[0].prep else None
    return [dated(clause, SPEAKER, "likes.drink", span, kind, stative=True)] if span else []


def _drinker(clause: Clause) -> list[Reading]:
    """ "I'm a cortado drinker now": the drink in front of the noun."""
    phrase = clause.tail[0] if clause.tail else None
    if (
        phrase is None
        or clause.key not in {"be", "become", "turn"}
        or phrase.head.lower not in _DRINKERS
        or len(phrase.words) < 2
    ):
        return []
    if clause.person.role is Role.NOBODY or not (
        clause.negation is Negation.NO_LONGER
        or clause.says("now")
        or clause.says("still")
        or clause.says("these", "days")
        or clause.key != "be"
        or phrase.head.lower == "drinker"
    ):
        return []
    kind = force(clause, stative=clause.key == "be")
    span = drink(replace(phrase, stop=phrase.head.i), ())
    return [dated(clause, clause.person, "likes.drink", span, kind, stative=True)] if span and kind else []
