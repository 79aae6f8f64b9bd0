"""Operator sets: a file of questions that bring their facts, the operator that is meant, and the typed result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from tem_graph.domain.conversation import MAX_INDEX
from tem_graph.evaluate.datasets.shape import DataSet, digest, items_of, open_document
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.readers.border import Id, Words, validated

UNNAMED = "question"
"""Kind of a question whose operator the set does not name."""


class _Fact(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    subject: Words
    relation: Words
    object: str
    session: Id
    index: int | None = Field(None, ge=0, le=MAX_INDEX)
    date: Words | None = None
    effective: Words | None = None
    until: Words | None = None
    ended: bool = False
    slot: Words | None = None


class _Row(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    id: Id
    facts: list[_Fact]
    question: Words
    operator: Words | None = None
    args: dict[str, Any] = {}
    expected: dict[str, Any] | None = None


def read(path: Path) -> DataSet:
    """The set in the file. Questions with equal facts share a group.

    Raises:
        InputError: a line cannot be used; names the field.
    """
    document, content = open_document(path)
    questions: list[Question] = []
    facts: dict[str, tuple[FactInput, ...]] = {}
    for record in items_of(document):
        row = validated(_Row, record.value, record.place.named("question"))
        group = _group(row.facts)
        if group not in facts:
            facts[group] = tuple(_given(fact) for fact in row.facts)
        questions.append(
            Question(
                id=row.id,
                text=row.question,
                kind=row.operator or UNNAMED,
                reference=json.dumps(row.expected, ensure_ascii=False) if row.expected is not None else None,
                group=group,
                operator=row.operator,
                args=row.args,
                expected=row.expected,
                metadata=row.model_extra or {},
            )
        )
    return DataSet("operators", path.name, digest(content), tuple(questions), facts=facts)


def _group(facts: list[_Fact]) -> str:
    return digest(json.dumps([fact.model_dump() for fact in facts], sort_keys=True).encode())[:16]


def _given(fact: _Fact) -> FactInput:
    return FactInput(
        subject=fact.subject,
        relation=fact.relation,
        object=fact.object,
        source=fact.session,
        date=fact.date,
        index=fact.index,
        effective=fact.effective,
        until=fact.until,
        ended=fact.ended,
        slot=fact.slot,
    )
