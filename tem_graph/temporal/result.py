"""What an operator answers: a status, a typed value, the evidence for it, and a sentence that says what was chosen.

Absence is a status of its own, never an empty value: a reader can tell "nobody said" from "not yet" from
"two sessions contradict each other". This module refuses to word an answer for people beyond that sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from tem_graph.domain.fact import Fact
from tem_graph.domain.time import PartialDate


class ResultStatus(StrEnum):
    FOUND = "found"
    NONE_KNOWN = "none known"
    """Something held, and is known to hold no longer; nothing is known to have followed."""
    NOT_YET = "not yet"
    """Before the first record."""
    CONFLICTING = "conflicting"
    AMBIGUOUS = "ambiguous"
    """The question fits several answers; `choices` names them."""
    PLANNED = "planned"
    """Only ahead of today; `value` is what is planned."""
    NO_SUCH_SUBJECT = "no such subject"
    NO_SUCH_RELATION = "no such relation"
    NO_EARLIER_VERSION = "no earlier version"
    NO_LATER_VERSION = "no later version"
    VALUE_NEVER_HELD = "value never held"
    OUT_OF_RANGE = "out of range"
    """There are fewer stints than the question counts to."""
    NO_DATES = "no dates"
    """The answer is a day, and no source states one that settles it."""
    STILL_HOLDS = "still holds"
    """Asked when it ended; it has not."""


_REASONS: Mapping[ResultStatus, str] = {
    ResultStatus.NONE_KNOWN: "none_known",
    ResultStatus.NOT_YET: "before_first_record",
    ResultStatus.NO_SUCH_SUBJECT: "unknown_subject",
    ResultStatus.NO_SUCH_RELATION: "unknown_relation",
    ResultStatus.NO_EARLIER_VERSION: "no_earlier_version",
    ResultStatus.NO_LATER_VERSION: "no_later_version",
    ResultStatus.VALUE_NEVER_HELD: "value_never_held",
    ResultStatus.OUT_OF_RANGE: "out_of_range",
    ResultStatus.NO_DATES: "no_dates",
    ResultStatus.STILL_HOLDS: "still_holds",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A day with the precision it was stated in, and the session that said so. `date` is None where no
    source states one."""

    date: PartialDate | None
    session: str

    def __str__(self) -> str:
        return f"{self.date} (session {self.session})" if self.date else f"session {self.session}, which has no date"


@dataclass(frozen=True, slots=True)
class Duration:
    """A number of days. `is_running` when it is counted up to today; not `is_exact` when a bound was
    stated only to the month or year and its first day was taken."""

    days: int
    is_running: bool = False
    is_exact: bool = True


@dataclass(frozen=True, slots=True)
class Span:
    """One stint of a history: the value (several where sources conflict) and when it began and ended."""

    objects: tuple[str, ...]
    start: Moment | None
    end: Moment | None

    @property
    def is_conflict(self) -> bool:
        return len(self.objects) > 1


Value: TypeAlias = str | int | bool | Moment | Duration | tuple[str, ...] | tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """The answer of one operator.

    `facts` are the versions that prove it, oldest first. `sentence` says what was counted or chosen, so
    that an answer never hides a choice ("Lund was held twice; this is the last time"). `a_came_first`, of `order`
    alone, is whether the stay `a` came first: the answer where the question wants a yes or no.
    """

    operator: str
    status: ResultStatus
    sentence: str
    value: Value | None = None
    facts: tuple[Fact, ...] = ()
    choices: tuple[str, ...] = ()
    a_came_first: bool | None = None

    @property
    def is_found(self) -> bool:
        return self.status is ResultStatus.FOUND

    def renamed(self, operator: str) -> Result:
        """The same answer under the name of the operator that was asked for."""
        return replace(self, operator=operator)


def to_expected(result: Result) -> dict[str, object]:
    """The result in the form that operator sets use for `expected`: plain JSON values, dates as text.

    >>> to_expected(Result("current", ResultStatus.FOUND, "", "Lund"))
    {'status': 'ok', 'value': 'Lund'}
    >>> to_expected(Result("before", ResultStatus.NO_EARLIER_VERSION, ""))
    {'status': 'none', 'reason': 'no_earlier_version'}
    """
    match result.status:
        case ResultStatus.FOUND:
            return {"status": "ok", "value": _plain(result.value)}
        case ResultStatus.CONFLICTING:
            return {"status": "conflict", "value": _plain(result.value)}
        case ResultStatus.PLANNED:
            return {"status": "planned", "value": _plain(result.value)}
        case ResultStatus.AMBIGUOUS:
            return {"status": "ambiguous", "choices": list(result.choices)}
        case status:
            return {"status": "none", "reason": _REASONS[status]}


def _plain(value: object) -> object:
    match value:
        case Moment(date, session):
            return {"date": date.isoformat() if date else None, "session": session}
        case Duration(days):
            return days
        case Span(objects):
            return list(objects) if len(objects) > 1 else objects[0]
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value
