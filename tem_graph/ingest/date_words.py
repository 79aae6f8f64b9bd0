"""The English wordings of dates, as patterns: which shape a wording has, and where a text has one.

Only shapes are decided here. What day a shape means is decided in `dates`, which knows the session's day.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

_BLANKS = re.compile(r"\s+")

MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
          "december")  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DAY_WORDS = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "now on": 0,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}
"""Days from the session's day."""

_WHICH = r"(?P<which>(?:this )?(?:last|next|coming|upcoming)|this past|previous|this)"
_MONTH = rf"(?P<month>{'|'.join(MONTHS)}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
_WEEKDAY = rf"(?P<weekday>{'|'.join(WEEKDAYS)}|mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?:,? (?:of |in )?(?:(?P<year>\d{4}|'\d{2})|(?P<which_year>last|this|next) year))"
_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_NUMBER = (
    rf"(?P<number>\d{{1,4}}|(?:a )?couple(?: of)?|an?|(?:{_TENS})(?:[- ](?:{_ONES}))?|{_ONES}|ten|eleven|twelve"
    r"|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
)
_UNIT = r"(?P<unit>minute|hour|day|fortnight|week|month|year|decade)s?"
_SPAN = rf"(?P<span>half a year|a year and a half|{_NUMBER} {_UNIT})"
_TIME_OF_DAY = (
    r"(?:,? (?:in the )?(?:morning|afternoon|evening|night)"
    r"|,? (?:at|around|by) (?:noon|midnight|\d{1,2}(?::\d{2})?(?: ?[ap]\.?m\b\.?)?))?"
)

_SHAPES = {
    "iso": r"\d{4}-\d{1,2}(?:-\d{1,2}(?:[t ]\d{1,2}:\S+)?)?",
    "numeric": r"(?P<first>\d{1,2})(?P<mark>[/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4})",
    "year_first": r"(?P<year>\d{4})[/.](?P<month>\d{1,2})[/.](?P<day>\d{1,2})",
    "day_month": rf"(?:{_WEEKDAY},? )?(?:the )?{_DAY}(?: of)? {_MONTH}{_YEAR}?{_TIME_OF_DAY}",
    "month_day": rf"(?:{_WEEKDAY},? )?{_MONTH} (?:the )?{_DAY}{_YEAR}?{_TIME_OF_DAY}",
    "month": rf"(?:{_WHICH} )?{_MONTH}{_YEAR}?",
    "season": rf"(?:{_WHICH} )?(?:the )?(?P<season>spring|summer|autumn|fall|winter){_YEAR}?",
    "quarter": r"q(?P<quarter>[1-4]),? (?:of )?(?P<year>\d{4})",
    "holiday": rf"(?:{_WHICH} )?(?P<holiday>new year's(?: eve| day)?|new year|christmas(?: eve| day)?|boxing day"
    rf"|easter(?: sunday| monday)?|halloween|valentine's(?: day)?){_YEAR}?",
    "weekday_in_week": rf"{_WEEKDAY}(?: of)? {_WHICH} week",
    "week_weekday": rf"{_WHICH} week (?:on )?{_WEEKDAY}",
    "weekday": rf"(?:{_WHICH} )?{_WEEKDAY}{_TIME_OF_DAY}",
    "span_until_now": rf"(?:for|in|over|during|within) (?:the )?(?:last|past) (?:{_NUMBER} )?{_UNIT}",
    "period_beyond": r"(?:the )?(?P<unit>week|month|year) (?P<beyond>before last|after next)",
    "period": rf"{_WHICH} (?P<unit>weekend|week|month|year)",
    "the_weekend": r"the weekend",
    "ago": rf"{_SPAN} (?:ago|back)(?P<to_the_day> today)?",
    "ahead": rf"{_SPAN} (?:from (?:now|today)|hence)",
    "in_span": rf"in {_SPAN}(?:' time|'s time)?",
    "for_span": rf"for {_SPAN}(?: now)?",
    "day_word": rf"(?P<day_word>{'|'.join(sorted(DAY_WORDS, key=len, reverse=True))}){_TIME_OF_DAY}",
    "day_of_month": r"the (?P<day>\d{1,2})(?:st|nd|rd|th)",
    "year": r"(?:the year )?(?P<year>\d{4})",
    "vague": r"(?:a )?(?:few|several|some|many) \w+ (?:ago|back)|the other day|some time ago|long ago|recently|lately"
    r"|soon|someday|currently|just now|now|at the moment|present|these days|(?:the )?(?:\d\d|')?\d0s",
}
"""Shape of a whole wording, in the order of trying. Text is lower-case with single blanks and plain quotes."""

_COMPILED = [(shape, re.compile(pattern)) for shape, pattern in _SHAPES.items()]

_PART = r"(?:the )?(?:very )?(?P<part>end|start|beginning|middle) of|(?P<early>early|mid|late|earlier|later)"
_LEAD = re.compile(
    rf"(?:(?:{_PART})[ -]"
    r"|(?P<lead>since|as of|as from|with effect from|starting|beginning|effective|from|back in|back on|in|on|at|over"
    r"|during|by|until|till|up to|through|around|about|roughly|approximately|circa|sometime|some time|more than"
    r"|almost|nearly|exactly|already|only|just|ever|the)\s)"
)
_RANGES = (
    re.compile(r"(?:from )?(?P<start>.+?) (?:to|until|till|through|–|—|-) (?P<end>.+)"),
    re.compile(r"between (?P<start>.+?) and (?P<end>.+)"),
    re.compile(r"(?P<start>\d{4})\s?[/–—-]\s?(?P<end>\d{4})"),
)
_PLAIN = (
    (re.compile(r"[‘’ʼ`]"), "'"),
    (re.compile(r"^[\s\"'(“]+|[\s\"').,;:!?”]+$"), ""),
    (re.compile(r"\bof the (?=(?:year|month|week)$)"), "of this "),
    (re.compile(r"\bnew years eve\b"), "new year's eve"),
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording taken apart: its shape, and what the words before it say about it."""

    shape: str
    match: re.Match[str]
    leads: frozenset[str] = frozenset()
    part: str | None = None


def plain(words: str) -> str:
    """Lower-case, single blanks, plain quotes, and one way to say what has several."""
    text = _BLANKS.sub(" ", unicodedata.normalize("NFKC", words)).strip().lower()
    for pattern, replacement in _PLAIN:
        text = pattern.sub(replacement, text)
    return text


def take_apart(text: str) -> Iterator[Wording]:
    """Every way to read `text`, already `plain`: whole first, then without "since", "in", "the end of" and so on."""
    leads: set[str] = set()
    part = None
    while True:
        for shape, pattern in _COMPILED:
            if match := pattern.fullmatch(text):
                yield Wording(shape, match, frozenset(leads), part)
        lead = _LEAD.match(text)
        if lead is None:
            return
        leads.add(lead["lead"] or "")
        part = part or lead["part"] or lead["early"]
        text = text[lead.end() :]


def split_range(text: str) -> tuple[str, str] | None:
    """The two ends of "from 2015 to 2019"; a year that only the second end names goes to both."""
    for pattern in _RANGES:
        if match := pattern.fullmatch(text):
            start, end = match["start"], match["end"]
            year = re.search(r"\d{4}$", end)
            if year and not re.search(r"\d{4}|ago$", start):
                start = f"{start} {year[0]}"
            return start, end
    return None


# Finding: the same shapes anywhere in a text, stricter where the words also mean other things.
_LEAD_WORDS = (
    r"(?:(?:ever |back |only |just |already )?(?:since|as of|starting|from|in|on|at|over|during|by|until|till|around"
    r"|about|roughly|almost|nearly|exactly) )"
)
_PART_WORDS = r"(?:(?:the )?(?:end|start|beginning|middle) of (?:the )?|(?:early|mid|late|earlier|later)[- ])"
_AMBIGUOUS_ALONE = frozenset({"year", "day_of_month"})


def _loose(shape: str, pattern: str) -> str:
    """`pattern` without its inner names, with any blanks and quotes, and with what may stand before it."""
    inner = re.sub(r"\(\?P<\w+>", "(?:", pattern.replace("(?P=mark)", "[/.]"))
    before = rf"(?:{_LEAD_WORDS}{{1,2}}{_PART_WORDS}?|{_PART_WORDS})" + ("" if shape in _AMBIGUOUS_ALONE else "?")
    return f"(?P<{shape}>{before}{inner})".replace(" ", r"\s+").replace("'", "['’]")


_FIND = re.compile(
    r"(?<![\w'’/.-])(?:"
    + "|".join(_loose(shape, pattern) for shape, pattern in _SHAPES.items() if shape != "vague")
    + r")(?![\w'’/-]|\.\d)",
    re.IGNORECASE,
)
_ALSO_WORDS = re.compile(r"(?:may|march|mar|sun|sat|sept?|dec|fall|mon|wed|jan|spring|easter)\.?", re.IGNORECASE)
_ALSO_AMOUNT = re.compile(r"(?:about|around|over|at|on|by|roughly|almost|nearly|exactly)\s", re.IGNORECASE)
_NO_NOUN_FOLLOWS = re.compile(r"\s*(?:$|[.,;:!?)]|\s(?:and|but|or|I|we|he|she|they|at|so|when)\b)")


def find_time_words(text: str) -> list[tuple[int, int]]:
    """The places, as (start, end) in characters, where `text` has words that `dates.read_date` can read.

    >>> sentence = "I moved to Lund last Friday, and since June 2021 I may walk."
    >>> [sentence[start:end] for start, end in find_time_words(sentence)]
    ['last Friday', 'since June 2021']
    """
    return [match.span() for match in _FIND.finditer(text) if not _means_something_else(match, text)]


def _means_something_else(match: re.Match[str], text: str) -> bool:
    match match.lastgroup:
        case "day_of_month":  # "on the 5th floor"
            return not _NO_NOUN_FOLLOWS.match(text, match.end())
        case "year":  # "about 2000 books"
            return _ALSO_AMOUNT.match(match[0]) is not None
        case _:  # "I may", "they march", "he sat"
            return _ALSO_WORDS.fullmatch(match[0]) is not None
