"""Time expressions: which words of a sentence say when. They are found, not computed: `ingest.dates` does that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tem_graph.ingest.grammar.words import Word

_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?"
)
_WEEKDAY = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|tues|wed|thu|thurs|fri)"
_SEASON = r"(?:spring|summer|autumn|fall|winter|christmas|easter|new year(?: 's)?(?: eve| day)?|halloween|thanksgiving)"
_NUMBER = (
    r"(?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|\d{1,3}|a few|few"
    r"|a couple(?: of)?|couple(?: of)?|several|some|many|about \w+|almost \w+|nearly \w+|over \w+|around \w+"
    r"|more than \w+|half a|a good|the last \w+|the past \w+|the best part of a|quite a few|(?:a|one) and a half)"
)
_UNIT = r"(?:day|week|weekend|fortnight|month|year|decade|hour|minute|semester|term|quarter|night)s?"
_YEAR = r"(?:19|20)\d\d"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_DATE = (
    rf"(?:the )?{_DAY} (?:of )?{_MONTH}(?: ,)?(?: {_YEAR})?|{_MONTH} (?:the )?{_DAY}(?: ,)?(?: {_YEAR})?"
    rf"|{_MONTH}(?: ,| of)? {_YEAR}|\d{{4}}-\d{{2}}(?:-\d{{2}})?|\d{{1,2}}/\d{{1,2}}/\d{{2,4}}"
    r"|\d{4} - \d{2}(?: - \d{2})?"
)
_WHICH = (
    r"(?:last|next|this|this past|this coming|the past|the last|the other|past|the following|the previous"
    r"|earlier this|later this)"
)
_RELATIVE = (
    rf"{_WHICH} (?:{_UNIT}|{_WEEKDAY}|{_MONTH}|{_SEASON}|morning|evening|afternoon)(?: of {_YEAR}| {_YEAR})?"
    r"|the (?:week|month|year|day) (?:before|after)(?: last| next| yesterday| tomorrow)?"
    r"|(?:the day (?:before|after) )?(?:yesterday|tomorrow)(?: morning| evening| night| afternoon)?|today|tonight"
    rf"|{_NUMBER} {_UNIT}(?: and a half)? (?:ago|back|earlier|later|after(?= *$| [,.!])|from now)"
    r"|(?:a (?:little |short )?while|ages|years|months|weeks|days) (?:ago|back)"
    rf"|in {_NUMBER} {_UNIT}(?: 's)?(?: time)?"
    rf"|the (?:start|beginning|middle|end) of (?:the|this|last) {_UNIT}"
    r"|(?:over|at|during|on) the (?:weekend|holidays|summer|winter|spring|autumn|fall)"
)
_PART = (
    r"(?:the )?(?:early|late|mid|middle|beginning|start|end|first|second|turn|summer|spring|autumn|fall|winter)"
    r"(?: half| week| day)?(?: of| in|-)?"
)
_POINT = (
    rf"(?:{_DATE}|{_RELATIVE}|(?:{_PART} )?(?:(?:the )?{_SEASON}(?: of)? {_YEAR}|{_MONTH}|{_YEAR}|the {_YEAR}s"
    rf"|(?:the )?{_SEASON}|{_WEEKDAY}|(?:next|last|this) (?:{_UNIT}|{_SEASON}))|the {_DAY}|the (?:19|20)?\d0s)"
)
_LEAD = (
    r"(?:ever since|since|starting(?: from| on| in)?|beginning(?: in| on)?|effective|as of|as from|from|back in|"
    r"until|till|up until|by|in|on|at|around|during|about|sometime|come)"
)
_EVERY = (
    r"(?:every|each|most) (?:single |other )?"
    rf"(?:day|morning|evening|night|afternoon|week|weekend|month|year|time|summer|winter|weekday|{_WEEKDAY})s?"
)
_HABIT = (
    rf"{_EVERY}|once (?:a|per) \w+|twice a \w+|all (?:day|week|month|year|the time|summer|winter)(?: long)?"
    r"|in the (?:mornings?|evenings?|afternoons?)|at night|(?:first thing )?in the morning"
    r"|after (?:lunch|dinner|work|breakfast)|on (?:weekdays|weekends)|these days|those days|nowadays|at the moment"
    r"|right now|for now|for the time being|at present|as of (?:now|late)|of late|back then|at the time"
    r"|in those days|for good|for ever|over the years|in recent (?:weeks|months|years)|for the (?:first|last) time"
    r"|(?:by|for) the (?:day|week|weekend|night|month|summer|winter)|full[ -]+time|part[ -]+time"
    r"|this time|the whole time|once more|once again|any ?more|any ?longer|more and more|day and night"
    r"|for (?:a while|ages|years|months|weeks|once)"
)
_DURATION = (
    rf"for (?:the (?:last|past) )?{_NUMBER} {_UNIT}(?: and a half)?(?: now| already)?"
    r"|for (?:a (?:little |long )?while|ages|years|months|weeks|decades)(?: now)?"
    rf"|(?:over |in |during )?the (?:last|past) (?:\w+ )?{_UNIT}|all (?:my|our|his|her) life"
)
_TIME = re.compile(
    rf"(?<!\S)(?:(?P<duration>{_DURATION})"
    rf"|(?P<point>from {_POINT} on(?:wards?)?|{_LEAD} (?:the )?{_POINT}|{_RELATIVE}|{_DATE}|{_WEEKDAY}(?= *$| [,.!]))"
    rf"|(?P<habit>{_HABIT}))(?!\S)"
)
_UNTIL = re.compile(r"(?:up )?(?:until|till)\b")
_FROM_TO = re.compile(
    rf"(?<!\S)(?P<since>(?:from|between) (?:{_MONTH} )?{_YEAR}) "
    rf"(?P<until>(?:to|until|till|and|-) (?:{_MONTH} )?{_YEAR})(?!\S)"
)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """Words `first` up to `stop` of a sentence. `role`: `since`, `until`, `duration` or `habit`."""

    first: int
    stop: int
    role: str


def find_times(words: Sequence[Word]) -> list[TimeSpan]:
    """The time expressions among the words, in order, longest first where they overlap."""
    starts: dict[int, int] = {}
    stops: dict[int, int] = {}
    text = ""
    for word in words:
        starts[len(text)] = word.i - words[0].i
        text += word.lower
        stops[len(text)] = word.i - words[0].i + 1
        text += " "
    base = words[0].i if words else 0
    found: list[TimeSpan] = []
    taken = 0
    for match in _FROM_TO.finditer(text):
        for role in ("since", "until"):
            begin, end = match.span(role)
            found.append(TimeSpan(base + starts[begin], base + stops[end], role))
    for match in _TIME.finditer(text):
        begin, end = match.start(), match.end()
        while end not in stops and end > begin:
            end -= 1
        first, stop = base + starts.get(begin, -1), base + stops.get(end, -1)
        if begin < taken or any(f.first < stop and first < f.stop for f in found):
            continue
        role = match.lastgroup or "habit"
        if role == "point":
            role = "until" if _UNTIL.match(match[0]) else "since"
        found.append(TimeSpan(first, stop, role))
        taken = end
    return sorted(found, key=lambda t: t.first)


def mark_times(words: Sequence[Word]) -> list[Word]:
    """The words, those of time expressions marked."""
    timed = {i for t in find_times(words) for i in range(t.first, t.stop)}
    return [replace(w, is_time=w.i in timed) for w in words]
