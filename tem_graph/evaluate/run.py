"""From options to a finished log: what `tem-graph evaluate JOB` does before anything is scored."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tem_graph.evaluate.job import Adapters, Job
from tem_graph.evaluate.log import LogLine, LogWriter
from tem_graph.evaluate.prepare import JobOptions, prepare
from tem_graph.evaluate.questions import write_questions
from tem_graph.evaluate.runner import Unwatched, Watch, open_respondent, run_here
from tem_graph.settings import Settings


@dataclass(frozen=True, slots=True)
class JobResult:
    """A finished run. `lines` are of this and of earlier turns at the same log."""

    job: Job
    folder: Path
    lines: tuple[LogLine, ...]

    @property
    def failed(self) -> int:
        return sum(line.error is not None for line in self.lines)


async def run_job(
    options: JobOptions,
    settings: Settings,
    folder: Path,
    *,
    watch: Watch | None = None,
    adapters: Adapters | None = None,
    retry_failed: bool = False,
    forget: bool = False,
    ray_address: str | None = None,
) -> JobResult:
    """The run of these options in the folder, begun or gone on with until every sample has a line.

    Args:
        retry_failed: ask again what failed for a reason that does not pass by itself.
        forget: remove the memories at the end; else they stay for the next run that builds the same.
        ray_address: run on this Ray cluster (`local` starts one here).

    Raises:
        EvaluationError: the folder holds another run, or data and options do not fit.
        ModelUnavailable, GraphUnavailable: nobody answers any more; run again to go on.
    """
    job = await prepare(options, settings, adapters)
    watch = watch or Unwatched()
    with LogWriter(folder, job.spec) as log:
        write_questions(folder, job.data.questions)
        if ray_address is not None:
            from tem_graph.evaluate.on_ray import run_on_ray

            await run_on_ray(job, folder, log, watch, address=ray_address, retry_failed=retry_failed)
        else:
            await run_here(job, folder, log, watch, retry_failed=retry_failed)
        if forget:
            await _forget(job)
        return JobResult(job, folder, tuple(log.lines.values()))


async def _forget(job: Job) -> None:
    respondent = await open_respondent(job)
    try:
        for group in job.data.conversations:
            await respondent.forget(group)
    finally:
        await respondent.aclose()
