"""Charts of a memory: which histories, onto which console, into which file."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from rich.console import Console

from tem_graph.cli.output import draws_unicode
from tem_graph.domain.time import AsOf
from tem_graph.errors import InputError
from tem_graph.memory import GroupHistory, group_histories
from tem_graph.sync import TemporalMemory
from tem_graph.temporal.order import OrderPolicy
from tem_graph.timeline.chart import Chart
from tem_graph.timeline.html import render_page
from tem_graph.timeline.terminal import draw

_WIDEST = 140


def histories_of(memory: TemporalMemory, subject: str | None, relation: str | None, as_of: AsOf) -> list[GroupHistory]:
    """The histories of one subject, or of everybody in the memory, in one read.

    Raises:
        NotFound: nothing is known about that subject.
    """
    if subject is not None:
        found: list[GroupHistory] = memory.history(subject, relation, as_of=as_of)
        return found
    facts = (hit.fact for hit in memory.facts(relation=relation))
    return group_histories(facts, as_of, OrderPolicy.EFFECTIVE)


def draw_chart(console: Console, chart: Chart) -> None:
    for line in draw(chart, min(console.width, _WIDEST), unicode=draws_unicode(console)):
        console.print(line, no_wrap=True, overflow="ignore", crop=False)


def write_page(path: Path, chart: Chart, title: str, today: date) -> None:
    """Writes the page.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        path.write_text(render_page(chart, title=title, today=today), encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}", hint="name a file in a folder that exists"
        ) from error
