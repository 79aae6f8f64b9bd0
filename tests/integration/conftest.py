"""One real Neo4j for the whole test session; tests keep apart by memory id."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.schema import migrate


@pytest.fixture(scope="session")
def address() -> Address:
    return Address("bolt://127.0.0.1:17687", "neo4j", "x")


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
