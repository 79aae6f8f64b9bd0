"""Hybrid evidence as text: marked facts first, then what was said, in the order of the sessions. Pure.

Each session is headed once, by its name and day; each line below it names its speaker. Without marks the same
lines stand in the same order, letter for letter (TEM, section 4.6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from itertools import groupby

from tem_graph.domain.evidence import MarkedFact, Passage, PassageKind
from tem_graph.domain.time import MONTHS
from tem_graph.retrieve.block import BlockStyle, fact_line, one_line, ordered
from tem_graph.retrieve.hybrid.trim import Cut

OPENING, CLOSING = "<Memory>", "</Memory>"
NOTHING = "(nothing known)"


def render(facts: Iterable[MarkedFact], lines: Iterable[tuple[Passage, Cut]], style: BlockStyle) -> str:
    """The evidence of already selected facts and passages, framed."""
    parts = [OPENING, *(fact_line(fact, style) for fact in ordered(facts, style))]
    told = sorted(lines, key=lambda line: place(line[0]))
    if not told and len(parts) == 1:
        parts.append(NOTHING)
    if told and len(parts) > 1:
        parts.append("")
    for _, group in groupby(told, key=lambda line: (line[0].source_key, line[0].session)):
        of_session = list(group)
        parts.append(heading(of_session[0][0]))
        parts += [passage_line(passage, cut) for passage, cut in of_session]
    return "\n".join([*parts, CLOSING])


def place(passage: Passage) -> tuple[str, str, int, str, str]:
    """Where a passage stands: by session, by its first turn; an event or note before the turn it comes from."""
    return passage.source_key, passage.session, min(passage.turns, default=-1), passage.kind, passage.id


def heading(passage: Passage) -> str:
    """The line above a session's passages: its name and its day, in words since these are fewer tokens than ISO."""
    name = one_line(passage.session)
    return f"{name}, {written(passage.told_on)}" if passage.told_on else name


def written(day: date) -> str:
    """
    >>> written(date(2023, 6, 9))
    '9 June 2023'
    """
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def passage_line(passage: Passage, cut: Cut) -> str:
    """One passage as one line: who said it, or that it is an event (with its day, where that differs) or a note."""
    if passage.kind is PassageKind.TURN:
        return one_line(f"{passage.speaker}: {cut.text}" if passage.speaker else cut.text)
    label = "Event" if passage.kind is PassageKind.EVENT else "Note"
    if passage.kind is PassageKind.EVENT and passage.day and passage.day != passage.told_on:
        label = f"{label} of {written(passage.day)}"
    return one_line(f"{label}: {cut.text}")


def said(passage: Passage) -> str:
    """What the passage says, without the name of its speaker."""
    return passage.text.removeprefix(f"{passage.speaker}: ") if passage.speaker else passage.text


def kept_turns(lines: Sequence[tuple[Passage, Cut]]) -> tuple[tuple[str, int], ...]:
    """(session, position) of the turns that the lines hold, whole or with at least half of their tokens."""
    turns = (passage for passage, _ in sorted(lines, key=lambda line: place(line[0])))
    return tuple((p.session, p.turns[0]) for p in turns if p.kind is PassageKind.TURN)
