"""The days that a question names, for ordering what may answer it. English only, like `ingest.dates`."""

from __future__ import annotations

from datetime import date

from tem_graph.domain.time import Period, SessionDate
from tem_graph.ingest.date_words import plain, take_apart
from tem_graph.ingest.dates import find_time_words, read_date
from tem_graph.retrieve.hybrid.when import When

_YEARLY = frozenset({"day_month", "month_day", "month", "season", "holiday"})
"""Shapes of wording that come again every year, unless they say which."""
_WHICH_YEAR = ("year", "which", "which_year")


def times_in(question: str, today: date) -> tuple[When, ...]:
    """The periods that the question names, in its order, seen from `today`. Pure.

    >>> times_in("Where did Ana go in June, and what about 3 May 2023?", date(2024, 1, 9))[1].period.start
    datetime.date(2023, 5, 3)
    """
    told = SessionDate.parse(today)
    found = []
    for start, end in find_time_words(question):
        words = question[start:end]
        named = read_date(words, told, direction="past").date
        if named is not None:
            found.append(When(Period(named.day, named.end), _comes_every_year(words)))
    return tuple(found)


def _comes_every_year(words: str) -> bool:
    wording = next(take_apart(plain(words)), None)
    if wording is None or wording.shape not in _YEARLY:
        return False
    groups = wording.match.groupdict()
    return not any(groups.get(name) for name in _WHICH_YEAR)
