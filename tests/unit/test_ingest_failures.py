"""What ends an ingest, and what the person is told: a fault of the program, a database that has gone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from tem_graph.cli import waiting
from tem_graph.cli.root import cli
from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Extraction
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import GraphUnavailable
from tem_graph.ingest import pipeline
from tem_graph.ingest.pipeline import Ingestor
from tem_graph.settings import load_relations
from tests.unit.cli_fake import FakeMemory

SESSIONS = [Session(f"s{n}", (Turn(0, "Ana", "I live in Porto."),)) for n in range(5)]


class Reads:
    """An extractor that finds nothing, or raises `error` at session `at`."""

    name = "reads"

    def __init__(self, error: Exception | None = None, at: str = "s1") -> None:
        self.error, self.at = error, at

    async def extract(self, session: Session) -> Extraction:
        if self.error is not None and session.id == self.at:
            raise self.error
        return Extraction(self.name, ())


async def no_digests(memory: str, ids: Sequence[str]) -> dict[str, str]:
    return {}


def ingestor(extractor: Reads) -> Ingestor:
    parts: dict[str, Any] = {
        "graph": None,
        "reader": SimpleNamespace(digests=no_digests),
        "clock": SimpleNamespace(now=lambda: datetime(2026, 1, 1, tzinfo=UTC)),
    }
    return Ingestor(
        memory="m", extractor=extractor, embedder=HashingEmbedder(), catalog=load_relations(), concurrency=1, **parts
    )


async def test_a_fault_of_the_program_is_raised_itself_and_says_where(monkeypatch: pytest.MonkeyPatch) -> None:
    async def stored(*_: object, **__: object) -> object:
        return SimpleNamespace(statuses={s.id: OutcomeStatus.STORED for s in SESSIONS})

    monkeypatch.setattr(pipeline, "write_sessions", stored)
    with pytest.raises(AttributeError, match="choices") as caught:
        await ingestor(Reads(AttributeError("'str' object has no attribute 'choices'"))).ingest(SESSIONS)
    assert caught.value.__notes__ == ["while session 's1' was read by reads"]


async def test_a_fault_of_the_program_goes_before_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    async def gone(*_: object, **__: object) -> object:
        try:
            await asyncio.sleep(60)
        finally:
            raise GraphUnavailable("gone")

    monkeypatch.setattr(pipeline, "write_sessions", gone)
    with pytest.raises(ZeroDivisionError):
        await ingestor(Reads(ZeroDivisionError("a slip"), at="s4")).ingest(SESSIONS)


async def test_a_database_that_has_gone_is_asked_once_for_a_whole_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    batches: list[int] = []

    async def gone(_: object, __: str, writes: Sequence[object], **___: object) -> object:
        batches.append(len(writes))
        await asyncio.sleep(0)
        raise GraphUnavailable("gone")

    monkeypatch.setattr(pipeline, "write_sessions", gone)
    run = ingestor(Reads())
    run.concurrency = 5
    told: list[Outcome] = []
    with pytest.raises(GraphUnavailable, match="gone"):
        await run.ingest(SESSIONS, on_outcome=told.append)
    assert len(batches) == 1
    assert batches[0] > 1
    assert [o.status for o in told] == [OutcomeStatus.FAILED] * batches[0]


class DatabaseSays(Exception):
    code = "Neo.TransientError.Transaction.DeadlockDetected"


def complain(error: Exception) -> None:
    logging.getLogger("neo4j.session").warning("Transaction failed and will be retried in %ss (%s)", 1.5, error)


def test_an_outage_is_told_in_one_line_and_the_number_of_retries_not(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting.outages_told(verbose=lambda: False):
        for _ in range(4):
            complain(OSError("no route"))
        complain(DatabaseSays("deadlock"))
        logging.getLogger("neo4j.io").warning("the clock runs backwards")
    assert capsys.readouterr().err.splitlines() == [
        "Neo4j does not answer; trying again for about 60 s …",
        "the clock runs backwards",
    ]


def test_the_next_outage_is_told_again(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([0.0, 30.0, 500.0])
    monkeypatch.setattr(waiting, "monotonic", lambda: next(moments))
    with waiting.outages_told(verbose=lambda: False):
        for _ in range(3):
            complain(OSError("no route"))
    assert len(capsys.readouterr().err.splitlines()) == 2


@pytest.mark.parametrize(("options", "lines"), [([], 1), (["-v"], 3)])
def test_the_command_line_listens_and_says_more_where_asked(options: list[str], lines: int) -> None:
    def complaining(**_: object) -> list[object]:
        complain(OSError("no route"))
        complain(OSError("no route"))
        click.get_current_context().exit(3)

    fake = FakeMemory(sessions=complaining, exists=lambda: True)
    result = CliRunner().invoke(cli, ["sessions", *options], obj=fake.connect)
    assert result.exit_code == 3
    assert len(result.stderr.splitlines()) == lines
    assert logging.getLogger("neo4j").propagate
    assert not any(isinstance(h, waiting.OneLine) for h in logging.getLogger("neo4j").handlers)
