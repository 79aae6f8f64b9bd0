"""A Neo4j of the tests' own, to be emptied, locked out or killed. Imported where a test does one of these."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j import GraphDatabase

from tem_graph.graph.connection import Address
from tem_graph.server import LocalServer, Memory

SMALL = Memory(heap="512m", pagecache="64m")


@pytest.fixture(scope="session")
def own_server(jar_cache: Path) -> Iterator[LocalServer]:
    home = Path(tempfile.mkdtemp(prefix="tem-graph-own-"))
    server = LocalServer(home, jar_cache)
    try:
        server.start(memory=SMALL, ephemeral=True, tie_to=os.getpid())
        yield server
    finally:
        server.stop(force=True)
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def own_address(own_server: LocalServer) -> Address:
    return address_of(own_server)


def address_of(server: LocalServer) -> Address:
    found = server.connection()
    return Address(found.uri, found.username, found.password, found.database)


def empty(address: Address) -> None:
    """A database as on its first day: no data, no constraint, no index."""
    with (
        GraphDatabase.driver(address.uri, auth=(address.username, address.password)) as driver,
        driver.session() as session,
    ):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS").consume()
        for kind, names in (
            ("CONSTRAINT", [row["name"] for row in session.run("SHOW CONSTRAINTS YIELD name")]),
            ("INDEX", [row["name"] for row in session.run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP'")]),
        ):
            for name in names:
                session.run(f"DROP {kind} `{name}` IF EXISTS").consume()  # type: ignore[arg-type]
