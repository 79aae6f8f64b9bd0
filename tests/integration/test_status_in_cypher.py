"""The status that Cypher derives is the status that the pure law gives, on generated histories."""

from __future__ import annotations

from asyncio import Runner
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import count
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tem_graph.domain.conversation import Retraction
from tem_graph.domain.fact import Fact, FactKind, Source, Status
from tem_graph.domain.time import AsOf
from tem_graph.graph import writes
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.store import GraphReader
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.status import mark_status, mark_status_as_paper
from tests.unit.strategies import CATALOG, TODAY, facts, histories

NOW = datetime(2024, 1, 20, tzinfo=UTC)
_names = count()
_RUN = uuid4().hex  # a server that earlier runs have used still holds their memories

points = st.builds(
    AsOf,
    st.just(TODAY),
    valid_at=st.none() | st.dates(date(2023, 12, 20), date(2024, 2, 10)),
    known_after=st.none() | st.integers(0, 9).map(lambda n: f"2024-01-{n + 1:02d}T23"),
)


@pytest.fixture(scope="module")
def database(migrated: Address) -> Iterator[tuple[Runner, Graph]]:
    with Runner() as runner:

        async def opened() -> Graph:
            return Graph(migrated)

        graph = runner.run(opened())
        yield runner, graph
        runner.run(graph.aclose())


def stored(database: tuple[Runner, Graph], history: list[Fact]) -> str:
    """The history in a memory of its own, with the facts re-homed there."""
    runner, graph = database
    memory = f"law-{_RUN}-{next(_names)}"
    mine = [replace(f, memory=memory) for f in history]
    runner.run(writes.add_facts(graph, memory, mine, {f.id: [1.0] * DIMENSION for f in mine}, at=NOW))
    for fact in mine:
        if fact.retraction:
            runner.run(writes.retract(graph, memory, [fact.id], by="me", why="misheard", at=NOW))
    return memory


def read(database: tuple[Runner, Graph], memory: str, as_of: AsOf, policy: str) -> tuple[list[Fact], dict[str, Status]]:
    runner, graph = database

    async def listed() -> list[tuple[Fact, Status]]:
        reader = GraphReader(graph, CATALOG)
        return [(m.fact, m.status) async for m in reader.facts(memory, as_of=as_of, policy=policy)]

    pairs = runner.run(listed())
    return [f for f, _ in pairs], {f.id: s for f, s in pairs}


DIMENSION = 256
retracted = st.lists(st.integers(0, 11), max_size=2)


@settings(max_examples=80)
@given(
    st.one_of(histories(), histories("likes"), st.lists(facts(), min_size=6, max_size=25, unique_by=lambda f: f.id)),
    retracted,
    st.lists(points, min_size=3, max_size=3),
    st.sampled_from(OrderPolicy),
)
def test_cypher_agrees_with_the_law(
    database: tuple[Runner, Graph], history: list[Fact], withdrawn: list[int], asked: list[AsOf], policy: OrderPolicy
) -> None:
    withdrawal = Retraction(NOW, "me", "misheard")
    history = [replace(f, retraction=withdrawal) if n in withdrawn else f for n, f in enumerate(history)]
    memory = stored(database, history)
    for as_of in [AsOf(TODAY), *asked]:
        group, found = read(database, memory, as_of, policy.value)
        assert found == mark_status(group, as_of, policy)
        assert len(group) == len(history)


@settings(max_examples=30)
@given(histories())
def test_cypher_agrees_with_the_papers_rule(database: tuple[Runner, Graph], history: list[Fact]) -> None:
    memory = stored(database, history)
    group, found = read(database, memory, AsOf(TODAY), "paper")
    expected = mark_status_as_paper(group)
    assert {id_: found[id_] for id_ in expected} == expected


@settings(max_examples=20)
@given(histories())
def test_facts_come_back_as_they_were_written(database: tuple[Runner, Graph], history: list[Fact]) -> None:
    memory = stored(database, history)
    group, _ = read(database, memory, AsOf(TODAY), "effective")
    assert sorted(group, key=lambda f: f.id) == sorted((replace(f, memory=memory) for f in history), key=lambda f: f.id)


def test_an_end_is_replaced_by_a_value_and_not_by_another_end(database: tuple[Runner, Graph]) -> None:
    """Lived in Porto, left Porto, then "no home at all": nothing is known, and both ends say so."""
    told = [
        Fact.create(
            CATALOG, memory="m", subject="Ana", relation="residence", object=object_, kind=kind,
            source=Source(f"s{n}", None, n),
        )
        for n, (object_, kind) in enumerate([("Porto", FactKind.VALUE), ("Porto", FactKind.END), ("", FactKind.END)])
    ]  # fmt: skip
    memory = stored(database, told)
    group, found = read(database, memory, AsOf(TODAY), OrderPolicy.EFFECTIVE.value)
    assert found == mark_status(group, AsOf(TODAY), OrderPolicy.EFFECTIVE)
    assert sorted(found.values()) == [Status.CURRENT, Status.CURRENT, Status.HISTORICAL]
