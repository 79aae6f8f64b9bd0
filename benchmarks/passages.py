#!/usr/bin/env python
"""Measures how fast whole sessions go in, with turns, events, vectors and full text, as a ratio to a bare write.

python benchmarks/passages.py --out

No model: an extractor that finds nothing, so that events come from the sentences themselves, and vectors that are
drawn beforehand, so that neither reading nor embedding is timed twice. The bare write is `UNWIND … CREATE` of as
many turns and events with the same properties, vector and full-text indexes, through the same driver, in turn.
"""

from __future__ import annotations

import asyncio
import json
import os
import platform
import statistics
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter, process_time

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from tem_graph.clock import FixedClock
from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Extraction
from tem_graph.domain.time import SessionDate
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.schema import migrate
from tem_graph.graph.store import GraphReader
from tem_graph.ingest.extractive import extract_events
from tem_graph.ingest.pipeline import Ingestor
from tem_graph.server import Memory, ephemeral_server
from tem_graph.settings import load_relations, load_settings

RESULTS = Path(__file__).parent / "results" / "passages.json"
AT = datetime(2024, 1, 1, tzinfo=UTC)
CATALOG = load_relations()
TURNS = 22
"""Turns of a session, and about twenty words a turn: as in LoCoMo."""
BARE = {
    kind: f"UNWIND $rows AS row CREATE (n:{kind})-[:FROM_SESSION]->(:Session {{id: row.session}}) SET n = row"
    for kind in ("Turn", "Event")
}
ROWS = 500
_WORDS = """
    harbour letter garden bicycle violin market cousin winter bridge supper painting river school parcel window candle
    lantern museum ferry orchard neighbour concert kitchen mountain library blanket weather holiday project lesson
""".split()  # noqa: SIM905


class Silent:
    """Finds nothing."""

    name = "silent"

    async def extract(self, session: Session) -> Extraction:
        return Extraction(self.name)


class Drawn:
    """Vectors that are drawn, not computed: what an embedder costs is not measured here."""

    def __init__(self, dimension: int, count: int = 4_000) -> None:
        drawn = np.random.default_rng(1).standard_normal((count, dimension))
        self._vectors: list[list[float]] = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).tolist()
        self.name, self.dimension, self._next = f"drawn-{dimension}", dimension, 0

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        first, self._next = self._next, self._next + len(texts)
        return [self._vectors[n % len(self._vectors)] for n in range(first, self._next)]


def make_sessions(count: int, seed: int) -> list[Session]:
    draw = Random(seed)

    def turn(position: int) -> Turn:
        told = " ".join(draw.choices(_WORDS, k=16))
        opening = draw.choice(["I went to the", "Last Friday we saw the", "You know the", "Do you like the"])
        return Turn(position, draw.choice(["Ana", "Ben"]), f"{opening} {told}.")

    day = SessionDate.parse("2024-01-01")
    return [Session(f"s{seed}-{n}", tuple(turn(p) for p in range(TURNS)), day) for n in range(count)]


async def measure(address: Address, *, sessions: int, rounds: int, dimension: int) -> dict[str, object]:
    """Turns per second of both, and the median of their ratios."""
    graph, embedder = Graph(address), Drawn(dimension)
    await migrate(graph, embedder=embedder.name, dimension=dimension, now=AT)
    reader = GraphReader(graph, CATALOG)
    rates: dict[str, list[float]] = {"ours": [], "bare": []}
    events, cpu, reading = 0, [], []
    for number in range(rounds + 1):
        told = make_sessions(sessions, number)
        ingestor = Ingestor(graph, reader, f"m{number}", Silent(), embedder, CATALOG, FixedClock(AT))
        started, busy = perf_counter(), process_time()
        report = await ingestor.ingest(told)
        ours, used = sessions * TURNS / (perf_counter() - started), process_time() - busy
        if report.failed:
            raise SystemExit(f"{len(report.failed)} sessions failed: {report.failed[0].reason}")
        started = process_time()
        chosen = [event for session in told for event in extract_events(session)]
        read = process_time() - started
        rows = {
            "Turn": [(f"t{number}-{s.id}-{t.position}", s.id, t.line) for s in told for t in s.turns],
            "Event": [(f"e{number}-{n}", event.session, event.summary) for n, event in enumerate(chosen)],
        }
        started = perf_counter()
        for kind, plain in rows.items():
            for first in range(0, len(plain), ROWS):
                batch = plain[first : first + ROWS]
                vectors = await embedder.embed([line for _, _, line in batch])
                written = [
                    {"id": i, "memory": "bare", "session": s, "scope": "bare", "content": line, "embedding": v}
                    for (i, s, line), v in zip(batch, vectors, strict=True)
                ]
                await graph.run_schema(BARE[kind], rows=written)
        bare = sessions * TURNS / (perf_counter() - started)
        if number:  # the first round warms the server up
            rates["ours"].append(ours)
            rates["bare"].append(bare)
            cpu.append(used / (sessions * TURNS))
            reading.append(read / (sessions * TURNS))
            events += len(chosen)
    await graph.aclose()
    return {
        "turns": sessions * TURNS * rounds,
        "events": events,
        "dimension": dimension,
        "ours_turns_per_s": statistics.median(rates["ours"]),
        "bare_turns_per_s": statistics.median(rates["bare"]),
        "ratio": statistics.median(o / b for o, b in zip(rates["ours"], rates["bare"], strict=True)),
        "client_cpu_ms_per_turn": statistics.median(cpu) * 1000,
        "of_which_choosing_events_ms": statistics.median(reading) * 1000,
    }


@click.command()
@click.option("--sessions", default=100, show_default=True, help="Sessions of a round.")
@click.option("--rounds", default=4, show_default=True, help="Rounds that count, after one that does not.")
@click.option("--dimension", default=768, show_default=True, help="Numbers of a vector.")
@click.option("--out", is_flag=True, help=f"Write the figures, with this command, to {RESULTS.name}.")
def main(sessions: int, rounds: int, dimension: int, out: bool) -> None:
    """Turns per second of whole sessions, as a ratio to the bare write."""
    with ephemeral_server(load_settings().cache, memory=Memory(heap="1g", pagecache="512m")) as found:
        address = Address(found.uri, found.username, found.password, found.database)
        measured = asyncio.run(measure(address, sessions=sessions, rounds=rounds, dimension=dimension))
    options = f"--sessions {sessions} --rounds {rounds} --dimension {dimension}"
    record = {
        "command": f"python benchmarks/passages.py {options} --out",
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
    click.echo(json.dumps(measured | record, indent=2))
    if out:
        RESULTS.write_text(json.dumps(measured | record, indent=2) + "\n")


if __name__ == "__main__":
    main()
