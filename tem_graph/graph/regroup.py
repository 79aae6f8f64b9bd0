"""Regrouping: after a relation has changed how many values it holds, or its opposite, its facts move to other groups.

The group of a fact and the value that is compared inside it follow from the relation's schema, and are stored beside
the fact so that status can be sought by index. A changed relations file leaves stored facts where the old one put
them, until they are regrouped. What was told, ids, sources and embeddings stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from tem_graph.domain.relation import RelationCatalog
from tem_graph.graph import records
from tem_graph.graph.connection import Graph, Transaction
from tem_graph.graph.records import Row

FACTS_PER_TRANSACTION = 1_000
_GROUPING = ("group", "value", "ends")


@dataclass(frozen=True, slots=True)
class Regrouping:
    """What was (or would be) moved. Mappings are from the relation's name as stored.

    `moved` counts facts. `renamed` are relations that the relations file now knows under another name: their facts
    stay where they are, since ids follow from the name. `open_ends` counts ends that name no object under a relation
    that now holds many values: they end nothing any more.
    """

    checked: int = 0
    moved: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    open_ends: int = 0

    @property
    def is_needed(self) -> bool:
        return bool(self.moved)


async def find_misgrouped(graph: Graph, catalog: RelationCatalog, memory: str) -> tuple[str, ...]:
    """The relations, as stored, whose facts stand in groups that the catalog would not make. Reads two facts of each
    kind of grouping, so where only some facts of a kind are misplaced it may miss them; a regrouping sees them all."""
    rows = await graph.read("grouping_samples", memory=memory)
    return tuple(sorted({row["relation"] for row in rows if _placing(row["f"], catalog) is not None}))


async def regroup(
    graph: Graph, catalog: RelationCatalog, memory: str, *, at: datetime, dry_run: bool = False
) -> Regrouping:
    """Moves every fact into the group that the catalog makes, 1,000 facts a transaction. Run again it moves nothing;
    stopped half way, it goes on where it stopped. Until it has ended, questions about these relations may see a group
    in two parts."""
    total = _Tally()
    after_key = after_id = ""
    while True:

        async def page(tx: Transaction, key: str = after_key, id_: str = after_id) -> list[Row]:
            if not dry_run:
                await tx.run("lock_memory", memory=memory, at=at)
            rows: list[Row] = [
                row["f"]
                for row in await tx.run(
                    "facts_to_regroup", memory=memory, after_key=key, after_id=id_, limit=FACTS_PER_TRANSACTION
                )
            ]
            placings = [placing for row in rows if (placing := _placing(row, catalog)) is not None]
            if placings and not dry_run:
                await tx.run("place_facts", memory=memory, rows=placings)
            return rows

        rows = await (graph.read_with(page) if dry_run else graph.write_with(page))
        for row in rows:
            total.add(row, catalog)
        if len(rows) < FACTS_PER_TRANSACTION:
            return total.result()
        after_key, after_id = rows[-1]["source_key"], rows[-1]["id"]


@dataclass(slots=True)
class _Tally:
    checked: int = 0
    moved: Counter[str] = field(default_factory=Counter)
    renamed: dict[str, str] = field(default_factory=dict)
    open_ends: int = 0

    def add(self, row: Row, catalog: RelationCatalog) -> None:
        self.checked += 1
        schema = catalog.get(row["relation"])
        if schema.key != row["relation_key"]:
            self.renamed[row["relation"]] = schema.name
        elif _placing(row, catalog) is not None:
            self.moved[row["relation"]] += 1
            fact = records.fact_from(row, catalog)
            self.open_ends += fact.per_object and not fact.object_key

    def result(self) -> Regrouping:
        return Regrouping(self.checked, dict(sorted(self.moved.items())), self.renamed, self.open_ends)


def _placing(row: Row, catalog: RelationCatalog) -> dict[str, str | None] | None:
    """What to set on a fact so that it stands where the catalog puts it; None where it does, or has another name."""
    fact = records.fact_from(row, catalog)
    if fact.relation.key != row["relation_key"]:
        return None
    properties = records.fact_properties(fact)
    if all(properties.get(name) == row.get(name) for name in _GROUPING):
        return None
    return {"id": row["id"], **{name: properties.get(name) for name in _GROUPING}}
