"""Dates from words: the session's own day, the tense of the clause, the precision of the words, and no guessing."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tem_graph.domain.time import PartialDate, Precision, SessionDate
from tem_graph.ingest.date_words import DAY_WORDS, MONTHS, WEEKDAYS
from tem_graph.ingest.dates import DateReading, Direction, Unresolved, find_time_words, read_date, resolve

TUESDAY = SessionDate.parse("2024-01-02")


def read(words: str, told: str | None = "2024-01-02", direction: Direction | None = None, *, end: bool = False) -> str:
    """The date as it was stated, else the reason."""
    reading = read_date(words, SessionDate.parse(told) if told else None, direction=direction, end=end)
    return reading.date.isoformat() if reading.date else str(reading.why)


@pytest.fixture(params=["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def machine_zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Run as if the machine stood in that zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system cannot change its zone within a process")
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    if before is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


class TestReportedCases:
    """The kinds relative-dates, time-zone and odd-dates of the reported cases, as far as words decide them."""

    @pytest.mark.parametrize(
        ("case", "words", "told", "direction", "expected"),
        [
            ("RD-01", "today", "2026-02-11T09:00:00Z", "past", "2026-02-11"),
            ("RD-01", "on 3 June 2022", "2026-02-11T09:00:00Z", "past", "2022-06-03"),
            ("RD-03", "on 4 March 2019", "2024-02-01", "past", "2019-03-04"),
            ("RD-03", "on 12 June 2021", "2024-02-01", "past", "2021-06-12"),
            ("RD-03", "Today", "2024-02-01", "past", "2024-02-01"),
            ("RD-05", "Last month", "2022-08-19", "past", "2022-07"),
            ("RD-07", "On New Year's Eve", "2024-01-02", "past", "2023-12-31"),
            ("RD-07", "On New Year’s Eve", "2024-01-02", None, "2023-12-31"),
            ("RD-07", "In December", "2024-01-02", "past", "2023-12"),
            ("TZ-01", "today", "2026-03-14T21:30:00-04:00", None, "2026-03-14"),
            ("PD-01", "2023-02-30", "2023-03-05", None, "impossible"),
            ("PD-03", "on 1 September 2024", "2024-03-01", "future", "2024-09-01"),
        ],
    )
    @pytest.mark.usefixtures("machine_zone")
    def test_case(self, case: str, words: str, told: str, direction: Direction | None, expected: str) -> None:
        assert read(words, told, direction) == expected


class TestWordings:
    """Told on Tuesday, 2 January 2024."""

    @pytest.mark.parametrize(
        ("words", "past", "future"),
        [
            # the tense decides
            ("September", "2023-09", "2024-09"),
            ("in January", "2024-01", "2024-01"),
            ("mid-March", "2023-03", "2024-03"),
            ("on 1 September", "2023-09-01", "2024-09-01"),
            ("Sept. 1st", "2023-09-01", "2024-09-01"),
            ("the 3rd of June", "2023-06-03", "2024-06-03"),
            ("2 January", "2024-01-02", "2024-01-02"),
            ("29 February", "2020-02-29", "2024-02-29"),
            ("on Friday", "2023-12-29", "2024-01-05"),
            ("Tue", "2023-12-26", "2024-01-09"),
            ("on the 5th", "2023-12-05", "2024-01-05"),
            ("on the 31st", "2023-12-31", "2024-01-31"),
            ("in spring", "2023-03", "2024-03"),
            ("in the winter", "2023-12", "2023-12"),
            ("Christmas Eve", "2023-12-24", "2024-12-24"),
            ("Easter", "2023-04-09", "2024-03-31"),
            ("over the weekend", "2023-12-30", "2024-01-06"),
            ("this week", "2024-01-01", "2024-01-02"),
            # the words decide, whatever the tense
            ("since September", "2023-09", "2023-09"),
            ("last Friday", "2023-12-29", "2023-12-29"),
            ("this past Saturday", "2023-12-30", "2023-12-30"),
            ("next Friday", "2024-01-05", "2024-01-05"),
            ("last December", "2023-12", "2023-12"),
            ("last winter", "2022-12", "2022-12"),
            ("next June", "2024-06", "2024-06"),
            ("in June last year", "2023-06", "2023-06"),
            ("June of next year", "2025-06", "2025-06"),
            ("two weeks ago", "2023-12-19", "2023-12-19"),
            ("ten days ago", "2023-12-23", "2023-12-23"),
            ("a fortnight ago", "2023-12-19", "2023-12-19"),
            ("about three months ago", "2023-10", "2023-10"),
            ("a couple of months ago", "2023-11", "2023-11"),
            ("half a year ago", "2023-07", "2023-07"),
            ("a year and a half ago", "2022-07", "2022-07"),
            ("a year ago", "2023", "2023"),
            ("a year ago today", "2023-01-02", "2023-01-02"),
            ("twenty-one years ago", "2003", "2003"),
            ("over a decade ago", "2014", "2014"),
            ("10 days from now", "2024-01-12", "2024-01-12"),
            ("yesterday evening", "2024-01-01", "2024-01-01"),
            ("last night", "2024-01-01", "2024-01-01"),
            ("the day before yesterday", "2023-12-31", "2023-12-31"),
            ("the day after tomorrow", "2024-01-04", "2024-01-04"),
            ("last week", "2023-12-25", "2023-12-25"),
            ("Monday last week", "2023-12-25", "2023-12-25"),
            ("next week on Tuesday", "2024-01-09", "2024-01-09"),
            ("last weekend", "2023-12-30", "2023-12-30"),
            ("last month", "2023-12", "2023-12"),
            ("the month before last", "2023-11", "2023-11"),
            ("next month", "2024-02", "2024-02"),
            ("at the end of the month", "2024-01", "2024-01"),
            ("last year", "2023", "2023"),
            ("late last year", "2023", "2023"),
            ("at the end of last year", "2023-12", "2023-12"),
            ("for the past three years", "2021", "2021"),
            # absolute
            ("in 2019", "2019", "2019"),
            ("early 2020", "2020", "2020"),
            ("at the beginning of 2020", "2020-01", "2020-01"),
            ("June 2021", "2021-06", "2021-06"),
            ("2021-06", "2021-06", "2021-06"),
            ("March '21", "2021-03", "2021-03"),
            ("May '98", "1998-05", "1998-05"),
            ("June 3rd, 2022", "2022-06-03", "2022-06-03"),
            ("on Friday, 3 June 2022 at 5 pm", "2022-06-03", "2022-06-03"),
            ("summer of 2019", "2019-06", "2019-06"),
            ("winter 2021", "2021", "2021"),
            ("Q3 2021", "2021-07", "2021-07"),
            ("Christmas 2022", "2022-12-25", "2022-12-25"),
            ("06/13/2021", "2021-06-13", "2021-06-13"),
            ("13/06/2021", "2021-06-13", "2021-06-13"),
            ("12.6.2021", "2021-06-12", "2021-06-12"),
            ("2021/06/12", "2021-06-12", "2021-06-12"),
            ("2024-3-5", "2024-03-05", "2024-03-05"),
            ("2024-03-02T23:30:00-05:00", "2024-03-02", "2024-03-02"),
            ("2024-03-02T23:30Z", "2024-03-02", "2024-03-02"),
            # no date
            ("12/06/2021", "ambiguous", "ambiguous"),
            ("2023-02-30", "impossible", "impossible"),
            ("2023-13-01", "impossible", "impossible"),
            ("30 February 2023", "impossible", "impossible"),
            ("31 April", "impossible", "impossible"),
            ("31/31/2021", "impossible", "impossible"),
            ("5000 years ago", "impossible", "impossible"),
            ("9999-12-31", "impossible", "impossible"),
            ("a few weeks ago", "vague", "vague"),
            ("in the last month", "vague", "vague"),
            ("the 1990s", "vague", "vague"),
            ("recently", "vague", "vague"),
            ("present", "vague", "vague"),
            ("since I was 12", "not_a_date", "not_a_date"),
            ("since then", "not_a_date", "not_a_date"),
            ("two days later", "not_a_date", "not_a_date"),
            ("before 2019", "not_a_date", "not_a_date"),
            ("9/11", "not_a_date", "not_a_date"),
            ("Lisbon", "not_a_date", "not_a_date"),
            ("", "not_a_date", "not_a_date"),
        ],
    )
    def test_reads(self, words: str, past: str, future: str) -> None:
        assert (read(words, direction="past"), read(words, direction="future")) == (past, future)

    @pytest.mark.parametrize(
        ("words", "direction", "expected"),
        [
            ("in two weeks", "past", "vague"),  # "I built it in two weeks"
            ("in two weeks", "future", "2024-01-16"),
            ("in two weeks' time", None, "2024-01-16"),
            ("for three years", "past", "vague"),  # "I lived there for three years"
            ("for three years now", None, "2021"),
            ("this Friday", None, "2024-01-05"),
            ("this Friday", "past", "2023-12-29"),
            ("this Tuesday", None, "2024-01-02"),
            ("this spring", None, "2024-03"),
            ("this spring", "past", "2023-03"),
            ("this winter", None, "2023-12"),
            ("this June", None, "2024-06"),
        ],
    )
    def test_tense(self, words: str, direction: Direction | None, expected: str) -> None:
        assert read(words, direction=direction) == expected

    @pytest.mark.parametrize(
        ("words", "start", "end"),
        [
            ("from 2015 to 2019", "2015", "2019"),
            ("2015–2019", "2015", "2019"),
            ("2015/2019", "2015", "2019"),
            ("June to August 2021", "2021-06", "2021-08"),
            ("between 3 May 2020 and last Friday", "2020-05-03", "2023-12-29"),
            ("from June 2021 until further notice", "2021-06", "not_a_date"),
            ("in 2019", "2019", "2019"),
        ],
    )
    def test_ranges(self, words: str, start: str, end: str) -> None:
        assert (read(words), read(words, end=True)) == (start, end)

    @pytest.mark.parametrize(
        ("words", "told", "expected"),
        [
            ("last summer", "2024-07-10", "2023-06"),
            ("last summer", "2024-09-01", "2024-06"),
            ("last June", "2024-06-30", "2023-06"),
            ("last June", "2024-07-01", "2024-06"),
            ("this winter", "2024-11-20", "2024-12"),
            ("one month ago", "2024-03-31", "2024-02"),
            ("last month", "2024-03-31", "2024-02"),
            ("a year ago today", "2024-02-29", "2023-02-28"),
            ("an hour ago", "2024-03-02T00:30:00+01:00", "2024-03-01"),
            ("last weekend", "2024-01-07", "2023-12-30"),
            ("2 decades ago", "1987-05-05", "1967"),
        ],
    )
    def test_edges_of_the_calendar(self, words: str, told: str, expected: str) -> None:
        assert read(words, told) == expected


class TestWithoutSessionDate:
    @pytest.mark.parametrize(
        "words", ["in 2019", "3 June 2022", "June 2021", "2023-05-01", "Christmas 2022", "Q3 2021"]
    )
    def test_absolute_words_keep_their_date(self, words: str) -> None:
        assert resolve(words, None) == resolve(words, TUESDAY) is not None

    @pytest.mark.parametrize(
        "words", ["today", "last Friday", "in June", "two weeks ago", "on the 5th", "next month", "May '98", "Easter"]
    )
    def test_relative_words_have_none(self, words: str) -> None:
        assert read_date(words, None).why is Unresolved.NO_SESSION_DATE

    def test_says_so(self) -> None:
        note = read_date("today", None).note
        assert note == "'today' is counted from the day of the session, which has no date"


def test_keeps_the_words() -> None:
    reading = read_date("Since  September,", TUESDAY)
    assert reading == DateReading("Since  September,", PartialDate(date(2023, 9, 1), Precision.MONTH))
    assert reading.date is not None
    assert reading.date.words == "Since  September,"
    assert reading.note is None
    assert read_date("2023-02-30", TUESDAY).note == "'2023-02-30' is no day of the calendar"


days = st.dates(date(1950, 1, 1), date(2090, 12, 31))
offsets = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
sessions = st.builds(
    lambda day, clock, zone: SessionDate(datetime.combine(day, clock, zone)), days, st.times(), offsets
)
tenses = st.sampled_from([None, "past", "future"])
numbers = st.integers(1, 60)
relative = st.one_of(
    st.sampled_from([*MONTHS, *WEEKDAYS, *DAY_WORDS, "spring", "winter", "Christmas", "the 5th", "the weekend"]),
    st.builds("{} {}".format, st.sampled_from(["last", "this", "next"]), st.sampled_from([*MONTHS, *WEEKDAYS, "week"])),
    st.builds("{} {} ago".format, numbers, st.sampled_from(["days", "weeks", "months", "years"])),
    st.builds("in {} {}".format, numbers, st.sampled_from(["days", "weeks", "months", "years"])),
)

HEAP = [
    "since",
    "in",
    "the",
    "last",
    "next",
    "of",
    "5",
    "31",
    "may",
    "june",
    "friday",
    "2019",
    "'21",
    "ago",
    "week",
    "'",
    "-",
    "/",
    "end",
    "0",
    "99",
]


class TestLaws:
    @given(relative, sessions, tenses, offsets)
    def test_the_local_day_alone_decides(
        self, words: str, told: SessionDate, tense: Direction | None, zone: timezone
    ) -> None:
        """The same day elsewhere in the world, or a day without a time, gives the same date."""
        elsewhere = SessionDate(datetime.combine(told.day, told.instant.time(), zone))
        day_only = SessionDate.parse(told.day.isoformat(), zone=zone)
        expected = read_date(words, told, direction=tense)
        assert read_date(words, elsewhere, direction=tense) == expected
        assert read_date(words, day_only, direction=tense) == expected

    @given(days, st.integers(0, 1000))
    def test_days_are_counted_exactly(self, day: date, number: int) -> None:
        told = SessionDate.parse(day.isoformat())
        assert resolve(f"{number} days ago", told) == PartialDate(day - timedelta(days=number))
        assert resolve(f"in {number} days", told) == PartialDate(day + timedelta(days=number))

    @given(st.sampled_from([*MONTHS, *WEEKDAYS, "1 September", "summer", "Halloween", "the 5th"]), sessions)
    def test_past_has_begun_and_future_is_not_over(self, words: str, told: SessionDate) -> None:
        past, future = (resolve(words, told, direction=tense) for tense in ("past", "future"))
        assert past is not None
        assert past.day <= told.day
        assert future is not None
        assert future.day > told.day - timedelta(days=92)
        assert past.day <= future.day
        assert (future.day - past.day).days <= 366

    @given(sessions, days, tenses)
    def test_iso_dates_are_what_they_are(self, told: SessionDate, day: date, tense: Direction | None) -> None:
        written = f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"
        for words in (day.isoformat(), written, f"on {written}"):
            assert resolve(words, told, direction=tense) == PartialDate(day)
        assert resolve(day.isoformat()[:7], None) == PartialDate(day, Precision.MONTH)
        assert resolve(str(day.year), None) == PartialDate(day, Precision.YEAR)

    @given(st.text(), sessions)
    def test_any_text_has_a_date_or_a_reason(self, text: str, told: SessionDate) -> None:
        reading = read_date(text, told)
        assert (reading.date is None) == (reading.why is not None) == (reading.note is not None)

    @given(
        st.lists(
            st.sampled_from(HEAP),
            max_size=6,
        ).map(" ".join),
        sessions,
    )
    def test_so_has_any_heap_of_time_words(self, words: str, told: SessionDate) -> None:
        reading = read_date(words, told)
        assert (reading.date is None) == (reading.why is not None)

    @pytest.mark.usefixtures("machine_zone")
    @settings(max_examples=25)
    @given(day=days)
    def test_the_machines_zone_does_not_matter(self, day: date) -> None:
        told = SessionDate(datetime.combine(day, datetime.min.time().replace(hour=23, minute=30), UTC))
        read_here = [str(resolve(words, told)) for words in ("yesterday", "last Friday", "2 weeks ago", "3 hours ago")]
        friday = day - timedelta(days=(day.weekday() - 5) % 7 + 1)
        expected = [day - timedelta(days=1), friday, day - timedelta(days=14), day]
        assert read_here == [str(PartialDate(d)) for d in expected]


class TestFinding:
    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("I moved to Lund last Friday, and I may walk.", ["last Friday"]),
            ("My old lease started on 3 June 2022. I signed today.", ["on 3 June 2022", "today"]),
            ("On New Year’s Eve I proposed. In December I changed jobs.", ["On New Year’s Eve", "In December"]),
            ("I have lived here since early 2020.", ["since early 2020"]),
            ("We met a couple of months ago.", ["a couple of months ago"]),
            ("We met two\n weeks  ago.", ["two\n weeks  ago"]),
            ("On the 5th floor, on the 5th.", ["on the 5th"]),
            ("I own about 2000 books and 1984 records.", []),
            ("They march, he sat, I may fall.", []),
            ("In May they march.", ["In May"]),
            ("Today's news says 2024-03-05.", ["2024-03-05"]),
            ("From 2015 to 2019 I lived in Ravn.", ["From 2015"]),
            ("", []),
        ],
    )
    def test_finds(self, text: str, found: list[str]) -> None:
        assert [text[start:end] for start, end in find_time_words(text)] == found

    @given(st.text(max_size=20), relative, st.text(max_size=20))
    def test_what_is_found_can_be_read(self, before: str, words: str, after: str) -> None:
        text = f"{before} {words} {after}"
        for start, end in find_time_words(text):
            assert read_date(text[start:end], TUESDAY).why not in (Unresolved.NOT_A_DATE, Unresolved.AMBIGUOUS)
