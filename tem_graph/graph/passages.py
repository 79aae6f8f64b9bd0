"""Turns, events and notes as what a search can find: their properties, ids and vectors, written with their session.

A passage that can be found carries `content` (the line that is embedded and searched), `scope` (one word that stands
for its memory, for the full-text index) and `embedding`. One that was set aside, or was stored with the setting
`passages` at `none`, has no scope and no vector, so it is in no index.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from tem_graph.domain.conversation import Event, Note, Session, Turn
from tem_graph.domain.names import fold, make_id
from tem_graph.domain.time import PartialDate, Precision
from tem_graph.graph import records
from tem_graph.graph.connection import Graph, Transaction
from tem_graph.graph.records import Properties, Row

PASSAGES_PER_STATEMENT = 500
"""Rows with a vector that one statement carries; as measured for facts (`writes.FACTS_PER_STATEMENT`)."""

Vectors = Mapping[str, Sequence[float]]
"""Id → vector."""


def scope_of(memory: str) -> str:
    """The word that stands for a memory in the full-text index: letters and digits that no analyzer splits or stems.

    >>> scope_of("ana") != scope_of("Ana")
    True
    """
    return f"m{make_id('scope', memory)}x"


def event_id(memory: str, event: Event, turn_ids: Mapping[int, str]) -> str:
    """The id of an event; it changes with its words and with the turns behind it."""
    return make_id("event", memory, event.session, event.summary, *(turn_ids[n] for n in event.turns))


def note_id(memory: str, note: Note, turn_ids: Mapping[int, str]) -> str:
    return make_id("note", memory, note.session, note.text, *(turn_ids[n] for n in note.turns))


def turn_ids(memory: str, session: Session) -> dict[int, str]:
    """Position → id."""
    return {turn.position: records.turn_id(memory, session.id, turn) for turn in session.turns}


MOST_WORDS = 512
"""Words of a passage that are embedded: more than an embedder takes in (384 tokens for TEM's). Full text has all."""


def passage_texts(memory: str, session: Session, events: Iterable[Event], notes: Iterable[Note]) -> dict[str, str]:
    """Id → the line to embed, of every turn that says something and of these events and notes."""
    ids = turn_ids(memory, session)
    lines = {
        **{ids[turn.position]: turn.line for turn in session.turns if turn.content.strip()},
        **{event_id(memory, event, ids): event.summary for event in events},
        **{note_id(memory, note, ids): note.text for note in notes},
    }
    return {id_: _head(line) for id_, line in lines.items()}


def _head(line: str) -> str:
    words = line.split(maxsplit=MOST_WORDS)
    return line if len(words) <= MOST_WORDS else " ".join(words[:MOST_WORDS])


def found_by(memory: str, content: str, embedding: Sequence[float] | None) -> Properties:
    """What puts a passage into the indexes; nothing without a vector."""
    if embedding is None:
        return {}
    return {"scope": scope_of(memory), "content": content, "embedding": list(embedding)}


def session_row(memory: str, session: Session, vectors: Vectors) -> Properties:
    """A session with its turns, as `write_sessions` takes it; a turn with a vector can be found."""
    day = session.date.day.isoformat() if session.date else None
    turns = [turn_row(memory, session.id, session.source_key, day, turn, vectors) for turn in session.turns]
    return {
        "id": session.id,
        "properties": {
            "memory": memory,
            "id": session.id,
            "index": session.index,
            **records.date_properties(session.date),
            "source_key": session.source_key,
            "digest": session.digest,
        },
        "turns": list({turn["id"]: turn for turn in turns}.values()),
    }


def turn_row(memory: str, session: str, source_key: str, day: str | None, turn: Turn, vectors: Vectors) -> Properties:
    properties = records.turn_properties(memory, session, turn)
    place = {"session": session, "source_key": source_key, "day": day}
    found = found_by(memory, turn.line, vectors.get(properties["id"]))
    return {"id": properties["id"], "properties": properties | _present(place) | found}


def event_row(memory: str, source_key: str, event: Event, ids: Mapping[int, str], vectors: Vectors) -> Properties:
    """An event, as `write_events` takes it; `ids` are those of its session's turns by position."""
    id_ = event_id(memory, event, ids)
    properties = {
        "id": id_,
        "memory": memory,
        "session": event.session,
        "source_key": source_key,
        "summary": event.summary,
        "date": event.date,
        "day": _day(event.date),
        "participants": list(event.participants),
        "people": sorted({fold(name) for name in event.participants}),
        "turns": list(event.turns),
        "extractor": event.extractor,
    }
    found = found_by(memory, event.summary, vectors.get(id_))
    return _row(id_, event.session, properties | found, event.turns, ids)


def note_row(
    memory: str, source_key: str, note: Note, ids: Mapping[int, str], vectors: Vectors, people: Iterable[str]
) -> Properties:
    """A note, as `write_notes` takes it; `people` are who said it."""
    id_ = note_id(memory, note, ids)
    properties = {
        "id": id_,
        "memory": memory,
        "session": note.session,
        "source_key": source_key,
        "text": note.text,
        "people": sorted({fold(name) for name in people}),
        "turns": list(note.turns),
        "extractor": note.extractor,
    }
    return _row(id_, note.session, properties | found_by(memory, note.text, vectors.get(id_)), note.turns, ids)


def _row(id_: str, session: str, properties: Properties, turns: Sequence[int], ids: Mapping[int, str]) -> Properties:
    return {
        "id": id_,
        "session": session,
        "properties": _present(properties),
        "turn_ids": [ids[position] for position in turns],
    }


def _present(properties: Properties) -> Properties:
    return {key: value for key, value in properties.items() if value is not None}


def _day(text: str | None) -> str | None:
    """The day of an ISO date, where a whole day is known."""
    if text is None:
        return None
    date = PartialDate.parse(text)
    return date.day.isoformat() if date.precision is Precision.DAY else None


def event_from(row: Row) -> Event:
    return Event(
        summary=row["summary"],
        session=row["session"],
        date=row.get("date"),
        participants=tuple(row["participants"]),
        turns=tuple(row["turns"]),
        extractor=row["extractor"],
    )


def note_from(row: Row) -> Note:
    return Note(row["text"], row["session"], tuple(row["turns"]), row["extractor"])


def split_rows(rows: Iterable[Properties]) -> Iterator[list[Properties]]:
    """Sessions with at most 500 turns together; a longer session comes in parts, each with its own properties."""
    batch: list[Properties] = []
    size = 0
    for row in rows:
        turns = row["turns"]
        for start in range(0, max(len(turns), 1), PASSAGES_PER_STATEMENT):
            part = turns[start : start + PASSAGES_PER_STATEMENT]
            if batch and size + len(part) > PASSAGES_PER_STATEMENT:
                yield batch
                batch, size = [], 0
            batch.append({**row, "turns": part})
            size += len(part)
    if batch:
        yield batch


async def write_session_rows(tx: Transaction, memory: str, rows: Iterable[Properties], *, new: bool = False) -> None:
    """Writes sessions with their turns; `new` says that none of the turns is stored."""
    query = "write_new_sessions" if new else "write_sessions"
    for batch in split_rows(rows):
        await tx.run(query, memory=memory, sessions=batch)


async def write_passages(
    tx: Transaction,
    memory: str,
    rows: Iterable[tuple[Sequence[Properties], Sequence[Properties]]],
    *,
    new: bool = False,
) -> None:
    """Writes (events, notes) of sessions that this transaction has written; `new` says that none of them is stored.
    Harmless to repeat."""
    pairs = list(rows)
    events, notes = [row for of, _ in pairs for row in of], [row for _, of in pairs for row in of]
    for start in range(0, len(events), PASSAGES_PER_STATEMENT):
        batch = events[start : start + PASSAGES_PER_STATEMENT]
        await tx.run("write_new_events" if new else "write_events", memory=memory, events=batch)
    for start in range(0, len(notes), PASSAGES_PER_STATEMENT):
        batch = notes[start : start + PASSAGES_PER_STATEMENT]
        await tx.run("write_new_notes" if new else "write_notes", memory=memory, notes=batch)


def rows_of(
    memory: str, session: Session, events: Sequence[Event], notes: Sequence[Note], vectors: Vectors
) -> tuple[list[Properties], list[Properties]]:
    """The events and notes of a session, as `write_passages` takes them."""
    ids = turn_ids(memory, session)
    speakers = {turn.position: turn.speaker for turn in session.turns}
    return (
        [event_row(memory, session.source_key, event, ids, vectors) for event in events],
        [note_row(memory, session.source_key, note, ids, vectors, (speakers[n] for n in note.turns)) for note in notes],
    )


@dataclass(frozen=True, slots=True)
class UnindexedSession:
    """A session with turns that no search finds, and how many events it has."""

    session: Session
    events: int


async def unindexed_sessions(graph: Graph, memory: str) -> list[UnindexedSession]:
    """The sessions of a memory that were stored without vectors of their turns, in source order."""
    found = []
    for row in await graph.read("sessions_to_index", memory=memory):
        stored = row["s"]
        rows = await graph.read("read_turns", memory=memory, session=stored["id"])
        turns = tuple(records.turn_from(row["t"]) for row in rows)
        if any(turn.content.strip() and row["t"].get("scope") is None for turn, row in zip(turns, rows, strict=True)):
            session = Session(stored["id"], turns, records.session_date(stored), stored.get("index"))
            found.append(UnindexedSession(session, row["events"]))
    return found


async def complete_sessions(
    graph: Graph,
    memory: str,
    sessions: Sequence[Session],
    events: Mapping[str, Sequence[Event]],
    vectors: Vectors,
    *,
    at: datetime,
) -> list[Session]:
    """The sessions whose turns can be found now; `events`, by session, are added. A session whose text was replaced
    since it was read is left alone."""

    async def work(tx: Transaction) -> list[Session]:
        await tx.run("lock_memory", memory=memory, at=at)
        done = []
        for session in sessions:
            stored = await tx.run("read_turns", memory=memory, session=session.id)
            if {row["t"]["id"] for row in stored} == set(turn_ids(memory, session).values()):
                done.append(session)
        # The session itself stays as it is: what is kept of it may be more than its turns say.
        rows = ({**session_row(memory, session, vectors), "properties": {}} for session in done)
        await write_session_rows(tx, memory, rows)
        await write_passages(tx, memory, [rows_of(memory, s, events[s.id], (), vectors) for s in done])
        return done

    return await graph.write_with(work)
