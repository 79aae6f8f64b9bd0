"""The records of an exported memory: what each line of the file may hold, and domain values made of it. Pure.

A file is one `memory` record, then `subject`s, then each `session` followed by its `turn`s, `fact`s, `event`s,
`note`s and `rejection`s, then `outcome`s, and one `end` with counts and a checksum. Absent fields are not written. Ids
do not contain the memory's, so a copy under another id has the same. What follows from a record (keys, groups, digests
of names) is not in the file; it is derived again.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import AwareDatetime, Field, TypeAdapter

from tem_graph.domain.conversation import Provenance, Retraction, Turn
from tem_graph.domain.extraction import Candidate, Rejection, Usage
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.domain.relation import Cardinality, RelationCatalog
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.graph.transfer_queries import StoredFact, StoredRejection, StoredSession, StoredTurn
from tem_graph.transfer.base import Ref, StrictRecord
from tem_graph.transfer.passage_records import EventRecord, NoteRecord

FORMAT = "tem-graph memory"
VERSION = 2
READABLE = (1, 2)
"""Versions that are read. Version 1 has no events, no notes, and turns without vectors."""


class EmbedderRecord(StrictRecord):
    name: str | None
    dimension: int | None


class RelationRecord(StrictRecord):
    """What decides the version groups of a relation; an importing catalog must agree."""

    name: str
    cardinality: Cardinality
    opposite: str | None = None


class MemoryRecord(StrictRecord):
    type: Literal["memory"] = "memory"
    format: str
    version: int
    memory: str
    ordering: Literal["index", "date"] | None = None
    created_at: AwareDatetime | None = None
    embedder: EmbedderRecord
    embeddings: bool
    """Whether facts, turns, events and notes carry their vectors; else they are made again on import."""
    relations: list[RelationRecord]


class SubjectRecord(StrictRecord):
    type: Literal["subject"] = "subject"
    name: str


class SessionRecord(StrictRecord):
    type: Literal["session"] = "session"
    id: str
    date: str | None = None
    index: int | None = None
    source_key: str
    digest: str | None = None

    @classmethod
    def of(cls, stored: StoredSession) -> SessionRecord:
        return cls(
            id=stored.id,
            date=stored.date,
            index=stored.index,
            source_key=stored.source_key,
            digest=stored.digest,
        )

    def stored(self) -> StoredSession:
        return StoredSession(self.id, self.source_key, self.date, self.index, self.digest)


class TurnRecord(StrictRecord):
    type: Literal["turn"] = "turn"
    id: Ref
    session: str
    position: int
    speaker: str
    text: str
    caption: str | None = None
    metadata: dict[str, Any] | None = None
    replaced_at: AwareDatetime | None = None
    embedding: list[float] | None = None

    @classmethod
    def of(cls, stored: StoredTurn) -> TurnRecord:
        turn = stored.turn
        return cls(
            id=stored.ref,
            session=stored.session,
            position=turn.position,
            speaker=turn.speaker,
            text=turn.text,
            caption=turn.caption,
            metadata=dict(turn.metadata) or None,
            replaced_at=stored.replaced_at,
            embedding=list(stored.embedding) if stored.embedding is not None else None,
        )

    def stored(self) -> StoredTurn:
        turn = Turn(self.position, self.speaker, self.text, self.caption, self.metadata or {})
        embedding = tuple(self.embedding) if self.embedding is not None else None
        return StoredTurn(self.session, turn, self.replaced_at, embedding)


class DateRecord(StrictRecord):
    """A stated date as exact as it was stated, and the words that said it."""

    date: str
    words: str | None = None

    @classmethod
    def of(cls, date: PartialDate | None) -> DateRecord | None:
        return None if date is None else cls(date=date.isoformat(), words=date.words)

    def stated(self) -> PartialDate:
        return PartialDate.parse(self.date, words=self.words)


class RetractionRecord(StrictRecord):
    at: AwareDatetime
    by: str
    why: str


class FactRecord(StrictRecord):
    type: Literal["fact"] = "fact"
    id: Ref
    session: str
    subject: str
    canonical_subject: str | None = None
    relation: str
    slot: str | None = None
    object: str
    kind: FactKind
    date: str | None = None
    index: int | None = None
    source_key: str
    """The fact's own place, with `date` and `index`: its session may have been replaced and moved since."""
    valid_from: DateRecord | None = None
    valid_to: DateRecord | None = None
    recorded_at: AwareDatetime | None = None
    extractor: str
    quote: str | None = None
    turn: int | None = None
    speaker: str | None = None
    model: str | None = None
    prompt: str | None = None
    note: str | None = None
    said_in: Ref | None = None
    """Id of the turn, in this file."""
    corrects: list[Ref] | None = None
    """Ids of the facts, in this file, that this one stands in the place of."""
    retraction: RetractionRecord | None = None
    embedding: list[float] | None = None

    @classmethod
    def of(cls, stored: StoredFact) -> FactRecord:
        fact = stored.fact
        made = fact.provenance or Provenance("by-hand")
        withdrawn = fact.retraction
        return cls(
            id=stored.ref,
            session=stored.session,
            subject=fact.subject,
            canonical_subject=fact.canonical_subject,
            relation=fact.relation.name,
            slot=fact.slot,
            object=fact.object,
            kind=fact.kind,
            date=fact.source.date.text if fact.source.date else None,
            index=fact.source.index,
            source_key=stored.source_key,
            valid_from=DateRecord.of(fact.valid_from),
            valid_to=DateRecord.of(fact.valid_to),
            recorded_at=fact.recorded_at,
            extractor=made.extractor,
            quote=made.quote,
            turn=made.turn,
            speaker=made.speaker,
            model=made.model,
            prompt=made.prompt,
            note=made.note,
            said_in=stored.said_in,
            corrects=list(stored.corrects) or None,
            retraction=RetractionRecord(at=withdrawn.at, by=withdrawn.by, why=withdrawn.why) if withdrawn else None,
            embedding=list(stored.embedding) if stored.embedding is not None else None,
        )

    def stored(self, catalog: RelationCatalog) -> StoredFact:
        schema = catalog.get(self.relation)
        withdrawn = self.retraction
        fact = Fact(
            memory="",
            subject=self.subject,
            relation=schema,
            object=self.object,
            source=Source(self.session, SessionDate.parse(self.date) if self.date else None, self.index),
            axis=catalog.axis(schema),
            kind=self.kind,
            slot=self.slot,
            valid_from=self.valid_from.stated() if self.valid_from else None,
            valid_to=self.valid_to.stated() if self.valid_to else None,
            recorded_at=self.recorded_at,
            provenance=Provenance(
                extractor=self.extractor,
                quote=self.quote,
                turn=self.turn,
                speaker=self.speaker,
                model=self.model,
                prompt=self.prompt,
                note=self.note,
            ),
            retraction=Retraction(withdrawn.at, withdrawn.by, withdrawn.why) if withdrawn else None,
            canonical_subject=self.canonical_subject,
        )
        return StoredFact(
            session=self.session,
            fact=fact,
            source_key=self.source_key,
            said_in=self.said_in,
            corrects=tuple(self.corrects or ()),
            embedding=tuple(self.embedding) if self.embedding is not None else None,
        )


class RejectionRecord(StrictRecord):
    type: Literal["rejection"] = "rejection"
    session: str
    number: int
    subject: str
    relation: str
    object: str
    turn: int | None = None
    quote: str | None = None
    kind: FactKind
    slot: str | None = None
    since: str | None = None
    until: str | None = None
    reason: str
    detail: str
    replaced_at: AwareDatetime | None = None

    @classmethod
    def of(cls, stored: StoredRejection) -> RejectionRecord:
        candidate = stored.rejection.candidate
        return cls(
            session=stored.session,
            number=stored.number,
            subject=candidate.subject,
            relation=candidate.relation,
            object=candidate.object,
            turn=candidate.turn,
            quote=candidate.quote,
            kind=candidate.kind,
            slot=candidate.slot,
            since=candidate.since,
            until=candidate.until,
            reason=stored.rejection.reason,
            detail=stored.rejection.detail,
            replaced_at=stored.replaced_at,
        )

    def stored(self) -> StoredRejection:
        candidate = Candidate(
            subject=self.subject,
            relation=self.relation,
            object=self.object,
            turn=self.turn,
            quote=self.quote,
            kind=self.kind,
            slot=self.slot,
            since=self.since,
            until=self.until,
        )
        rejection = Rejection(candidate, self.reason, self.detail)
        return StoredRejection(self.session, self.number, rejection, self.replaced_at)


class OutcomeRecord(StrictRecord):
    type: Literal["outcome"] = "outcome"
    session: str
    status: OutcomeStatus
    extractor: str
    facts: int
    rejected: int
    calls: int
    prompt_tokens: int
    output_tokens: int
    seconds: float
    reason: str | None = None
    digest: str | None = None
    at: AwareDatetime | None = None
    events: int = 0
    notes: int = 0

    @classmethod
    def of(cls, outcome: Outcome) -> OutcomeRecord:
        return cls(
            session=outcome.session,
            status=outcome.status,
            extractor=outcome.extractor,
            facts=outcome.facts,
            rejected=outcome.rejected,
            calls=outcome.usage.calls,
            prompt_tokens=outcome.usage.prompt_tokens,
            output_tokens=outcome.usage.output_tokens,
            seconds=outcome.seconds,
            reason=outcome.reason,
            digest=outcome.digest,
            at=outcome.at,
            events=outcome.events,
            notes=outcome.notes,
        )

    def outcome(self) -> Outcome:
        return Outcome(
            session=self.session,
            status=self.status,
            extractor=self.extractor,
            facts=self.facts,
            rejected=self.rejected,
            usage=Usage(self.calls, self.prompt_tokens, self.output_tokens),
            seconds=self.seconds,
            reason=self.reason,
            digest=self.digest,
            at=self.at,
            events=self.events,
            notes=self.notes,
        )


class EndRecord(StrictRecord):
    type: Literal["end"] = "end"
    counts: dict[str, int]
    """Records of each type before this one."""
    sha256: str
    """Of all lines before this one, in UTF-8, each with its line feed."""


Record = (
    MemoryRecord
    | SubjectRecord
    | SessionRecord
    | TurnRecord
    | FactRecord
    | EventRecord
    | NoteRecord
    | RejectionRecord
    | OutcomeRecord
    | EndRecord
)
TYPES: tuple[str, ...] = tuple(str(r.model_fields["type"].default) for r in get_args(Record))
RECORD: TypeAdapter[Record] = TypeAdapter(Annotated[Record, Field(discriminator="type")])
