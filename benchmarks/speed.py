#!/usr/bin/env python
"""Measures speed and memory as ratios taken in one run, on a throwaway Neo4j of its own.

python benchmarks/speed.py run all --out

Every figure is a ratio between ours and the barest way of doing the same through the same driver into the same
server, measured in turn (ours, bare, ours, bare …) so that a noisy machine slows both.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any

import click
import numpy as np
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.time import AsOf, PartialDate
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.graph import writes
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.schema import migrate
from tem_graph.graph.search import LATEST, NEVER
from tem_graph.graph.store import GraphReader
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.server import Memory, ephemeral_server
from tem_graph.settings import load_relations, load_settings

RESULTS = Path(__file__).parent / "results" / "speed.json"
DIMENSION = 768
CATALOG = load_relations()
AT = datetime(2024, 1, 1, tzinfo=UTC)
NOW = AsOf(date(2024, 1, 1))
console = Console()

Measured = dict[str, Any]


@contextmanager
def fresh_graph() -> Iterator[Address]:
    """A throwaway Neo4j, gone at the end."""
    settings = load_settings()
    with ephemeral_server(settings.cache, memory=Memory(heap="2g", pagecache="1g")) as found:
        yield Address(found.uri, found.username, found.password, found.database)


async def opened(address: Address, dimension: int = DIMENSION) -> Graph:
    graph = Graph(address)
    await migrate(graph, embedder=f"random-{dimension}", dimension=dimension, now=AT)
    return graph


def vectors(count: int, seed: int, dimension: int = DIMENSION) -> list[list[float]]:
    """(count, dimension) unit vectors."""
    drawn = np.random.default_rng(seed).standard_normal((count, dimension))
    return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()  # type: ignore[no-any-return]


def make_facts(memory: str, count: int, *, subjects: int = 10, first: int = 0) -> list[Fact]:
    """Facts of a few subjects under two relations, all values different, one session in ten facts."""
    relations = ("residence", "employer")
    return [
        Fact.create(
            CATALOG,
            memory=memory,
            subject=f"Person {n % subjects}",
            relation=relations[n // subjects % 2],
            object=f"Value {n}",
            source=Source(f"s{n // 10}", None, n // 10),
        )
        for n in range(first, first + count)
    ]


async def put(graph: Graph, memory: str, facts: Sequence[Fact], embeddings: Sequence[list[float]]) -> None:
    by_id = {fact.id: vector for fact, vector in zip(facts, embeddings, strict=True)}
    await writes.add_facts(graph, memory, facts, by_id, at=AT)


async def alternate(
    runs: int, ours: Callable[[], Awaitable[object]], bare: Callable[[], Awaitable[object]], warm: int = 30
) -> tuple[list[float], list[float]]:
    """Seconds of each run of both, taken in turn after a warm-up that is not counted."""
    for _ in range(warm):
        await ours()
        await bare()
    own: list[float] = []
    other: list[float] = []
    for _ in range(runs):
        for work, times in ((ours, own), (bare, other)):
            started = perf_counter()
            await work()
            times.append(perf_counter() - started)
    return own, other


def quantile(times: Sequence[float], share: float) -> float:
    return statistics.quantiles(times, n=100, method="inclusive")[round(share * 100) - 1]


async def measure_ingest(address: Address, count: int = 4_000, rounds: int = 4) -> Measured:
    """Ready facts with embeddings, against `UNWIND … CREATE` of as many plain nodes with the same vector index."""
    graph = await opened(address)
    bare_statement = "UNWIND $rows AS row CREATE (f:Fact) SET f = row"
    rates: dict[str, list[float]] = {"ours": [], "bare": []}
    cpu: list[float] = []
    batch = writes.FACTS_PER_STATEMENT
    for number in range(rounds + 1):
        embeddings = vectors(count, number)
        facts = make_facts(f"ingest-{number}", count)
        started, busy = perf_counter(), process_time()
        for at in range(0, count, batch):
            await put(graph, f"ingest-{number}", facts[at : at + batch], embeddings[at : at + batch])
        ours, used = count / (perf_counter() - started), process_time() - busy
        rows = [
            {"id": f"bare-{number}-{n}", "subject": f"P{n % 10}", "object": f"V{n}", "embedding": vector}
            for n, vector in enumerate(embeddings)
        ]
        started = perf_counter()
        for at in range(0, count, batch):
            await graph.run_schema(bare_statement, rows=rows[at : at + batch])
        bare = count / (perf_counter() - started)
        if number:  # the first round warms the server up
            rates["ours"].append(ours)
            rates["bare"].append(bare)
            cpu.append(used / count)
    await graph.aclose()
    ratios = [o / b for o, b in zip(rates["ours"], rates["bare"], strict=True)]
    return {
        "facts": count * rounds,
        "ours_facts_per_s": statistics.median(rates["ours"]),
        "bare_facts_per_s": statistics.median(rates["bare"]),
        "ratio": statistics.median(ratios),
        "goal": "ratio >= 0.7",
        "client_cpu_ms_per_fact": statistics.median(cpu) * 1000,
    }


async def measure_status(address: Address, large: int = 100_000) -> Measured:
    """The status of ten facts of a group of `large` versions, all different, against a group of ten."""
    graph = await opened(address, 8)  # status never looks at an embedding; small ones make the group quick to write
    asked: dict[int, dict[str, object]] = {}
    batch = writes.FACTS_PER_STATEMENT
    for size in (10, large):
        memory = f"status-{size}"
        for first in range(0, size, batch):
            facts = [
                Fact.create(
                    CATALOG, memory=memory, subject="Ana", relation="residence", object=f"Town {n}",
                    source=Source(f"s{n}", None, n),
                )
                for n in range(first, min(first + batch, size))
            ]  # fmt: skip
            await put(graph, memory, facts, vectors(len(facts), first, 8))
            ids = [f.id for f in facts] if not first else ids + [f.id for f in facts[::500]]  # noqa: F821
        asked[size] = {"memory": memory, "ids": Random(1).sample(ids, 10)}

    async def ask(size: int) -> object:
        return await graph.read(
            "status_of_facts", policy="effective", known_after=LATEST, stated_by="2024-01-01", told_by=NEVER,
            **asked[size],
        )  # fmt: skip

    big, small = await alternate(200, lambda: ask(large), lambda: ask(10))
    await graph.aclose()
    return {
        "versions": large,
        "large_ms_p50": quantile(big, 0.5) * 1000,
        "small_ms_p50": quantile(small, 0.5) * 1000,
        "ratio": quantile(big, 0.5) / quantile(small, 0.5),
        "goal": "ratio <= 2",
    }


BARE_GROUP = "MATCH (f:Fact) WHERE f.group = $group AND f.source_key >= '' RETURN f {.*, embedding: null} AS f"
"""By index: without the second condition it would read every fact of the database."""
OPERATORS: dict[str, dict[str, object]] = {"current": {}, "history": {}, "became": {"value": "Town 3"}}


async def measure_operator(address: Address, sizes: Sequence[int] = (10, 200), beside: int = 2_000) -> Measured:
    """Operators through the public verb, against one bare read of the same group, in a memory with other facts."""
    result: Measured = {}
    async with AsyncTemporalMemory("operator", address=address, embedder=HashingEmbedder()) as memory:
        graph = Graph(address)
        for first in range(0, beside, writes.FACTS_PER_STATEMENT):
            facts = make_facts("operator", writes.FACTS_PER_STATEMENT, first=first)
            await put(graph, "operator", facts, vectors(len(facts), first, HashingEmbedder().dimension))
        for size in sizes:
            subject = f"Ana {size}"
            facts = [
                Fact.create(
                    CATALOG, memory="operator", subject=subject, relation="residence", object=f"Town {n}",
                    source=Source(f"s{n}", None, n), valid_from=PartialDate(AT.date() - timedelta(days=size - n)),
                )
                for n in range(size)
            ]  # fmt: skip
            await put(graph, "operator", facts, vectors(size, size, HashingEmbedder().dimension))
            for name, arguments in OPERATORS.items():
                given = arguments | {"subject": subject, "relation": "residence"}
                times, bare_times = await alternate(
                    100,
                    lambda name=name, given=given: memory.operator(name, as_of=NOW, **given),
                    lambda group=facts[0].group: graph.run_schema(BARE_GROUP, group=group),
                    warm=50,
                )
                result[f"{name}_of_{size}"] = {
                    "ours_ms_p50": quantile(times, 0.5) * 1000,
                    "bare_ms_p50": quantile(bare_times, 0.5) * 1000,
                    "ratio": quantile(times, 0.5) / quantile(bare_times, 0.5),
                }
        await graph.aclose()
    return result | {"goal": "ratio <= 2"}


BARE_SEARCH = """
CALL db.index.vector.queryNodes('fact_embedding', $k, $embedding) YIELD node AS f, score
RETURN f {.*, embedding: null} AS f, score
"""
BARE_EXACT = """
MATCH (f:Fact) WHERE f.memory = $memory AND f.source_key >= ''
WITH f, vector.similarity.cosine(f.embedding, $embedding) AS score ORDER BY score DESC LIMIT $k
RETURN f {.*, embedding: null} AS f, score
"""


async def measure_search(address: Address, small: int = 10, large: int = 1_000, per_memory: int = 100) -> Measured:
    """Search with the embedding given: against the bare vector query, and in 1,000 memories against 10."""
    graph = await opened(address)
    reader = GraphReader(graph, CATALOG)
    questions = vectors(50, 99)
    random = Random(3)

    async def ours(memories: int) -> object:
        return await reader.search(
            f"m{random.randrange(memories)}", random.choice(questions), limit=15, as_of=NOW, policy="effective",
            exact_limit=20_000,
        )  # fmt: skip

    async def bare_index() -> object:
        return await graph.run_schema(BARE_SEARCH, k=15, embedding=random.choice(questions))

    async def bare_exact() -> object:
        return await graph.run_schema(
            BARE_EXACT, k=15, embedding=random.choice(questions), memory=f"m{random.randrange(small)}"
        )

    result: Measured = {}
    written = 0
    p95: dict[int, float] = {}
    for memories in (small, large):
        while written < memories:
            await put(graph, f"m{written}", make_facts(f"m{written}", per_memory), vectors(per_memory, written))
            written += 1
        await graph.read("await_indexes", seconds=300)
        times, index_times = await alternate(300, lambda n=memories: ours(n), bare_index, warm=150)
        again, exact_times = await alternate(300, lambda n=memories: ours(n), bare_exact, warm=50)
        p95[memories] = quantile([*times, *again], 0.95)
        result[f"{memories * per_memory}_facts"] = {
            "ours_ms_p50": quantile(times, 0.5) * 1000,
            "ours_ms_p95": p95[memories] * 1000,
            "bare_index_ms_p50": quantile(index_times, 0.5) * 1000,
            "bare_exact_ms_p50": quantile(exact_times, 0.5) * 1000,
            "ratio_to_bare_index": quantile(times, 0.5) / quantile(index_times, 0.5),
            "ratio_to_bare_exact": quantile(again, 0.5) / quantile(exact_times, 0.5),
        }
    await graph.aclose()
    return result | {"p95_ratio": p95[large] / p95[small], "goal": "p50 ratio <= 1.5, p95 ratio <= 1.5"}


async def measure_recall(address: Address, count: int = 20_000) -> Measured:
    """The best 15 by the vector index against the exact best 15, in one large memory beside many small ones."""
    graph = await opened(address)
    reader = GraphReader(graph, CATALOG)
    for first in range(0, count, 2_000):
        await put(graph, "large", make_facts("large", 2_000, first=first), vectors(2_000, 10_000 + first))
    await graph.read("await_indexes", seconds=300)
    shares = []
    for question in vectors(30, 4):
        found = {}
        for exact_limit in (0, sys.maxsize):
            hits = await reader.search(
                "large", question, limit=15, as_of=NOW, policy="effective", exact_limit=exact_limit
            )
            found[exact_limit] = {h.fact.id for h in hits}
        shares.append(len(found[0] & found[sys.maxsize]) / 15)
    await graph.aclose()
    return {"facts": count, "questions": 30, "recall_at_15": statistics.mean(shares)}


async def ingest_for_memory(address: Address, count: int) -> None:
    graph = await opened(address)
    for first in range(0, count, 2_000):
        facts = make_facts("rss", 2_000, subjects=50, first=first)
        await put(graph, "rss", facts, vectors(2_000, first))
    await graph.aclose()


def measure_memory(address: Address, count: int = 100_000) -> Measured:
    """Peak memory of a client process that ingests `count` facts, and of one that only opens the connection."""
    peaks = {}
    for facts in (0, count):
        environment = os.environ | {"BENCH_ADDRESS": json.dumps([address.uri, address.username, address.password])}
        done = subprocess.run(
            [sys.executable, __file__, "rss-child", str(facts)], env=environment, check=True, capture_output=True
        )
        peaks[facts] = int(done.stdout)
    return {
        "facts": count,
        "peak_mb": peaks[count] / 1024,
        "idle_mb": peaks[0] / 1024,
        "goal": "peak < 500 MB",
    }


MEASURES: dict[str, Callable[[Address], Any]] = {
    "ingest": measure_ingest,
    "status": measure_status,
    "search": measure_search,
    "operator": measure_operator,
    "recall": measure_recall,
    "memory": measure_memory,
}


@click.group()
def main() -> None:
    """Speed and memory, as ratios taken in one run."""


@main.command()
@click.argument("what", type=click.Choice([*MEASURES, "all"]))
@click.option("--out", is_flag=True, help=f"Write the figures, with this command, to {RESULTS.name}.")
def run(what: str, out: bool) -> None:
    """Measure one thing or all, each on a fresh server."""
    results: dict[str, Measured] = {}
    for name in MEASURES if what == "all" else [what]:
        with fresh_graph() as address:
            measured = MEASURES[name](address)
            results[name] = asyncio.run(measured) if asyncio.iscoroutine(measured) else measured
        console.print_json(json.dumps({name: results[name]}))
    _print(results)
    if out:
        RESULTS.parent.mkdir(exist_ok=True)
        before = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
        record = {
            "command": f"python benchmarks/speed.py run {what} --out",
            "python": platform.python_version(),
            "cores": os.cpu_count(),
        }
        RESULTS.write_text(json.dumps(before | {n: r | record for n, r in results.items()}, indent=2) + "\n")


@main.command("rss-child", hidden=True)
@click.argument("count", type=int)
def rss_child(count: int) -> None:
    """Ingest and print the peak resident size in KiB."""
    with tempfile.TemporaryDirectory():
        uri, username, password = json.loads(os.environ["BENCH_ADDRESS"])
        asyncio.run(ingest_for_memory(Address(uri, username, password), count))
    click.echo(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def _print(results: dict[str, Measured]) -> None:
    table = Table("measure", "figure", "value")
    for name, measured in results.items():
        for key, value in measured.items():
            shown = f"{value:,.3g}" if isinstance(value, float) else str(value)
            table.add_row(name, key, shown)
    console.print(table)


if __name__ == "__main__":
    main()
