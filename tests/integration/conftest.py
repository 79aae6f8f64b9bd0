"""One real Neo4j for the whole test session; tests keep apart by memory id."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import count

import pytest

from tem_graph.clock import FixedClock
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.schema import migrate
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.server import Connection
from tem_graph.settings import load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.own_server import own_address, own_server  # noqa: F401  (fixtures of this folder)

TODAY = datetime(2024, 6, 1, 12, tzinfo=UTC)
_numbers = count()


@pytest.fixture(scope="session")
def address(neo4j_connection: Connection) -> Address:
    found = neo4j_connection
    return Address(found.uri, found.username, found.password, found.database)


@pytest.fixture(scope="session")
def migrated(address: Address) -> Address:
    """The server with the schema that the hashing embedder needs."""

    async def run() -> None:
        graph = Graph(address)
        embedder = HashingEmbedder()
        await migrate(graph, embedder=embedder.name, dimension=embedder.dimension, now=datetime(2024, 1, 1, tzinfo=UTC))
        await graph.aclose()

    asyncio.run(run())
    return address


@pytest.fixture
def memory_id(request: pytest.FixtureRequest) -> str:
    """A memory of this test's own, also on a server that earlier runs have used."""
    return f"{request.node.name}-{next(_numbers)}-{id(request):x}"


@pytest.fixture
def memory(migrated: Address, memory_id: str) -> Iterator[TemporalMemory]:
    """An open, empty memory: hashing embedder, 1 June 2024, no model."""
    with open_memory(migrated, memory_id) as opened:
        yield opened
        if any(m.id == memory_id for m in opened.memories()):
            opened.forget_memory()


def open_memory(address: Address, memory: str, **options: object) -> TemporalMemory:
    """A memory with what tests leave to chance settled: hashing embedder, fixed clock, no settings file."""
    defaults = {
        "settings": load_settings(embedder="hashing"),
        "address": address,
        "embedder": HashingEmbedder(),
        "clock": FixedClock(TODAY),
    }
    return TemporalMemory(memory, **(defaults | options))


def open_async_memory(address: Address, memory: str, **options: object) -> AsyncTemporalMemory:
    """The same, awaited."""
    defaults = {
        "settings": load_settings(embedder="hashing"),
        "address": address,
        "embedder": HashingEmbedder(),
        "clock": FixedClock(TODAY),
    }
    return AsyncTemporalMemory(memory, **(defaults | options))  # type: ignore[arg-type]
