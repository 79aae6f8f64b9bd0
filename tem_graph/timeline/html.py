"""A chart as one self-contained web page: no script, no font, no picture from elsewhere. Pure.

Names and quotes are data: the template escapes every one of them, and the page's content policy forbids scripts, so
that not even a hole in the escaping could run any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from rich.cells import cell_len

from tem_graph.domain.names import fold
from tem_graph.timeline.chart import Bar, Chart, Lane, Mark, SubjectChart
from tem_graph.timeline.terminal import period

if TYPE_CHECKING:
    from jinja2 import Template

HUES = (252, 152, 62, 312, 202, 22, 102, 282, 342, 172)
"""Degrees on the colour wheel, far apart for neighbours; a value keeps its hue when it returns. A matter of looks."""
NARROW = 0.075
"""Width, as a part of the axis, from which any label goes into its bar, cut where it is longer."""
_LABEL = 0.2
_PADDING, _LETTER = 0.025, 0.009
"""What a label takes of the axis beside a bar, at most and by its letters. Guesses for a page of common width."""
_ROW_REM = 2.5


@dataclass(frozen=True, slots=True)
class _DrawnBar:
    """A bar with what the page needs beside it: an id, a hue, its row, and which way its tip opens."""

    bar: Bar
    id: str
    hue: int
    row: int
    period: str
    label_side: str
    """`inside`; `before` or `after` where the bar is too narrow and there is room beside it; else `nowhere`."""

    @property
    def place(self) -> str:
        """Where the bar lies, as CSS."""
        return f"left:{self.bar.begin * 100:.3f}%;width:{(self.bar.finish - self.bar.begin) * 100:.3f}%"

    @property
    def opens_left(self) -> bool:
        return self.bar.begin > 0.6

    @property
    def first_quote(self) -> str | None:
        return next((t.quote for t in (*self.bar.tellings, *self.bar.ended_by) if t.quote), None)


@dataclass(frozen=True, slots=True)
class _DrawnLane:
    relation: str
    is_dated: bool
    bars: tuple[_DrawnBar, ...]

    @property
    def height(self) -> str:
        return f"{(1 + max((b.row for b in self.bars), default=0)) * _ROW_REM:g}rem"


@dataclass(frozen=True, slots=True)
class _DrawnSubject:
    name: str
    id: str
    lanes: tuple[_DrawnLane, ...]
    current: tuple[tuple[str, str, Mark], ...]
    marks: frozenset[Mark]

    @property
    def stays(self) -> int:
        return sum(len(lane.bars) for lane in self.lanes)


def render_page(chart: Chart, *, title: str, today: date) -> str:
    """The page as HTML text, UTF-8. `today` is the day that it was drawn for."""
    subjects = tuple(_draw(subject, number) for number, subject in enumerate(chart.subjects, start=1))
    return _template().render(
        title=title,
        today=today.isoformat(),
        subjects=subjects,
        axis=chart.axis,
        marks=chart.marks,
        Mark=Mark,
        css=resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8"),
    )


@cache
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    source = resources.files(__package__).joinpath("page.html.jinja").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(source)


def _draw(subject: SubjectChart, number: int) -> _DrawnSubject:
    lanes = tuple(
        _DrawnLane(lane.relation, lane.is_dated, tuple(_draw_bars(lane, f"s{number}-{place}")))
        for place, lane in enumerate(subject.lanes, start=1)
    )
    marks = frozenset(bar.mark for lane in subject.lanes for bar in lane.bars)
    return _DrawnSubject(subject.subject, f"s{number}", lanes, subject.current, marks)


def _draw_bars(lane: Lane, prefix: str) -> Iterator[_DrawnBar]:
    places = {fold(row.label): place for place, row in enumerate(lane.rows)}
    rows = _rows(lane, places)
    for number, (bar, row) in enumerate(zip(lane.bars, rows, strict=True), start=1):
        others = [other for other, at in zip(lane.bars, rows, strict=True) if at == row and other is not bar]
        yield _DrawnBar(
            bar,
            id=f"{prefix}-{number}",
            hue=HUES[places[fold(bar.label)] % len(HUES)],
            row=row,
            period=period(bar) if lane.is_dated else f"number {number} in order, no dates",
            label_side=_label_side(bar, others),
        )


def _label_side(bar: Bar, others: Sequence[Bar]) -> str:
    needed = min(_LABEL, _PADDING + _LETTER * cell_len(bar.label))
    if bar.finish - bar.begin >= min(NARROW, needed):
        return "inside"
    room_before = bar.begin - max((o.finish for o in others if o.begin < bar.begin), default=0.0)
    room_after = min((o.begin for o in others if o.begin >= bar.finish), default=1.0) - bar.finish
    if max(room_before, room_after) < needed:
        return "nowhere"
    return "after" if room_after >= room_before else "before"


def _rows(lane: Lane, places: Mapping[str, int]) -> list[int]:
    """The row of each bar: its value's where many may hold at once, else the first that is free."""
    ends: list[float] = []
    return [places[fold(bar.label)] if lane.holds_many else _free_row(ends, bar) for bar in lane.bars]


def _free_row(ends: list[float], bar: Bar) -> int:
    """The first row where the bar overlaps nothing; `ends` is where each row is free again."""
    row = next((n for n, end in enumerate(ends) if end <= bar.begin + 1e-9), len(ends))
    if row == len(ends):
        ends.append(0.0)
    ends[row] = bar.finish
    return row
