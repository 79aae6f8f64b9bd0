"""What `tem-graph demo` does: a Neo4j, the shipped conversations in it, and three questions to them."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

import click
from pydantic import SecretStr

from tem_graph.answer.ask import Answer
from tem_graph.cli.ingesting import Reports, run_ingest
from tem_graph.cli.render.charts import histories_of
from tem_graph.demo import DemoQuestion, load_questions, load_sessions
from tem_graph.errors import NotFound
from tem_graph.memory import GroupHistory
from tem_graph.retrieve.block import MemoryBlock
from tem_graph.settings import Settings
from tem_graph.timeline.chart import Chart, build_chart

if TYPE_CHECKING:
    from tem_graph.sync import TemporalMemory

MEMORY = "demo"
SERVER = "demo"
EMBEDDER = "minilm"
"""The demo's own server has vectors of this size, so that it never settles the size of anybody's own graph."""
EVIDENCE = 6
"""Facts in the evidence of a demo question; a short block shows the marks best."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the demo runs. `password_file` and `browser_url` are those of the local server, None elsewhere."""

    settings: Settings
    uri: str
    username: str
    browser_url: str | None
    password_file: str | None


@dataclass(frozen=True, slots=True)
class Asked:
    question: DemoQuestion
    block: MemoryBlock
    answer: Answer


@dataclass(frozen=True, slots=True)
class Demonstration:
    """Everything that the demo shows."""

    memory: str
    reports: Reports
    histories: list[GroupHistory]
    chart: Chart
    asked: list[Asked]
    seconds: float


def demo_place(settings: Settings, memory: str | None) -> Place:
    """The Neo4j of the demo, which answers queries now: the configured one, else a local one of its own.

    Raises:
        ServerError: the local one did not start.
    """
    chosen = {"memory": memory or MEMORY}
    if settings.neo4j_uri is not None:
        there = settings.model_copy(update=chosen)
        return Place(there, settings.neo4j_uri, settings.neo4j_username, None, None)
    from tem_graph.server import LocalServer, Memory, named_home
    from tem_graph.server.terminal import terminal_reporter

    server = LocalServer(named_home(settings.home, SERVER), settings.cache, maven_url=settings.maven_url)
    with terminal_reporter() as reporter:
        start = server.ensure_running(memory=Memory(settings.server_heap, settings.server_pagecache), reporter=reporter)
    found = start.connection
    if not start.already_running:
        click.echo(f"Neo4j {start.version} started in {start.seconds:.0f} s", err=True)
    local = settings.model_copy(
        update={
            **chosen,
            "neo4j_uri": found.uri,
            "neo4j_username": found.username,
            "neo4j_password": SecretStr(found.password),
            "neo4j_database": found.database,
            "embedder": EMBEDDER,
        }
    )
    return Place(local, found.uri, found.username, found.browser_url, str(server.home.password_file))


def demonstrate(memory: TemporalMemory, *, fresh: bool, verbose: bool) -> Demonstration:
    """Reads the shipped conversations where they are not stored yet, and asks the shipped questions."""
    started = perf_counter()
    if fresh:
        _forget(memory)
    reports = run_ingest(memory, {memory.id: list(load_sessions())}, replace=False, verbose=verbose)
    histories = histories_of(memory, None, None, memory.now())
    asked = [
        Asked(question, memory.evidence(question.question, EVIDENCE), memory.ask(question.question, EVIDENCE))
        for question in load_questions()
    ]
    chart = build_chart(histories, memory.now().today)
    return Demonstration(memory.id, reports, histories, chart, asked, perf_counter() - started)


def _forget(memory: TemporalMemory) -> None:
    try:
        memory.forget_memory()
    except NotFound:
        click.echo("nothing to forget: the demo has not run here yet", err=True)
