"""Addresses of a cluster on a single server: `neo4j://`, reads as reads, and bookmarks from one process to another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tem_graph.errors import GraphError
from tem_graph.graph.connection import Address, Graph
from tests.integration.conftest import open_async_memory
from tests.integration.stories import plain_reader, said


@pytest.fixture
def routed(migrated: Address) -> Address:
    return replace(migrated, uri=migrated.uri.replace("bolt://", "neo4j://"))


async def test_a_memory_behind_a_routing_table(routed: Address, memory_id: str) -> None:
    assert routed.uri.startswith("neo4j://")
    async with open_async_memory(routed, memory_id, extractor=plain_reader()) as memory:
        await memory.ingest([said("s1", "2024-01-01", ("Ana", "I live in Rome."))])
        await memory.ingest([said("s2", "2024-02-01", ("Ana", "I live in Porto."))])
        assert "Rome | source: s1, 2024-01-01 [historical]" in (await memory.evidence("Where does Ana live?")).text
        await memory.forget_memory()


async def test_reads_are_sent_as_reads(routed: Address) -> None:
    graph = Graph(routed)
    try:
        with pytest.raises(GraphError) as refused:  # no server takes a write in what was begun as a read
            await graph.read("write_outcomes", memory="m", outcomes=[{"id": "x", "properties": {}, "session": "s"}])
        assert "AccessMode" in str(getattr(refused.value.__cause__, "code", ""))
    finally:
        await graph.aclose()


async def test_another_connection_catches_up_with_what_was_written(routed: Address, memory_id: str) -> None:
    reader = open_async_memory(routed, memory_id, extractor=plain_reader())
    async with open_async_memory(routed, memory_id, extractor=plain_reader()) as writer, reader:
        before = await writer.bookmarks()
        await writer.ingest([said("s1", "2024-01-01", ("Ana", "I live in Rome."))])
        written = await writer.bookmarks()
        assert written
        assert written != before
        await reader.catch_up(written)
        assert set(written) <= set(await reader.bookmarks())
        assert [s.id for s in await reader.sessions()] == ["s1"]
        await reader.forget_memory()
