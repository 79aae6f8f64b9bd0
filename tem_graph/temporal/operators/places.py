"""Which value: now, on a day, after a session, and by its place among the stints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import Literal, TypeAlias

from tem_graph.domain.fact import Fact
from tem_graph.domain.time import PartialDate
from tem_graph.temporal.operators.view import Held, View, came
from tem_graph.temporal.result import Result, ResultStatus

Occurrence: TypeAlias = Literal["first", "last"] | int
"""Which stint of a value that was held more than once: the first, the last, or a 1-based number."""

_NAMED = 3
"""How many values ahead a sentence names. A guess."""


def current(view: View) -> Result:
    """What holds now. A planned value is never current; of several that hold side by side, all are named."""
    if absent := view.absence("current"):
        return absent
    if not view.running:
        last = max(view.stints, key=lambda h: (h.period.end or date.min, h.place))
        ended = f" since {last.end}" if last.end else ""
        sentence = f"No value of {view.topic} is known{ended}; the last was {last.text}.{_ahead(view)}"
        return view.answer("current", ResultStatus.NONE_KNOWN, sentence, None, (last, *last.ended_by))
    if view.is_many:
        return _all_running(view)
    held = view.running[0]
    doubt = view.ends_untold(held)
    sentence = f"{view.topic} is {held.text}, since {held.start}.{_untold(doubt)}{_ahead(view)}"
    return _one("current", view, held, sentence, *doubt)


def _all_running(view: View) -> Result:
    settled = [h for h in view.running if not h.is_contested]
    contested = [h for h in view.running if h.is_contested]
    doubt = f" Sources contradict each other about {', '.join(h.text for h in contested)}." if contested else ""
    if not settled:
        return view.answer("current", ResultStatus.CONFLICTING, doubt.strip(), _objects(contested), contested)
    objects = _objects(settled)
    sentence = f"{view.topic}: {len(objects)} hold now.{doubt}{_ahead(view)}"
    return view.answer("current", ResultStatus.FOUND, sentence, objects, (*settled, *contested))


def previous(view: View) -> Result:
    """The value of the stint before the running one; where nothing holds now, of the last stint.

    Of several values that hold side by side it is the one that ended last.
    """
    if absent := view.absence("previous"):
        return absent
    if view.is_many:
        over = [h for h in view.stints if not h.is_running]
        if not over:
            return view.answer(
                "previous", ResultStatus.NO_EARLIER_VERSION, f"Nothing of {view.topic} has ended.", None, view.stints
            )
        last = max(over, key=lambda h: (h.period.end or date.min, h.place))
        return _one("previous", view, last, f"{last.text} is what ended last: {last.end}.")
    stints = view.stints
    if not view.running:
        return _one("previous", view, stints[-1], f"Nothing is known to hold now; {stints[-1].text} was the last.")
    if len(stints) < 2:
        return view.answer(
            "previous",
            ResultStatus.NO_EARLIER_VERSION,
            f"{stints[0].text} is the first known value of {view.topic}.",
            None,
            stints,
        )
    return _one("previous", view, stints[-2], f"{stints[-2].text} was held before {stints[-1].text}.", stints[-1])


def first(view: View) -> Result:
    """The value of the earliest stint."""
    return view.absence("first") or _one(
        "first", view, view.stints[0], f"{view.stints[0].text} is the first known value of {view.topic}."
    )


def nth(view: View, n: int) -> Result:
    """The value of the n-th stint, 1-based; negative numbers count from the end (-1 is the newest)."""
    if absent := view.absence("nth"):
        return absent
    count = len(view.stints)
    if n == 0 or abs(n) > count:
        return view.answer(
            "nth",
            ResultStatus.OUT_OF_RANGE,
            f"{view.topic} has {number_of_stints(count)}, not {abs(n)}.",
            None,
            view.stints,
        )
    position = n - 1 if n > 0 else count + n
    return _one("nth", view, view.stints[position], f"Stint {position + 1} of {count} of {view.topic}.")


def before(view: View, value: str, occurrence: Occurrence = "last") -> Result:
    """The value of the stint next before one of the named value."""
    return _beside("before", view, value, occurrence, -1, ResultStatus.NO_EARLIER_VERSION)


def after(view: View, value: str, occurrence: Occurrence = "last") -> Result:
    """The value of the stint next after one of the named value."""
    return _beside("after", view, value, occurrence, +1, ResultStatus.NO_LATER_VERSION)


def _beside(operator: str, view: View, value: str, occurrence: Occurrence, step: int, beyond: ResultStatus) -> Result:
    place = choose(operator, view, value, occurrence)
    if isinstance(place, Result):
        return place
    position, said = place
    named, beside = view.stints[position], position + step
    if not 0 <= beside < len(view.stints):
        ended = f", which ended {named.end}" if step > 0 and named.end else ""
        sentence = f"{said}No value of {view.topic} is known {operator} {named.text}{ended}."
        return view.answer(operator, beyond, sentence, None, (named, *(named.ended_by if step > 0 else ())))
    neighbour = view.stints[beside]
    how = ", by when they began" if view.is_many else ""
    return _one(operator, view, neighbour, f"{said}{neighbour.text} came {operator} {named.text}{how}.", named)


def choose(operator: str, view: View, value: str, occurrence: Occurrence) -> tuple[int, str] | Result:
    """The position of the stint of `value` that is meant, and what to say where there were several.

    A result instead where there is none to choose: no such subject, value never held, out of range.
    """
    if absent := view.absence(operator):
        return absent
    positions = view.of_value(value)
    if not positions:
        return view.missing(operator, value)
    count = len(positions)
    number = {"first": 1, "last": count}[occurrence] if isinstance(occurrence, str) else occurrence
    if not 1 <= number <= count:
        sentence = f"{value} was held {times(count)}, not {number}."
        return view.answer(operator, ResultStatus.OUT_OF_RANGE, sentence, None, (view.stints[i] for i in positions))
    if count == 1:
        return positions[0], ""
    which = {1: "first", count: "last"}.get(number, f"number {number}")
    return positions[number - 1], f"{value} was held {times(count)}; this is about the {which} time. "


def as_of(view: View, valid_at: PartialDate, known_after: int | None = None) -> Result:
    """What held on a day, as known now or after the session at source index `known_after`.

    A month or year is answered where one value held throughout what is known of it; where it changed in
    between, the result is ambiguous and names the values.
    """
    if known_after is not None:
        key = view.session_key(known_after)
        if key is None:
            return _no_session("as_of", view, known_after)
        view = view.seen(known_after=key)
    if view.visible and not view.has_dates:
        return view.answer("as_of", ResultStatus.NO_DATES, f"No source of {view.topic} has a date.", None, view.visible)
    last_day = valid_at.end - timedelta(days=1)
    at_end = view.seen(valid_at=last_day)
    if absent := at_end.absence("as_of"):
        return absent
    if undated := _undated_decider(at_end):
        sentence = f"Session {undated.source.session} says {undated.object} and has no date; what held then is open."
        return view.answer("as_of", ResultStatus.NO_DATES, sentence, None, at_end.stints)
    during = [h for h in at_end.stints if h.is_running or (h.period.end or valid_at.day) > valid_at.day]
    different = {h.objects if view.is_many else tuple(sorted(h.keys)) for h in during}
    if len(during) > 1 and len(different) > 1 and not view.is_many:
        spans = "; ".join(f"{h.text} since {h.start}" for h in during)
        return view.answer(
            "as_of",
            ResultStatus.AMBIGUOUS,
            f"{view.topic} changed {valid_at.phrase}: {spans}.",
            None,
            during,
            tuple(o for h in during for o in h.objects),
        )
    return _dated(current(at_end).renamed("as_of"), valid_at)


def as_of_session(view: View, index: int) -> Result:
    """What was known to hold once the session at source index `index` had been told."""
    key = view.session_key(index)
    if key is None:
        return _no_session("as_of_session", view, index)
    return current(view.seen(known_after=key)).renamed("as_of_session")


def _dated(result: Result, day: PartialDate) -> Result:
    when = day.phrase
    return replace(result, sentence=f"{when[0].upper()}{when[1:]}: {result.sentence}")


def _undated_decider(view: View) -> Fact | None:
    """The fact without a day that the answer would rest on: its value may have come before or after."""
    deciding = view.running or view.stints[-1:]
    for held in deciding:
        facts = held.facts if held.is_running else held.ended_by
        if facts and all(f.day is None for f in facts):
            return facts[0]
    return None


def _no_session(operator: str, view: View, index: int) -> Result:
    return view.answer(operator, ResultStatus.OUT_OF_RANGE, f"There is no session {index}.", None, ())


def _untold(ends: Iterable[Fact]) -> str:
    """What makes a running value doubtful, though nothing says that it ended (docs/decisions/ends-are-versions.md)."""
    told = ", ".join(f"{f.object} ({f.source.session})" for f in ends)
    return f" Later told to have ended, and never told to have begun: {told}." if told else ""


def _one(operator: str, view: View, held: Held, sentence: str, *also: Held | Fact) -> Result:
    """The value of one stint; conflicting where its sources contradict each other."""
    if held.is_contested:
        doubt = f"Sources contradict each other: {held.text}. {sentence}"
        return view.answer(operator, ResultStatus.CONFLICTING, doubt, held.objects, (held, *also))
    return view.answer(operator, ResultStatus.FOUND, sentence, held.objects[0], (held, *also))


def _objects(stints: list[Held]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(o for h in stints for o in h.objects))


def _ahead(view: View) -> str:
    """What comes after the point that is asked about: planned there, or known with hindsight.

    Told on 20 June 2024, "I move to Lyon on the 24th" is a plan as of the 21st; as of 2023 it is what came later.
    """
    plans = [f"{f.object} {came(f)}" for f in view.planned if view.is_plan(f)]
    later = [f"{f.object} {came(f)}" for f in view.planned if not view.is_plan(f)]
    return (f" Planned: {_some(plans)}." if plans else "") + (f" Later: {_some(later)}." if later else "")


def _some(items: list[str]) -> str:
    """The first few: a sentence stays one, however long the history goes on."""
    more = f" and {len(items) - _NAMED} more" if len(items) > _NAMED else ""
    return ", ".join(items[:_NAMED]) + more


def number_of_stints(count: int) -> str:
    """So many stints, in words."""
    return "1 stint" if count == 1 else f"{count} stints"


def times(count: int) -> str:
    """How often, in words as far as English has them."""
    return {1: "once", 2: "twice"}.get(count, f"{count} times")
