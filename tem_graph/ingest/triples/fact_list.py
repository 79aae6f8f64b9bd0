"""Numbered lists of facts: "Here is a list of facts:", then "0. …", "1. …"; a number is the place of its source."""

from __future__ import annotations

import re

from tem_graph.domain.conversation import Session, Turn
from tem_graph.errors import InputError

_HEADING = re.compile(r"\s*here is a list of facts\s*:?\s*", re.IGNORECASE)
_LINE = re.compile(r"\s*(\d+)[.)]\s+(\S.*?)\s*")
SPEAKER = "list"
"""Who "speaks" the lines: the list itself."""


def is_fact_list(text: str) -> bool:
    """Whether a text opens with the heading of such a list."""
    first, _, _ = text.lstrip("\ufeff\r\n ").partition("\n")
    return _HEADING.fullmatch(first) is not None


def parse_fact_list(text: str, *, origin: str = "fact list") -> list[Session]:
    """One session per fact, in the order of the text: its id and source index are the fact's number.

    Raises:
        InputError: a line has no number, or a number occurs twice; names the line.
    """
    sessions: dict[int, Session] = {}
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or (not sessions and _HEADING.fullmatch(line)):
            continue
        match = _LINE.fullmatch(line)
        if match is None:
            raise InputError(f"{origin}, line {number}: no numbered fact", hint="write each fact as '12. Text.'")
        serial = int(match[1])
        if serial in sessions:
            raise InputError(f"{origin}, line {number}: fact {serial} occurs twice", hint="number each fact once")
        sessions[serial] = Session(str(serial), (Turn(0, SPEAKER, match[2]),), index=serial)
    return list(sessions.values())
