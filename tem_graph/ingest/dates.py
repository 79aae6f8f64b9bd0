"""From the words of a text, or an ISO date, to a day with its precision, seen from the session's own day.

"Last Friday" is counted from the calendar day where the speaker was, never from the UTC day, the machine's
zone or the wall clock. What cannot be told for sure is left without a date, with the reason. English only.
`docs/decisions/effective-dates.md` lists the readings that are conventions.
"""

from __future__ import annotations

from dataclasses import dataclass

from tem_graph.domain.time import PartialDate, Precision, SessionDate
from tem_graph.ingest.date_shapes import READERS, Direction, Found, SeenFrom, Unread, Unresolved
from tem_graph.ingest.date_words import find_time_words, plain, split_range, take_apart

__all__ = ["DateReading", "Direction", "Unresolved", "find_time_words", "read_date", "resolve"]

_YEARS = range(1000, 3000)

_NOTES = {
    Unresolved.NO_SESSION_DATE: "{!r} is counted from the day of the session, which has no date",
    Unresolved.IMPOSSIBLE: "{!r} is no day of the calendar",
    Unresolved.AMBIGUOUS: "{!r} can be read as two different days",
    Unresolved.VAGUE: "{!r} names no certain day, month or year",
    Unresolved.NOT_A_DATE: "{!r} is not understood as a date",
}


@dataclass(frozen=True, slots=True)
class DateReading:
    """What `words` say: a date, or why there is none."""

    words: str
    date: PartialDate | None = None
    why: Unresolved | None = None

    @property
    def note(self) -> str | None:
        """A sentence for people where there is no date."""
        return _NOTES[self.why].format(self.words) if self.why else None


def resolve(
    words: str, told: SessionDate | None, *, direction: Direction | None = None, end: bool = False
) -> PartialDate | None:
    """The date that `words` name, or None; `read_date` says why there is none. Pure."""
    return read_date(words, told, direction=direction, end=end).date


def read_date(
    words: str, told: SessionDate | None, *, direction: Direction | None = None, end: bool = False
) -> DateReading:
    """The date that `words` name for someone who spoke at `told`, with the precision of the words. Pure.

    `told` is the session's date; without one, only words that name a year have a date. `direction` is the
    tense of the clause and decides what "in June" or "on 1 September" means; unset reads as past, and words
    that say it themselves ("next month", "since May") win. Of a range ("from 2015 to 2019") the start is
    read, with `end` the end. The date carries `words` as they are.

    >>> told = SessionDate.parse("2024-01-02T23:30:00-05:00")
    >>> for words in "since December", "last Friday", "two months ago", "2023-02-30":
    ...     reading = read_date(words, told)
    ...     print(reading.date or reading.why)
    2023-12
    2023-12-29
    2023-11
    impossible
    """
    text = plain(words)
    seen_from = SeenFrom(told, direction)
    try:
        found = _first_reading(text, seen_from)
        if found is None and (ends := split_range(text)):
            found = _first_reading(ends[1] if end else ends[0], seen_from)
        if found is None:
            raise Unread(Unresolved.NOT_A_DATE)
    except Unread as unread:
        return DateReading(words, why=unread.why)
    except (ValueError, OverflowError):  # the calendar ends at the years 1 and 9999
        return DateReading(words, why=Unresolved.IMPOSSIBLE)
    day, precision = found
    if day.year not in _YEARS:
        return DateReading(words, why=Unresolved.IMPOSSIBLE)
    return DateReading(words, PartialDate(day, precision, words))


def _first_reading(text: str, seen_from: SeenFrom) -> Found | None:
    wording = next(take_apart(text), None)
    if wording is None:
        return None
    if "since" in wording.leads or "back in" in wording.leads:
        seen_from = SeenFrom(seen_from.told, "past")
    day, precision = READERS[wording.shape](wording, seen_from)
    if precision is Precision.YEAR and wording.part in ("start", "beginning"):
        return day.replace(month=1, day=1), Precision.MONTH
    if precision is Precision.YEAR and wording.part == "end":
        return day.replace(month=12, day=1), Precision.MONTH
    return day, precision
