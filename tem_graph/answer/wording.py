"""An operator's result as the shortest answer that a person or a scorer can read. Pure."""

from __future__ import annotations

from tem_graph.temporal.result import Duration, Moment, Result, ResultStatus, Span, Value


def word(result: Result, *, whether: bool = False) -> str:
    """The answer in one line: the value alone where there is one, else the result's own sentence.

    `whether`: the question was whether one stay came before another, so that the value alone would be no answer.
    """
    if whether and result.a_came_first is not None:
        return f"{_value(result.a_came_first)}: {result.sentence}"
    if result.status is ResultStatus.CONFLICTING and isinstance(result.value, tuple):
        return "conflicting: " + " / ".join(map(str, result.value))
    if result.value is not None and result.status in {ResultStatus.FOUND, ResultStatus.PLANNED}:
        worded = _value(result.value)
        return f"planned: {worded}" if result.status is ResultStatus.PLANNED else worded
    return result.sentence or str(result.status)


def _value(value: Value) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case Moment(date=date, session=session):
            return str(date) if date else f"not dated (session {session})"
        case Duration(days=days):
            return f"{days} day{'' if days == 1 else 's'}"
        case tuple():
            return ", ".join(_span(v) if isinstance(v, Span) else str(v) for v in value)
        case _:
            return str(value)


def _span(span: Span) -> str:
    start = str(span.start.date) if span.start and span.start.date else "?"
    end = str(span.end.date) if span.end and span.end.date else ("?" if span.end else "now")
    return f"{' / '.join(span.objects)} ({start} to {end})"
