"""A real Neo4j for the whole test session, started by it and gone with it.

`TEM_GRAPH_TEST_SERVER=<home folder>` reuses a local server that runs already (`tem-graph server start --home DIR`),
so that the start is paid once a day; tests are told apart by memory id. `NEO4J_URI` is ignored: tests never write to
somebody's graph. Nothing here skips: without a server the tests fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tem_graph.server import Connection, LocalServer, Memory, ephemeral_server
from tem_graph.settings import load_settings

TEST_SERVER = "TEM_GRAPH_TEST_SERVER"


@pytest.fixture(scope="session")
def jar_cache() -> Path:
    """The user's cache of downloads, shared with the product so that jars are fetched once."""
    return load_settings().cache


@pytest.fixture(scope="session")
def neo4j_connection(jar_cache: Path) -> Iterator[Connection]:
    """One server for all tests of the session. Its data is nobody's, and gone at the end unless it was lent."""
    lent = os.environ.get(TEST_SERVER)
    if lent:
        server = LocalServer(Path(lent), jar_cache)
        assert server.status() is not None, f"{TEST_SERVER}={lent}, but no server runs there"
        yield server.connection()
        return
    with ephemeral_server(jar_cache, memory=Memory(heap="1g", pagecache="256m")) as connection:
        yield connection
