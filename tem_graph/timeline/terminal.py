"""A chart as lines of text for a terminal: one row per value, bars on the common axis. Pure.

What a bar is can be told without colour: `┣━━▶` holds now, `├──┤` held once, `┣╳╳▶` is contradicted, `◇┄┄` is
planned. Where a terminal lacks those characters, `=`, `-`, `x` and `.` stand for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from tem_graph.timeline.axis import Axis
from tem_graph.timeline.chart import Bar, Chart, Lane, Mark, Row

NARROW = 64
"""Columns below which bars say nothing any more and a list is drawn."""
WIDE = 100
"""Columns from which the dates stand beside the bars."""
_DATES = 24
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_STYLE = {Mark.CURRENT: "bold green", Mark.PAST: "cyan", Mark.CONFLICTING: "bold red", Mark.PLANNED: "yellow"}


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """How a bar is drawn: its beginning, its middle, where it ended, where it runs on."""

    begin: dict[Mark, str]
    middle: dict[Mark, str]
    ended: str
    running: str
    today: str


UNICODE = _Glyphs(
    begin={Mark.CURRENT: "┣", Mark.PAST: "├", Mark.CONFLICTING: "┣", Mark.PLANNED: "◇"},
    middle={Mark.CURRENT: "━", Mark.PAST: "─", Mark.CONFLICTING: "╳", Mark.PLANNED: "┄"},
    ended="┤",
    running="▶",
    today="╎",
)
ASCII = _Glyphs(
    begin={Mark.CURRENT: "[", Mark.PAST: "|", Mark.CONFLICTING: "[", Mark.PLANNED: "<"},
    middle={Mark.CURRENT: "=", Mark.PAST: "-", Mark.CONFLICTING: "x", Mark.PLANNED: "."},
    ended="|",
    running=">",
    today=":",
)


def draw(chart: Chart, width: int, *, unicode: bool = True) -> Iterator[Text]:
    """The chart's lines, at most `width` columns each; the list of a narrow terminal may be wider."""
    if not chart.subjects:
        yield Text("nothing known")
        return
    glyphs = UNICODE if unicode else ASCII
    frame = None if width < NARROW else _Frame.for_chart(chart, width)
    for number, subject in enumerate(chart.subjects):
        if number:
            yield Text()
        yield Text(_fit(subject.subject, width).rstrip(), style="bold")
        if frame is None:
            for lane in subject.lanes:
                yield from _listed(lane)
            continue
        yield _axis_line(chart.axis, frame)
        for lane in subject.lanes:
            yield from _lane_lines(lane, chart.axis, frame, glyphs)
    if frame is not None:
        yield Text()
        yield _legend(chart, glyphs, width)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Columns of the parts of a line: relation, value, bars, dates (0 where there is no room)."""

    relation: int
    value: int
    bars: int
    dates: int

    @classmethod
    def for_chart(cls, chart: Chart, width: int) -> _Frame:
        lanes = [lane for subject in chart.subjects for lane in subject.lanes]
        relation = min(max(cell_len(lane.relation) for lane in lanes), 18)
        most = max(12, width // 5)
        value = min(max(cell_len(row.label) for lane in lanes for row in lane.rows), most)
        dates = _DATES if width >= WIDE and chart.axis.is_dated else 0
        bars = width - 1 - relation - 2 - value - 2 - (dates + 2 if dates else 0)
        return cls(relation, value, bars, dates)


def _axis_line(axis: Axis, frame: _Frame) -> Text:
    cells = [" "] * frame.bars
    free = 0
    for tick in axis.ticks:
        at = int(tick.at * frame.bars)
        label = tick.label if cell_len(tick.label) <= 16 else _fit(tick.label, 16).rstrip()
        if at >= free and at + cell_len(label) <= frame.bars:
            cells[at : at + cell_len(label)] = [label, *[""] * (cell_len(label) - 1)]
            free = at + cell_len(label) + 1
    return Text(" " * (frame.relation + frame.value + 5) + "".join(cells).rstrip(), style="dim")


def _lane_lines(lane: Lane, axis: Axis, frame: _Frame, glyphs: _Glyphs) -> Iterator[Text]:
    for number, row in enumerate(lane.rows):
        line = Text(" ")
        line.append(
            _fit(lane.relation if number == 0 else "", frame.relation) + "  ", style="bold" if number == 0 else ""
        )
        line.append(_fit(row.label, frame.value) + "  ", style=_STYLE[row.bars[-1].mark])
        line.append_text(_bars(row, axis, frame.bars, glyphs))
        if frame.dates:
            line.append("  " + _fit(_dates(row) if lane.is_dated else "order only", frame.dates), "dim")
        line.rstrip()
        yield line


def _bars(row: Row, axis: Axis, width: int, glyphs: _Glyphs) -> Text:
    cells = [(" ", "")] * width
    if axis.today is not None:
        cells[min(int(axis.today * width), width - 1)] = (glyphs.today, "dim")
    for bar in row.bars:
        first = min(int(bar.begin * width), width - 1)
        last = max(first, min(int(bar.finish * width) - 1, width - 1))
        style = _STYLE[bar.mark]
        for at in range(first, last + 1):
            cells[at] = (glyphs.middle[bar.mark], style)
        if bar.start is not None or not axis.is_dated:
            cells[first] = (glyphs.begin[bar.mark], style)
        if last > first and bar.mark is not Mark.PLANNED:
            cells[last] = (glyphs.running if bar.is_running else glyphs.ended, style)
    line = Text()
    for character, style in cells:
        line.append(character, style=style)
    return line


def _dates(row: Row) -> str:
    bar = row.bars[-1]
    again = f" ({len(row.bars)}x)" if len(row.bars) > 1 else ""
    return period(bar) + again


def period(bar: Bar) -> str:
    """When the bar holds, in words: `since 2024-03`, `2023-03-04 to 2023-08-12`, `until 2022`."""
    if bar.mark is Mark.PLANNED:
        return f"from {bar.since}" if bar.since else "some day"
    if bar.is_running:
        return f"since {bar.since}" if bar.since else "since an unknown day"
    if bar.since is None:
        return f"until {bar.until}" if bar.until else "no dates"
    return f"{bar.since} to {bar.until or '?'}"


def _listed(lane: Lane) -> Iterator[Text]:
    """A lane for a narrow terminal: one line per bar, without an axis."""
    for bar in lane.bars:
        label = "" if bar.mark is Mark.CURRENT else f" [{'historical' if bar.mark is Mark.PAST else bar.mark}]"
        line = Text(f" {lane.relation}: ")
        line.append(_CONTROL.sub("·", bar.label), style=_STYLE[bar.mark])
        line.append(label + (f", {period(bar)}" if lane.is_dated else ""), style="dim")
        yield line


def _legend(chart: Chart, glyphs: _Glyphs, width: int) -> Text:
    line = Text(" ")
    for mark, words in (
        (Mark.CURRENT, "holds now"),
        (Mark.PAST, "held once"),
        (Mark.CONFLICTING, "conflicting"),
        (Mark.PLANNED, "planned"),
    ):
        if mark in chart.marks:
            end = glyphs.ended if mark is Mark.PAST else glyphs.running if mark is not Mark.PLANNED else ""
            line.append(glyphs.begin[mark] + glyphs.middle[mark] * 2 + end, style=_STYLE[mark])
            line.append(f" {words}   ", style="dim")
    if chart.axis.today is not None:
        line.append(f"{glyphs.today} today", style="dim")
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    return line


def _fit(words: str, width: int) -> str:
    """The words in exactly `width` columns, wide characters counted as two, control characters as a dot."""
    words = _CONTROL.sub("·", words)
    if cell_len(words) <= width:
        return set_cell_size(words, width)
    return set_cell_size(set_cell_size(words, width - 1).rstrip() + "…", width)
