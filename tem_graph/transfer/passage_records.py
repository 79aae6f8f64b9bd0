"""The records of events and notes in an exported memory. Pure."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from tem_graph.domain.conversation import Event, Note
from tem_graph.graph.transfer_passages import StoredPassage
from tem_graph.transfer.base import Ref, StrictRecord


class _PassageRecord(StrictRecord):
    id: Ref
    session: str
    turns: list[int]
    """Positions of the turns behind it."""
    based_on: list[Ref]
    """Ids of the same turns, in this file."""
    people: list[str]
    """Folded names of who takes part, or of who said it."""
    extractor: str
    replaced_at: AwareDatetime | None = None
    embedding: list[float] | None = None

    def _stored(self, passage: Event | Note) -> StoredPassage:
        return StoredPassage(
            session=self.session,
            passage=passage,
            based_on=tuple(self.based_on),
            people=tuple(self.people),
            replaced_at=self.replaced_at,
            embedding=tuple(self.embedding) if self.embedding is not None else None,
        )


class EventRecord(_PassageRecord):
    type: Literal["event"] = "event"
    summary: str
    date: str | None = None
    participants: list[str]

    def stored(self) -> StoredPassage:
        return self._stored(
            Event(self.summary, self.session, self.date, tuple(self.participants), tuple(self.turns), self.extractor)
        )


class NoteRecord(_PassageRecord):
    type: Literal["note"] = "note"
    text: str

    def stored(self) -> StoredPassage:
        return self._stored(Note(self.text, self.session, tuple(self.turns), self.extractor))


def passage_record(stored: StoredPassage) -> EventRecord | NoteRecord:
    """The record of an event or note."""
    passage = stored.passage
    turns, extractor = list(passage.turns), passage.extractor
    based_on, people = list(stored.based_on), list(stored.people)
    embedding = list(stored.embedding) if stored.embedding is not None else None
    if isinstance(passage, Event):
        return EventRecord(
            id=stored.ref,
            session=stored.session,
            turns=turns,
            based_on=based_on,
            people=people,
            extractor=extractor,
            replaced_at=stored.replaced_at,
            embedding=embedding,
            summary=passage.summary,
            date=passage.date,
            participants=list(passage.participants),
        )
    return NoteRecord(
        id=stored.ref,
        session=stored.session,
        turns=turns,
        based_on=based_on,
        people=people,
        extractor=extractor,
        replaced_at=stored.replaced_at,
        embedding=embedding,
        text=passage.text,
    )
