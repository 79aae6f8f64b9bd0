"""The whole history, and how many of what. Every sentence says what was counted."""

from __future__ import annotations

from tem_graph.domain.names import fold
from tem_graph.temporal.operators.places import number_of_stints, times
from tem_graph.temporal.operators.view import View
from tem_graph.temporal.result import Result, ResultStatus


def history(view: View) -> Result:
    """Every stint, oldest first; a value that returns is listed again."""
    if absent := view.absence("history"):
        return absent
    spans = tuple(h.span for h in view.stints)
    return view.answer(
        "history", ResultStatus.FOUND, f"{view.topic}: stints counted, {len(spans)} of them.", spans, view.stints
    )


def distinct(view: View) -> Result:
    """Each different value once, in order of first appearance."""
    if absent := view.absence("distinct"):
        return absent
    values = _different(view)
    sentence = f"{view.topic}: {len(values)} different {'value' if len(values) == 1 else 'values'}."
    return view.answer("distinct", ResultStatus.FOUND, sentence, values, view.stints)


def count_versions(view: View) -> Result:
    """How many stints there were: a return counts again, telling again does not."""
    if absent := view.absence("count_versions"):
        return absent
    count = len(view.stints)
    sentence = f"Counted: stays at a value of {view.topic}, a return again, telling again not."
    return view.answer("count_versions", ResultStatus.FOUND, sentence, count, view.stints)


def count_changes(view: View) -> Result:
    """How often one value was followed by another; the first value is no change, nor is an end alone."""
    if absent := view.absence("count_changes"):
        return absent
    sentence = f"Counted: how often a new stay followed an earlier one in {view.topic}; the first is no change."
    return view.answer("count_changes", ResultStatus.FOUND, sentence, len(view.stints) - 1, view.stints)


def count_distinct(view: View) -> Result:
    """How many different values there were."""
    if absent := view.absence("count_distinct"):
        return absent
    sentence = f"Counted: different values of {view.topic}, a return not again."
    return view.answer("count_distinct", ResultStatus.FOUND, sentence, len(_different(view)), view.stints)


def count_value(view: View, value: str) -> Result:
    """How many stints a value had; 0 for a value that a known subject never had."""
    if absent := view.absence("count_value"):
        return absent
    positions = view.of_value(value)
    contested = sum(view.stints[i].is_contested for i in positions)
    doubt = f" {times(contested).capitalize()} of them sources contradict each other." if contested else ""
    sentence = f"Counted: separate stays at {value}, {len(positions)} of {number_of_stints(len(view.stints))}.{doubt}"
    evidence = [view.stints[i] for i in positions] or view.stints
    return view.answer("count_value", ResultStatus.FOUND, sentence, len(positions), evidence)


def _different(view: View) -> tuple[str, ...]:
    first_written: dict[str, str] = {}
    for held in view.stints:
        for written in held.objects:
            first_written.setdefault(fold(written), written)
    return tuple(first_written.values())
