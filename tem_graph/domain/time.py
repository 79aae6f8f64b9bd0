"""Dates of two kinds, kept apart: when a session took place, and since when something holds in the world.

Periods are half-open, `[from, to)`. Nothing here reads the wall clock or the machine's zone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Self

from tem_graph.errors import InputError

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
"""English names, whatever the machine's locale."""


class Precision(StrEnum):
    """How exactly a date was stated."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class PartialDate:
    """A calendar date as exact as it was stated: 2019, September 2024, or 3 June 2022.

    `day` is the first day of the stated period and the one that orders facts. `words` is what the text
    said ("since September"), kept for people; it does not take part in comparisons.

    >>> PartialDate.parse("2024-09").isoformat(), PartialDate.parse("2024-09").end
    ('2024-09', datetime.date(2024, 10, 1))
    """

    day: date
    precision: Precision = Precision.DAY
    words: str | None = None

    def __post_init__(self) -> None:
        if self.precision is Precision.YEAR:
            object.__setattr__(self, "day", self.day.replace(month=1, day=1))
        elif self.precision is Precision.MONTH:
            object.__setattr__(self, "day", self.day.replace(day=1))

    @classmethod
    def parse(cls, text: str, *, words: str | None = None) -> Self:
        """Read `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or an ISO 8601 time, whose local day counts.

        Raises:
            InputError: the text is none of these, or no such day exists (2023-02-30).
        """
        stripped = text.strip()
        try:
            match stripped.count("-"), len(stripped):
                case 0, 4:
                    return cls(date(int(stripped), 1, 1), Precision.YEAR, words)
                case 1, 6 | 7:
                    year, month = stripped.split("-")
                    return cls(date(int(year), int(month), 1), Precision.MONTH, words)
                case _:
                    return cls(datetime.fromisoformat(stripped).date(), Precision.DAY, words)
        except ValueError as error:
            raise InputError(
                f"{text!r} is not a date: {error}", hint="write YYYY, YYYY-MM, YYYY-MM-DD or an ISO 8601 time"
            ) from error

    @property
    def end(self) -> date:
        """The first day after the stated period."""
        match self.precision:
            case Precision.YEAR:
                return self.day.replace(year=self.day.year + 1)
            case Precision.MONTH:
                return (self.day + timedelta(days=32)).replace(day=1)
            case Precision.DAY:
                return self.day + timedelta(days=1)

    def isoformat(self) -> str:
        """The date with just the digits that were stated."""
        return self.day.isoformat()[: {"year": 4, "month": 7, "day": 10}[self.precision]]

    @property
    def phrase(self) -> str:
        """The date as a sentence says when: with "in" for a month or year, "on" for a day.

        >>> [PartialDate.parse(text).phrase for text in ("2023", "2023-06", "2023-06-04")]
        ['in 2023', 'in June 2023', 'on 2023-06-04']
        """
        match self.precision:
            case Precision.YEAR:
                return f"in {self}"
            case Precision.MONTH:
                return f"in {MONTHS[self.day.month - 1]} {self.day.year}"
            case Precision.DAY:
                return f"on {self}"

    def __str__(self) -> str:
        return self.isoformat()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PartialDate):
            return NotImplemented
        return (self.day, self.precision) == (other.day, other.precision)

    def __hash__(self) -> int:
        return hash((self.day, self.precision))


@dataclass(frozen=True, slots=True)
class SessionDate:
    """When a session took place: the instant that orders it and the speaker's own calendar day.

    "2026-03-14T21:30:00-04:00" is 14 March for the speaker although UTC already says the 15th. `text`
    is the ISO 8601 form with the offset as given.
    """

    instant: datetime
    has_time: bool = True

    @classmethod
    def parse(cls, value: str | date | datetime, *, zone: tzinfo = UTC, field: str = "date") -> Self:
        """Read an ISO 8601 day or time. A value without an offset is read in `zone` (setting `timezone`).

        Raises:
            InputError: not a date, or no such day; names `field`.
        """
        if isinstance(value, str):
            text = value.strip()
            try:
                parsed = datetime.fromisoformat(text)
            except ValueError as error:
                raise InputError(
                    f"{field}: {value!r} is not an ISO 8601 date or time ({error})",
                    hint="write 2024-03-02, 2024-03-02T09:30:00 or 2024-03-02T09:30:00+01:00",
                ) from error
            has_time = len(text) > 10
        elif isinstance(value, datetime):
            parsed, has_time = value, True
        else:
            parsed, has_time = datetime.combine(value, time()), False
        return cls(parsed if parsed.tzinfo else parsed.replace(tzinfo=zone), has_time)

    @property
    def day(self) -> date:
        """The calendar day where the session took place."""
        return self.instant.date()

    @property
    def text(self) -> str:
        return self.instant.isoformat() if self.has_time else self.day.isoformat()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Period:
    """`[start, end)` in days; `None` is an open or unknown side.

    >>> Period(date(2020, 1, 1), date(2021, 1, 1)).overlaps(Period(date(2021, 1, 1), None))
    False
    """

    start: date | None
    end: date | None

    def contains(self, day: date) -> bool:
        return (self.start is None or self.start <= day) and (self.end is None or day < self.end)

    def overlaps(self, other: Period) -> bool:
        """Whether at least one day lies in both (Allen: neither before, meets, met-by nor after)."""
        starts_in_time = self.start is None or other.end is None or self.start < other.end
        return starts_in_time and (other.start is None or self.end is None or other.start < self.end)

    def before(self, other: Period) -> bool:
        """Whether this one is over by the time the other begins (Allen: before or meets)."""
        return self.end is not None and other.start is not None and self.end <= other.start


@dataclass(frozen=True, slots=True)
class AsOf:
    """The point that a question is asked from, in both orders.

    `today` decides which stated days have come. `valid_at` asks what held on another day instead.
    `known_after` is the source key of a session (`source_key`): only what had been told by the end of
    that session counts.
    """

    today: date
    valid_at: date | None = None
    known_after: str | None = None
