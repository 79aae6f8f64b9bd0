"""What `tem-graph ingest` does: which session goes into which memory, and the run with its progress."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from tem_graph.cli.render.progress import ingest_progress
from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Usage
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.errors import GraphError, InputError
from tem_graph.ingest.pipeline import IngestReport
from tem_graph.ingest.readers import Conversation, Format, read_conversations

if TYPE_CHECKING:
    from tem_graph.settings import Settings
    from tem_graph.sync import TemporalMemory

Plan = dict[str, list[Session]]
"""Memory id → its sessions, in the order in which they were read."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Memory id → report, with totals."""

    by_memory: dict[str, IngestReport]

    @property
    def outcomes(self) -> list[Outcome]:
        return [outcome for report in self.by_memory.values() for outcome in report.outcomes]

    @property
    def failed(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.status is OutcomeStatus.FAILED]

    @property
    def conflicts(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.status is OutcomeStatus.CONFLICT]

    @property
    def seconds(self) -> float:
        return sum(report.seconds for report in self.by_memory.values())

    @property
    def usage(self) -> Usage:
        return sum((report.usage for report in self.by_memory.values()), Usage())


def plan_ingest(
    files: Iterable[str],
    settings: Settings,
    *,
    memory: str | None,
    format: Format,
    conversation: str | None,
    limit: int | None,
    say: Callable[[str], None],
) -> Plan:
    """Which sessions go into which memory. Every file is read before anything is stored.

    Raises:
        InputError: a file cannot be used, none holds the conversation that was asked for, or none holds a word.
    """
    found: list[Conversation] = []
    for file in files:
        read = read_conversations(file, zone=settings.zone, format=format)
        for remark in (remark for c in read for remark in c.left_out):
            say(f"{file}: left out: {remark}")
        found += read
    if conversation is not None:
        known = [c.id for c in found if c.id is not None]
        found = [c for c in found if c.id == conversation]
        if not found:
            raise InputError(
                f"there is no conversation {conversation!r} in {', '.join(files)}",
                hint=f"there are {', '.join(known)}" if known else "these files do not name their conversations",
            )
    plan: Plan = {}
    ids = {c.id for c in found}
    for one in (one for one in found if one.sessions):
        plan.setdefault(memory_of(one.id, memory, settings.memory, len(ids)), []).extend(one.sessions[:limit])
    if not plan:
        raise InputError(f"nobody says anything in {', '.join(files)}: nothing to store")
    return plan


def memory_of(conversation: str | None, given: str | None, default: str, conversations: int) -> str:
    """The memory that a conversation goes into.

    >>> memory_of("conv-26", None, "default", 10), memory_of("conv-26", "mine", "default", 10)
    ('conv-26', 'mine/conv-26')
    >>> memory_of("conv-26", "mine", "default", 1), memory_of(None, None, "default", 1)
    ('mine', 'default')
    """
    if conversation is None:
        return default
    if given is None:
        return conversation
    return given if conversations == 1 else f"{given}/{conversation}"


def run_ingest(memory: TemporalMemory, plan: Plan, *, replace: bool, verbose: bool) -> Reports:
    """The report of each memory, with progress on standard error. Ctrl-C and a Neo4j that has gone say what was
    stored, and go on up."""
    reports: dict[str, IngestReport] = {}
    outcomes: list[Outcome] = []
    with ingest_progress(sum(map(len, plan.values())), verbose=verbose) as advance:

        def on_outcome(outcome: Outcome) -> None:
            outcomes.append(outcome)
            advance(outcome)

        try:
            for name, sessions in plan.items():
                target = memory.for_memory(name)
                reports[name] = target.ingest(sessions, replace=replace, on_outcome=on_outcome)
        except (KeyboardInterrupt, GraphError):
            click.echo(f"\n{interrupted(outcomes, sum(map(len, plan.values())))}", err=True)
            raise
    return Reports(reports)


def interrupted(outcomes: Sequence[Outcome], total: int) -> str:
    """What to say when the run was stopped."""
    stored = sum(o.is_success for o in outcomes)
    return f"Stopped: {stored} of {total} sessions are stored, each whole. Run the same command again to go on."
