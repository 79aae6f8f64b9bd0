"""Reported cases about the database, the search, text that looks like a query, and the life of a client."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from neo4j import GraphDatabase

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.outcome import OutcomeStatus
from tem_graph.domain.time import SessionDate
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import InputError, ModelError, SchemaMismatch, SettingsError
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.settings import Settings, load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_async_memory, open_memory
from tests.integration.reported import Case, tests_case
from tests.integration.stories import objects, plain_reader, reader_of, replying, said
from tests.integration.test_passages import Database


def count_everything(address: Address, memory: str) -> tuple[dict[str, int], dict[str, int]]:
    """Nodes by label and relationships by type that belong to a memory, found without the product's queries."""
    with (
        GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver,
        driver.session() as session,
    ):
        nodes = session.run(
            "MATCH (n) WHERE n.memory = $m OR (n:Memory AND n.id = $m) UNWIND labels(n) AS l RETURN l, count(*) AS c",
            m=memory,
        )
        labels = {row["l"]: row["c"] for row in nodes}
        ties = session.run(
            "MATCH (n)-[r]-() WHERE n.memory = $m OR (n:Memory AND n.id = $m)"
            " RETURN type(r) AS t, count(DISTINCT r) AS c",
            m=memory,
        )
        return labels, {row["t"]: row["c"] for row in ties}


# Embeddings -------------------------------------------------------------------------------------------------


@tests_case("EM-03")
def test_an_embedder_that_lies_about_its_size_is_refused(migrated: Address, memory_id: str, case: Case) -> None:
    assert not [name for name in Settings.model_fields if "dimension" in name]  # the embedder says it

    class Lies(HashingEmbedder):
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            return [vector[:-1] for vector in await super().embed(texts)]

    with open_memory(migrated, memory_id, embedder=Lies()) as memory:
        with pytest.raises(ModelError, match=r"255.*256"):
            memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
        with pytest.raises(ModelError, match=r"255.*256"):
            memory.search("Where does Ana live?")
        assert memory_id not in {m.id for m in memory.memories()}


@tests_case("EM-05")
def test_more_dimensions_than_neo4j_takes(migrated: Address, memory_id: str, case: Case) -> None:
    with pytest.raises(SchemaMismatch, match=r"8192 dimensions.*at most 4096"):
        open_memory(migrated, memory_id, embedder=HashingEmbedder(8192)).open()


# Search -----------------------------------------------------------------------------------------------------


@tests_case("VS-01")
def test_a_small_memory_is_not_starved_by_a_big_one(migrated: Address, memory_id: str, case: Case) -> None:
    with open_memory(migrated, memory_id) as small:
        big = small.for_memory(f"{memory_id}-big")
        big.add_facts(FactInput(f"Wren {n}", "likes", "pears and pears", "s1") for n in range(5_000))
        for place in ("Ravn", "Lund", "Ash"):
            small.add_facts([FactInput(f"Ana of {place}", "residence", place, "s1")])
        by_index = load_settings(embedder="hashing", exact_search_limit=0)
        with open_memory(migrated, memory_id, settings=by_index) as indexed:
            for searched in (small, indexed):
                assert sorted(objects(searched.search("Wren likes pears and pears", 3))) == ["Ash", "Lund", "Ravn"]
                assert len(searched.for_memory(big.id).search("Wren likes pears and pears", 3)) == 3
        for memory in (small, big):
            memory.forget_memory()


@tests_case("VS-03")
def test_all_that_is_stored_is_embedded_and_found(migrated: Address, memory_id: str, case: Case) -> None:
    reply = {
        "facts": [
            {"quote": "I live in Ravn", "subject": "Ana", "relation": "residence", "object": "Ravn", "turn": 0},
            {
                "quote": "I work at Northwind",
                "subject": "Ben",
                "relation": "employer",
                "object": "Northwind",
                "turn": 1,
            },
        ],
        "events": [{"turns": [2], "summary": "Ana won the race.", "participants": ["Ana"], "when": None}],
        "notes": [],
    }
    turns = ("I live in Ravn.", ("Ben", "I work at Northwind."), "Yesterday I won the race.")
    database = Database(migrated)
    with open_memory(migrated, memory_id, extractor=reader_of(replying(reply))) as memory:
        memory.ingest([said("s1", "2024-01-01", *turns)])
        (counted,) = database.rows(
            "MATCH (n:Fact|Event|Turn {memory: $m}) RETURN count(n) AS all, count(n.embedding) AS embedded,"
            " count(CASE WHEN n:Fact OR n.scope IS NOT NULL THEN n END) AS worded",
            m=memory_id,
        )
        assert counted == {"all": 6, "embedded": 6, "worded": 6}
        for text in ("Ana lives in Ravn", "Ben works for Northwind"):
            assert objects(memory.search(text, 1)) == [text.split()[-1]]
        for words, text in (("live", "Ana: I live in Ravn."), ("work", "Ben: I work at Northwind.")):
            assert database.found(memory_id, words) == [text]
        assert sorted(database.found(memory_id, "race")) == ["Ana won the race.", "Ana: Yesterday I won the race."]
        memory.forget_memory()


@tests_case("IN-03")
def test_queries_are_text_and_no_syntax(memory: TemporalMemory, case: Case) -> None:
    memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1"), FactInput("Ivo", "likes", "faults", "s1")])
    for query in case["given"]["queries"]:
        found = memory.search(query, 1)
        assert len(found) == 1, query
        if "Ana" in query:
            assert found[0].fact.subject == "Ana", query
        memory.ask(query)


@tests_case("IN-05")
def test_a_long_query_with_a_thinking_block(memory: TemporalMemory, case: Case) -> None:
    memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
    query = "<think>" + "a/b {c: \"d'} \\ [e] " * 90 + '</think> "where does Ana live'
    assert len(query) > 1_700
    assert objects(memory.search(query)) == ["Ravn"]
    assert "Ravn" in memory.evidence(query).text


# Text that looks like Cypher --------------------------------------------------------------------------------


@tests_case("IN-01")
def test_relation_names_are_only_ever_values(memory: TemporalMemory, migrated: Address, case: Case) -> None:
    bystander = memory.for_memory(f"{memory.id}-bystander")
    bystander.add_facts([FactInput("Ana", "team", "Red", "s1")])
    before = count_everything(migrated, bystander.id)
    relations = [relation for relation in case["given"]["relations"] if relation]
    for number, relation in enumerate(relations):
        assert memory.add_facts([FactInput("Ana", relation, "v", f"s{number}")]) == 1
    with pytest.raises(InputError, match="relation is empty"):
        memory.add_facts([FactInput("Ana", "", "v", "s99")])
    assert sorted(m.fact.relation.name for m in memory.facts()) == sorted(relations)
    for relation in relations:
        assert [m.fact.relation.name for m in memory.facts(relation=relation)] == [relation]
        result = memory.operator("current", subject="Ana", relation=relation)
        assert (result.status, result.value) == ("found", "v")
    assert count_everything(migrated, bystander.id) == before
    bystander.forget_memory()


@tests_case("NS-05")
def test_metadata_of_any_shape(migrated: Address, memory_id: str, case: Case) -> None:
    metadata = case["given"]["turn_metadata"]
    turn = Turn(0, "Ana", "I live in Ravn.", metadata=metadata)
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        report = memory.ingest([Session("s1", (turn,), SessionDate.parse("2024-01-01"))])
        assert [o.status for o in report.outcomes] == [OutcomeStatus.STORED]
        ((_, stored),) = memory.turns()
        assert stored.metadata == metadata
        assert objects(memory.facts()) == ["Ravn"]
        memory.forget_memory()


# Concurrency, forgetting ------------------------------------------------------------------------------------


class Slow:
    """A reader that takes its time, so that two callers are at it together."""

    name = "slow"

    async def extract(self, session: Session) -> Extraction:
        await asyncio.sleep(0.05)
        return Extraction("slow", (Candidate("Ana", "residence", "Ravn", 0, "I live in Ravn."),))


@tests_case("CO-01")
async def test_the_same_session_twice_at_once(migrated: Address, memory_id: str, case: Case) -> None:
    session = said("s1", "2024-01-01", "I live in Ravn.")
    async with open_async_memory(migrated, memory_id, extractor=Slow()) as memory:
        for number in range(20):
            user = memory.for_memory(f"{memory_id}-{number}")
            reports = await asyncio.gather(user.ingest([session]), user.ingest([session]))
            assert sorted(str(r.outcomes[0].status) for r in reports) == ["stored", "unchanged"]
            assert len(await user.facts()) == len(await user.turns()) == 1
            await user.forget_memory()


@tests_case("DE-01")
def test_forgetting_a_memory_leaves_nothing_and_touches_nobody(migrated: Address, memory_id: str, case: Case) -> None:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        other = memory.for_memory(f"{memory_id}-2")
        memory.ingest(
            said(f"s{n}", "2024-01-01", ("Wren", f"I live in Town{n}."), "I wish I lived in Ash.") for n in range(3)
        )
        other.ingest([said("s1", "2024-01-01", ("Wren", "I live in Ravn."))])
        mistaken = memory.facts()[0].fact.id
        memory.correct(mistaken, object="Town", by="Wren", why="spelling")
        before = count_everything(migrated, other.id)
        labels, _ = count_everything(migrated, memory_id)
        assert labels == {"Memory": 1, "Session": 3, "Turn": 6, "Subject": 1, "Fact": 4, "Rejection": 3, "Outcome": 3}
        counted = memory.forget_memory(dry_run=True)
        assert count_everything(migrated, memory_id)[0] == labels
        assert {k: v for k, v in counted.items() if v} == {
            "sessions": 3, "turns": 6, "subjects": 1, "facts": 4, "rejections": 3, "outcomes": 3,
        }  # fmt: skip
        assert memory.forget_memory() == counted
        assert count_everything(migrated, memory_id) == ({}, {})
        assert count_everything(migrated, other.id) == before
        assert objects(other.facts()) == ["Ravn"]
        other.forget_memory()


# The life of a client ---------------------------------------------------------------------------------------


@tests_case("AS-01")
def test_a_client_in_two_loops_says_what_to_do(migrated: Address, memory_id: str, case: Case) -> None:
    client = open_async_memory(migrated, memory_id)

    async def opened() -> AsyncTemporalMemory:
        return await client.__aenter__()

    async def used() -> None:
        await client.subjects()

    async def reopened() -> None:
        async with open_async_memory(migrated, memory_id) as memory:
            await memory.subjects()

    with asyncio.Runner() as first:
        first.run(opened())
        with asyncio.Runner() as second, pytest.raises(SettingsError, match="another event loop") as caught:
            second.run(used())
        assert "TemporalMemory" in (caught.value.hint or "")
        first.run(client.aclose())
    asyncio.run(reopened())
    asyncio.run(reopened())


@tests_case("AS-01")
async def test_the_sync_client_works_inside_a_running_loop(migrated: Address, memory_id: str, case: Case) -> None:
    with open_memory(migrated, memory_id) as memory:
        assert memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")]) == 1
        assert objects(memory.search("Where does Ana live?")) == ["Ravn"]
        memory.forget_memory()


@tests_case("AS-01")
def test_the_sync_client_works_from_eight_threads(memory: TemporalMemory, case: Case) -> None:
    memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: objects(memory.search(f"Where does Ana live? {n}")), range(40)))
    assert found == [["Ravn"]] * 40


_watched: list[object] | None = None


def _note_connections(event: str, arguments: tuple[object, ...]) -> None:
    if event == "socket.connect" and _watched is not None:
        _watched.append(arguments[1])


sys.addaudithook(_note_connections)


@tests_case("TE-01")
def test_nobody_else_is_called(migrated: Address, memory_id: str, case: Case) -> None:
    global _watched
    _watched = []
    try:
        with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
            memory.ingest([said("s0", "2024-01-01", "I live in Ravn.")])
            threads = threading.active_count()
            for number in range(1, 100):
                memory.ingest([said(f"s{number}", "2024-01-01", "I live in Ravn.")])
                memory.search("Where does Ana live?")
            assert threading.active_count() <= threads
            memory.forget_memory()
        called = {address[:2] for address in _watched if isinstance(address, tuple)}
    finally:
        _watched = None
    host, port = migrated.uri.removeprefix("bolt://").split(":")
    assert called == {(host, int(port))}
