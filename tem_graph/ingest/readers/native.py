"""Sessions in the project's own form.

    {"id": "s1", "date": "2024-03-02T09:30:00+01:00", "index": 1, "turns": [{"speaker": "Ana", "text": "…"}]}

`date` and `index` are optional; a turn may have a `caption` of a shared image and any `metadata` object. A file is
one session, a list of them, `{"sessions": [...]}` (with the id of the `memory`, if it shall name one), or one
session a line. A field that is not known is refused: `dtae` must not become a session without a date.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic_core import PydanticCustomError

from tem_graph.domain.conversation import MAX_INDEX, Turn
from tem_graph.ingest.readers.border import (
    Conversation,
    Id,
    Words,
    make_date,
    make_session,
    refuse_mixed_indexes,
    refuse_repeated,
    validated,
)
from tem_graph.ingest.readers.document import Document, Place, Record


class TurnEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    speaker: Words
    caption: Words | None = None
    text: str
    metadata: dict[str, Any] = {}

    @field_validator("text")
    @classmethod
    def _says_something(cls, text: str, info: ValidationInfo) -> str:
        # A picture without words is a turn; its caption is what was said.
        if not text.strip() and not info.data.get("caption"):
            raise PydanticCustomError("blank", "is blank")
        return text


class SessionEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: Id
    date: Words | None = None
    index: int | None = Field(None, ge=0, le=MAX_INDEX)
    turns: list[TurnEntry]

    @field_validator("turns")
    @classmethod
    def _has_turns(cls, turns: list[TurnEntry]) -> list[TurnEntry]:
        if not turns:
            raise PydanticCustomError("blank", "is empty: nothing to store")
        return turns


class SessionFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    memory: Id | None = None
    sessions: list[Any]


def read(document: Document, zone: tzinfo) -> list[Conversation]:
    """The one conversation of the file.

    Raises:
        InputError: names the file, the line, the session and the field.
    """
    memory, records = _session_records(document)
    entries = [(validated(SessionEntry, r.value, r.place), r.place) for r in records]
    refuse_repeated(((entry.id, place) for entry, place in entries), "id")
    made = [
        (make_session(place, e.id, turns_of(e.turns), make_date(e.date, place, zone), e.index), place)
        for e, place in entries
    ]
    refuse_mixed_indexes(made)
    return [Conversation(memory, tuple(session for session, _ in made))]


def turns_of(entries: Sequence[TurnEntry]) -> list[Turn]:
    return [Turn(n, e.speaker, e.text, e.caption, e.metadata) for n, e in enumerate(entries)]


def _session_records(document: Document) -> tuple[str | None, list[Record]]:
    if document.is_lines:
        return None, [Record(r.value, _named(r.value, r.place, None)) for r in document.records]
    (whole,) = document.records
    memory: str | None = None
    path: tuple[str, ...] = ()
    sessions = whole.value
    if isinstance(sessions, dict) and "sessions" in sessions:
        file = validated(SessionFile, sessions, whole.place)
        memory, path, sessions = file.memory, ("sessions",), file.sessions
    if not isinstance(sessions, list):
        return None, [Record(sessions, _named(sessions, whole.place, None))]
    if not sessions:
        raise whole.place.error("holds no session: nothing to store", *path)
    return memory, [Record(s, _named(s, whole.place.at(*path, n), n + 1)) for n, s in enumerate(sessions)]


def _named(session: object, place: Place, number: int | None) -> Place:
    id_ = session.get("id") if isinstance(session, dict) else None
    if isinstance(id_, str | int) and str(id_).strip():
        return place.named(f"session {str(id_)[:80]!r}")
    return place.named(f"session number {number}") if number else place.named("session")
