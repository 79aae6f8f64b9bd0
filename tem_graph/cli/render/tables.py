"""Tables for people. Every cell is data: one line, no markup, no control characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tem_graph.cli.output import text
from tem_graph.domain.conversation import Event, Note, Turn
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.extraction import Rejection
from tem_graph.domain.fact import Fact, Status
from tem_graph.domain.outcome import Outcome
from tem_graph.graph.store import MemoryInfo, SessionInfo, SubjectInfo
from tem_graph.memory import GroupHistory
from tem_graph.retrieve.block import relation_label
from tem_graph.timeline.chart import Mark, stays
from tem_graph.timeline.terminal import period

NARROW = 72
"""Columns below which a table becomes a list."""
STATUS_STYLES = {
    Status.CURRENT: "bold green",
    Status.HISTORICAL: "dim",
    Status.PLANNED: "yellow",
    Status.CONFLICTING: "bold red",
    Status.RETRACTED: "dim strike",
    Status.UNKNOWN: "dim",
}
_MARK_STYLES = {Mark.CURRENT: "bold green", Mark.PAST: "", Mark.CONFLICTING: "bold red", Mark.PLANNED: "yellow"}


def make_table(*columns: str, right: Sequence[str] = ()) -> Table:
    """An empty table in the one style that all of them have; `right` names the columns of numbers."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1))
    for column in columns:
        is_number = column in right
        table.add_column(column, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    return table


def print_table(console: Console, table: Table) -> None:
    """The table; on a narrow terminal one line per cell, where columns would be a few letters wide."""
    if console.width >= NARROW:
        console.print(table)
        return
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        for column, cell in zip(table.columns, cells, strict=True):
            if str(cell):
                console.print(Text(f"{column.header}: ", style="dim").append_text(Text(str(cell))), soft_wrap=True)
        console.print()


def facts_table(hits: Iterable[MarkedFact], *, scores: bool = False, ids: bool = False) -> Table:
    """Facts with their status, where they were said, and by whom in which words."""
    names = [*(["score"] if scores else []), "subject", "relation", "object", "status", "source", "quote"]
    table = make_table(*names, *(["id"] if ids else []), right=("score",))
    for hit in hits:
        cells = [
            text(hit.fact.subject),
            text(relation_label(hit.fact)),
            text(hit.fact.title, STATUS_STYLES[hit.status]),
            _status(hit),
            _source(hit.fact),
            _quote(hit.fact),
        ]
        if scores:
            cells.insert(0, text("" if hit.score is None else f"{hit.score:.3f}"))
        if ids:
            cells.append(text(hit.fact.id, "dim"))
        table.add_row(*cells)
    return table


def evidence_lines(facts: Iterable[Fact]) -> Iterable[Text]:
    """The versions that prove an answer, one line each, with quote and session."""
    for fact in facts:
        line = Text("  ").append_text(text(fact.subject)).append(" | ").append_text(text(relation_label(fact)))
        line.append(" | ").append_text(text(fact.title, "bold")).append(" | ").append_text(_source(fact))
        quote = _quote(fact)
        yield line.append(" | ").append_text(quote) if quote else line


def histories_table(histories: Sequence[GroupHistory]) -> Table:
    """One row per stint, oldest first, and per planned fact: value, when, who said so."""
    table = make_table("subject", "relation", "value", "when", "status", "told", "source", "quote", right=("told",))
    for history in histories:
        for relation, bar in stays(history):
            first = next(iter((*bar.tellings, *bar.ended_by)), None)
            label = "historical" if bar.mark is Mark.PAST else bar.mark.value
            table.add_row(
                text(history.subject),
                text(relation),
                text(bar.label, _MARK_STYLES[bar.mark]),
                text(period(bar)),
                text(label, _MARK_STYLES[bar.mark]),
                text(len(bar.tellings)),
                text(first.session if first else ""),
                text(f"“{first.quote}”" if first and first.quote else "", "italic"),
            )
    return table


def sessions_table(sessions: Iterable[SessionInfo], outcomes: Iterable[Outcome]) -> Table:
    """Stored sessions in source order, then those whose reading failed and that are not stored."""
    last = {o.session: o for o in outcomes}
    names = ("#", "session", "date", "turns", "facts", "events", "notes", "rejected", "outcome", "read by")
    table = make_table(*names, right=_COUNTS)
    for info in sessions:
        outcome = last.pop(info.id, None)
        table.add_row(
            text(info.place),
            text(info.id),
            text(info.date or ("" if info.index is None else f"index {info.index}")),
            text(info.turns),
            text(info.facts),
            text(info.events),
            text(info.notes),
            text(info.rejected),
            _outcome(outcome),
            text(outcome.extractor if outcome else "by hand" if not info.turns else ""),
        )
    for outcome in last.values():
        empty = [Text()] * 6
        table.add_row(Text(), text(outcome.session), *empty, _outcome(outcome), text(outcome.extractor))
    return table


_COUNTS = ("#", "turns", "facts", "events", "notes", "rejected")


def subjects_table(subjects: Iterable[SubjectInfo]) -> Table:
    """Who and what is known, with explicit merges."""
    table = make_table("subject", "facts", "relations", "merged into", right=_COUNTS)
    for info in subjects:
        table.add_row(text(info.name), text(info.facts), text(", ".join(info.relations)), text(info.merged_into or ""))
    return table


def rejections_table(rejections: Iterable[tuple[str, Rejection]]) -> Table:
    table = make_table("session", "turn", "candidate", "reason", "why", "quote", right=("turn",))
    for session, rejection in rejections:
        candidate = rejection.candidate
        table.add_row(
            text(session),
            text("" if candidate.turn is None else candidate.turn),
            text(f"{candidate.subject} | {candidate.relation} | {candidate.object}"),
            text(rejection.reason, "yellow"),
            text(rejection.detail),
            text(f"“{candidate.quote}”" if candidate.quote else "", "italic"),
        )
    return table


def memories_table(memories: Iterable[MemoryInfo]) -> Table:
    counts = ("sessions", "facts", "events", "notes")
    table = make_table("memory", *counts, "ordered by", "since", right=counts)
    for memory in memories:
        since = memory.created_at.date().isoformat() if memory.created_at else ""
        numbers = (memory.sessions, memory.facts, memory.events, memory.notes)
        table.add_row(text(memory.id), *map(text, numbers), text(memory.ordering or ""), text(since))
    return table


def events_table(events: Iterable[Event]) -> Table:
    """Each event with its day, who took part, and the turns behind it."""
    table = make_table("session", "date", "what happened", "who", "turns", "read by")
    for event in events:
        table.add_row(
            text(event.session),
            text(event.date or ""),
            text(event.summary),
            text(", ".join(event.participants)),
            text(_numbers(event.turns)),
            text(event.extractor, "dim"),
        )
    return table


def notes_table(notes: Iterable[Note]) -> Table:
    table = make_table("session", "note", "turns", "read by")
    for note in notes:
        table.add_row(text(note.session), text(note.text), text(_numbers(note.turns)), text(note.extractor, "dim"))
    return table


def _numbers(turns: Iterable[int]) -> str:
    return ", ".join(map(str, turns))


def draw_turns(console: Console, turns: Iterable[Turn]) -> None:
    """Each turn on a line: position, speaker, what was said."""
    for turn in turns:
        line = Text(f"{turn.position:>3} ", style="dim")
        line.append_text(text(turn.speaker, "bold")).append(": ").append_text(text(turn.content))
        console.print(line, soft_wrap=True)


def _status(hit: MarkedFact) -> Text:
    cell = text(hit.status.value, STATUS_STYLES[hit.status])
    if hit.successor is not None:
        cell.append(" ").append_text(text(f"(then {hit.successor.title})", "dim"))
    return cell


def _source(fact: Fact) -> Text:
    parts = [fact.source.session]
    if fact.source.day:
        parts.append(fact.source.day.isoformat())
    if fact.valid_from:
        parts.append(f"effective {fact.valid_from}")
    return text(", ".join(parts))


def _quote(fact: Fact) -> Text:
    provenance = fact.provenance
    if provenance is None or not provenance.quote:
        return Text()
    speaker = f"{provenance.speaker}: " if provenance.speaker else ""
    return text(f"{speaker}“{provenance.quote}”", "italic")


def _outcome(outcome: Outcome | None) -> Text:
    if outcome is None:
        return Text()
    cell = text(outcome.status.value, "" if outcome.is_success else "bold red")
    if outcome.reason:
        cell.append(": ").append_text(text(outcome.reason, "red"))
    return cell
