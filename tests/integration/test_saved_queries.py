"""The queries that people paste into Neo4j Browser: each runs as it stands, and finds what it says in the demo."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, LiteralString, cast

import pytest
from neo4j import GraphDatabase

from tem_graph.demo import load_sessions
from tem_graph.graph.connection import Address
from tem_graph.graph.queries import cypher_folder
from tem_graph.settings import load_settings
from tests.integration.conftest import open_memory

FILE = cypher_folder().joinpath("browser", "saved-queries.cypher").read_text(encoding="utf-8")
QUERIES = {
    int(number): text
    for number, text in re.findall(r"^// (\d+)\. [^\n]*\n((?:(?!// \d+\.).*\n?)*)", FILE, re.MULTILINE)
}
NEEDS = {5: "a rejected candidate", 6: "a retraction", 10: "a model"}
"""What may find nothing in the demo read by the grammar, and what it needs."""

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def saved(migrated: Address) -> Iterator[Callable[[int], Rows]]:
    """The rows of a saved query, by its number, in a memory that holds the demo."""
    settings = load_settings(embedder="hashing", extractor="grammar")
    with (
        open_memory(migrated, "saved-queries", settings=settings) as memory,
        GraphDatabase.driver(migrated.uri, auth=(migrated.username, migrated.password)) as driver,
    ):
        memory.ingest(load_sessions())
        yield lambda number: driver.execute_query(
            cast(LiteralString, QUERIES[number]),
            memory=memory.id,
            database_=migrated.database,
            result_transformer_=lambda result: result.data(),
        )
        memory.forget_memory()


def test_there_are_as_many_as_there_are_numbers() -> None:
    assert list(QUERIES) == list(range(1, 12))


@pytest.mark.parametrize("number", sorted(QUERIES.keys() - NEEDS.keys()))
def test_a_saved_query_finds_something_in_the_demo(saved: Callable[[int], Rows], number: int) -> None:
    assert saved(number)


@pytest.mark.parametrize("number", sorted(NEEDS))
def test_a_saved_query_that_needs_more_runs(saved: Callable[[int], Rows], number: int) -> None:
    assert isinstance(saved(number), list)


def test_the_way_from_value_to_value_shows_a_return(saved: Callable[[int], Rows]) -> None:
    (maya,) = (row for row in saved(3) if (row["subject"], row["relation"]) == ("Maya", "residence"))
    assert maya["values"] == ["Porto", "Lisbon", "Porto"]
    assert maya["versions"] >= 3
