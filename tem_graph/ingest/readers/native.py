"""Sessions in the project's own form.

    {"id": "s1", "date": "2024-03-02T09:30:00+01:00", "index": 1, "turns": [{"speaker": "Ana", "text": "…"}]}

`date` and `index` are optional; a turn may have a `caption` of a shared image and any `metadata` object. A file is
one session, a list of them, `{"sessions": [...]}` (with the id of the `memory`, if it shall name one), or one
session a line. A turn with neither text nor caption and a session without turns are left out and counted. A field that
is not known is refused: `dtae` must not become a session without a date.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import tzinfo
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from tem_graph.domain.conversation import MAX_INDEX, Turn
from tem_graph.ingest.readers.border import (
    BLANK_TURN,
    Conversation,
    Id,
    LeftOut,
    Words,
    make_date,
    make_session,
    refuse_mixed_indexes,
    refuse_repeated,
    validated,
)
from tem_graph.ingest.readers.document import Document, Place, Record


def _shown(text: str | None) -> str | None:
    return text if text and text.strip() else None


class TurnEntry(BaseModel):
    """A picture without words is a turn: its caption is what was said."""

    model_config = ConfigDict(extra="forbid", strict=True)

    speaker: Words
    caption: Annotated[str | None, AfterValidator(_shown)] = None
    text: str | None = None
    metadata: dict[str, Any] = {}

    @model_validator(mode="after")
    def _says_or_shows_something(self) -> Self:
        # Empty is what an export may hold; a turn without the field at all is a file of another form.
        if "text" not in self.model_fields_set and self.caption is None:
            raise PydanticCustomError("textless", "has no `text`")
        return self

    @property
    def is_blank(self) -> bool:
        return self.caption is None and not (self.text or "").strip()


class SessionEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    id: Id
    date: Words | None = None
    index: int | None = Field(None, ge=0, le=MAX_INDEX)
    turns: list[TurnEntry]


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
    left_out = LeftOut()
    made = []
    for entry, place in entries:
        date = make_date(entry.date, place, zone)
        if turns := turns_of(entry.turns, left_out):
            made.append((make_session(place, entry.id, turns, date, entry.index), place))
        else:
            left_out.sessions.append(entry.id)
    refuse_mixed_indexes(made)
    return [Conversation(memory, tuple(session for session, _ in made), left_out.sentences())]


def turns_of(entries: Iterable[TurnEntry], left_out: LeftOut) -> list[Turn]:
    """The turns that say or show something; the others are counted."""
    turns: list[Turn] = []
    for entry in entries:
        if entry.is_blank:
            left_out.add(*BLANK_TURN)
        else:
            turns.append(Turn(len(turns), entry.speaker, entry.text or "", entry.caption, entry.metadata))
    return turns


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
