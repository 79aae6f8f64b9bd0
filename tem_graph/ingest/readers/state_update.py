"""The `sessions.jsonl` of a state-update set: one session a line, each with the persona it belongs to.

    {"persona_id": "p1", "persona": "Ana Lind", "session_id": "p1-s1", "session": 1, "date": "…", "turns": [...]}

Every persona is a memory of its own, in order of first appearance; `session` is the source index. Fields beyond
these are ignored: the form belongs to the set.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import tzinfo

from pydantic import BaseModel, ConfigDict, Field

from tem_graph.domain.conversation import MAX_INDEX, Session
from tem_graph.ingest.readers.border import (
    Conversation,
    Id,
    LeftOut,
    Words,
    make_date,
    make_session,
    refuse_repeated,
    validated,
)
from tem_graph.ingest.readers.document import Document, Place
from tem_graph.ingest.readers.native import TurnEntry, turns_of


class _Turn(TurnEntry):
    model_config = ConfigDict(extra="ignore", strict=True)


class _Entry(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    persona_id: Id
    session_id: Id
    session: int = Field(ge=0, le=MAX_INDEX)
    date: Words | None = None
    turns: list[_Turn] = Field(min_length=1)


def read(document: Document, zone: tzinfo) -> list[Conversation]:
    """One conversation per persona.

    Raises:
        InputError: names the file, the line, the session and the field.
    """
    memories: dict[str, list[tuple[Session, Place]]] = defaultdict(list)
    left_out: dict[str, LeftOut] = defaultdict(LeftOut)
    for record in document.records:
        place = record.place.named("session")
        if isinstance(record.value, dict) and isinstance(record.value.get("session_id"), str):
            place = place.named(f"session {record.value['session_id'][:80]!r}")
        entry = validated(_Entry, record.value, place)
        date = make_date(entry.date, place, zone)
        sessions = memories[entry.persona_id]
        if turns := turns_of(entry.turns, left_out[entry.persona_id]):
            sessions.append((make_session(place, entry.session_id, turns, date, entry.session), place))
        else:
            left_out[entry.persona_id].sessions.append(entry.session_id)
    for sessions in memories.values():
        refuse_repeated(((session.id, place) for session, place in sessions), "session_id")
    return [
        Conversation(id_, tuple(s for s, _ in sessions), left_out[id_].sentences())
        for id_, sessions in memories.items()
    ]
