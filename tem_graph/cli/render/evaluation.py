"""How a job goes on, on standard error: a bar with the time left on a terminal, else a line now and then."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table

from tem_graph.cli.output import clean, console
from tem_graph.domain.outcome import Outcome
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.runner import Unwatched, Watch

if TYPE_CHECKING:
    from tem_graph.evaluate.scoring.score import ScoredRun

SAY_EVERY = 10
"""Per cent of the samples between two lines where there is no terminal."""


@contextmanager
def job_progress() -> Iterator[Watch]:
    """Who to tell how the job goes on."""
    screen = console(sys.stderr)
    if not screen.is_terminal:
        yield _Lines()
        return
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[more]}"),
        TimeRemainingColumn(),
        console=screen,
    )
    with progress:
        yield _Bars(progress)


class _Bars(Unwatched):
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._reading: TaskID | None = None
        self._answering: TaskID | None = None
        self._facts = self._failed = self._by_law = 0

    def building(self, sessions: int) -> None:
        if sessions:
            self._reading = self._progress.add_task("reading sessions", total=sessions, more="")

    def built(self, outcome: Outcome) -> None:
        self._facts += outcome.facts
        if self._reading is not None:
            self._progress.update(self._reading, advance=1, more=f"{self._facts} facts")

    def answering(self, samples: int, done: int) -> None:
        self._answering = self._progress.add_task("answering", total=samples, completed=done, more="")

    def answered(self, line: LogLine) -> None:
        self._by_law += line.path == "operator"
        self._failed += line.error is not None
        more = f"{self._by_law} by operators" + (f", {self._failed} failed" if self._failed else "")
        if self._answering is not None:
            self._progress.update(self._answering, advance=1, more=more)


class _Lines(Unwatched):
    def __init__(self) -> None:
        self._samples = self._done = self._failed = 0

    def building(self, sessions: int) -> None:
        if sessions:
            _say(f"reading {sessions} sessions, those left out that are stored already")

    def answering(self, samples: int, done: int) -> None:
        self._samples, self._done = samples, done
        _say(f"{samples} answers, {done} of them there already")

    def answered(self, line: LogLine) -> None:
        before, self._done = self._done, self._done + 1
        self._failed += line.error is not None
        step = max(1, self._samples * SAY_EVERY // 100)
        if before // step != self._done // step or self._done == self._samples:
            _say(f"{self._done} of {self._samples} answered" + (f", {self._failed} failed" if self._failed else ""))
        if line.error is not None:
            _say(f"{line.config} {line.id}: {line.error}")


def _say(text: str) -> None:
    click.echo(clean(text), err=True)


def draw_scores(console: Console, scored: ScoredRun, report: Path) -> None:
    """Counts and overall figures by configuration, and where the report is."""
    overall = [figure for figure in scored.figures if figure.by == "overall"]
    measures = list(dict.fromkeys(figure.measure for figure in overall))
    table = Table("configuration", "asked", "answered", "by operators", "failed", *measures, title=scored.spec.job)
    for config in scored.configs:
        account = scored.account(config)
        counts = (account.asked, account.answered, account.by_operator, account.failed) if account else ()
        shown = []
        for measure in measures:
            figure = scored.figure(config, measure)
            shown.append(
                f"{100 * figure.value:.1f} ({figure.total:g}/{figure.asked - figure.left_out})"
                if figure is not None and figure.value is not None
                else ""
            )
        table.add_row(config, *map(str, counts), *shown)
    console.print(table)
    console.print(str(report))
