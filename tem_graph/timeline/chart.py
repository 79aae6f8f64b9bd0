"""What a timeline shows, before anything is drawn: subjects, lanes, bars, and where each bar lies. Pure.

A bar is a stint or something planned; a lane holds the bars of one relation of one subject. Positions run from 0
(left edge) to 1 (right edge) of the axis that all lanes share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Protocol

from tem_graph.domain.fact import Fact, FactKind
from tem_graph.domain.names import fold
from tem_graph.retrieve.block import relation_label
from tem_graph.temporal.order import Stint, Timeline
from tem_graph.timeline.axis import Axis, day_axis, session_axis

STUB = 0.02
"""Width of a bar of which only the end is known, as a part of the axis. A matter of looks."""


class Mark(StrEnum):
    """How a bar is drawn."""

    CURRENT = "current"
    PAST = "past"
    CONFLICTING = "conflicting"
    PLANNED = "planned"


class History(Protocol):
    """One version group with its timeline, as `TemporalMemory.history` gives it."""

    @property
    def subject(self) -> str: ...

    @property
    def object(self) -> str | None: ...

    @property
    def timeline(self) -> Timeline: ...


@dataclass(frozen=True, slots=True)
class Telling:
    """One time that somebody said it. `day` is the session's; `stated` the effective date, as it was stated."""

    session: str
    day: date | None
    stated: str | None
    words: str | None
    speaker: str | None
    quote: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One stay at one value, or a planned one. `start` is None where it is unknown; so is `end` while it runs."""

    label: str
    mark: Mark
    start: date | None
    end: date | None
    since: str | None
    """The beginning as it was stated, with just the digits that were; else the day on which it was told."""
    until: str | None
    is_since_stated: bool
    is_running: bool
    tellings: tuple[Telling, ...]
    ended_by: tuple[Telling, ...]
    begin: float = 0.0
    finish: float = 1.0


@dataclass(frozen=True, slots=True)
class Row:
    """The bars of a lane that share a label, oldest first; a value that came back has several."""

    label: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Lane:
    """One relation of one subject. Not `is_dated`: its bars only stand in order, evenly spread."""

    relation: str
    bars: tuple[Bar, ...]
    is_dated: bool = True
    holds_many: bool = False
    """Several values may hold side by side."""

    @property
    def rows(self) -> tuple[Row, ...]:
        """One row per value, in order of first appearance."""
        rows: dict[str, list[Bar]] = {}
        for bar in self.bars:
            rows.setdefault(fold(bar.label), []).append(bar)
        return tuple(Row(bars[0].label, tuple(bars)) for bars in rows.values())


@dataclass(frozen=True, slots=True)
class SubjectChart:
    subject: str
    lanes: tuple[Lane, ...]

    @property
    def current(self) -> tuple[tuple[str, str, Mark], ...]:
        """(relation, value, mark) of everything that holds now or is contradicted now."""
        running = ((lane.relation, bar) for lane in self.lanes for bar in lane.bars if bar.is_running)
        return tuple((relation, bar.label, bar.mark) for relation, bar in running)


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything to draw. Without any stint, `subjects` is empty."""

    subjects: tuple[SubjectChart, ...]
    axis: Axis

    @property
    def marks(self) -> frozenset[Mark]:
        return frozenset(b.mark for s in self.subjects for lane in s.lanes for b in lane.bars)


@dataclass
class _Draft:
    """A lane while its bars are collected, with the source keys that place them where there are no dates."""

    relation: str
    holds_many: bool
    bars: list[tuple[Bar, str, str | None]] = field(default_factory=list)
    """(bar, source key of its first telling, source key of what ended it)."""


def build_chart(histories: Iterable[History], today: date) -> Chart:
    """The chart of these histories: subjects by name; lanes by relation, single-valued first; bars from old to new.

    The axis is one of days as soon as any bar has a date; otherwise sessions in source order. A lane without
    dates beside dated ones keeps its order only.
    """
    subjects: dict[str, tuple[str, dict[str, _Draft]]] = {}
    for history in histories:
        _, lanes = subjects.setdefault(fold(history.subject), (history.subject, {}))
        for bar, relation, begin, finish in _bars(history):
            draft = lanes.setdefault(relation, _Draft(relation, history.object is not None))
            draft.bars.append((bar, begin, finish))
    drafts = [draft for _, lanes in subjects.values() for draft in lanes.values()]
    days = [d for draft in drafts for bar, _, _ in draft.bars for d in (bar.start, bar.end) if d is not None]
    keys = {key: session for h in histories for key, session in _sessions(h)} if not days else {}
    axis = day_axis(min(days), max(days), today) if days else session_axis([keys[k] for k in sorted(keys)])
    order = {key: place for place, key in enumerate(sorted(keys))}
    charts = (
        SubjectChart(name, tuple(_lane(draft, axis, order) for draft in _sorted(lanes.values())))
        for name, lanes in subjects.values()
        if lanes
    )
    return Chart(tuple(sorted(charts, key=lambda c: fold(c.subject))), axis)


def _sorted(lanes: Iterable[_Draft]) -> list[_Draft]:
    return sorted(lanes, key=lambda draft: (draft.holds_many, draft.relation))


def stays(history: History) -> Iterable[tuple[str, Bar]]:
    """(relation, bar) of everything in a history, oldest first, planned last; not yet placed on an axis."""
    return ((relation, bar) for bar, relation, _, _ in _bars(history))


def _bars(history: History) -> Iterable[tuple[Bar, str, str, str | None]]:
    """(bar, its lane, source key of its first telling, source key of what ended it)."""
    for stint in history.timeline.stints:
        first = min(f.source.key for f in stint.facts)
        ended = min((f.source.key for f in stint.ended_by), default=None)
        yield _stint_bar(history, stint), relation_label(stint.facts[0]), first, ended
    for fact in history.timeline.planned:
        yield _planned_bar(fact), relation_label(fact), fact.source.key, None


def _stint_bar(history: History, stint: Stint) -> Bar:
    mark = Mark.PAST if not stint.is_running else Mark.CONFLICTING if stint.is_conflict else Mark.CURRENT
    known_from_end = all(f.kind is FactKind.END for f in stint.facts)
    first = None if known_from_end or stint.start is None else _of_day(stint.facts, stint.start)
    last = _of_day(stint.ended_by, stint.end) if stint.end is not None else None
    return Bar(
        label=_label(history, stint),
        mark=mark,
        start=stint.start,
        end=stint.end,
        since=_when(first, stint.start),
        until=_when(last, stint.end),
        is_since_stated=first is not None and first.valid_from is not None,
        is_running=stint.is_running,
        tellings=() if known_from_end else tuple(map(_telling, stint.facts)),
        ended_by=tuple(map(_telling, stint.ended_by)),
    )


def _label(history: History, stint: Stint) -> str:
    if history.object is None:
        return " / ".join(stint.objects)
    if not stint.is_conflict:
        return stint.facts[-1].object
    # One object under a relation and its opposite at once: liked and disliked.
    return f"{stint.facts[-1].object} ({' / '.join(sorted({relation_label(f) for f in stint.facts}))})"


def _planned_bar(fact: Fact) -> Bar:
    day = fact.valid_from.day if fact.valid_from else fact.day
    is_end = fact.kind is FactKind.END
    told = (_telling(fact),)
    return Bar(
        label=(f"{fact.object} ends" if fact.object else "ends") if is_end else fact.object,
        mark=Mark.PLANNED,
        start=day,
        end=None,
        since=_when(fact, day),
        until=None,
        is_since_stated=True,
        is_running=False,
        tellings=told,
        ended_by=(),
    )


def _of_day(facts: Sequence[Fact], day: date | None) -> Fact | None:
    return next((f for f in facts if f.day == day), None)


def _when(fact: Fact | None, day: date | None) -> str | None:
    if fact is not None and fact.valid_from is not None:
        return str(fact.valid_from)
    return day.isoformat() if day else None


def _telling(fact: Fact) -> Telling:
    provenance, stated = fact.provenance, fact.valid_from
    return Telling(
        session=fact.source.session,
        day=fact.source.day,
        stated=str(stated) if stated else None,
        words=stated.words if stated and stated.words != str(stated) else None,
        speaker=provenance.speaker if provenance else None,
        quote=provenance.quote if provenance else None,
        source=provenance.extractor if provenance else "by-hand",
    )


def _sessions(history: History) -> Iterable[tuple[str, str]]:
    timeline = history.timeline
    for fact in (*(f for s in timeline.states for f in (*s.facts, *s.ends)), *timeline.planned):
        yield fact.source.key, fact.source.session


def _not_before(draft: _Draft, placed: Sequence[Bar], bar: Bar, finish: float) -> float:
    """Where a bar of unknown beginning is drawn from: where the one before it ended, so that it claims no time that
    is known to be another value's. Where that leaves nothing to see, a stub."""
    before = [b.finish for b in placed if not draft.holds_many or fold(b.label) == fold(bar.label)]
    if not before:
        return 0.0
    return before[-1] if before[-1] <= finish - STUB else max(0.0, finish - STUB)


def _lane(draft: _Draft, axis: Axis, order: dict[str, int]) -> Lane:
    is_dated = not axis.is_dated or any(bar.start or bar.end for bar, _, _ in draft.bars)
    placed: list[Bar] = []
    for number, (bar, first, ended) in enumerate(draft.bars):
        if not axis.is_dated:
            begin, finish = axis.between(order[first], order[ended] if ended is not None else None)
        elif is_dated:
            finish = axis.at(bar.end) if bar.end else axis.open_end if bar.is_running else 1.0
            begin = axis.at(bar.start) if bar.start else _not_before(draft, placed, bar, finish)
        else:
            begin, finish = number / len(draft.bars), (number + 1) / len(draft.bars)
        placed.append(replace(bar, begin=begin, finish=max(begin, finish)))
    placed.sort(key=lambda bar: bar.begin)
    return Lane(draft.relation, tuple(placed), is_dated, draft.holds_many)
