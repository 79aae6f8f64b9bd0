"""Time in a question: how near a session is to the days that the question names. Pure.

Time orders candidates and leaves none out: what happened in June may be told in July, and a question's own date may
be wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from tem_graph.domain.time import Period


@dataclass(frozen=True, slots=True)
class When:
    """Days that a question names. `every_year` where it names no year: "in June"."""

    period: Period
    every_year: bool = False


def nearness(day: date | None, when: Sequence[When], *, before_days: int, after_days: int) -> float:
    """1 inside one of the periods, falling to 0 at `before_days` before it or `after_days` after it: people tell what
    has happened within days, and plan it some days ahead. 0 where the question names no time.

    >>> june = When(Period(date(2023, 6, 1), date(2023, 7, 1)))
    >>> nearness(date(2023, 6, 9), [june], before_days=7, after_days=14)
    1.0
    >>> nearness(date(2023, 7, 7), [june], before_days=7, after_days=14)
    0.5
    """
    if day is None:
        return 0.0
    return max((_nearness(day, one, before_days, after_days) for one in when), default=0.0)


def _nearness(day: date, when: When, before_days: int, after_days: int) -> float:
    start, end = when.period.start, when.period.end
    if start is None or end is None:
        return 1.0 if when.period.contains(day) else 0.0
    if when.every_year:
        start, end = min(
            (_moved(start, end, day.year + step) for step in (-1, 0, 1)), key=lambda period: _gap(day, *period)
        )
    days = _gap(day, start, end)
    limit = after_days if day >= end else before_days
    return max(0.0, 1.0 - days / limit) if days else 1.0


def _gap(day: date, start: date, end: date) -> int:
    """Days between `day` and `[start, end)`; 0 inside."""
    return max((start - day).days, (day - end).days + 1, 0)


def _moved(start: date, end: date, year: int) -> tuple[date, date]:
    """The same days of another year."""
    first = date(year, start.month, min(start.day, 28))
    return first, first + timedelta(days=(end - start).days)
