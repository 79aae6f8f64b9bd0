"""Two groups at once: what held while something else did, whether two stays overlapped, which came first.

These compare days, so they need dated sources; where a bound is too coarse to decide, they say so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from tem_graph.domain.time import Period, Precision
from tem_graph.temporal.operators.places import Occurrence, choose, number_of_stints
from tem_graph.temporal.operators.view import Held, View
from tem_graph.temporal.result import Result, ResultStatus


@dataclass(frozen=True, slots=True)
class Claim:
    """One stay that a question names: a value in a view and which of its stints; without a value, what
    holds now."""

    view: View
    value: str | None = None
    occurrence: Occurrence = "last"


def during(view: View, claim: Claim) -> Result:
    """The stints of `view` that shared at least one day with the claimed stay, oldest first.

    "Where did she live when she worked at Acme": `view` is her residence, the claim Acme of her employers.
    """
    if absent := view.absence("during"):
        return absent
    named = _named("during", claim)
    if isinstance(named, Result):
        return named
    frame, said = named
    if not _is_dated(frame) or not view.has_dates:
        return view.answer("during", ResultStatus.NO_DATES, f"No dates for {frame.text}.", None, (frame,))
    while_so = [h for h in view.stints if _is_dated(h) and _shared(h.period, frame.period)]
    if not while_so:
        sentence = f"{said}Nothing of {view.topic} is known from when {claim.view.topic} was {frame.text}."
        status = ResultStatus.NO_DATES if not all(map(_is_dated, view.stints)) else ResultStatus.NONE_KNOWN
        return view.answer("during", status, sentence, None, (frame,))
    contested = [h for h in while_so if h.is_contested]
    if contested:
        objects = tuple(o for h in contested for o in h.objects)
        sentence = f"{said}Sources contradict each other: {', '.join(objects)}."
        return view.answer("during", ResultStatus.CONFLICTING, sentence, objects, (*while_so, frame))
    sentence = f"{said}{number_of_stints(len(while_so))} of {view.topic} while {claim.view.topic} was {frame.text}."
    return view.answer("during", ResultStatus.FOUND, sentence, tuple(h.span for h in while_so), (*while_so, frame))


def overlap(a: Claim, b: Claim) -> Result:
    """Whether the two stays shared at least one day."""
    both = _both("overlap", a, b)
    if isinstance(both, Result):
        return both
    one, other, said = both
    if not (_is_dated(one) and _is_dated(other)):
        return a.view.answer("overlap", ResultStatus.NO_DATES, "A stay has no dates.", None, (one, other))
    certain = _shared(_certain(one), _certain(other))
    if certain != _shared(_possible(one), _possible(other)):
        sentence = f"{said}The dates are too coarse to say."
        return a.view.answer("overlap", ResultStatus.NO_DATES, sentence, None, (one, other))
    sentence = f"{said}{one.text}: {_bounds(one)}; {other.text}: {_bounds(other)}."
    return a.view.answer("overlap", ResultStatus.FOUND, sentence, certain, (one, other))


def order(a: Claim, b: Claim) -> Result:
    """The one of the two stays that began first; ambiguous where both began on one day.

    Where no source is dated, the order of telling decides, and the sentence says so.
    """
    both = _both("order", a, b)
    if isinstance(both, Result):
        return both
    one, other, said = both
    answer = a.view.answer

    def found(sentence: str, came_first: Held, later: Held) -> Result:
        result = answer("order", ResultStatus.FOUND, sentence, came_first.text, (came_first, later))
        return replace(result, a_came_first=came_first is one)

    if not (a.view.has_dates or b.view.has_dates) and one.place != other.place:
        came_first, later = sorted((one, other), key=lambda h: h.place)
        sentence = f"{said}{came_first.text} was told before {later.text}; no source is dated."
        return found(sentence, came_first, later)
    begins = {id(held): held.start.date for held in (one, other) if held.start and held.start.date}
    if len(begins) < 2:
        return answer("order", ResultStatus.NO_DATES, f"{said}Not both beginnings have a date.", None, (one, other))
    came_first, later = sorted((one, other), key=lambda h: begins[id(h)].day)
    earliest, latest = begins[id(came_first)], begins[id(later)]
    if earliest == latest and earliest.precision is Precision.DAY:
        sentence = f"{said}Both began {came_first.start}."
        return answer("order", ResultStatus.AMBIGUOUS, sentence, None, (one, other), (one.text, other.text))
    if latest.day < earliest.end:
        sentence = f"{said}{came_first.start} and {later.start} are too coarse to say which came first."
        return answer("order", ResultStatus.NO_DATES, sentence, None, (one, other))
    sentence = f"{said}{came_first.text} began {came_first.start}, {later.text} {later.start}."
    return found(sentence, came_first, later)


def _named(operator: str, claim: Claim) -> tuple[Held, str] | Result:
    """The stay that a claim names, and what to say about the choice; a result where there is none."""
    if claim.value is not None:
        place = choose(operator, claim.view, claim.value, claim.occurrence)
        return place if isinstance(place, Result) else (claim.view.stints[place[0]], place[1])
    if absent := claim.view.absence(operator):
        return absent
    running = claim.view.running
    if len(running) == 1:
        return running[0], ""
    if not running:
        sentence = f"No value of {claim.view.topic} holds now."
        return claim.view.answer(operator, ResultStatus.NONE_KNOWN, sentence, None, claim.view.stints[-1:])
    sentence = f"Several values of {claim.view.topic} hold now."
    return claim.view.answer(operator, ResultStatus.AMBIGUOUS, sentence, None, running, tuple(h.text for h in running))


def _both(operator: str, a: Claim, b: Claim) -> tuple[Held, Held, str] | Result:
    one = _named(operator, a)
    if isinstance(one, Result):
        return one
    other = _named(operator, b)
    if isinstance(other, Result):
        return other
    return one[0], other[0], one[1] + other[1]


def _is_dated(held: Held) -> bool:
    """Whether both ends have a day, as far as the stay has ended."""
    return held.period.start is not None and (held.is_running or held.period.end is not None)


def _certain(held: Held) -> Period:
    """The days on which the stay certainly held: bounds stated to the month or year leave their period out."""
    start, end = held.period.start, held.period.end
    if held.start and held.start.date:
        start = held.start.date.end - timedelta(days=1)
    return Period(start, end)


def _possible(held: Held) -> Period:
    """The days on which the stay may have held."""
    end = held.end.date.end if held.end and held.end.date and held.end.date.precision is not Precision.DAY else None
    return Period(held.period.start, end or held.period.end)


def _shared(one: Period, other: Period) -> bool:
    """Whether the periods share a day; a period that ends before it starts has none."""
    is_empty = any(p.start and p.end and p.end <= p.start for p in (one, other))
    return not is_empty and one.overlaps(other)


def _bounds(held: Held) -> str:
    return f"{held.start} to {held.end or 'now'}"
