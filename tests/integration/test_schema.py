"""Setting a database up: once, by many at the same moment, and only for one embedder."""

from __future__ import annotations

import asyncio
import multiprocessing
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier

import pytest
from neo4j import GraphDatabase

from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import SchemaMismatch
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.queries import schema_files
from tem_graph.graph.schema import migrate, read_schema
from tem_graph.ingest.by_hand import FactInput
from tests.integration.conftest import open_memory
from tests.integration.own_server import empty
from tests.integration.stories import objects

ROUNDS = 10
NOW = datetime(2024, 1, 1, tzinfo=UTC)
MIGRATIONS = tuple(name for name, _ in schema_files())


def migrated(address: Address, embedder: HashingEmbedder | None = None) -> tuple[str, ...]:
    """What was applied now."""
    embedder = embedder or HashingEmbedder()

    async def run() -> tuple[str, ...]:
        graph = Graph(address)
        try:
            return await migrate(graph, embedder=embedder.name, dimension=embedder.dimension, now=NOW)
        finally:
            await graph.aclose()

    return asyncio.run(run())


def schema(address: Address) -> tuple[list[str], list[str]]:
    """Constraints, and indexes that are online."""
    with (
        GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver,
        driver.session() as session,
    ):
        constraints = [row["name"] for row in session.run("SHOW CONSTRAINTS YIELD name ORDER BY name")]
        indexes = session.run(
            "SHOW INDEXES YIELD name, state, type WHERE type <> 'LOOKUP' RETURN name, state ORDER BY name"
        )
        return constraints, sorted(row["name"] for row in indexes if row["state"] == "ONLINE")


def test_migrations_are_applied_once_and_recorded(own_address: Address) -> None:
    empty(own_address)
    assert migrated(own_address) == MIGRATIONS
    before = schema(own_address)
    assert migrated(own_address) == ()
    assert schema(own_address) == before

    async def state() -> object:
        graph = Graph(own_address)
        try:
            return await read_schema(graph)
        finally:
            await graph.aclose()

    found = asyncio.run(state())
    assert (found.applied, found.embedder, found.dimension) == (MIGRATIONS, "hashing-256", 256)  # type: ignore[attr-defined]


def set_up_and_search(address: Address, number: int, barrier: Barrier, failures: multiprocessing.Queue[str]) -> None:
    """One of two processes: in each round, set up at the same moment, put a fact in and search for it at once."""
    for round_ in range(ROUNDS):
        barrier.wait(120)  # the database is empty
        try:
            with open_memory(address, f"process-{number}") as memory:
                memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
                found = objects(memory.search("Where does Ana live?"))
            if found != ["Ravn"]:
                failures.put(f"round {round_}: found {found}")
        except Exception as error:
            failures.put(f"round {round_}: {error!r}")
        barrier.wait(120)


def test_two_processes_may_set_up_at_once(own_address: Address) -> None:
    empty(own_address)
    migrated(own_address)
    expected = schema(own_address)
    context = multiprocessing.get_context("spawn")
    barrier, failures = context.Barrier(3), context.Queue()
    processes = [context.Process(target=set_up_and_search, args=(own_address, n, barrier, failures)) for n in range(2)]
    for process in processes:
        process.start()
    found = []
    for _ in range(ROUNDS):
        empty(own_address)
        barrier.wait(120)
        barrier.wait(120)
        found.append(schema(own_address))
    for process in processes:
        process.join(60)
    assert failures.empty(), failures.get()
    assert found == [expected] * ROUNDS


def test_another_embedder_is_refused_and_says_how_to_go_on(own_address: Address) -> None:
    empty(own_address)
    with open_memory(own_address, "m", embedder=HashingEmbedder(384)) as memory:
        memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
    with pytest.raises(SchemaMismatch) as caught:
        open_memory(own_address, "m", embedder=HashingEmbedder(768)).open()
    for part in ("hashing-384", "384 dimensions", "hashing-768", "768"):
        assert part in caught.value.message
    assert "export" in (caught.value.hint or "")
    with open_memory(own_address, "m", embedder=HashingEmbedder(384)) as memory:
        assert objects(memory.search("Where does Ana live?")) == ["Ravn"]


def test_a_database_without_vectors_takes_the_new_size(own_address: Address) -> None:
    empty(own_address)
    migrated(own_address, HashingEmbedder(384))
    with open_memory(own_address, "m", embedder=HashingEmbedder(64)) as memory:
        memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
        assert objects(memory.search("Where does Ana live?")) == ["Ravn"]


def test_a_database_of_a_newer_version_is_refused(own_address: Address) -> None:
    empty(own_address)
    migrated(own_address)
    with (
        GraphDatabase.driver(own_address.uri, auth=(own_address.username, own_address.password)) as driver,
        driver.session() as session,
    ):
        session.run("CREATE (:Migration {name: '9999_future'})").consume()
    with pytest.raises(SchemaMismatch, match=r"newer tem-graph \(9999_future\)"):
        migrated(own_address)
    empty(own_address)
