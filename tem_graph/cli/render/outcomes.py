"""How an ingest ended: one row per memory, the sessions that did not succeed with the reason, and the totals."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from tem_graph.cli.ingesting import Reports
from tem_graph.cli.output import text
from tem_graph.cli.render import as_json
from tem_graph.cli.render.tables import make_table, print_table
from tem_graph.domain.outcome import Outcome, OutcomeStatus

_COLUMNS = (*(status.value for status in OutcomeStatus), "facts", "events", "notes", "rejected")


def reports_document(reports: Reports) -> as_json.Json:
    """Everything about a run: memories with their outcomes, and the totals."""
    return {
        "memories": {
            name: {
                "outcomes": [as_json.outcome(outcome) for outcome in report.outcomes],
                "seconds": round(report.seconds, 4),
            }
            for name, report in reports.by_memory.items()
        },
        "totals": {
            **dict(zip(_COLUMNS, _counts(reports.outcomes), strict=True)),
            "sessions": len(reports.outcomes),
            "usage": as_json.usage(reports.usage),
            "seconds": round(reports.seconds, 4),
        },
    }


def draw_reports(console: Console, reports: Reports, *, quiet: bool) -> None:
    """The table of outcomes; with `quiet`, what was stored already is one sentence before it."""
    outcomes = reports.outcomes
    known = sum(o.status is OutcomeStatus.UNCHANGED for o in outcomes)
    if quiet:
        console.print(f"{known} of {len(outcomes)} sessions were stored already; {len(outcomes) - known} were read")
        outcomes = [o for o in outcomes if o.status is not OutcomeStatus.UNCHANGED]
    if outcomes:
        table = make_table("memory", *_COLUMNS, right=_COLUMNS)
        for name, report in reports.by_memory.items():
            table.add_row(text(name), *_cells(report.outcomes))
        if len(reports.by_memory) > 1:
            table.add_section()
            table.add_row(text("in all", "bold"), *_cells(reports.outcomes))
        print_table(console, table)
    if reports.failed or reports.conflicts:
        _draw_failures(console, reports)
    console.print(_totals(reports))


def _draw_failures(console: Console, reports: Reports) -> None:
    table = make_table("memory", "session", "outcome", "reason")
    for name, report in reports.by_memory.items():
        for outcome in (o for o in report.outcomes if not o.is_success):
            table.add_row(
                text(name), text(outcome.session), text(outcome.status, "bold red"), text(outcome.reason or "")
            )
    print_table(console, table)
    if reports.failed:
        console.print("Failed sessions are not stored; run the same command again to try them again.")
    if reports.conflicts:
        console.print("Sessions in conflict are stored with another text; --replace puts the new one in its place.")


def _totals(reports: Reports) -> str:
    sessions, seconds, usage = len(reports.outcomes), reports.seconds, reports.usage
    parts = [f"{sessions} sessions in {seconds:.1f} s" + (f" ({sessions / seconds:.1f}/s)" if seconds >= 0.01 else "")]
    if readers := sorted({o.extractor for o in reports.outcomes}):
        parts.append(f"read by {', '.join(readers)}")
    if usage.calls:
        parts.append(f"{usage.prompt_tokens} tokens in, {usage.output_tokens} out, {usage.calls} calls")
    return "; ".join(parts)


def _counts(outcomes: Iterable[Outcome]) -> list[int]:
    outcomes = list(outcomes)
    by_status = [sum(o.status is status for o in outcomes) for status in OutcomeStatus]
    read = (sum(getattr(o, kind) for o in outcomes) for kind in ("facts", "events", "notes", "rejected"))
    return [*by_status, *read]


def _cells(outcomes: Iterable[Outcome]) -> list[Text]:
    return [text(count, "" if count else "dim") for count in _counts(outcomes)]
