"""State-update sets (TEM, section 4.1): a folder with `sessions.jsonl` and `questions.jsonl`, a memory per persona."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.datasets.shape import DataSet, digest, items_of, open_document
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.readers import parse_conversations
from tem_graph.ingest.readers.border import Id, Words, validated


class _Question(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    id: Id
    persona_id: Id
    question: Words
    kind: Words
    key_entity: Words
    aliases: list[Words] = []
    other_values: list[Words] = []


def read(path: Path) -> DataSet:
    """The set in the folder.

    Raises:
        InputError: a file is missing or a line cannot be used.
        EvaluationError: a question is about a persona without sessions.
    """
    document, asked = open_document(path / "questions.jsonl")
    _, told = open_document(path / "sessions.jsonl")
    conversations = parse_conversations(told.decode(), origin=str(path / "sessions.jsonl"), format="state-update")
    by_persona = {str(c.id): c.sessions for c in conversations}
    questions = []
    for record in items_of(document):
        entry = validated(_Question, record.value, record.place.named("question"))
        if entry.persona_id not in by_persona:
            raise EvaluationError(
                f"{path}: question {entry.id!r} is about {entry.persona_id!r}, who has no session in sessions.jsonl"
            )
        questions.append(_made(entry))
    return DataSet("state-update", path.name, digest(asked, told), tuple(questions), by_persona)


def _made(entry: _Question) -> Question:
    extra: dict[str, Any] = entry.model_extra or {}
    return Question(
        id=entry.id,
        text=entry.question,
        kind=entry.kind,
        reference=entry.key_entity,
        aliases=tuple(entry.aliases),
        other_values=tuple(entry.other_values),
        group=entry.persona_id,
        metadata=extra,
    )
