"""A memory without a database, for tests of the command line: it answers as it was told and notes what was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from types import TracebackType
from typing import Any, Self

from click.testing import CliRunner, Result

from tem_graph.cli.root import cli
from tem_graph.domain.conversation import Provenance, Session
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.fact import Fact, Source, Status
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.domain.time import AsOf, SessionDate
from tem_graph.ingest.pipeline import IngestReport
from tem_graph.settings import Settings, load_relations

CATALOG = load_relations()


def make_fact(object: str, day: str = "2024-01-01", *, subject: str = "Ana", relation: str = "residence") -> Fact:
    return Fact.create(
        CATALOG,
        memory="m",
        subject=subject,
        relation=relation,
        object=object,
        source=Source(f"session {day}", SessionDate.parse(day)),
        provenance=Provenance("grammar", quote=f"I live in {object}.", turn=0, speaker=subject),
    )


class FakeMemory:
    """Stands in for `TemporalMemory`. `verbs` maps a method's name to what it does; an unknown one fails the test."""

    def __init__(self, **verbs: Callable[..., Any]) -> None:
        self.id = "default"
        self.verbs = verbs
        self.asked: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.settings: Settings | None = None
        self.is_there = True

    def connect(self, memory: str, settings: Settings) -> Self:
        self.id, self.settings = memory, settings
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def for_memory(self, memory: str) -> FakeMemory:
        other = FakeMemory(**self.verbs)
        other.id, other.asked = memory, self.asked
        return other

    def exists(self) -> bool:
        return self.is_there

    def now(self) -> AsOf:
        return AsOf(date(2024, 6, 1))

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def verb(*args: Any, **options: Any) -> Any:
            self.asked.append((name, args, options))
            return self.verbs[name](*args, **options)

        return verb


def run(memory: FakeMemory, *arguments: str, answer: str | None = None) -> Result:
    """The command on the fake memory, with standard output and standard error apart."""
    return CliRunner().invoke(cli, list(arguments), input=answer, obj=memory.connect)


def failing(error: BaseException) -> FakeMemory:
    """A memory whose listing of facts fails."""

    def facts(**_: object) -> None:
        raise error

    return FakeMemory(facts=facts)


def reading(status: OutcomeStatus = OutcomeStatus.STORED) -> tuple[FakeMemory, dict[str, list[str]]]:
    """A memory that ingests every session with that outcome, and (memory, ids) as they come in."""
    seen: dict[str, list[str]] = {}

    def ingest(sessions: Iterable[Session], *, replace: bool, on_outcome: Callable[[Outcome], None]) -> IngestReport:
        outcomes = []
        for session in sessions:
            reason = None if status is OutcomeStatus.STORED else "because of the test"
            outcomes.append(Outcome(session.id, status, "fake", facts=2, rejected=1, reason=reason))
            on_outcome(outcomes[-1])
        seen.setdefault(str(len(seen)), []).extend(o.session for o in outcomes)
        return IngestReport(tuple(outcomes), 0.5)

    return FakeMemory(ingest=ingest), seen


def marked(*facts: Fact, status: Status = Status.CURRENT) -> Sequence[MarkedFact]:
    return [MarkedFact(fact, status, score=0.5) for fact in facts]
