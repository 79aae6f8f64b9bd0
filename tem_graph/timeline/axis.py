"""The axis that all bars of a chart share: days, or, where nothing has a date, sessions in order. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

MOST_TICKS = 12
EMPTY_TAIL = 3.0
"""Days after the last change that are drawn at most, as a part of the days before it: what holds is drawn up to today,
but a history keeps a quarter of the width, however many years have passed since. A matter of looks."""
_TAIL = 0.03
"""Room at either side, as a part of the days between. A matter of looks."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A labelled place on the axis; `at` is from 0 to 1."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Turns days, or numbers of sessions, into places from 0 to 1.

    `today` is the place of today, None where it lies beyond the right edge or there are no days.
    """

    ticks: tuple[Tick, ...]
    start: date | None = None
    end: date | None = None
    today: float | None = None
    sessions: tuple[str, ...] = ()

    @property
    def is_dated(self) -> bool:
        return self.start is not None

    @property
    def open_end(self) -> float:
        """The place up to which something that still holds is drawn: today, or the right edge."""
        return self.today if self.today is not None else 1.0

    def at(self, day: date) -> float:
        """The place of a day; days beyond an edge lie on it."""
        assert self.start is not None
        assert self.end is not None
        return min(1.0, max(0.0, (day - self.start).days / (self.end - self.start).days))

    def between(self, first: int, last: int | None) -> tuple[float, float]:
        """The places from one session to another, by their numbers from 0; None is the right edge."""
        steps = len(self.sessions)
        return first / steps, last / steps if last is not None else 1.0


def day_axis(first: date, last: date, today: date) -> Axis:
    """An axis of days that shows everything from `first` to `last`, and today where that is not too far away."""
    known = max(1, (last - first).days)
    end = today if last < today and (today - last).days <= max(60, known * EMPTY_TAIL) else last
    room = max(1, round((end - first).days * _TAIL))
    start, end = _shifted(first, -room), _shifted(end, room)
    span = (end - start).days
    ticks = tuple(Tick((day - start).days / span, label) for day, label in _ticks(start, end))
    return Axis(ticks, start, end, (today - start).days / span if start <= today <= end else None)


def _shifted(day: date, days: int) -> date:
    return date.fromordinal(min(date.max.toordinal(), max(date.min.toordinal(), day.toordinal() + days)))


def session_axis(sessions: Sequence[str]) -> Axis:
    """An axis of sessions, each as wide as the next."""
    step = max(1, -(-len(sessions) // MOST_TICKS))
    ticks = tuple(Tick(n / len(sessions), name) for n, name in enumerate(sessions) if n % step == 0)
    return Axis(ticks, sessions=tuple(sessions))


def _ticks(start: date, end: date) -> Iterator[tuple[date, str]]:
    span = (end - start).days
    months = next(
        (m for m in (1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000) if span / (m * 30.4) <= MOST_TICKS), 12000
    )
    if span <= 45:
        days = next(d for d in (1, 2, 7, 14) if span / d <= MOST_TICKS)
        for n in range(0, span + 1, days):
            day = start + timedelta(days=n)
            yield day, day.isoformat()
        return
    year, month = (start.year, 1) if months < 12 else (start.year - start.year % (months // 12), 1)
    while year <= end.year:
        if year >= 1 and start <= date(year, month, 1) <= end:
            yield date(year, month, 1), str(year) if months >= 12 else f"{year}-{month:02}"
        month += months
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
