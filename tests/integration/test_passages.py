"""Turns, events and notes on the real graph: written with their session, found, replaced, forgotten, completed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from neo4j import GraphDatabase

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Extraction
from tem_graph.domain.outcome import OutcomeStatus
from tem_graph.graph.connection import Address
from tem_graph.graph.passages import scope_of
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.settings import load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory
from tests.integration.own_server import empty
from tests.integration.stories import reader_of, said

SESSION = said(
    "s1",
    "2023-05-25T23:30:00-05:00",
    "I ran a charity race in Lund last Saturday.",
    ("Ben", "I only run when my knee is fine."),
    ("Ben", ""),
)
REPLY = {
    "facts": [],
    "events": [
        {"turns": [0], "summary": "Ana ran a charity race in Lund.", "participants": ["Ana"], "when": "last Saturday"},
        {"turns": [0], "summary": "Ana won a medal in Oslo.", "participants": ["Ana"], "when": None},
    ],
    "notes": [{"turns": [1], "text": "Ben only runs when the knee is fine."}],
}


@dataclass
class Database:
    """Statements of a person at the database, past every verb of ours."""

    address: Address

    def rows(self, statement: str, **parameters: object) -> list[dict[str, object]]:
        auth = (self.address.username, self.address.password)
        with GraphDatabase.driver(self.address.uri, auth=auth) as driver, driver.session() as session:
            return [row.data() for row in session.run(statement, **parameters)]  # type: ignore[arg-type]

    def found(self, memory: str, words: str) -> list[str]:
        """What the full-text index gives for a memory, best first."""
        rows = self.rows(
            "CALL db.index.fulltext.queryNodes('passage_text', $wanted) YIELD node RETURN node.content AS content",
            wanted=f"+scope:{scope_of(memory)} +content:({words})",
        )
        return [str(row["content"]) for row in rows]


@pytest.fixture
def database(migrated: Address) -> Database:
    return Database(migrated)


@pytest.fixture
def model() -> ScriptedChat:
    return ScriptedChat([json.dumps(REPLY)], repeat_last=True)


@pytest.fixture
def memory(migrated: Address, memory_id: str, model: ScriptedChat) -> Iterator[TemporalMemory]:
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as opened:
        yield opened
        if any(m.id == memory_id for m in opened.memories()):
            opened.forget_memory()


def test_one_call_brings_events_and_notes_with_the_turns_behind_them(
    memory: TemporalMemory, model: ScriptedChat, database: Database
) -> None:
    report = memory.ingest([SESSION])
    assert (len(model.requests), report.usage.calls) == (1, 1)
    assert (report.events, report.notes, report.rejected) == (1, 1, 1)
    (event,), (note,) = memory.events(), memory.notes()
    assert (event.summary, event.date, event.participants) == (
        "Ana ran a charity race in Lund.",
        "2023-05-20",
        ("Ana",),
    )
    assert (note.text, note.turns, note.extractor) == ("Ben only runs when the knee is fine.", (1,), "model")
    ((_, rejection),) = memory.rejected()
    assert (rejection.candidate.relation, rejection.reason) == ("event", "not_in_text")
    rows = database.rows(
        """
        MATCH (p:Event|Note {memory: $memory})-[:BASED_ON]->(t:Turn)-[:FROM_SESSION]->(s)<-[:FROM_SESSION]-(p)
        RETURN labels(p)[0] AS kind, p.day AS day, p.source_key = t.source_key AS same, t.content AS line,
               t.day AS told, size(p.embedding) AS numbers, size(t.embedding) AS of_turn
        ORDER BY kind
        """,
        memory=memory.id,
    )
    line = "Ana: I ran a charity race in Lund last Saturday."
    assert [tuple(row.values()) for row in rows] == [
        ("Event", "2023-05-20", True, line, "2023-05-25", 256, 256),
        ("Note", None, True, "Ben: I only run when my knee is fine.", "2023-05-25", 256, 256),
    ]
    (info,) = memory.sessions()
    assert (info.turns, info.events, info.notes) == (3, 1, 1)
    assert [(m.events, m.notes) for m in memory.memories() if m.id == memory.id] == [(1, 1)]
    (outcome,) = memory.outcomes()
    assert (outcome.events, outcome.notes) == (1, 1)


def test_full_text_is_bound_to_one_memory_and_knows_forms_of_words(memory: TemporalMemory, database: Database) -> None:
    other = memory.for_memory(f"{memory.id}-other")
    memory.ingest([SESSION])
    other.ingest([said("s1", "2024-01-01", "The races in Oslo were fun.")])
    assert set(database.found(memory.id, "races")) == {
        "Ana ran a charity race in Lund.",
        "Ana: I ran a charity race in Lund last Saturday.",
    }
    assert database.found(other.id, "race") == ["Ana: The races in Oslo were fun."]
    assert database.found(memory.id, "Ben AND nothing") == []
    other.forget_memory()
    assert database.found(other.id, "race") == []


def test_a_caption_is_found_as_part_of_its_turn(memory: TemporalMemory, database: Database) -> None:
    turn = Turn(0, "Ana", "Look!", caption="a photo of a lighthouse")
    memory.ingest([Session("s1", (turn,), SESSION.date)])
    assert database.found(memory.id, "lighthouses") == ["Ana: Look! [shares a photo of a lighthouse]"]


def test_reading_again_changes_nothing(memory: TemporalMemory, model: ScriptedChat, database: Database) -> None:
    memory.ingest([SESSION])
    before = memory.events(), memory.notes(), database.found(memory.id, "race")
    assert [o.status for o in memory.ingest([SESSION]).outcomes] == [OutcomeStatus.UNCHANGED]
    memory.forget_session("s1")
    assert (memory.events(), memory.notes(), database.found(memory.id, "race")) == ([], [], [])
    memory.ingest([SESSION])
    assert (memory.events(), memory.notes(), database.found(memory.id, "race")) == before


def test_replacing_a_session_sets_its_passages_aside_and_back(migrated: Address, memory_id: str) -> None:
    database = Database(migrated)
    first, second = SESSION, said("s1", "2023-05-25", "I swam across the lake in Lund last Sunday.")
    with open_memory(migrated, memory_id, extractor=_Silent()) as memory:
        for session, content in ((first, "race"), (second, "lake"), (first, "race")):
            memory.ingest([session], replace=True)
            (event,) = memory.events()
            assert content in event.summary
            assert all(content in line for line in database.found(memory_id, "race lake"))
            assert len(database.found(memory_id, "race lake")) == 2
        kept = database.rows("MATCH (e:Event {memory: $memory}) RETURN count(e) AS n", memory=memory_id)
        assert kept == [{"n": 2}]
        memory.forget_memory()
        assert database.rows("MATCH (n:Event|Note|Turn {memory: $memory}) RETURN n", memory=memory_id) == []


def test_forgetting_a_person_takes_their_events_and_notes(memory: TemporalMemory) -> None:
    memory.ingest([SESSION])
    assert memory.forget_subject("ben", dry_run=True) == {
        "subjects": 0, "facts": 0, "events": 0, "notes": 1, "rejections": 0,
    }  # fmt: skip
    memory.forget_subject("ben")
    assert (len(memory.events()), memory.notes()) == (1, [])
    memory.forget_subject("Ana")
    assert memory.events() == []
    assert len(memory.turns()) == 3


def test_facts_only_and_completed_later(migrated: Address, memory_id: str) -> None:
    database = Database(migrated)
    settings = load_settings(embedder="hashing", passages="none")
    with open_memory(migrated, memory_id, extractor=_Silent(), settings=settings) as memory:
        memory.ingest([SESSION])
        assert memory.events() == []
        assert database.found(memory_id, "race") == []
        done = memory.reindex()
        assert (done.sessions, done.turns, done.events) == (1, 2, 1)
        assert memory.reindex().sessions == 0
        indexed = memory.events(), sorted(database.found(memory_id, "race")), memory.sessions()[0].digest
        memory.forget_memory()
    with open_memory(migrated, memory_id, extractor=_Silent()) as memory:
        memory.ingest([SESSION])
        assert (memory.events(), sorted(database.found(memory_id, "race")), memory.sessions()[0].digest) == indexed
        memory.forget_memory()


def test_a_database_of_the_schema_before_is_brought_up_and_completed(own_address: Address) -> None:
    empty(own_address)
    database = Database(own_address)
    with open_memory(own_address, "m", extractor=_Silent()) as memory:
        memory.ingest([SESSION])
    # As an earlier version left it: no index of passages, nothing to put into one.
    for index in ("turn_embedding", "event_embedding", "note_embedding", "passage_text"):
        database.rows(f"DROP INDEX {index}")
    database.rows("MATCH (m:Migration {name: '0003_passages'}) DELETE m")
    database.rows("MATCH (e:Event) DETACH DELETE e")
    database.rows("MATCH (t:Turn) REMOVE t.embedding, t.scope, t.content, t.session, t.source_key, t.day")
    with open_memory(own_address, "m", extractor=_Silent()) as memory:
        names = {row["name"] for row in database.rows("SHOW INDEXES YIELD name, state WHERE state = 'ONLINE'")}
        assert {"fact_embedding", "turn_embedding", "event_embedding", "note_embedding", "passage_text"} <= names
        assert (memory.events(), database.found("m", "race")) == ([], [])
        assert memory.reindex().sessions == 1
        assert len(memory.events()) == 1
        assert len(database.found("m", "race")) == 2
    empty(own_address)


@pytest.mark.parametrize(("turns", "calls"), [(3, 1), (40, 1), (100, 2), (300, 2), (800, 2)])
def test_a_session_takes_one_call_and_a_long_one_two(migrated: Address, memory_id: str, turns: int, calls: int) -> None:
    asked: list[ChatRequest] = []

    def reply(request: ChatRequest) -> str:
        asked.append(request)
        return '{"facts": [], "events": [], "notes": []}'

    lines = [f"Here is what I have to say as number {n}, and it is of some length." for n in range(turns)]
    with open_memory(migrated, memory_id, extractor=reader_of(ScriptedChat(reply))) as memory:
        report = memory.ingest([said("s1", "2024-01-01", *lines)])
        assert (len(asked), report.usage.calls) == (calls, calls)
        shown = [line for request in asked for line in request.messages[-1].content.splitlines()]
        assert shown == [f"[{n}] Ana: {line}" for n, line in enumerate(lines)]
        memory.forget_memory()


class _Silent:
    """An extractor that finds nothing, so that the telling sentences stand in."""

    name = "silent"

    async def extract(self, session: Session) -> Extraction:
        return Extraction(self.name)
