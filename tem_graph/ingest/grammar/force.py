"""What a clause does to a fact: states it, ends it, or says nothing about it."""

from __future__ import annotations

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.verbs import Effect, Negation, Tense


def force(clause: Clause, *, stative: bool) -> FactKind | None:
    """VALUE, END, or None for a wish, a question, a denial, a plan without a day, a mere experience."""
    if clause.unreal:
        return None
    if clause.effect in {Effect.STOPS, Effect.WAS}:
        return _stopped(clause)
    if clause.negation is Negation.NO_LONGER:
        return FactKind.END if stative and clause.tense is not Tense.FUTURE else None
    if clause.negation is Negation.NOT:
        lasts = clause.time_text("duration") or clause.time_text("since")
        return FactKind.END if stative and clause.tense is Tense.PERFECT and lasts else None
    if stative and clause.effect is not Effect.STARTS:
        return _state(clause)
    return _event(clause)


def _stopped(clause: Clause) -> FactKind | None:
    if clause.negation is not Negation.NONE:
        return None
    if clause.effect is Effect.STOPS and clause.tense in {Tense.PRESENT, Tense.FUTURE}:
        return (
            FactKind.END
            if clause.time_text("since") or (clause.group and "be" in {v.lemma for v in clause.group.verbs})
            else None
        )
    return FactKind.END


def _state(clause: Clause) -> FactKind | None:
    match clause.tense:
        case Tense.PRESENT:
            return None if clause.anchored else FactKind.VALUE
        case Tense.PERFECT:
            lasts = (
                clause.progressive
                or clause.time_text("since")
                or clause.time_text("duration")
                or clause.time_text("habit")
                or clause.sentence.lowers(clause.stop, clause.stop + 1) == ["since"]
            )
            return FactKind.VALUE if lasts or words("clauses", "lasting") & set(clause.words) else None
        case Tense.PAST:
            return FactKind.VALUE if clause.time_text("until") and not clause.anchored else FactKind.END
        case Tense.FUTURE:
            return FactKind.VALUE if clause.time_text("since") else None


def _event(clause: Clause) -> FactKind | None:
    if clause.anchored:
        return None
    if clause.tense in {Tense.PAST, Tense.PERFECT}:
        return FactKind.VALUE
    # A plan counts from the day it names; without a day nobody could tell when it comes true.
    return FactKind.VALUE if clause.time_text("since") else None
