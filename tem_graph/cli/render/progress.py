"""The progress of an ingest, on standard error: a bar on a terminal, else a line a session where asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.text import Text

from tem_graph.cli.output import clean, console
from tem_graph.domain.outcome import Outcome


class _Rate(ProgressColumn):
    """Sessions a second."""

    def render(self, task: Task) -> Text:
        return Text("" if task.speed is None else f"{task.speed:.1f}/s", style="dim")


@contextmanager
def ingest_progress(total: int, *, verbose: bool) -> Iterator[Callable[[Outcome], None]]:
    """A function to call with each outcome, from any thread."""
    screen = console(sys.stderr)
    if not screen.is_terminal:
        yield _say_line if verbose else lambda outcome: None
        return
    counts: dict[str, Any] = {"facts": 0, "rejected": 0, "tokens": 0}
    progress = Progress(
        TextColumn("reading sessions"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        _Rate(),
        TextColumn("{task.fields[facts]} facts, {task.fields[rejected]} rejected, {task.fields[tokens]} tokens"),
        TimeRemainingColumn(),
        console=screen,
        transient=True,
    )
    task = progress.add_task("", total=total, **counts)

    def advance(outcome: Outcome) -> None:
        counts["facts"] += outcome.facts
        counts["rejected"] += outcome.rejected
        counts["tokens"] += outcome.usage.prompt_tokens + outcome.usage.output_tokens
        progress.update(task, advance=1, **counts)

    with progress:
        yield advance


def _say_line(outcome: Outcome) -> None:
    reason = f": {outcome.reason}" if outcome.reason else ""
    click.echo(
        clean(f"{outcome.session}: {outcome.status}, {outcome.facts} facts, {outcome.rejected} rejected{reason}"),
        err=True,
    )
