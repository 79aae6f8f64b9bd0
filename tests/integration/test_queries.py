"""Every named query against the real planner: it compiles, warns of nothing, and reads by index."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from neo4j import GraphDatabase, NotificationMinimumSeverity, Session

from tem_graph.graph.connection import Address
from tem_graph.graph.queries import Query, load_queries
from tem_graph.ingest.by_hand import FactInput
from tests.integration.conftest import open_memory

LISTS_OF_EVERYTHING = {
    "list_memories": "lists the memories of the database",
    "applied_migrations": "a handful of nodes, one per migration",
    "any_embedded": "stops at the first vector",
}
"""The few queries that may read a whole label, and why."""

EXAMPLES: dict[str, object] = {
    "embedding": [0.1] * 256,
    "weights": {"residence": 1.0},
    "kinds": ["value"],
    "limit": 15,
    "passages": 100,
    "exact_limit": 1000,
    "candidates": 100,
    "policy": "effective",
    "known_after": "\uffff",
    "stated_by": "2024-01-01",
    "told_by": "9999-12-31",
    "at": datetime(2024, 1, 1, tzinfo=UTC),
    "dimensions": 256,
    "dimension": 256,
    "seconds": 5,
    "with_embeddings": True,
    "added": 0,
    "after_key": "",
    "after_id": "",
}
LISTS = {
    "ids",
    "kept",
    "facts",
    "sessions",
    "rejections",
    "outcomes",
    "subjects",
    "relations",
    "rows",
    "events",
    "notes",
}


@pytest.fixture(scope="module")
def session(migrated: Address) -> Iterator[Session]:
    # The planner knows labels and properties only once some data has them.
    with open_memory(migrated, "explain") as memory:
        memory.add_facts([FactInput("Ana", "residence", "Lund", "s1", effective="2024", until="2025")])
    auth = (migrated.username, migrated.password)
    with (
        GraphDatabase.driver(
            migrated.uri, auth=auth, notifications_min_severity=NotificationMinimumSeverity.WARNING
        ) as driver,
        driver.session() as opened,
    ):
        yield opened


def example(query: Query) -> dict[str, Any]:
    return {p: EXAMPLES.get(p, [] if p in LISTS else "x") for p in query.params}


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].split("@")[0]
    for child in plan.get("children", []):
        yield from operators(child)


@pytest.mark.parametrize("name", sorted(load_queries()))
def test_query_compiles_reads_by_index_and_raises_no_warning(name: str, session: Session) -> None:
    query = load_queries()[name]
    if query.text.startswith(("SHOW", "DROP", "CREATE VECTOR")):
        return  # administration commands have no plan; the schema tests run them
    summary = session.run(f"EXPLAIN {query.text}", example(query)).consume()
    used = set(operators(summary.plan or {}))
    if name not in LISTS_OF_EVERYTHING:
        assert not {o for o in used if o.endswith(("AllNodesScan", "NodeByLabelScan"))}, used
    # 01N50, 01N51 and 01N52: a label, type or property that no test has written yet, no fault of the query.
    warnings = [
        status.status_description
        for status in summary.gql_status_objects
        if status.is_notification and status.gql_status not in {"01N50", "01N51", "01N52"}
    ]
    assert not warnings


@pytest.mark.parametrize("name", sorted(load_queries()))
def test_query_is_bound_to_one_memory(name: str) -> None:
    query = load_queries()[name]
    schema = {
        "applied_migrations", "record_migration", "vector_indexes", "server_components", "await_indexes",
        *(f"{do}_{kind}_embedding_index" for do in ("create", "drop") for kind in ("fact", "turn", "event", "note")),
        "any_embedded", "embedder_on_record",
        "record_embedder",
    }  # fmt: skip
    if name in schema or name == "list_memories":
        return
    assert "memory" in query.params


@pytest.mark.parametrize("name", sorted(load_queries()))
def test_ordered_results_end_with_an_id_of_ours(name: str) -> None:
    text = load_queries()[name].text
    last = text.rsplit("ORDER BY", 1)
    if len(last) == 2 and "RETURN" in text and text.rfind("ORDER BY") > text.rfind("RETURN"):
        assert last[1].split("\n")[0].split("LIMIT")[0].split(",")[-1].strip().split(".")[-1] in {
            "id", "key", "name", "position", "session",
        }  # fmt: skip


LONG, SHORT = 2_000, 10


@pytest.fixture(scope="module", params=["undated", "partly effective"])
def groups(request: pytest.FixtureRequest, migrated: Address) -> tuple[str, str]:
    """Two memories with one version group each, all values different: a long one and a short one."""
    day = request.param == "partly effective"
    names = {size: f"cost-{size}-{request.param}" for size in (SHORT, LONG)}
    for size, memory in names.items():
        with open_memory(migrated, memory) as opened:
            opened.add_facts(
                FactInput(
                    "Ana", "residence", f"Town {n}", f"s{n}", index=n,
                    effective=f"{1000 + n // 12}-{n % 12 + 1:02d}" if day and n % 2 else None,
                )
                for n in range(size)
            )  # fmt: skip
    return names[LONG], names[SHORT]


def hits(plan: dict[str, Any]) -> int:
    return int(plan.get("dbHits", 0)) + sum(hits(child) for child in plan.get("children", []))


@pytest.mark.parametrize("policy", ["effective", "source", "paper"])
def test_status_costs_the_same_in_a_group_of_any_length(policy: str, groups: tuple[str, str], session: Session) -> None:
    query = load_queries()["status_of_facts"]
    costs = []
    for memory in groups:
        found = session.run("MATCH (f:Fact {memory: $memory}) RETURN f.id AS id ORDER BY f.source_key", memory=memory)
        ids = [row["id"] for row in found]
        asked = example(query) | {"memory": memory, "policy": policy, "ids": [*ids[:3], *ids[-3:]]}
        summary = session.run(f"PROFILE {query.text}", asked).consume()
        assert summary.profile is not None
        costs.append(hits(summary.profile))
    long, short = costs
    assert long <= 1.5 * short, f"{long} database hits in a group of {LONG}, {short} in one of {SHORT}"
