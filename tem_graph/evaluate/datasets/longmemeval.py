"""LongMemEval in its published JSON form: every question brings its own haystack of sessions, a memory of its own.

    [{"question_id", "question_type", "question", "answer", "question_date", "haystack_session_ids": [],
      "haystack_dates": [], "haystack_sessions": [[{"role", "content", "has_answer"?}]], "answer_session_ids": []}]

The day of a question (`question_date`) is the "today" of its answer. Ids of turns are `session:position`; gold are
the turns with `has_answer`. A question whose id ends in `_abs` has no answer in the haystack (abstention).
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.time import SessionDate
from tem_graph.errors import InputError
from tem_graph.evaluate.datasets.shape import DataSet, digest, items_of, open_document, turn_id, turn_line
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.readers.border import Id, Words, make_session, validated
from tem_graph.ingest.readers.document import Place

_WRITTEN = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?:\s*\(\w+\))?(?:\s+(\d{1,2}):(\d{2}))?")
"""`2023/05/20 (Sat) 02:21`."""


class _Turn(BaseModel):
    model_config = ConfigDict(extra="ignore")

    role: Words
    content: str
    has_answer: bool | None = None


class _Item(BaseModel):
    model_config = ConfigDict(extra="allow")

    question_id: Id
    question_type: Words
    question: Words
    answer: str | int | float | None = None
    question_date: Words | None = None
    haystack_session_ids: list[Id]
    haystack_dates: list[Words]
    haystack_sessions: list[list[_Turn]]
    answer_session_ids: list[Id] = []


def read(path: Path) -> DataSet:
    """One group per question.

    Raises:
        InputError: a field is missing, the haystack's three lists differ in length, or a date cannot be read.
    """
    document, content = open_document(path)
    questions: list[Question] = []
    conversations: dict[str, tuple[Session, ...]] = {}
    empty = 0
    for record in items_of(document):
        item = validated(_Item, record.value, record.place)
        place = record.place.named(f"question {item.question_id!r}")
        sessions, gold, left_out = _haystack(item, place)
        conversations[item.question_id] = sessions
        questions.append(_question(item, sessions, gold, place))
        empty += left_out
    notes = (f"{empty} turns or sessions without a word were left out",) if empty else ()
    return DataSet("longmemeval", path.name, digest(content), tuple(questions), conversations, notes=notes)


def _haystack(item: _Item, place: Place) -> tuple[tuple[Session, ...], set[tuple[str, int]], int]:
    """The sessions, (session id, position) of the turns that hold the answer, and how much was empty."""
    counts = [len(part) for part in (item.haystack_session_ids, item.haystack_dates, item.haystack_sessions)]
    if len(set(counts)) > 1:
        raise place.error("has {} ids, {} dates and {} sessions".format(*counts), "haystack_sessions")
    sessions: list[Session] = []
    gold: set[tuple[str, int]] = set()
    used: dict[str, int] = {}
    left_out = 0
    given = zip(item.haystack_session_ids, item.haystack_dates, item.haystack_sessions, strict=True)
    for number, (id_, day, lines) in enumerate(given):
        used[id_] = used.get(id_, 0) + 1
        # The same session may stand in a haystack twice; a memory holds an id once.
        session_id = id_ if used[id_] == 1 else f"{id_}~{used[id_]}"
        spoken = [line for line in lines if line.content.strip()]
        left_out += len(lines) - len(spoken)
        if not spoken:
            left_out += 1
            continue
        turns = [Turn(position, line.role, line.content) for position, line in enumerate(spoken)]
        told = SessionDate(_instant(day, place, "haystack_dates", number))
        sessions.append(make_session(place.at("haystack_sessions", number), session_id, turns, told))
        gold |= {(session_id, position) for position, line in enumerate(spoken) if line.has_answer}
    if not sessions:
        raise place.error("holds no session: nothing to store", "haystack_sessions")
    return tuple(sessions), gold, left_out


def _question(item: _Item, sessions: tuple[Session, ...], gold: set[tuple[str, int]], place: Place) -> Question:
    turns = [(s, t) for s in sessions for t in s.turns if (s.id, t.position) in gold]
    metadata: dict[str, object] = {
        **(item.model_extra or {}),
        "answer_session_ids": item.answer_session_ids,
        "is_abstention": item.question_id.endswith("_abs"),
    }
    if item.question_date:
        metadata["asked_on"] = _day(item.question_date, place, "question_date").isoformat()
    return Question(
        id=item.question_id,
        text=item.question,
        kind=item.question_type,
        reference=str(item.answer) if item.answer is not None else None,
        evidence=tuple(turn_id(s, t) for s, t in turns),
        support=tuple(turn_line(s, t) for s, t in turns),
        group=item.question_id,
        metadata=metadata,
    )


def _day(text: str, place: Place, *field: str | int) -> date:
    return _instant(text, place, *field).date()


def _instant(text: str, place: Place, *field: str | int) -> datetime:
    match = _WRITTEN.fullmatch(text.strip())
    try:
        if match is None:
            return SessionDate.parse(text).instant
        year, month, day, hour, minute = (int(part or 0) for part in match.groups())
        return datetime(year, month, day, hour, minute, tzinfo=UTC)
    except (ValueError, InputError) as error:
        raise place.error(f"is {text!r} and not like 2023/05/20 (Sat) 02:21", *field) from error
