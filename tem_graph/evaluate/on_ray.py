"""Runs a job on a Ray cluster: workers build and answer near their model, the log stays here and stays one.

Ray Data does the work of a scheduler: it keeps a pool of workers, restarts one that is lost, and gives its piece to
another. A piece that is done twice so changes nothing: memories are built by whole sessions, and of two lines of one
sample the last counts. The cluster needs this package in every worker's environment, and Neo4j and the model at the
addresses that the driver's settings name.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.errors import EvaluationError, GraphUnavailable, ModelUnavailable, SettingsError, TemGraphError
from tem_graph.evaluate.builds import BuildLine, append_builds
from tem_graph.evaluate.job import Job, Sample
from tem_graph.evaluate.log import LogLine, LogWriter
from tem_graph.evaluate.respond import Respondent
from tem_graph.evaluate.runner import GO_ON, Strikes, Watch, groups_of, open_respondent, open_samples

LOCAL = "local"
LOCAL_WORKERS = 2
_BOOKMARK = "bookmark "
PIECE = 8
"""Samples that a worker answers together; all of a piece are done again when its worker is lost. A guess."""


async def run_on_ray(job: Job, folder: Path, log: LogWriter, watch: Watch, *, address: str, retry_failed: bool) -> None:
    """Every open sample has a line in the log, answered by the workers of the cluster at `address`.

    Raises:
        SettingsError: Ray is not installed. EvaluationError: no cluster answers there.
        ModelUnavailable, GraphUnavailable: nobody answers the workers; run again to go on.
    """
    samples = open_samples(job, log, retry_failed=retry_failed)
    watch.answering(len(job.samples), len(job.samples) - len(samples))
    if samples:
        # Ray's calls block, and it wants no event loop around it.
        await asyncio.to_thread(_run, job, folder, log, watch, address, samples)


def _run(job: Job, folder: Path, log: LogWriter, watch: Watch, address: str, samples: Sequence[Sample]) -> None:
    with _cluster(address) as (ray, workers):
        shipped = ray.put(job)
        groups = groups_of(samples)
        watch.building(sum(len(job.data.conversations.get(group, ())) for group in groups))
        written: dict[str, None] = {}
        for row in _rows(ray, Builder, (shipped,), groups, piece=1, workers=workers):
            if row.startswith(_BOOKMARK):
                written[row.removeprefix(_BOOKMARK)] = None
                continue
            line = BuildLine.model_validate_json(row)
            if line.status is not OutcomeStatus.UNCHANGED:
                append_builds(folder, [line])
            watch.built(_outcome(line))
        strikes = Strikes()
        work = [f"{config}\t{question.id}" for config, question in samples]
        for row in _rows(ray, Answerer, (shipped, tuple(written)), work, piece=PIECE, workers=workers):
            answered = LogLine.model_validate_json(row)
            log.append([answered])
            watch.answered(answered)
            strikes.count(answered)
            if strikes.are_out:
                break
        strikes.raise_if_out()


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Any, int]]:
    """Ray, connected, and how many workers to keep: one a node, near that node's model."""
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise SettingsError("a Ray cluster needs ray", hint="pip install 'tem-graph[ray]'") from error
    is_local = address == LOCAL
    try:
        # Twice the workers: Ray Data's own tasks want a place beside them.
        ray.init(
            address=address,
            num_cpus=2 * LOCAL_WORKERS if is_local else None,
            include_dashboard=False if is_local else None,
            log_to_driver=False,
            logging_level="WARNING",
        )
    except Exception as error:  # the library raises bare Exception where a node is slow to start
        raise EvaluationError(
            f"no Ray cluster answers at {address}: {error}",
            hint="start one with `ray start --head`, or use --ray local",
        ) from error
    try:
        ray.data.DataContext.get_current().enable_progress_bars = False
        nodes = sum(bool(node["Alive"]) for node in ray.nodes())
        yield ray, LOCAL_WORKERS if is_local else max(1, nodes)
    finally:
        ray.shutdown()


def _rows(
    ray: Any, worker: type, given: tuple[object, ...], work: Sequence[str], *, piece: int, workers: int
) -> Iterator[str]:
    """What the workers hand back, one text a row, as soon as each piece is done."""
    pieces = math.ceil(len(work) / piece)
    done = ray.data.from_items([{"work": text} for text in work], override_num_blocks=pieces).map_batches(
        worker,
        batch_size=piece,
        fn_constructor_args=given,
        concurrency=min(workers, pieces),
        num_cpus=1,
        max_restarts=-1,
        max_task_retries=-1,
    )
    try:
        for row in done.iter_rows():
            yield str(row["row"])
    except ray.exceptions.RayError as error:
        raise _as_ours(error) from error


def _as_ours(error: BaseException) -> TemGraphError:
    """Our own error out of a worker's; Ray wraps it several times."""
    inner: BaseException | None = error
    while inner is not None:
        inner = getattr(inner, "cause", None) or inner.__cause__
        if isinstance(inner, ModelUnavailable | GraphUnavailable):
            return type(inner)(inner.message, hint=GO_ON)
        if isinstance(inner, TemGraphError):
            return inner
    return EvaluationError(f"a Ray worker failed: {error}", hint=GO_ON)


class _Worker:
    """Holds one respondent, on an event loop of its own that lives as long as the worker."""

    def __init__(self, job: Any) -> None:
        import ray

        self._job: Job = ray.get(job)
        self._runner = asyncio.Runner()
        self._respondent: Respondent = self._runner.run(open_respondent(self._job))


class Builder(_Worker):
    """Builds the memories of the groups that it is handed; gives back one row per session, and bookmarks."""

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        lines: list[str] = []
        for group in map(str, batch["work"]):
            memory = self._job.memory_of(group)

            def note(outcome: Outcome, memory: str = memory, group: str = group) -> None:
                lines.append(BuildLine.of(memory, group, outcome).model_dump_json())

            self._runner.run(self._respondent.build(group, note))
        written = self._runner.run(self._respondent.bookmarks())
        return {"row": [*lines, *(f"{_BOOKMARK}{bookmark}" for bookmark in written)]}


class Answerer(_Worker):
    """Answers the samples that it is handed, all at once; gives back one line of the log per row."""

    def __init__(self, job: Any, written: Sequence[str]) -> None:
        super().__init__(job)
        self._runner.run(self._respondent.catch_up(written))
        self._samples = {(str(config), question.id): (config, question) for config, question in self._job.samples}

    def __call__(self, batch: dict[str, Any]) -> dict[str, list[str]]:
        keys = [tuple(str(text).split("\t", 1)) for text in batch["work"]]
        return {"row": self._runner.run(self._answer(keys))}

    async def _answer(self, keys: Sequence[tuple[str, ...]]) -> list[str]:
        samples = [self._samples[config, id_] for config, id_ in keys]
        lines = await asyncio.gather(*(self._respondent.answer(config, question) for config, question in samples))
        return [line.model_dump_json() for line in lines]


def _outcome(line: BuildLine) -> Outcome:
    return Outcome(line.session, line.status, line.extractor, facts=line.facts, rejected=line.rejected)
