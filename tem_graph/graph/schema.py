"""Brings a database to the schema that this version needs, once, also when two processes start together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString

from neo4j.exceptions import ClientError

from tem_graph.errors import GraphError, SchemaMismatch
from tem_graph.graph.connection import Graph
from tem_graph.graph.queries import load_queries, schema_files

MAX_DIMENSION = 4096
"""Neo4j 5's limit for a vector index (operations manual, "Vector index options")."""

_ALREADY_THERE = {
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.ConstraintAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
    "Neo.ClientError.Schema.IndexWithNameAlreadyExists",
    "Neo.ClientError.Schema.ConstraintWithNameAlreadyExists",
}
_INDEX_WAIT_S = 300
_VECTOR_INDEXES = ("fact_embedding", "turn_embedding", "event_embedding", "note_embedding")
"""One for each kind of record that carries an `embedding`, all of the embedder's dimension."""


@dataclass(frozen=True, slots=True)
class SchemaState:
    """What a database has: migrations by name, and the embedder behind its vectors."""

    applied: tuple[str, ...]
    embedder: str | None
    dimension: int | None
    vector_indexes: Mapping[str, int] = field(default_factory=dict)
    """Name → dimensions of those that exist."""


async def read_schema(graph: Graph) -> SchemaState:
    """The schema as it stands; nothing is changed."""
    applied = tuple(str(row["name"]) for row in await graph.read("applied_migrations"))
    record = await graph.read("embedder_on_record")
    indexes = await _vector_indexes(graph)
    return SchemaState(applied, str(record[0]["name"]) if record else None, indexes.get("fact_embedding"), indexes)


async def _vector_indexes(graph: Graph) -> dict[str, int]:
    found = {str(row["name"]): int(row["dimensions"]) for row in await graph.read("vector_indexes")}
    return {name: found[name] for name in _VECTOR_INDEXES if name in found}


async def migrate(graph: Graph, *, embedder: str, dimension: int, now: datetime) -> tuple[str, ...]:
    """The names of the migrations that were applied now. Safe to run at every start and from many processes.

    The vector indexes take the embedder's dimension. A database without any vector is given the new
    dimension; one that holds vectors of another embedder is refused before anything is written.

    Raises:
        SchemaMismatch: the stored vectors come from another embedder, the dimension is over Neo4j's limit,
            or the database was migrated by a newer tem-graph.
    """
    if dimension > MAX_DIMENSION:
        raise SchemaMismatch(
            f"embedder {embedder!r} has {dimension} dimensions; a Neo4j vector index takes at most {MAX_DIMENSION}",
            hint="choose another embedder (TEM_GRAPH_EMBEDDER)",
        )
    state = await read_schema(graph)
    files = schema_files()
    unknown = set(state.applied) - {name for name, _ in files}
    if unknown:
        raise SchemaMismatch(
            f"this database was migrated by a newer tem-graph ({', '.join(sorted(unknown))})",
            hint="update tem-graph: pip install -U tem-graph",
        )
    await _refuse_other_vectors(graph, state, embedder, dimension)
    applied_now = []
    for name, statements in files:
        if name in state.applied:
            continue
        for statement in statements:
            await _create(graph, statement)
        await graph.write("record_migration", name=name, at=now)
        applied_now.append(name)
    is_changed = await _ensure_vector_indexes(graph, state, embedder, dimension)
    if applied_now or is_changed:
        await graph.read("await_indexes", seconds=_INDEX_WAIT_S)
    return tuple(applied_now)


async def _refuse_other_vectors(graph: Graph, state: SchemaState, embedder: str, dimension: int) -> None:
    same_embedder = state.embedder in (None, embedder)
    if state.dimension in (None, dimension) and same_embedder:
        return
    (row,) = await graph.read("any_embedded")
    if row["any"]:
        raise SchemaMismatch(
            f"the records in this database were embedded by {state.embedder or 'an unknown embedder'} with "
            f"{state.dimension} dimensions; the configured embedder is {embedder} with {dimension}",
            hint="set TEM_GRAPH_EMBEDDER to the first; or export the memories, forget them, and import them again "
            "under the new embedder (`tem-graph export`, `forget`, `import`), which embeds everything anew",
        )


async def _ensure_vector_indexes(graph: Graph, state: SchemaState, embedder: str, dimension: int) -> bool:
    """Whether an index had to be made."""
    queries = load_queries()
    wrong = [name for name in _VECTOR_INDEXES if state.vector_indexes.get(name) != dimension]
    for name in wrong:
        if name in state.vector_indexes:
            await graph.run_schema(queries[f"drop_{name}_index"].text)
        await _create(graph, queries[f"create_{name}_index"].text, dimensions=dimension)
    # With IF NOT EXISTS an index of another dimension is kept without a word: look.
    found = await _vector_indexes(graph) if wrong else {}
    for name in wrong:
        if found.get(name) != dimension:
            raise SchemaMismatch(
                f"the vector index {name} has {found.get(name)} dimensions although {embedder} has {dimension}",
                hint="another process with another embedder uses this database; stop it or set TEM_GRAPH_EMBEDDER",
            )
    if wrong or state.embedder != embedder:
        await graph.write("record_embedder", name=embedder, dimension=dimension)
    return bool(wrong)


async def _create(graph: Graph, statement: LiteralString, **parameters: Any) -> None:
    try:
        await graph.run_schema(statement, **parameters)
    except GraphError as error:
        cause = error.__cause__
        # Two processes may pass IF NOT EXISTS together; the second is then told that it lost, which is success.
        if not (isinstance(cause, ClientError) and cause.code in _ALREADY_THERE):
            raise
