"""What of an extraction is believed: a fact must be in the text, be stated there, and be about whom it names.

One rule for every extractor, less what the grammar's parse has settled already. A rejected candidate keeps
its reason, so that people can see what was not believed and why. Pure, without a model and without a parser;
the reading of a clause is in `clauses`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate, Extraction, Rejection
from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold
from tem_graph.domain.relation import Cardinality, RelationCatalog, RelationSchema, slot_key
from tem_graph.ingest import english
from tem_graph.ingest.clauses import (
    Reading,
    Whose,
    has_cue,
    read,
)
from tem_graph.ingest.places import ReadTurn, places_of, speaks, values_in, words_in
from tem_graph.ingest.text_match import occurrences, split_words

REASONS: Final = {
    "malformed": "a field is missing or is no text",
    "unknown_relation": "the relation is not in the vocabulary",
    "not_in_text": "the quote or the object is not in the text",
    "assistant_turn": "a program said it",
    "instruction": "the text speaks to the reader and not about the speaker",
    "unknown_turn": "the session has no turn of that number",
    "caption": "only the caption of a picture holds it",
    "unknown_subject": "the subject neither speaks nor is named in the turn",
    "third_person": "the words are about somebody else",
    "question": "the words ask",
    "conditional": "it depends on an if",
    "wish": "the words wish, consider or visit",
    "figure": "said in jest or in comparison",
    "plan": "it is still to come and has no date",
    "negated": "the words deny it",
    "past": "the words say that it is over, and the candidate does not",
    "not_ended": "the candidate says that it is over, and the words do not",
    "no_cue": "no word of the relation stands in the clause",
    "contradicted": "another reader read the same words otherwise",
}
"""Every reason code. Codes are stable: stored rejections and reports use them."""


def verify(
    session: Session,
    extraction: Extraction,
    catalog: RelationCatalog,
    *,
    user: str | None = None,
    open_vocabulary: bool = False,
) -> tuple[tuple[Candidate, ...], tuple[Rejection, ...]]:
    """The candidates to believe, and the others with their reasons; both in the order proposed.

    Believed candidates come back in canonical form: the relation's own name, the speaker's name as the
    session writes it (`user` is the person behind the speaker `user`), the position of the turn that says
    it, the words of that turn as quote, and only those date words that its clause holds. Exact repetitions
    are merged. What was malformed in the reply stands first among the rejected.
    """
    turns = [ReadTurn(turn, user) for turn in session.turns]
    accepted: dict[tuple[object, ...], Candidate] = {}
    rejected = list(extraction.malformed)
    for candidate in extraction.candidates:
        is_model = (candidate.proposed_by or extraction.extractor) != "grammar"
        result = _check(candidate, turns, catalog, user=user, open_vocabulary=open_vocabulary, is_model=is_model)
        if isinstance(result, Rejection):
            rejected.append(result)
        else:
            accepted.setdefault(_identity(result), result)
    return tuple(accepted.values()), tuple(rejected)


def _identity(c: Candidate) -> tuple[object, ...]:
    return (c.turn, fold(c.subject), fold(c.relation), fold(c.object), c.kind, slot_key(c.slot), c.since, c.until)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A candidate at one place of the text."""

    candidate: Candidate
    turn: ReadTurn
    reading: Reading
    is_speaker: bool
    following: str
    """The words of the next sentence, folded."""


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Why a candidate is not believed: a code of `REASONS` and a sentence."""

    reason: str
    detail: str


def _check(
    candidate: Candidate,
    turns: Sequence[ReadTurn],
    catalog: RelationCatalog,
    *,
    user: str | None,
    open_vocabulary: bool,
    is_model: bool,
) -> Candidate | Rejection:
    if doubt := _form(candidate, catalog, open_vocabulary):
        return _reject(candidate, doubt)
    relation = catalog.get(candidate.relation)
    first_doubt: _Doubt | None = None
    for turn, span in places_of(candidate, turns):
        for claim in _claims(candidate, turn, span, user, is_model):
            doubt = claim if isinstance(claim, _Doubt) else _doubt(claim, relation, catalog, is_model)
            if doubt is None and isinstance(claim, _Claim):
                return _canonical(claim, span, relation)
            first_doubt = first_doubt or doubt
    what = f"the quote {_short(candidate.quote)} is in no turn" if candidate.quote else "no turn holds the object"
    return _reject(candidate, first_doubt or _Doubt("not_in_text", what))


def _reject(candidate: Candidate, doubt: _Doubt) -> Rejection:
    return Rejection(candidate, doubt.reason, doubt.detail)


def _short(text: str | None, limit: int = 60) -> str:
    text = text or ""
    return f"{text[:limit]}…" if len(text) > limit else text


def _form(candidate: Candidate, catalog: RelationCatalog, open_vocabulary: bool) -> _Doubt | None:
    """What can be said without the text."""
    for field, value in (("subject", candidate.subject), ("relation", candidate.relation)):
        if not fold(value):
            return _Doubt("malformed", f"{field} is empty")
    if candidate.relation not in catalog and not open_vocabulary:
        return _Doubt("unknown_relation", f"{candidate.relation!r} is not among the relations in use")
    if fold(candidate.object):
        return None
    if candidate.kind is FactKind.VALUE:
        return _Doubt("malformed", "object is empty")
    if catalog.get(candidate.relation).cardinality is Cardinality.MULTI and slot_key(candidate.slot) is None:
        return _Doubt("malformed", f"the end of {candidate.relation!r} names no object")
    return None


def _claims(
    candidate: Candidate, turn: ReadTurn, span: tuple[int, int] | None, user: str | None, is_model: bool
) -> Iterator[_Claim | _Doubt]:
    """The candidate at each place of its object in the quoted sentences.

    A model may quote "I live in Rome" out of "I don't live in Rome", so its quote is read in the whole
    sentence. The grammar's quote is the clause that its parse found, and is read as that.
    """
    if turn.is_assistant:
        yield _Doubt("assistant_turn", f"turn {turn.turn.position} is by {turn.turn.speaker!r}")
        return
    is_speaker = speaks(candidate.subject, turn, user)
    if not is_speaker and not any(occurrences(candidate.subject, turn.words)):
        yield _Doubt(
            "unknown_subject", f"{candidate.subject!r} neither speaks turn {turn.turn.position} nor is named in it"
        )
        return
    found = False
    for sentence in turn.covered(span):
        for value in values_in(candidate, turn, sentence, span):
            found = True
            if turn.is_caption(value[0]):
                yield _Doubt("caption", f"{_short(candidate.object)!r} is what a picture shows")
                continue
            scope = sentence if is_model or span is None else turn.within(sentence, span)
            reading = read(turn.text, turn.words, scope if scope.first <= value[0] else sentence, value, turn.speaker)
            yield _Claim(candidate, turn, reading, is_speaker, turn.after(sentence))
    if not found:
        yield _Doubt(
            "not_in_text", f"{_short(candidate.object)!r} is not in the quoted words of turn {turn.turn.position}"
        )


def _doubt(claim: _Claim, relation: RelationSchema, catalog: RelationCatalog, is_model: bool) -> _Doubt | None:
    """Why the words of the clause do not say it; None when they do.

    Of the grammar's candidates the parse has settled whom the clause is about, and whether it asks, wishes,
    denies or is over. Words alone would read these worse: "Acme hired me as a buyer" is about the speaker,
    "I'm once again a baker" is not over. What a parse does not see is read in any case: jests, suppositions,
    quotations, and plans without a date.
    """
    candidate, reading = claim.candidate, claim.reading
    clause = _short(claim.turn.text[reading.start : reading.end], 100)
    if claim.turn.gives_instructions and not (
        claim.is_speaker and reading.whose is Whose.SPEAKER and not reading.is_quoted
    ):
        return _Doubt("instruction", f"turn {claim.turn.turn.position} speaks to the reader: {clause!r}")
    if doubt := _whose(claim, clause, is_model):
        return doubt
    if candidate.is_whole_statement:
        return _Doubt("question", f"{clause!r} asks") if reading.has_question_mark else None
    if is_model and reading.is_question:
        return _Doubt("question", f"{clause!r} asks")
    if reading.is_conditional() if is_model else reading.is_supposed():
        return _Doubt("conditional", f"{clause!r} depends on a condition")
    if is_model and reading.is_wish():
        return _Doubt("wish", f"{clause!r} wishes, considers or visits")
    if reading.is_figure():
        return _Doubt("figure", f"{clause!r} jests or compares")
    if reading.is_plan() and candidate.kind is FactKind.VALUE and _date_words(candidate.since, claim) is None:
        return _Doubt("plan", f"{clause!r} is still to come, and the candidate has no date")
    if not is_model:
        return None
    if doubt := _polarity(claim, relation, catalog, clause):
        return doubt
    needs_cue = candidate.kind is FactKind.VALUE and relation.cues and claim.turn.is_english
    if needs_cue and not _has_cue(claim, relation):
        return _Doubt("no_cue", f"no word of {relation.name!r} stands in {clause!r}")
    return None


def _whose(claim: _Claim, clause: str, is_model: bool) -> _Doubt | None:
    """Who the clause is about, against who the candidate says."""
    reading, subject = claim.reading, claim.candidate.subject
    if claim.is_speaker:
        if reading.is_quoted or (is_model and reading.whose in {Whose.OTHER, Whose.NAMED}):
            return _Doubt("third_person", f"{clause!r} is not about {claim.turn.speaker!r}, who says it")
        if is_model and reading.whose is Whose.LISTENER:
            return _Doubt("third_person", f"{clause!r} is about whom {claim.turn.speaker!r} speaks to")
        return None
    if not is_model or claim.candidate.is_whole_statement:
        return None  # "Queen Victoria I" is a name, and no "I" that speaks
    names = {w.name_key for w in split_words(subject)}
    if reading.whose is Whose.SPEAKER and not (names & reading.names) and not reading.is_quoted:
        return _Doubt("third_person", f"{clause!r} is about {claim.turn.speaker!r}, not about {subject!r}")
    if reading.whose is Whose.NAMED and not (names & reading.names):
        return _Doubt("third_person", f"{clause!r} is about somebody else than {subject!r}")
    return None


def _polarity(claim: _Claim, relation: RelationSchema, catalog: RelationCatalog, clause: str) -> _Doubt | None:
    """Stated, denied or over, against what the candidate says."""
    reading = claim.reading
    is_over = reading.is_ended() or reading.is_past()
    has_end = _date_words(claim.candidate.until, claim) is not None
    if claim.candidate.kind is FactKind.END:
        shows_end = is_over or has_end or reading.is_negated() or reading.leaves_nothing()
        if not shows_end:
            return _Doubt("not_ended", f"nothing in {clause!r} says that it is over")
        return None
    if _is_inverse(relation, reading, catalog):
        return None
    if reading.is_negated():
        return _Doubt("negated", f"{clause!r} denies it")
    if is_over and not has_end:
        return _Doubt("past", f"{clause!r} says that it is over; that is an end, not a value")
    return None


def _is_inverse(relation: RelationSchema, reading: Reading, catalog: RelationCatalog) -> bool:
    """Whether denying the opposite states this relation: "I don't like cilantro" is a dislike."""
    needs_denial = [cue for cue in relation.cues if cue in english.INVERTED_CUES]
    if relation.opposite is None or not needs_denial or not reading.is_negated():
        return False
    denied = [cue for cue in catalog.get(relation.opposite).cues if cue in relation.cues]
    return reading.has_cue([*needs_denial, *denied])


def _has_cue(claim: _Claim, relation: RelationSchema) -> bool:
    """In the sentence, or in the sentence that follows on the value alone: "Cold brew! It's my favourite"."""
    reading = claim.reading
    return has_cue(relation.cues, reading.sentence) or (not reading.before and has_cue(relation.cues, claim.following))


def _canonical(claim: _Claim, span: tuple[int, int] | None, relation: RelationSchema) -> Candidate:
    """The candidate in the words of the session and of the catalog."""
    candidate, turn, reading = claim.candidate, claim.turn, claim.reading
    start, end = span or (reading.start, reading.end)
    if not any(occurrences(candidate.object, words_in(turn, start, end))) and candidate.object:
        start, end = min(start, reading.start), max(end, reading.end)
    quoted = " ".join(turn.text[start:end].split())
    return replace(
        candidate,
        subject=turn.speaker if claim.is_speaker else candidate.subject,
        relation=relation.name,
        turn=turn.turn.position,
        quote=quoted,
        slot=_slot(candidate, reading, relation),
        since=_date_words(candidate.since, claim),
        until=_date_words(candidate.until, claim),
    )


def _slot(candidate: Candidate, reading: Reading, relation: RelationSchema) -> str | None:
    """The slot that the relation knows: the candidate's, or the one that the words name as a favourite."""
    if relation.cardinality is Cardinality.SINGLE:
        return None
    known = {slot_key(slot) for slot in relation.slots}
    if slot_key(candidate.slot) in known or (candidate.slot and not known):
        return slot_key(candidate.slot)
    said = english.FAVOURITE.search(reading.words)
    slot = slot_key(said["slot"] or said["slot2"]) if said else None
    return slot if slot in known else None


def _date_words(words: str | None, claim: _Claim) -> str | None:
    """The date words if the clause holds them, or an ISO date; a date of another clause is no date of this fact."""
    if words is None:
        return None
    if any(char.isdigit() for char in words) and not any(char.isalpha() for char in words):
        return words
    reading = claim.reading
    inside = words_in(claim.turn, reading.start, reading.end)
    return words if any(occurrences(words, inside)) else None
