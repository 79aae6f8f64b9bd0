"""What a start tells a person: sentences and a progress bar, on standard error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from tem_graph.server.model import Reporter


@contextmanager
def terminal_reporter() -> Iterator[Reporter]:
    """A reporter for the length of a `with` block; the bar appears when there is something to download."""
    console = Console(stderr=True, highlight=False)
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
    )

    def end() -> None:
        if progress.live.is_started:  # else rich would print an empty line
            progress.stop()

    def begin(size: int, files: int) -> None:
        progress.add_task(f"downloading {files} jars", total=size)
        progress.start()

    def say(message: str) -> None:
        end()
        console.print(message, markup=False)

    def advance(size: int) -> None:
        progress.advance(progress.task_ids[0], size)

    try:
        yield Reporter(say=say, download_begins=begin, downloaded=advance)
    finally:
        end()
