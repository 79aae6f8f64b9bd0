"""Stored facts follow a changed relations file when they are regrouped, and not before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tem_graph import FactInput, Status, TemporalMemory
from tem_graph.errors import NotFound
from tem_graph.graph import regroup as regrouping
from tem_graph.graph.connection import Address, Graph
from tem_graph.settings import load_relations, load_settings
from tests.integration.conftest import open_memory

PETS = '[[relation]]\nname = "pass held"\ncardinality = "{}"\n'
TOLD = [
    FactInput("Ana", "pass held", "a cat", "s1"),
    FactInput("Ana", "pass held", "a dog", "s2"),
    FactInput("Ana", "pass held", "a cat", "s3", ended=True),
    FactInput("Ana", "residence", "Lund", "s3"),
]


def opened(address: Address, memory: str, folder: Path, cardinality: str) -> TemporalMemory:
    file = folder / "relations.toml"
    file.write_text(PETS.format(cardinality))
    return open_memory(address, memory, settings=load_settings(embedder="hashing", relations=file))


def misgrouped(address: Address, memory: str, folder: Path) -> tuple[str, ...]:
    """What `tem-graph doctor` sees."""

    async def look() -> tuple[str, ...]:
        graph = Graph(address)
        found = await regrouping.find_misgrouped(graph, load_relations(folder / "relations.toml"), memory)
        await graph.aclose()
        return found

    return asyncio.run(look())


def statuses(memory: TemporalMemory) -> dict[tuple[str, str], Status]:
    return {(m.fact.source.session, m.fact.object): m.status for m in memory.facts(relation="pass held")}


def groups(memory: TemporalMemory) -> list[tuple[str, ...]]:
    """The sessions of each version group as it is stored, ids and sources included."""
    return sorted(tuple(m.fact.id for m in memory.facts(relation=r)) for r in ("pass held", "residence"))


def test_facts_move_when_a_relation_comes_to_hold_many(migrated: Address, memory_id: str, tmp_path: Path) -> None:
    with opened(migrated, memory_id, tmp_path, "single") as memory:
        memory.add_facts(TOLD)
        before = groups(memory)
        assert statuses(memory)["s1", "a cat"] is Status.HISTORICAL
        assert not memory.regroup().is_needed

    with opened(migrated, memory_id, tmp_path, "multi") as memory:
        assert misgrouped(migrated, memory_id, tmp_path) == ("pass held",)
        planned = memory.regroup(dry_run=True)
        assert (planned.checked, dict(planned.moved)) == (4, {"pass held": 3})
        assert memory.regroup() == planned
        assert not memory.regroup().is_needed  # run again, it moves nothing
        assert not misgrouped(migrated, memory_id, tmp_path)
        assert groups(memory) == before  # the same facts under the same ids
        assert statuses(memory) == {
            ("s1", "a cat"): Status.HISTORICAL,
            ("s2", "a dog"): Status.CURRENT,
            ("s3", "a cat"): Status.CURRENT,  # the end itself, told last
        }
        memory.add_facts([FactInput("Ana", "pass held", "a dog", "s4", ended=True)])
        assert statuses(memory)["s2", "a dog"] is Status.HISTORICAL

    with opened(migrated, memory_id, tmp_path, "single") as memory:
        assert memory.regroup().moved == {"pass held": 4}
        assert statuses(memory)["s1", "a cat"] is Status.HISTORICAL
        assert memory.operator("current", subject="Ana", relation="residence").value == "Lund"
        memory.forget_memory()


def test_pages_are_moved_one_by_one(
    migrated: Address, memory_id: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regrouping, "FACTS_PER_TRANSACTION", 3)
    with opened(migrated, memory_id, tmp_path, "single") as memory:
        memory.add_facts([FactInput("Ana", "pass held", f"cat {n}", f"s{n % 2}") for n in range(7)])
    with opened(migrated, memory_id, tmp_path, "multi") as memory:
        done = memory.regroup()
        assert (done.checked, done.moved) == (7, {"pass held": 7})
        assert set(statuses(memory).values()) == {Status.CURRENT}
        memory.forget_memory()


def test_an_end_that_names_nothing_is_counted_and_a_new_name_is_left_alone(
    migrated: Address, memory_id: str, tmp_path: Path
) -> None:
    with opened(migrated, memory_id, tmp_path, "single") as memory:
        memory.add_facts([*TOLD, FactInput("Ana", "pass held", "", "s5", ended=True)])
        memory.add_facts([FactInput("Ana", "permit", "a hen", "s6")])
    (tmp_path / "relations.toml").write_text(PETS.format("multi") + 'aliases = ["permit"]\n')
    settings = load_settings(embedder="hashing", relations=tmp_path / "relations.toml")
    with open_memory(migrated, memory_id, settings=settings) as memory:
        done = memory.regroup()
        assert (dict(done.moved), done.open_ends, dict(done.renamed)) == ({"pass held": 4}, 1, {"permit": "pass held"})
        memory.forget_memory()


def test_there_must_be_such_a_memory(memory: TemporalMemory) -> None:
    with pytest.raises(NotFound):
        memory.regroup()
