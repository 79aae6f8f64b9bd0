#!/usr/bin/env python
"""Evidence recall on LoCoMo: the share of the gold turns that stand in 1,024 tokens of evidence. No language model.

    python benchmarks/evidence_recall.py --data locomo10.json.gz --embedder all-mpnet-base-v2 --out evidence_recall
    python benchmarks/evidence_recall.py --data locomo10.json.gz --in-process --out evidence_recall_in_process

The data is not part of the repository. Each conversation is read by the grammar into a memory of its own, its events
chosen from its own sentences, and asked all its questions of categories 1 to 4. A gold turn counts when it, or at
least half of its tokens, is in the evidence. Tokens are BERT's uncased word pieces, which the embedder uses.

With `--in-process` there is no database: the same ranking chooses among turns alone, found in this process.

What is tuned was tuned on half of the conversations; the other half is reported beside it.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import fmean
from time import perf_counter

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from benchmarks.evidence_in_process import Conversation, lines_of
from tem_graph.answer.question_time import times_in
from tem_graph.clock import FixedClock
from tem_graph.domain.conversation import Session
from tem_graph.domain.evidence import ScoredPassage
from tem_graph.domain.time import AsOf
from tem_graph.embed.cache import CachedEmbedder
from tem_graph.embed.choose import make_embedder
from tem_graph.embed.tokens import BertCounter
from tem_graph.evaluate.datasets.locomo import CATEGORIES, read
from tem_graph.evaluate.datasets.shape import turn_id
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.scoring.evidence_recall import evidence_recall
from tem_graph.evaluate.scoring.intervals import paired_bootstrap
from tem_graph.evaluate.turns import choose_turns
from tem_graph.graph.connection import Address
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.ports import Embedder, TokenCounter
from tem_graph.retrieve.hybrid import HybridEvidence, hybrid_evidence
from tem_graph.server import LocalServer, Memory, ephemeral_server
from tem_graph.settings import Settings, load_settings

RESULTS = Path(__file__).parent / "results"
TUNED_ON = ("conv-26", "conv-30", "conv-41", "conv-42", "conv-43")
"""The first five conversations; no constant was chosen by the other five."""
KINDS = tuple(kind for kind in CATEGORIES.values() if kind != "adversarial")
NAIVE_15, NAIVE, SESSION, HYBRID = "naive RAG, 15 turns", "naive RAG", "session-aware RAG", "hybrid"
WAYS = (NAIVE_15, NAIVE, SESSION, HYBRID)
TURNS_TO_RANK = 100
"""Retrieved turns that the RAG baselines fill their budget from: more than fit."""
NOW = datetime(2024, 6, 1, tzinfo=UTC)
console = Console()


@dataclass(frozen=True, slots=True)
class Asked:
    """What each way found of one question's gold turns (0 to 1), and how many tokens its evidence had."""

    question: str
    kind: str
    group: str
    recall: dict[str, float]
    tokens: dict[str, int]
    lines: dict[str, int]
    facts: int
    seconds: float
    missed: list[str] = field(default_factory=list)
    """Gold turns that the hybrid evidence does not hold."""


@click.command(help=__doc__)
@click.option("--data", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=True)
@click.option("--embedder", help="sentence-transformers name or folder; else the setting `embedder`.")
@click.option("--vectors", type=click.Path(path_type=Path), help="Folder that keeps vectors between runs.")
@click.option("--home", type=click.Path(path_type=Path), help="Home of a running local server; else one is started.")
@click.option("--in-process", is_flag=True, help="Without a graph: turns alone, found in this process.")
@click.option("--budget", type=click.IntRange(min=1), default=1024, show_default=True, help="Tokens of evidence.")
@click.option("--conversation", "only", multiple=True, help="Ask these conversations only.")
@click.option("--out", help="Write the figures to benchmarks/results/OUT.json.")
@click.option("--samples", type=click.Path(path_type=Path), help="Write a line for each question to this file.")
def main(
    data: Path,
    embedder: str | None,
    vectors: Path | None,
    home: Path | None,
    in_process: bool,
    budget: int,
    only: Sequence[str],
    out: str | None,
    samples: Path | None,
) -> None:
    settings = load_settings(embedder=embedder, extractor="grammar", timezone="UTC")
    chosen = make_embedder(settings)
    ready: Embedder = CachedEmbedder(chosen, vectors) if vectors else chosen
    counter = BertCounter()
    found = read(data)
    groups = {name: sessions for name, sessions in found.conversations.items() if not only or name in only}
    questions = [q for q in found.questions if q.group in groups and q.kind in KINDS and has_gold_of_its_own(q)]
    if in_process:
        asked = asyncio.run(_run_in_process(groups, questions, ready, counter, budget))
    else:
        with _address(settings, home) as address:
            asked = asyncio.run(_run(groups, questions, settings, address, ready, counter, budget))
    report = {
        "command": f"python benchmarks/evidence_recall.py --data {data.name}"
        + (f" --embedder {Path(embedder).name}" if embedder else "")
        + (" --in-process" if in_process else "")
        + (f" --out {out}" if out else ""),
        "data_sha256": found.sha256,
        "questions": len(asked),
        "budget_tokens": budget,
        "counter": counter.name,
        "embedder": ready.name,
        "language_model": None,
        "tuned_on": TUNED_ON,
        "results": figures(asked),
        "seconds_per_question": round(fmean(a.seconds for a in asked), 3),
        "facts_in_evidence": round(fmean(a.facts for a in asked), 2),
    }
    _show(report)
    if samples:
        samples.write_text("".join(json.dumps(asdict(a), ensure_ascii=False) + "\n" for a in asked), encoding="utf-8")
    if out:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{out}.json"
        path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        console.print(f"written to {path}")


def has_gold_of_its_own(question: Question) -> bool:
    """Whether at least one piece of the published evidence is exactly the id of one turn: 1,531 of the questions.

    The figures that these are compared with were taken on them. Four more questions name their turns only in strings
    of several ids.
    """
    faults = question.metadata.get("faults", [])
    assert isinstance(faults, list)
    together = " ".join(str(fault) for fault in faults if "several ids" in str(fault))
    return any(id_ not in together for id_ in question.evidence)


@contextmanager
def _address(settings: Settings, home: Path | None) -> Iterator[Address]:
    if home is not None:
        found = LocalServer(home, settings.cache).connection()
        yield Address(found.uri, found.username, found.password, found.database)
    else:
        with ephemeral_server(settings.cache, memory=Memory(heap="1g", pagecache="512m")) as found:
            yield Address(found.uri, found.username, found.password, found.database)


async def _run(
    groups: Mapping[str, Sequence[Session]],
    questions: Sequence[Question],
    settings: Settings,
    address: Address,
    embedder: Embedder,
    counter: TokenCounter,
    budget: int,
) -> list[Asked]:
    asked = []
    async with AsyncTemporalMemory(
        "locomo", settings=settings, address=address, embedder=embedder, clock=FixedClock(NOW), counter=counter
    ) as opened:
        for name, sessions in groups.items():
            memory = opened.for_memory(f"locomo-{name}")
            # What is stored already is recognised, so an interrupted run goes on where it stopped.
            report = await memory.ingest(sessions)
            if report.failed:
                raise click.ClickException(f"{name}: {len(report.failed)} sessions could not be stored")
            of_group = [q for q in questions if q.group == name]
            await embedder.embed([q.text for q in of_group])
            for question in track(of_group, description=name, console=console):
                asked.append(await _ask(memory, question, sessions, counter, budget))
    return asked


async def _ask(
    memory: AsyncTemporalMemory, question: Question, sessions: Sequence[Session], counter: TokenCounter, budget: int
) -> Asked:
    hits = await memory.search_turns(question.text, TURNS_TO_RANK)
    started = perf_counter()
    evidence = await memory.hybrid_evidence(question.text, budget_tokens=budget, as_of=AsOf(last_day(sessions)))
    return _measured(question, sessions, hits, evidence, perf_counter() - started, counter, budget)


async def _run_in_process(
    groups: Mapping[str, Sequence[Session]],
    questions: Sequence[Question],
    embedder: Embedder,
    counter: TokenCounter,
    budget: int,
) -> list[Asked]:
    asked = []
    for name, sessions in groups.items():
        conversation = Conversation.of(sessions, await embedder.embed(lines_of(sessions)))
        of_group = [q for q in questions if q.group == name]
        vectors = await embedder.embed([q.text for q in of_group])
        for question, vector in track(list(zip(of_group, vectors, strict=True)), description=name, console=console):
            started = perf_counter()
            found = conversation.candidates(question.text, vector)
            when = times_in(question.text, last_day(sessions))
            evidence = hybrid_evidence(question.text, found, counter, budget_tokens=budget, when=when)
            hits = conversation.nearest(vector, TURNS_TO_RANK)
            seconds = perf_counter() - started
            asked.append(_measured(question, sessions, hits, evidence, seconds, counter, budget))
    return asked


def last_day(sessions: Sequence[Session]) -> date:
    """The day on which the questions are asked."""
    return max(s.date.day for s in sessions if s.date)


def _measured(
    question: Question,
    sessions: Sequence[Session],
    hits: Sequence[ScoredPassage],
    evidence: HybridEvidence,
    seconds: float,
    counter: TokenCounter,
    budget: int,
) -> Asked:
    ids = {(s.id, turn.position): turn_id(s, turn) for s in sessions for turn in s.turns}
    rag = {
        NAIVE_15: choose_turns(hits, counter, limit=15, budget=None, in_order=False),
        NAIVE: choose_turns(hits, counter, limit=15, budget=budget, in_order=False),
        SESSION: choose_turns(hits, counter, limit=15, budget=budget, in_order=True),
    }
    found = {way: [ids[place] for place in chosen.turns] for way, chosen in rag.items()}
    found[HYBRID] = [ids[place] for place in evidence.turns]
    return Asked(
        question=question.id,
        kind=question.kind,
        group=question.group,
        recall={way: evidence_recall(found[way], question.evidence) or 0.0 for way in WAYS},
        tokens={way: chosen.tokens for way, chosen in rag.items()} | {HYBRID: evidence.tokens},
        lines={way: len(turns) for way, turns in found.items()},
        facts=len(evidence.facts),
        seconds=seconds,
        missed=[id_ for id_ in question.evidence if id_ not in found[HYBRID]],
    )


def figures(asked: Sequence[Asked]) -> list[dict[str, object]]:
    """A row for each half of the conversations, way and category, recall in per cent with its 95 % interval."""
    halves = {
        "all": asked,
        "tuned on": [a for a in asked if a.group in TUNED_ON],
        "held out": [a for a in asked if a.group not in TUNED_ON],
    }
    rows: list[dict[str, object]] = []
    for half, of_half in halves.items():
        for kind in (*KINDS, "all"):
            some = [a for a in of_half if kind in (a.kind, "all")]
            if not some:
                continue
            intervals = paired_bootstrap([[a.recall[way] for a in some] for way in WAYS])
            for way, interval in zip(WAYS, intervals, strict=True):
                assert interval is not None
                rows.append(
                    {
                        "conversations": half,
                        "way": way,
                        "category": kind,
                        "questions": len(some),
                        "recall": round(100 * fmean(a.recall[way] for a in some), 1),
                        "low": round(100 * interval.low, 1),
                        "high": round(100 * interval.high, 1),
                        "tokens": round(fmean(a.tokens[way] for a in some), 1),
                        "turns": round(fmean(a.lines[way] for a in some), 1),
                    }
                )
    return rows


def _show(report: dict[str, object]) -> None:
    rows = report["results"]
    assert isinstance(rows, list)
    for half in dict.fromkeys(row["conversations"] for row in rows):
        table = Table(title=f"Evidence recall, per cent: conversations {half}", title_justify="left")
        table.add_column("")
        for kind in (*KINDS, "all"):
            table.add_column(kind, justify="right")
        table.add_column("tokens", justify="right")
        for way in WAYS:
            of_way = {row["category"]: row for row in rows if row["way"] == way and row["conversations"] == half}
            cells = [f"{of_way[k]['recall']} [{of_way[k]['low']}, {of_way[k]['high']}]" if k in of_way else ""
                     for k in (*KINDS, "all")]  # fmt: skip
            table.add_row(way, *cells, str(of_way["all"]["tokens"]))
        console.print(table)


if __name__ == "__main__":
    main()
