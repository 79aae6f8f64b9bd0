"""Merging subjects: two names for one person, said explicitly, visible, and taken back at will.

A merge moves facts between version groups and changes nothing that was told: each keeps the name it was told
under. Nothing is ever merged because names look alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from tem_graph.domain.fact import Fact
from tem_graph.domain.names import fold
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import Conflict, InputError, NotFound
from tem_graph.graph import records
from tem_graph.graph.connection import Graph, Transaction


async def merge_subjects(
    graph: Graph, catalog: RelationCatalog, memory: str, name: str, into: str, *, by: str, why: str, at: datetime
) -> int:
    """How many facts now count as facts about `into`. `name` may be unknown so far: then it is an alias.

    Raises:
        NotFound: nothing is known about `into`.
        InputError: both are the same name, or a name is empty.
        Conflict: `name` is merged already, or the merge would run in a circle.
    """
    key, into_key = fold(name), fold(into)
    if not key or not into_key or key == into_key:
        raise InputError(f"{name!r} cannot be merged into {into!r}", hint="give two different names")

    async def work(tx: Transaction) -> int:
        await tx.run("lock_memory", memory=memory, at=at)
        merges = await _merges(tx, memory)
        known = {row["key"] for row in await tx.run("list_subjects", memory=memory)} | merges.keys()
        if into_key not in known:
            raise NotFound(f"memory {memory!r} knows nobody called {into!r}", hint="`tem-graph subjects` lists them")
        if key in merges:
            raise Conflict(f"{name!r} is merged into {merges[key]!r} already", hint="split it first")
        if merges.get(into_key, into_key) == key:
            raise Conflict(f"{into!r} is merged into {name!r} already", hint="split it first")
        await tx.run(
            "merge_subject",
            memory=memory, key=key, name=name, into_key=into_key, into_name=into, by=by, why=why, at=at,
        )  # fmt: skip
        return await _regroup(tx, catalog, memory, key)

    return await graph.write_with(work)


async def split_subject(graph: Graph, catalog: RelationCatalog, memory: str, name: str, *, at: datetime) -> int:
    """How many facts count as facts about `name` again.

    Raises:
        NotFound: `name` is not merged into another subject.
    """
    key = fold(name)

    async def work(tx: Transaction) -> int:
        await tx.run("lock_memory", memory=memory, at=at)
        (row,) = await tx.run("split_subject", memory=memory, key=key)
        if not row["merged"]:
            raise NotFound(f"{name!r} is not merged into another subject", hint="`tem-graph subjects` shows merges")
        moved = await _regroup(tx, catalog, memory, key)
        await tx.run("forget_orphan_subjects", memory=memory)  # an alias that nothing was ever told under
        return moved

    return await graph.write_with(work)


async def under_merged_names(tx: Transaction, memory: str, facts: Sequence[Fact]) -> list[Fact]:
    """The facts with the subject that they count for, where their own was merged into another."""
    merges = await _merges(tx, memory)
    return [replace(f, canonical_subject=merges.get(f.subject_key)) for f in facts] if merges else list(facts)


async def _merges(tx: Transaction, memory: str) -> dict[str, str]:
    return {row["key"]: row["into"] for row in await tx.run("merged_subjects", memory=memory)}


async def _regroup(tx: Transaction, catalog: RelationCatalog, memory: str, key: str) -> int:
    """Regroups the facts told under `key` and under every name that was merged into it before."""
    merges = await _merges(tx, memory)
    target = merges.get(key, key)
    # Others that end at the same name may be regrouped along with it: that changes nothing for them.
    names = {key, *(other for other, last in merges.items() if last in (key, target))}
    rows = await tx.run("facts_by_subject", memory=memory, subjects=sorted(names))
    facts = [records.fact_from(row["f"], catalog) for row in rows]
    moved = [replace(f, canonical_subject=merges.get(f.subject_key)) for f in facts]
    await tx.run("regroup_facts", memory=memory, rows=[_group_row(f) for f in moved])
    return len(moved)


def _group_row(fact: Fact) -> dict[str, str | None]:
    return {
        "id": fact.id,
        "group": fact.group,
        "pair": fact.pair,
        "about": fact.canonical_subject or fact.subject_key,
        "canonical_subject": fact.canonical_subject,
    }
