"""Yes or no, with the versions that prove it. "No" is never said of a subject that is not known."""

from __future__ import annotations

from tem_graph.temporal.operators.places import number_of_stints, times
from tem_graph.temporal.operators.view import View, came
from tem_graph.temporal.result import Result, ResultStatus


def ever(view: View, value: str) -> Result:
    """Whether the value has held at any time up to here."""
    if absent := view.absence("ever"):
        return absent
    stints = tuple(view.stints[i] for i in view.of_value(value))
    if stints and all(h.is_contested for h in stints):
        sentence = f"Told so, but contradicted at the same place: {stints[0].text}."
        return view.answer("ever", ResultStatus.FOUND, sentence, True, stints)
    if stints:
        return view.answer("ever", ResultStatus.FOUND, f"{value}: held {times(len(stints))}.", True, stints)
    sentence = f"{view.topic} was never {value}, in {number_of_stints(len(view.stints))}.{_ahead(view, value)}"
    return view.answer("ever", ResultStatus.FOUND, sentence, False, view.stints)


def still(view: View, value: str) -> Result:
    """Whether the value holds now. Conflicting where sources contradict each other about just that."""
    if absent := view.absence("still"):
        return absent
    stints = tuple(view.stints[i] for i in view.of_value(value))
    running = next((h for h in stints if h.is_running), None)
    if running is not None and running.is_contested:
        sentence = f"Sources contradict each other: {running.text}."
        return view.answer("still", ResultStatus.CONFLICTING, sentence, running.objects, (running,))
    if running is not None:
        return view.answer("still", ResultStatus.FOUND, f"{value} holds since {running.start}.", True, (running,))
    if stints:
        over = stints[-1]
        sentence = f"{value} held until {over.end}."
        return view.answer("still", ResultStatus.FOUND, sentence, False, (over, *over.ended_by))
    sentence = f"{view.topic} was never {value}.{_ahead(view, value)}"
    return view.answer("still", ResultStatus.FOUND, sentence, False, view.running or view.stints)


def changed(view: View, from_: str | None = None, to: str | None = None) -> Result:
    """Whether a stint of `from_` was followed at once by one of `to`; either may be left open.

    With neither: whether the value has ever changed.
    """
    if absent := view.absence("changed"):
        return absent
    sources = set(view.of_value(from_)) if from_ is not None else set(range(len(view.stints)))
    targets = set(view.of_value(to)) if to is not None else set(range(len(view.stints)))
    steps = [(i, i + 1) for i in sorted(sources) if i + 1 in targets]
    wanted = " to ".join(filter(None, (f"from {from_}" if from_ else "", to or ""))) or "at all"
    if not steps:
        sentence = f"{view.topic} did not change {wanted} directly."
        return view.answer("changed", ResultStatus.FOUND, sentence, False, view.stints)
    last = view.stints[steps[-1][1]]
    sentence = f"{view.topic} changed {wanted} {times(len(steps))}, last {last.start}."
    evidence = [view.stints[i] for step in steps for i in step]
    return view.answer("changed", ResultStatus.FOUND, sentence, True, evidence)


def _ahead(view: View, value: str) -> str:
    ahead = view.planned_value(value)
    if ahead is None:
        return ""
    return " It is planned." if view.is_plan(ahead) else f" It came later: {came(ahead)}."
