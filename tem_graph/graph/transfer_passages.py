"""Events and notes for export and import, as the graph holds them (`transfer_queries`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from tem_graph.domain.conversation import Event, Note
from tem_graph.graph import passages, records
from tem_graph.graph.records import Properties, Row


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """An event or note node; `based_on` are the portable ids of its turns, in the order of their positions."""

    session: str
    passage: Event | Note
    based_on: tuple[str, ...]
    people: tuple[str, ...]
    replaced_at: datetime | None = None
    embedding: tuple[float, ...] | None = None

    @property
    def ref(self) -> str:
        return self.id_in("", dict(zip(self.passage.turns, self.based_on, strict=True)))

    def id_in(self, memory: str, turn_ids: Mapping[int, str]) -> str:
        make = passages.event_id if isinstance(self.passage, Event) else passages.note_id
        return make(memory, self.passage, turn_ids)  # type: ignore[arg-type]

    @property
    def line(self) -> str | None:
        """What is to be embedded; None where no search shall find it."""
        if self.replaced_at is not None:
            return None
        return self.passage.summary if isinstance(self.passage, Event) else self.passage.text


def passage_from(row: Row) -> StoredPassage:
    """The event or note of a row of `export_passages`."""
    stored = row["p"]
    passage = passages.event_from(stored) if row["kind"] == "event" else passages.note_from(stored)
    refs = {turn["position"]: records.turn_id("", row["session"], records.turn_from(turn)) for turn in row["based_on"]}
    return StoredPassage(
        session=row["session"],
        passage=passage,
        based_on=tuple(refs[position] for position in passage.turns),
        people=tuple(stored["people"]),
        replaced_at=records.native(stored.get("replaced_at")),
        embedding=vector_from(stored),
    )


def passage_rows(
    memory: str, source_key: str, stored_passages: Iterable[StoredPassage], turn_ids: Mapping[str, str]
) -> tuple[list[Properties], list[Properties]]:
    """Events and notes of one session, as `passages.write_passages` takes them; `turn_ids` gives the id of a turn in
    this memory by its portable one."""
    events, notes = [], []
    for stored in stored_passages:
        passage = stored.passage
        ids = {n: turn_ids[ref] for n, ref in zip(passage.turns, stored.based_on, strict=True)}
        vectors = {stored.id_in(memory, ids): stored.embedding} if stored.embedding is not None else {}
        if isinstance(passage, Event):
            events.append(
                set_aside_row(passages.event_row(memory, source_key, passage, ids, vectors), stored.replaced_at)
            )
        else:
            row = passages.note_row(memory, source_key, passage, ids, vectors, stored.people)
            notes.append(set_aside_row(row, stored.replaced_at))
    return events, notes


def vector_from(stored: Row) -> tuple[float, ...] | None:
    """The embedding among properties, where there is one."""
    embedding = stored.get("embedding")
    return tuple(embedding) if embedding is not None else None


def set_aside_row(row: Properties, at: datetime | None) -> Properties:
    """The row, marked as replaced at that time if there is one."""
    if at is not None:
        row["properties"]["replaced_at"] = at
    return row
