"""Since when, until when, how long. Days keep the precision they were stated in."""

from __future__ import annotations

from datetime import date

from tem_graph.domain.fact import Fact
from tem_graph.domain.time import Precision
from tem_graph.temporal.operators.places import Occurrence, choose
from tem_graph.temporal.operators.view import Held, View, stated_date
from tem_graph.temporal.result import Duration, Moment, Result, ResultStatus


def since(view: View, value: str | None = None) -> Result:
    """When what holds now began. With `value`, when that value began, if it holds now.

    Where sources contradict each other about what holds now, so is the result. A value that no longer holds
    has no "since": the status is none known, and the sentence says when it ended.
    """
    if absent := view.absence("since"):
        return absent
    if value is None:
        if not view.running:
            last = view.stints[-1]
            sentence = f"No value of {view.topic} holds now; {last.text} ended {last.end}."
            return view.answer("since", ResultStatus.NONE_KNOWN, sentence, None, (last, *last.ended_by))
        if view.is_many and len(view.running) > 1:
            choices = tuple(h.text for h in view.running)
            return view.answer(
                "since",
                ResultStatus.AMBIGUOUS,
                f"Several values of {view.topic} hold now.",
                None,
                view.running,
                choices,
            )
        held = view.running[-1]
    else:
        place = choose("since", view, value, "last")
        if isinstance(place, Result):
            return place
        held = view.stints[place[0]]
        if not held.is_running:
            sentence = f"{held.text} holds no longer: it began {held.start} and ended {held.end}."
            return view.answer("since", ResultStatus.NONE_KNOWN, sentence, None, (held, *held.ended_by))
    if held.is_contested:
        return view.answer(
            "since",
            ResultStatus.CONFLICTING,
            f"Sources contradict each other since {held.start}.",
            held.objects,
            (held,),
        )
    return _moment("since", view, held, held.start, f"{held.text} holds since {held.start}.")


def became(view: View, value: str, occurrence: Occurrence = "last") -> Result:
    """When a stint of the value began, and the session that said so."""
    place = choose("became", view, value, occurrence)
    if isinstance(place, Result):
        return place
    held = view.stints[place[0]]
    return _moment("became", view, held, held.start, f"{place[1]}{view.topic} became {held.text}: {held.start}.")


def ended(view: View, value: str, occurrence: Occurrence = "last") -> Result:
    """When a stint of the value ended; planned where its end is known but still ahead, and still holding as of a day
    after which it is known to have ended, though nobody had told so then."""
    place = choose("ended", view, value, occurrence)
    if isinstance(place, Result):
        return place
    held = view.stints[place[0]]
    if held.is_running:
        ahead = view.planned_end(held)
        if ahead is not None and not view.is_plan(ahead):
            sentence = f"{place[1]}{held.text} still held; it ended later: {stated_date(ahead)}."
            return view.answer("ended", ResultStatus.STILL_HOLDS, sentence, None, (held, ahead))
        if ahead is not None:
            end = Moment(stated_date(ahead), ahead.source.session)
            sentence = f"{place[1]}{held.text} still holds; its end is planned: {end}."
            return view.answer("ended", ResultStatus.PLANNED, sentence, end, (held, ahead))
        return view.answer("ended", ResultStatus.STILL_HOLDS, f"{place[1]}{held.text} still holds.", None, (held,))
    sentence = f"{place[1]}{held.text} ended: {held.end}."
    return _moment("ended", view, held, held.end, sentence, with_end=True)


def duration(view: View, value: str, occurrence: Occurrence = "last") -> Result:
    """How many days one stint of the value lasted; a running one is counted up to today."""
    place = choose("duration", view, value, occurrence)
    if isinstance(place, Result):
        return place
    held = view.stints[place[0]]
    return _lasted("duration", view, value, (held,), place[1])


def duration_total(view: View, value: str) -> Result:
    """How many days the value held in all, over all its stints; a running one is counted up to today."""
    place = choose("duration_total", view, value, "first")
    if isinstance(place, Result):
        return place
    return _lasted("duration_total", view, value, tuple(view.stints[i] for i in view.of_value(value)), "")


def _lasted(operator: str, view: View, value: str, stints: tuple[Held, ...], said: str) -> Result:
    days = [_days(held, view.today) for held in stints]
    known = [d for d in days if d is not None]
    if len(known) < len(days):
        sentence = f"{said}Not every beginning and end of {value} has a date, or dates and order disagree."
        return view.answer(operator, ResultStatus.NO_DATES, sentence, None, stints)
    total = sum(known)
    running = any(h.is_running for h in stints)
    exact = all(_is_exact(h) for h in stints)
    parts = " + ".join(map(str, known)) + " days" if len(known) > 1 else f"{total} days"
    until = f", counted up to {view.today}" if running else ""
    rounded = "" if exact else "; a bound was stated to the month or year, its first day was taken"
    sentence = f"{said}{value} held for {parts}{until}{rounded}."
    evidence: list[Held | Fact] = [*stints, *(f for h in stints for f in h.ended_by)]
    return view.answer(operator, ResultStatus.FOUND, sentence, Duration(total, running, exact), evidence)


def _days(held: Held, today: date) -> int | None:
    """Days from start to end, today for a running stint; None where a bound is unknown or comes too early."""
    end = today if held.is_running else held.period.end
    if held.period.start is None or end is None or end < held.period.start:
        return None
    return (end - held.period.start).days


def _is_exact(held: Held) -> bool:
    bounds = (held.start, held.end)
    return all(b is None or b.date is None or b.date.precision is Precision.DAY for b in bounds)


def _moment(
    operator: str, view: View, held: Held, moment: Moment | None, sentence: str, *, with_end: bool = False
) -> Result:
    evidence: list[Held | Fact] = [held, *(held.ended_by if with_end else ())]
    if moment is None or moment.date is None:
        told = f" It was told in session {moment.session}." if moment else ""
        sentence = f"No source dates this for {held.text}.{told}"
        return view.answer(operator, ResultStatus.NO_DATES, sentence, None, evidence)
    return view.answer(operator, ResultStatus.FOUND, sentence, moment, evidence)
