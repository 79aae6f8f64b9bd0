"""Which day each shape of wording means, seen from the session's day and the tense of the clause.

Month names, number words and the calendar itself are the business of dateparser and dateutil; which of
several years or weeks is meant, and how exact the words are, is decided here.
"""

from __future__ import annotations

import calendar
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

from tem_graph.domain.time import PartialDate, Precision, SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.date_words import DAY_WORDS, WEEKDAYS, Wording

Direction = Literal["past", "future"]

_NEAR_YEARS = 9  # 29 February comes back within eight years, nine over 1900 and 2100
_ONE_DAY = timedelta(days=1)
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_HOLIDAYS = {
    "new year": (1, 1),
    "new year's": (1, 1),
    "new year's day": (1, 1),
    "new year's eve": (12, 31),
    "valentine's": (2, 14),
    "valentine's day": (2, 14),
    "halloween": (10, 31),
    "christmas": (12, 25),
    "christmas day": (12, 25),
    "christmas eve": (12, 24),
    "boxing day": (12, 26),
}


class Unresolved(StrEnum):
    """Why words have no date."""

    NO_SESSION_DATE = "no_session_date"
    IMPOSSIBLE = "impossible"
    AMBIGUOUS = "ambiguous"
    VAGUE = "vague"
    NOT_A_DATE = "not_a_date"


class Unread(Exception):
    def __init__(self, why: Unresolved) -> None:
        self.why = why


@dataclass(frozen=True, slots=True)
class SeenFrom:
    """The session's day and the tense of the clause."""

    told: SessionDate | None
    direction: Direction | None

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def now(self) -> datetime:
        """The speaker's own wall clock; noon where the session has a day only."""
        if self.told is None:
            raise Unread(Unresolved.NO_SESSION_DATE)
        return (
            self.told.instant.replace(tzinfo=None) if self.told.has_time else datetime.combine(self.told.day, time(12))
        )


Found = tuple[date, Precision]
_Reader = Callable[[Wording, SeenFrom], Found]


# What is absolute: the library reads it, and refuses days that do not exist.


def _parse(text: str, base: datetime) -> date:
    import dateparser

    parsed: datetime | None = dateparser.parse(
        text,
        languages=["en"],
        settings={"RELATIVE_BASE": base, "DATE_ORDER": "DMY", "PARSERS": ["relative-time", "absolute-time"]},
    )
    if parsed is None:
        raise Unread(Unresolved.IMPOSSIBLE)
    return parsed.date()


@lru_cache(maxsize=4096)
def _absolute(day: int | None, month: str, year: int) -> date:
    return _parse(f"{day or 1} {month} {year:04}", datetime(year, 1, 1))  # noqa: DTZ001 - a calendar day


def _iso(wording: Wording, seen_from: SeenFrom) -> Found:
    day, *clock = wording.match[0].upper().replace(" ", "T").split("T", 1)
    padded = "-".join(number.zfill(2) for number in day.split("-"))
    try:
        read = PartialDate.parse("T".join([padded, *clock]))
    except InputError:
        raise Unread(Unresolved.IMPOSSIBLE) from None
    return read.day, read.precision


def _numeric(wording: Wording, seen_from: SeenFrom) -> Found:
    first, second, year = (int(wording.match[part]) for part in ("first", "second", "year"))
    if first <= 12 and second <= 12 and first != second and wording.match["mark"] == "/":
        raise Unread(Unresolved.AMBIGUOUS)
    day, month = (first, second) if first > 12 or wording.match["mark"] == "." else (second, first)
    return date(year, month, day), Precision.DAY


def _year_first(wording: Wording, seen_from: SeenFrom) -> Found:
    return date(*(int(wording.match[part]) for part in ("year", "month", "day"))), Precision.DAY


def _year(wording: Wording, seen_from: SeenFrom) -> Found:
    return date(int(wording.match["year"]), 1, 1), Precision.YEAR


def _quarter(wording: Wording, seen_from: SeenFrom) -> Found:
    return date(int(wording.match["year"]), 3 * int(wording.match["quarter"]) - 2, 1), Precision.MONTH


# What comes back every year, month or week: of its occurrences, which one is meant.


@dataclass(frozen=True, slots=True)
class _Occurrence:
    start: date
    end: date  # the first day after it


def _pick(occurrences: Sequence[_Occurrence], which: str | None, seen_from: SeenFrom) -> date:
    """The start of the occurrence meant; occurrences come in order of time.

    last: the newest that is over. next: the first that has not begun. this: the newest that has begun in a
    past clause, else the one under way or of this year. Otherwise the tense of the clause decides: the
    newest that has begun, or the first that is not over.
    """
    today, direction = seen_from.today, seen_from.direction
    begun = [o for o in occurrences if o.start <= today]
    coming = [o for o in occurrences if o.start > today]
    running = [o for o in begun if o.end > today]
    match _time_word(which):
        case "last":
            chosen = [o for o in begun if o.end <= today][-1:]
        case "next":
            chosen = coming[:1]
        case "this" if direction != "past":
            chosen = running[-1:] or [o for o in begun + coming if o.start.year == today.year][:1]
        case _:
            chosen = (running + coming)[:1] if direction == "future" else begun[-1:]
    if not chosen:
        raise Unread(Unresolved.IMPOSSIBLE)
    return chosen[0].start


def _time_word(which: str | None) -> str | None:
    """last, this or next, for all their synonyms."""
    if which is None or which == "this":
        return which
    return "last" if which.removeprefix("this ") in ("last", "past", "previous") else "next"


def _yearly(wording: Wording, seen_from: SeenFrom, start: Callable[[int], date], length: relativedelta) -> date:
    """The start in the year that the wording names, else the occurrence it means. `start` raises for none."""
    year = _stated_year(wording, seen_from)
    if year is not None:
        return start(year)
    occurrences: list[_Occurrence] = []
    for near in range(seen_from.today.year - _NEAR_YEARS, seen_from.today.year + _NEAR_YEARS + 1):
        try:
            occurrences.append(_Occurrence(start(near), start(near) + length))
        except Unread:
            continue  # no 29 February that year
    return _pick(occurrences, wording.match.groupdict().get("which"), seen_from)


def _stated_year(wording: Wording, seen_from: SeenFrom) -> int | None:
    groups = wording.match.groupdict()
    if which := groups["which_year"]:
        return seen_from.today.year + {"last": -1, "this": 0, "next": 1}[which]
    if not groups["year"]:
        return None
    digits = groups["year"].lstrip("'")
    if len(digits) == 4:
        return int(digits)
    # '98 is 1998 and '21 is 2021: at most 10 years ahead of the session
    latest = seen_from.today.year + 10
    return latest - (latest - int(digits)) % 100


def _day_and_month(wording: Wording, seen_from: SeenFrom) -> Found:
    day, month = int(wording.match["day"]), wording.match["month"]
    return _yearly(wording, seen_from, lambda year: _absolute(day, month, year), relativedelta(days=1)), Precision.DAY


def _month(wording: Wording, seen_from: SeenFrom) -> Found:
    month = wording.match["month"]
    start = _yearly(wording, seen_from, lambda year: _absolute(None, month, year), relativedelta(months=1))
    return start, Precision.MONTH


def _season(wording: Wording, seen_from: SeenFrom) -> Found:
    season = wording.match["season"]
    if season == "winter" and (year := _stated_year(wording, seen_from)) is not None:
        return date(year, 1, 1), Precision.YEAR  # it has a winter at either end
    first = _SEASONS[season]
    start = _yearly(wording, seen_from, lambda year: date(year, first, 1), relativedelta(months=3))
    return start, Precision.MONTH


def _holiday(wording: Wording, seen_from: SeenFrom) -> Found:
    holiday = wording.match["holiday"]

    def start(year: int) -> date:
        if holiday.startswith("easter"):
            sunday: date = easter(year)
            return sunday + (_ONE_DAY if holiday.endswith("monday") else timedelta())
        return date(year, *_HOLIDAYS[holiday])

    return _yearly(wording, seen_from, start, relativedelta(days=1)), Precision.DAY


def _day_of_month(wording: Wording, seen_from: SeenFrom) -> Found:
    day = int(wording.match["day"])
    if not 1 <= day <= 31:
        raise Unread(Unresolved.IMPOSSIBLE)
    months = (seen_from.today.replace(day=1) + relativedelta(months=n) for n in range(-2, 3))
    days = [m.replace(day=day) for m in months if day <= calendar.monthrange(m.year, m.month)[1]]
    return _pick([_Occurrence(d, d + _ONE_DAY) for d in days], None, seen_from), Precision.DAY


def _weekday(wording: Wording, seen_from: SeenFrom) -> Found:
    # On a Friday, "on Friday" is another Friday: the day itself is called today.
    number, today = _number_of_weekday(wording.match["weekday"]), seen_from.today
    which = _time_word(wording.match["which"]) or ("next" if seen_from.direction == "future" else "last")
    if which == "this":
        if number == today.weekday():
            return today, Precision.DAY
        which = "last" if seen_from.direction == "past" else "next"
    days = (number - today.weekday() - 1) % 7 + 1 if which == "next" else -((today.weekday() - number - 1) % 7 + 1)
    return today + timedelta(days=days), Precision.DAY


def _number_of_weekday(name: str) -> int:
    return next(number for number, weekday in enumerate(WEEKDAYS) if weekday.startswith(name[:3]))


def _weekday_of_week(wording: Wording, seen_from: SeenFrom) -> Found:
    weeks = {"last": -1, "this": 0, "next": 1}[_time_word(wording.match["which"]) or "this"]
    monday = _monday(seen_from.today) + timedelta(weeks=weeks)
    return monday + timedelta(days=_number_of_weekday(wording.match["weekday"])), Precision.DAY


# What is counted from the session's day.


def _the_weekend(wording: Wording, seen_from: SeenFrom) -> Found:
    saturday = _monday(seen_from.today) + timedelta(days=5)
    is_past = saturday > seen_from.today and seen_from.direction != "future"
    return saturday - timedelta(weeks=is_past), Precision.DAY


def _period(wording: Wording, seen_from: SeenFrom) -> Found:
    steps = {"last": -1, "this": 0, "next": 1}[_time_word(wording.match["which"]) or "this"]
    return _period_at(wording.match["unit"], steps, seen_from)


def _period_beyond(wording: Wording, seen_from: SeenFrom) -> Found:
    return _period_at(wording.match["unit"], -2 if wording.match["beyond"] == "before last" else 2, seen_from)


def _period_at(unit: str, steps: int, seen_from: SeenFrom) -> Found:
    today = seen_from.today
    match unit:
        case "year":
            return today + relativedelta(years=steps), Precision.YEAR
        case "month":
            return today + relativedelta(months=steps), Precision.MONTH
        case "weekend":  # from Sunday on, "last weekend" is still the one before
            return _monday(today) + timedelta(weeks=steps, days=5), Precision.DAY
        case _:
            monday = _monday(today) + timedelta(weeks=steps)
            plan_of_this_week = steps == 0 and seen_from.direction == "future"
            return today if plan_of_this_week else monday, Precision.DAY


def _monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def _ago(wording: Wording, seen_from: SeenFrom) -> Found:
    return _counted(wording, "{} ago", seen_from)


def _ahead(wording: Wording, seen_from: SeenFrom) -> Found:
    return _counted(wording, "in {}", seen_from)


def _in_span(wording: Wording, seen_from: SeenFrom) -> Found:
    if seen_from.direction == "past":
        raise Unread(Unresolved.VAGUE)  # "I built it in two weeks" is a length
    return _counted(wording, "in {}", seen_from)


def _for_span(wording: Wording, seen_from: SeenFrom) -> Found:
    if seen_from.direction is not None:
        raise Unread(Unresolved.VAGUE)  # "I lived there for two years" is a length without a start
    return _counted(wording, "{} ago", seen_from)


def _span_until_now(wording: Wording, seen_from: SeenFrom) -> Found:
    if not wording.match[0].startswith("for"):
        raise Unread(Unresolved.VAGUE)  # at some time "in the last year"
    span = f"{wording.match['number'] or 1} {wording.match['unit']}s"
    return _count(span, "{} ago", wording.match["unit"], seen_from)


_SPANS = {"half a year": "6 months", "a year and a half": "18 months"}


def _counted(wording: Wording, form: str, seen_from: SeenFrom) -> Found:
    groups = wording.match.groupdict()
    span = _SPANS.get(groups["span"], groups["span"])
    if (groups["number"] or "").endswith(("couple", "of")):
        span = f"2 {groups['unit']}s"
    day, precision = _count(span, form, groups["unit"] or "month", seen_from)
    return day, Precision.DAY if groups.get("to_the_day") else precision


def _count(span: str, form: str, unit: str, seen_from: SeenFrom) -> Found:
    precision = {"month": Precision.MONTH, "year": Precision.YEAR, "decade": Precision.YEAR}.get(unit, Precision.DAY)
    return _parse(form.format(span), seen_from.now), precision


def _day_word(wording: Wording, seen_from: SeenFrom) -> Found:
    return seen_from.today + timedelta(days=DAY_WORDS[wording.match["day_word"]]), Precision.DAY


def _vague(wording: Wording, seen_from: SeenFrom) -> Found:
    raise Unread(Unresolved.VAGUE)


READERS: dict[str, _Reader] = {
    "iso": _iso,
    "numeric": _numeric,
    "year_first": _year_first,
    "day_month": _day_and_month,
    "month_day": _day_and_month,
    "month": _month,
    "season": _season,
    "quarter": _quarter,
    "holiday": _holiday,
    "weekday_in_week": _weekday_of_week,
    "week_weekday": _weekday_of_week,
    "weekday": _weekday,
    "span_until_now": _span_until_now,
    "period_beyond": _period_beyond,
    "period": _period,
    "the_weekend": _the_weekend,
    "ago": _ago,
    "ahead": _ahead,
    "in_span": _in_span,
    "for_span": _for_span,
    "day_word": _day_word,
    "day_of_month": _day_of_month,
    "year": _year,
    "vague": _vague,
}
