"""A fact is one version of one statement: subject, relation, object and the session that said it.

Facts are never edited. Two facts belong to one version group when they agree in memory, folded subject and
relation (and slot; for a multi-valued relation also in object): see `Fact.group`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date as Day
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from tem_graph.domain.conversation import Provenance, Retraction, source_key
from tem_graph.domain.names import fold, make_id
from tem_graph.domain.relation import Cardinality, RelationCatalog, RelationSchema, slot_key
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.errors import InputError


class FactKind(StrEnum):
    VALUE = "value"
    """The object holds from here on."""
    END = "end"
    """The object holds no longer from here on; without an object, nothing does."""


class Status(StrEnum):
    """What a fact is, seen from a point in time; computed from its whole group, never stored (law 3)."""

    CURRENT = "current"
    HISTORICAL = "historical"
    PLANNED = "planned"
    CONFLICTING = "conflicting"
    RETRACTED = "retracted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Source:
    """The session that said a fact: its id, its date, its place in the memory (`index`, where given)."""

    session: str
    date: SessionDate | None = None
    index: int | None = None

    @property
    def key(self) -> str:
        return source_key(self.index, self.date, self.session)

    @property
    def day(self) -> Day | None:
        return self.date.day if self.date else None


@dataclass(frozen=True)
class Fact:
    """One version. `subject` and `object` are as written; `relation` is the schema's name.

    `valid_from` is the stated day since when the object holds (for an END: since when it no longer does).
    `valid_to` is a stated end, half-open; it is never written to close an older fact (law 1).
    """

    memory: str
    subject: str
    relation: RelationSchema
    object: str
    source: Source
    axis: str
    kind: FactKind = FactKind.VALUE
    slot: str | None = None
    valid_from: PartialDate | None = None
    valid_to: PartialDate | None = None
    recorded_at: datetime | None = None
    provenance: Provenance | None = None
    retraction: Retraction | None = None
    canonical_subject: str | None = None
    """The folded name of the subject that this one was explicitly merged into, if it was."""

    @classmethod
    def create(
        cls,
        catalog: RelationCatalog,
        *,
        memory: str,
        subject: str,
        relation: str,
        object: str,
        source: Source,
        kind: FactKind = FactKind.VALUE,
        slot: str | None = None,
        valid_from: PartialDate | None = None,
        valid_to: PartialDate | None = None,
        recorded_at: datetime | None = None,
        provenance: Provenance | None = None,
        canonical_subject: str | None = None,
    ) -> Fact:
        """A fact of a relation that `catalog` resolves.

        Raises:
            InputError: subject or relation is empty, or the object of a value is.
        """
        for field, text in (("subject", subject), ("relation", relation)):
            if not fold(text):
                raise InputError(f"{field} is empty", hint=f"give every fact a {field}")
        if kind is FactKind.VALUE and not fold(object):
            raise InputError("object is empty", hint="give every fact an object; to end a value use kind 'end'")
        schema = catalog.get(relation)
        if not fold(object) and schema.cardinality is Cardinality.MULTI and slot_key(slot) is None:
            raise InputError(
                f"an end of {schema.name!r} names no object", hint="say what is no longer so: this relation holds many"
            )
        return cls(
            memory=memory,
            subject=subject,
            relation=schema,
            object=object,
            source=source,
            axis=catalog.axis(schema),
            kind=kind,
            slot=slot_key(slot),
            valid_from=valid_from,
            valid_to=valid_to,
            recorded_at=recorded_at,
            provenance=provenance,
            canonical_subject=canonical_subject,
        )

    @cached_property
    def subject_key(self) -> str:
        return fold(self.subject)

    @cached_property
    def object_key(self) -> str:
        return fold(self.object)

    @property
    def per_object(self) -> bool:
        """Whether each object of this relation has a history of its own (law 7)."""
        return self.relation.cardinality is Cardinality.MULTI and self.slot is None

    @cached_property
    def group(self) -> str:
        """Id of the version group (laws 2 and 7)."""
        return make_id("group", self.memory, self.canonical_subject or self.subject_key, *self.topic)

    @cached_property
    def topic(self) -> tuple[str, str | None, str | None]:
        """What tells the version groups of one subject apart: relation (or the axis that it shares with its
        opposite), slot, object."""
        if self.per_object:
            return self.axis, None, self.object_key
        return self.relation.key, self.slot, None

    @cached_property
    def pair(self) -> str:
        """Id of the group that the paper would put this fact in: subject and relation, whatever the cardinality."""
        subject = self.canonical_subject or self.subject_key
        return make_id("pair", self.memory, subject, self.relation.key, self.slot)

    @cached_property
    def value(self) -> str:
        """What is compared inside the group: the folded object, or, where each object has its own group,
        the relation (liking against disliking)."""
        return self.relation.key if self.per_object else self.object_key

    @cached_property
    def id(self) -> str:
        provenance = self.provenance
        return make_id(
            "fact",
            self.memory,
            self.source.session,
            # Told at another time is another fact: a replaced session may bring another date along.
            self.source.index,
            self.source.date.text if self.source.date else None,
            provenance.turn if provenance else None,
            self.subject_key,
            self.relation.key,
            self.slot,
            self.object_key,
            self.kind,
            self.valid_from.isoformat() if self.valid_from else None,
            "correction" if provenance and provenance.extractor == "correction" else None,
        )

    @property
    def day(self) -> Day | None:
        """The day that places this fact in effective order: the stated one, else the session's."""
        return self.valid_from.day if self.valid_from else self.source.day

    @property
    def source_place(self) -> tuple[str, str]:
        return ("", self.source.key)

    @cached_property
    def effective_place(self) -> tuple[str, str]:
        """(day, source key); a fact without any day sorts first, as in `source_key`."""
        return (self.day.isoformat() if self.day else "", self.source.key)

    @property
    def text(self) -> str:
        """The sentence that is embedded: the same for every status, so that marking never moves a score."""
        sentence = self.relation.phrase(self.subject, self.object, self.slot)
        return f"{sentence} (ended)" if self.kind is FactKind.END else sentence

    @property
    def title(self) -> str:
        """What a person reads of it, in one or a few words: the object, or that it holds no longer."""
        if self.kind is FactKind.VALUE:
            return self.object
        return f"no longer {self.object}" if self.object.strip() else "none any more"

    def expanded(self) -> Iterator[Fact]:
        """This fact and the end that it states, each as a record of its own place in the timeline.

        "From 2015 until 2018" is a value of 2015 and an end of 2018. "Until 2018", told later and without
        a beginning, is only the end: placing the value on the day of telling would make it current.
        """
        if self.kind is FactKind.END or self.valid_to is None:
            yield self
            return
        told = self.source.day
        is_over_when_told = told is None or self.valid_to.day <= told
        if self.valid_from is not None or not is_over_when_told:
            yield self
        yield replace(self, kind=FactKind.END, valid_from=self.valid_to, valid_to=None)
