"""LoCoMo files as published: a list of conversations, or one of them, each a memory of its own.

Sessions are `session_<n>` with `session_<n>_date_time` such as `1:56 pm on 8 May, 2023`. The caption of a shared
image (`blip_caption`) is part of the turn; `dia_id` and every other field of a turn are kept in its metadata.
Questions, summaries and observations are not source text and are not read. The published file has dates without a
session (conv-26, 20 to 35): they are reported in `Conversation.left_out`, as are turns without words.
"""

from __future__ import annotations

import re
from datetime import datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.time import SessionDate
from tem_graph.ingest.readers.border import (
    BLANK_TURN,
    Conversation,
    Id,
    LeftOut,
    Words,
    make_session,
    refuse_repeated,
    validated,
)
from tem_graph.ingest.readers.document import Document, Place, Record
from tem_graph.ingest.readers.native import TurnEntry

_SESSION = re.compile(r"session_([0-9]+)")
_DATE = re.compile(r"session_([0-9]+)_date_time")
_WRITTEN = re.compile(
    r"(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}) (?P<half>[ap])m on "
    r"(?P<day>[0-9]{1,2}) (?P<month>[a-z]+), (?P<year>[0-9]{4})"
)
_MONTHS = [
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
]  # fmt: skip


class _Sample(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    sample_id: Id
    conversation: dict[str, Any]


class _Turn(TurnEntry):
    model_config = ConfigDict(extra="allow", strict=True)

    dia_id: Words


def read(document: Document, zone: tzinfo) -> list[Conversation]:
    """One conversation per sample, with the sample's id.

    Raises:
        InputError: names the file, the line, the conversation, the session and the field.
    """
    samples = []
    for record in _sample_records(document):
        sample = validated(_Sample, record.value, record.place)
        samples.append((sample, record.place.named(f"conversation {sample.sample_id!r}")))
    refuse_repeated(((sample.sample_id, place) for sample, place in samples), "sample_id")
    return [_conversation(sample, place.at("conversation"), zone) for sample, place in samples]


def _sample_records(document: Document) -> list[Record]:
    if document.is_lines:
        return list(document.records)
    (whole,) = document.records
    if not isinstance(whole.value, list):
        return [whole]
    return [Record(sample, whole.place.at(n)) for n, sample in enumerate(whole.value)]


def _conversation(sample: _Sample, place: Place, zone: tzinfo) -> Conversation:
    fields = sample.conversation
    numbers = sorted(int(m[1]) for name in fields if (m := _SESSION.fullmatch(name)))
    dates = {int(m[1]) for name in fields if (m := _DATE.fullmatch(name))}
    if not numbers:
        raise place.error("holds no session: nothing to store")
    unused = sorted(dates - set(numbers))
    left_out = LeftOut()
    if unused:
        between = f"without a session ({unused[0]} to {unused[-1]})"
        left_out.add(f"date {between}", f"dates {between}", len(unused))
    found = (_session(number, sample, place, zone, left_out) for number in numbers)
    sessions = tuple(session for session in found if session is not None)
    return Conversation(sample.sample_id, sessions, left_out.sentences())


def _session(number: int, sample: _Sample, place: Place, zone: tzinfo, left_out: LeftOut) -> Session | None:
    id_ = f"session_{number}"
    place = place.named(f"{place.name}, session {id_!r}")
    lines = sample.conversation[id_]
    if not isinstance(lines, list):
        raise place.error("must be a list of turns", id_)
    turns: list[Turn] = []
    for position, line in enumerate(lines):
        if isinstance(line, dict) and "blip_caption" in line:
            line = {("caption" if key == "blip_caption" else key): value for key, value in line.items()}
        turn = validated(_Turn, line, place.at(id_, position).named(f"{place.name}, turns[{position}]"))
        if turn.is_blank:
            left_out.add(*BLANK_TURN)
            continue
        metadata = {"dia_id": turn.dia_id, **turn.metadata, **(turn.model_extra or {})}
        turns.append(Turn(len(turns), turn.speaker, turn.text or "", turn.caption, metadata))
    date = _date(f"{id_}_date_time", sample, place, zone)
    if not turns:
        left_out.sessions.append(id_)
        return None
    return make_session(place, id_, turns, date)


def _date(field: str, sample: _Sample, place: Place, zone: tzinfo) -> SessionDate:
    text = sample.conversation.get(field)
    # Not strptime: its month names follow the machine's locale.
    match = _WRITTEN.fullmatch(text.strip().lower()) if isinstance(text, str) else None
    if match is None or match["month"] not in _MONTHS:
        problem = "is missing" if text is None else f"is {text!r} and not like '1:56 pm on 8 May, 2023'"
        raise place.error(problem, field)
    try:
        instant = datetime(
            int(match["year"]),
            _MONTHS.index(match["month"]) + 1,
            int(match["day"]),
            int(match["hour"]) % 12 + (12 if match["half"] == "p" else 0),
            int(match["minute"]),
            tzinfo=zone,
        )
    except ValueError as error:
        raise place.error(f"is {text!r}: {error}", field) from error
    return SessionDate(instant)
