#!/usr/bin/env python
"""FactConsolidation (MemoryAgentBench, split Conflict_Resolution): facts that contradict earlier ones, no model.

    python benchmarks/factconsolidation.py --data factconsolidation.json.gz --out factconsolidation
    python benchmarks/factconsolidation.py --data factconsolidation.json.gz --law-only --set sh_32k --set mh_32k

The data is not part of the repository: a JSON list of sets (gzip allowed), each with `context` (numbered facts, a
larger number is newer), `questions`, `answers` and `metadata.source`. Every fact is a source of its own, its number
the source index. With `--law-only` the facts stay in this process and the same law answers without a graph.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from benchmarks.factconsolidation_score import Ways, interval
from tem_graph.answer.chain import ChainFinder
from tem_graph.answer.route import Known, KnownValue
from tem_graph.answer.wording import word
from tem_graph.clock import FixedClock
from tem_graph.domain.conversation import Session
from tem_graph.domain.fact import Fact
from tem_graph.domain.names import fold
from tem_graph.domain.time import AsOf
from tem_graph.embed.choose import make_embedder
from tem_graph.errors import EvaluationError
from tem_graph.evaluate.datasets import DataSet, read_data
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.scoring.substring import is_exact, is_right
from tem_graph.graph.connection import Address
from tem_graph.ingest.attach import attach_source
from tem_graph.ingest.triples import TripleExtractor
from tem_graph.ingest.verify import verify
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.ports import Embedder
from tem_graph.server import LocalServer, Memory, ephemeral_server
from tem_graph.settings import Settings, load_settings
from tem_graph.temporal.registry import Call, views_of
from tem_graph.temporal.result import Result, ResultStatus

RESULTS = Path(__file__).parent / "results"
TODAY = datetime(2024, 6, 1, tzinfo=UTC)
"""The facts have no dates; any day will do."""
REFERENCES = {
    "single-hop": {"newest by max (paper)": 95, "tempora": 91, "HippoRAG-v2": 54, "Mem0": 18, "Graphiti": 7},
    "multi-hop": {"best published": 7, "chained newest by max (claimed)": 30},
}
"""Per cent at 6k. Models, prompts and graders of those systems differ; none of them was run here."""
Ask = Callable[[str], Awaitable["Asked"]]
console = Console()


@dataclass(frozen=True, slots=True)
class Asked:
    """One answer. `path` says who gave it; `note` how the question was read."""

    text: str
    path: str
    calls: int = 0
    note: str | None = None


@dataclass
class Score:
    """How one way of answering did on one set."""

    right: int = 0
    exact: int = 0
    llm_calls: int = 0
    paths: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    missed: list[dict[str, str]] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Stored:
    """The facts of one context, and how reading them went."""

    facts: tuple[Fact, ...]
    lines: int
    rejected: int
    seconds: float


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--set", "names", multiple=True, default=("sh_6k", "mh_6k"), show_default=True, help="Sets to run.")
@click.option("--law-only", is_flag=True, help="Without a graph: the same reading and law in this process.")
@click.option("--home", type=click.Path(path_type=Path), help="Home of a running local server; else one is started.")
@click.option("--out", help="Write the figures to benchmarks/results/OUT.json.")
@click.option("--misses", is_flag=True, help="Show every missed question with how it was read.")
def main(data: Path, names: Sequence[str], law_only: bool, home: Path | None, out: str | None, misses: bool) -> None:
    try:
        found = read_data("factconsolidation", data, names)
    except EvaluationError as error:
        raise click.ClickException(f"{error.message}; {error.hint}") from error
    settings = load_settings(open_vocabulary=True, extractor="triples", embedder="minilm", timezone="UTC")
    with _address(settings, law_only, home) as address:
        rows = [row for name in names for row in asyncio.run(_run(found, name, settings, address, misses))]
    report = {
        "command": f"python benchmarks/factconsolidation.py --data {data.name} "
        + " ".join(f"--set {name}" for name in names)
        + (" --law-only" if law_only else "")
        + (f" --out {out}" if out else ""),
        "data_sha256": found.sha256,
        "scoring": "substring match after lower case, without punctuation and articles",
        "language_model": None,
        "embedder": make_embedder(settings).name,
        "references_at_6k_percent": REFERENCES,
        "results": rows,
    }
    _show(rows)
    if out:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{out}.json"
        path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        console.print(f"written to {path}")


@contextmanager
def _address(settings: Settings, law_only: bool, home: Path | None) -> Iterator[Address | None]:
    if law_only:
        yield None
    elif home is not None:
        found = LocalServer(home, settings.cache).connection()
        yield Address(found.uri, found.username, found.password, found.database)
    else:
        with ephemeral_server(settings.cache, memory=Memory(heap="1g", pagecache="256m")) as found:
            yield Address(found.uri, found.username, found.password, found.database)


async def _run(
    found: DataSet, name: str, settings: Settings, address: Address | None, show: bool
) -> list[dict[str, Any]]:
    """The rows of one set: the product, and the newest-by-max pipelines on the same reading of facts and questions."""
    embedder = make_embedder(settings)
    questions = [q for q in found.questions if q.kind == name]
    sessions = found.conversations[questions[0].group]
    stored = _read(sessions, settings)
    ways = Ways.of(stored.facts)
    rows = []
    if address is None:
        rows.append(
            await _score(questions, name, "law in process", _law(stored, settings, embedder), stored, ways, show)
        )
    else:
        rows.append(await _through_graph(questions, sessions, name, settings, address, stored, ways, show))
    for label, hops in (("newest by max, one step", 1), ("newest by max, chained", None)):
        ask = _newest(stored, settings, embedder, hops)
        rows.append(await _score(questions, name, label, ask, stored, ways, False))
    return rows


def _read(sessions: Sequence[Session], settings: Settings) -> Stored:
    started, extractor, catalog = perf_counter(), TripleExtractor(), settings.catalog()
    facts: list[Fact] = []
    rejected = 0
    for session in sessions:
        extraction = extractor.read(session)
        accepted, refused = verify(session, extraction, catalog, open_vocabulary=True)
        rejected += len(refused)
        facts += attach_source(accepted, session, extraction, catalog, memory="fc", recorded_at=TODAY)
    return Stored(tuple(facts), len(sessions), rejected, perf_counter() - started)


async def _through_graph(
    questions: Sequence[Question],
    sessions: Sequence[Session],
    name: str,
    settings: Settings,
    address: Address,
    stored: Stored,
    ways: Ways,
    show: bool,
) -> dict[str, Any]:
    """Ingest by serial into Neo4j and ask through the product."""
    memory_id = f"factconsolidation-{name}-{TODAY:%Y%m%d}"
    async with AsyncTemporalMemory(memory_id, settings=settings, address=address, clock=FixedClock(TODAY)) as memory:
        if any(m.id == memory_id for m in await memory.memories()):
            await memory.forget_memory()
        report = await memory.ingest(sessions)
        if report.failed:
            raise click.ClickException(f"{name}: {len(report.failed)} facts could not be stored")
        assert report.facts == len(stored.facts), "the graph holds other facts than the reading in process"

        async def ask(question: str) -> Asked:
            answer = await memory.ask(question)
            return Asked(answer.text, answer.path, answer.usage.calls, answer.note)

        row = await _score(questions, name, "tem-graph", ask, stored, ways, show)
        await memory.forget_memory()
    return row | {"ingest_seconds": round(report.seconds, 2)}


def _law(stored: Stored, settings: Settings, embedder: Embedder) -> Ask:
    catalog, as_of = settings.catalog(), AsOf(TODAY.date())
    by_subject = _by_subject(stored)

    async def resolve(call: Call) -> Result:
        facts = [f for group in call.groups for f in by_subject.get(fold(group.subject), ())]
        return call.apply(views_of(facts, catalog, as_of))

    return _asker(ChainFinder(embedder), _known(stored, settings), resolve)


def _newest(stored: Stored, settings: Settings, embedder: Embedder, hops: int | None) -> Ask:
    """The pipeline of the freshness paper on our candidates: of a group's facts, the one with the largest serial."""
    by_subject = _by_subject(stored)

    async def resolve(call: Call) -> Result:
        (group,) = call.groups
        facts = [f for f in by_subject.get(fold(group.subject), ()) if f.relation.name == group.relation]
        newest = max(facts, key=lambda f: f.source.index or 0)
        return Result("current", ResultStatus.FOUND, "", newest.object, (newest,))

    finder = ChainFinder(embedder) if hops is None else ChainFinder(embedder, max_hops=hops)
    return _asker(finder, _known(stored, settings), resolve)


def _asker(finder: ChainFinder, known: Known, resolve: Callable[[Call], Awaitable[Result]]) -> Ask:
    async def ask(question: str) -> Asked:
        found = await finder.find(question, known, resolve)
        return Asked(word(found.result), "operator", 0, found.result.sentence) if found else Asked("", "evidence")

    return ask


def _by_subject(stored: Stored) -> dict[str, list[Fact]]:
    groups: dict[str, list[Fact]] = defaultdict(list)
    for fact in stored.facts:
        groups[fact.subject_key].append(fact)
    return groups


def _known(stored: Stored, settings: Settings) -> Known:
    values = {KnownValue(f.subject, f.relation.name, f.object, f.slot): None for f in stored.facts}
    names = {f.subject: () for f in stored.facts}
    return Known(names, settings.catalog(), date(2024, 6, 1), values=tuple(values))


async def _score(
    questions: Sequence[Question], name: str, system: str, ask: Ask, stored: Stored, ways: Ways, show: bool
) -> dict[str, Any]:
    score = Score()
    for question in questions:
        golds = [question.reference or "", *question.aliases]
        started = perf_counter()
        asked = await ask(question.text)
        score.seconds.append(perf_counter() - started)
        score.llm_calls += asked.calls
        score.paths[asked.path] += 1
        score.exact += is_exact(asked.text, golds)
        if is_right(asked.text, golds):
            score.right += 1
            continue
        why = ways.miss_class(question.text, golds, asked.path == "operator")
        score.missed.append({"id": question.id, "class": why})
        if show:
            console.print(
                f"[bold]{question.text}[/] => {golds[0]}\n  {why}: {asked.text[:100]}\n  {asked.note}", highlight=False
            )
    asked_in_all = len(questions)
    return {
        "set": name,
        "kind": "single-hop" if name.startswith("sh") else "multi-hop",
        "system": system,
        "facts": stored.lines,
        "stored": len(stored.facts),
        "rejected": stored.rejected,
        "asked": asked_in_all,
        "right": score.right,
        "percent": round(100 * score.right / asked_in_all, 1),
        "interval_95": interval(score.right, asked_in_all),
        "exact": score.exact,
        "llm_calls_per_question": score.llm_calls / asked_in_all,
        "paths": dict(score.paths),
        "median_ask_ms": round(1000 * median(score.seconds), 1),
        "miss_classes": dict(Counter(m["class"] for m in score.missed)),
        "missed": score.missed,
    }


def _show(rows: Sequence[dict[str, Any]]) -> None:
    table = Table(
        "set",
        "system",
        "right",
        "exact",
        "95 %",
        "LLM calls",
        "ms",
        "missed",
        title="FactConsolidation, substring match",
    )
    for row in rows:
        low, high = row["interval_95"]
        table.add_row(
            row["set"],
            row["system"],
            f"{row['right']}/{row['asked']}",
            str(row["exact"]),
            f"{low} to {high}",
            f"{row['llm_calls_per_question']:g}",
            f"{row['median_ask_ms']:g}",
            ", ".join(f"{n} {why}" for why, n in row["miss_classes"].items()),
        )
    for kind, systems in REFERENCES.items():
        table.add_row(f"{kind}, 6k", "published: " + ", ".join(f"{k} {v}" for k, v in systems.items()), *[""] * 6)
    console.print(table)


if __name__ == "__main__":
    main()
