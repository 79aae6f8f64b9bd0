"""Runs a job in this process: builds the memories that are missing, answers what has no answer, logs each as it ends.

A model or a Neo4j that goes away stops the run; what was answered is in the log, and the same job goes on there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.errors import GraphUnavailable, ModelUnavailable, TemGraphError
from tem_graph.evaluate.builds import BuildLine, append_builds
from tem_graph.evaluate.facts_respondent import FactsRespondent
from tem_graph.evaluate.job import Job, Sample
from tem_graph.evaluate.log import LogLine, LogWriter
from tem_graph.evaluate.memory_respondent import MemoryRespondent
from tem_graph.evaluate.respond import Respondent

STRIKES = 3
"""So many samples in a row without an answer from the model or the database, each after the client's own retries,
and the run stops. A guess: one may be a hiccup."""
GO_ON = "what was answered is kept: run the same command again when it is back"


class Watch(Protocol):
    """Who is told how a job goes on."""

    def building(self, sessions: int) -> None: ...

    def built(self, outcome: Outcome) -> None: ...

    def answering(self, samples: int, done: int) -> None: ...

    def answered(self, line: LogLine) -> None: ...


class Unwatched:
    """Nobody."""

    def building(self, sessions: int) -> None: ...

    def built(self, outcome: Outcome) -> None: ...

    def answering(self, samples: int, done: int) -> None: ...

    def answered(self, line: LogLine) -> None: ...


async def open_respondent(job: Job) -> Respondent:
    """Who answers this job's questions: over given facts, or over memories in Neo4j."""
    if job.spec.job == "operators":
        return await FactsRespondent.open(job)
    return await MemoryRespondent.open(job)


def open_samples(job: Job, log: LogWriter, *, retry_failed: bool) -> list[Sample]:
    """What has no answer yet. A sample that failed for a reason that passes is open; another one where asked for."""
    return [
        (config, question)
        for config, question in job.samples
        if (line := log.lines.get((config, question.id))) is None
        or (line.error is not None and (line.retryable or retry_failed))
    ]


def groups_of(samples: Iterable[Sample]) -> list[str]:
    """The memories that the samples ask, in order."""
    return list(dict.fromkeys(question.group for _, question in samples))


async def run_here(job: Job, folder: Path, log: LogWriter, watch: Watch, *, retry_failed: bool) -> None:
    """Every open sample has a line in the log.

    Raises:
        ModelUnavailable, GraphUnavailable: nobody answers any more; run again to go on.
    """
    samples = open_samples(job, log, retry_failed=retry_failed)
    watch.answering(len(job.samples), len(job.samples) - len(samples))
    if not samples:
        return
    respondent = await open_respondent(job)
    try:
        await _build_all(job, folder, respondent, groups_of(samples), watch)
        await _answer_all(job, log, respondent, samples, watch)
    finally:
        await respondent.aclose()


async def _build_all(job: Job, folder: Path, respondent: Respondent, groups: Sequence[str], watch: Watch) -> None:
    watch.building(sum(len(job.data.conversations.get(group, ())) for group in groups))
    longest = max((len(job.data.conversations.get(group, ())) for group in groups), default=1)
    waiting = iter(groups)

    async def builder() -> None:
        for group in waiting:
            await respondent.build(group, Recorder(job.memory_of(group), group, folder, watch))

    # Sessions of one memory are in flight together; several memories at once only where those are too few.
    builders = max(1, min(len(groups), job.settings.concurrency // max(1, longest)))
    await _together(*(builder() for _ in range(builders)))


class Recorder:
    """Writes each outcome of one memory down, unless the session was stored before."""

    def __init__(self, memory: str, group: str, folder: Path, watch: Watch) -> None:
        self._memory, self._group, self._folder, self._watch = memory, group, folder, watch

    def __call__(self, outcome: Outcome) -> None:
        if outcome.status is not OutcomeStatus.UNCHANGED:
            append_builds(self._folder, [BuildLine.of(self._memory, self._group, outcome)])
        self._watch.built(outcome)


async def _answer_all(
    job: Job, log: LogWriter, respondent: Respondent, samples: Sequence[Sample], watch: Watch
) -> None:
    waiting, strikes = iter(samples), Strikes()

    async def worker() -> None:
        for config, question in waiting:
            line = await respondent.answer(config, question)
            log.append([line])
            watch.answered(line)
            strikes.count(line)
            if strikes.are_out:
                return

    await _together(*(worker() for _ in range(min(job.settings.concurrency, len(samples)))))
    strikes.raise_if_out()


class Strikes:
    """Counts answers in a row that nobody gave."""

    def __init__(self) -> None:
        self._in_row = 0
        self._last: LogLine | None = None

    def count(self, line: LogLine) -> None:
        if self.are_out:  # what was in flight still comes in
            return
        self._in_row = self._in_row + 1 if line.retryable else 0
        self._last = line

    @property
    def are_out(self) -> bool:
        return self._in_row >= STRIKES

    def raise_if_out(self) -> None:
        """Nothing, unless the run has to stop.

        Raises:
            ModelUnavailable, GraphUnavailable: whichever did not answer.
        """
        if not self.are_out or self._last is None:
            return
        kind, _, message = (self._last.error or "").partition(": ")
        error: type[TemGraphError] = GraphUnavailable if kind == GraphUnavailable.__name__ else ModelUnavailable
        raise error(f"{STRIKES} questions in a row got no answer; the last: {message}", hint=GO_ON)


async def _together(*work: Coroutine[None, None, None]) -> None:
    """All of it, at once; the first error of ours ends the others and is raised alone."""
    try:
        async with asyncio.TaskGroup() as tasks:
            for coroutine in work:
                tasks.create_task(coroutine)
    except BaseExceptionGroup as group:
        ours, others = group.split(TemGraphError)
        error = _first(others or group)
        if ours is None or others is not None:
            raise error from error.__cause__
        if isinstance(error, ModelUnavailable | GraphUnavailable):
            error.hint = f"{error.hint}; {GO_ON}" if error.hint else GO_ON
        raise error from error.__cause__


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner
