"""LoCoMo as published: ten conversations with questions in five categories, and the faults of the file.

The names of the categories are fixed by their counts and by LoCoMo's own scorer. Category 5 (adversarial) is asked
only when it is named; the other four are the 1,540 questions of TEM, section 4.6. A question's id is
`<sample_id>-q<NNN>`, its 0-based place in the conversation.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.conversation import Session
from tem_graph.evaluate.datasets.shape import DataSet, digest, items_of, open_document, turn_id, turn_line
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.readers import parse_conversations
from tem_graph.ingest.readers.border import Id, validated
from tem_graph.ingest.readers.document import Place

CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}
ADVERSARIAL = CATEGORIES["5"]
_TURN_ID = re.compile(r"D[0-9]+:[0-9]+")
_BETWEEN = re.compile(r"[;,\s]+")


class _Entry(BaseModel):
    model_config = ConfigDict(extra="allow")

    question: str | int | float
    category: int
    answer: str | int | float | None = None
    evidence: list[Any] = []
    adversarial_answer: str | int | float | None = None


class _Sample(BaseModel):
    model_config = ConfigDict(extra="ignore")

    sample_id: Id
    qa: list[Any]


def read(path: Path) -> DataSet:
    """The conversations and their questions, all five categories; 1 to 4 are the usual ones.

    Raises:
        InputError: a conversation cannot be read, or a question has no text or category.
    """
    document, content = open_document(path)
    conversations = parse_conversations(content.decode(), origin=str(path), format="locomo")
    notes = [f"{c.id}: {left_out}" for c in conversations for left_out in c.left_out]
    sessions = {str(c.id): c.sessions for c in conversations}
    questions: list[Question] = []
    for record in items_of(document):
        sample = validated(_Sample, record.value, record.place)
        place = record.place.named(f"conversation {sample.sample_id!r}").at("qa")
        questions += _questions(sample, sessions[sample.sample_id], place)
    faults = Counter(fault.partition(":")[0] for q in questions for fault in _faults(q))
    notes += [f"{count} questions: {fault}" for fault, count in sorted(faults.items())]
    usual = tuple(kind for kind in CATEGORIES.values() if kind != ADVERSARIAL)
    return DataSet(
        "locomo", path.name, digest(content), tuple(questions), sessions, notes=tuple(notes), usual_kinds=usual
    )


def _faults(question: Question) -> list[str]:
    faults = question.metadata.get("faults", [])
    assert isinstance(faults, list)
    return faults


def _questions(sample: _Sample, sessions: Sequence[Session], place: Place) -> list[Question]:
    lines = {turn_id(session, turn): turn_line(session, turn) for session in sessions for turn in session.turns}
    questions: list[Question] = []
    first_asked: dict[str, str] = {}
    for number, value in enumerate(sample.qa):
        id_ = f"{sample.sample_id}-q{number:03d}"
        entry = validated(_Entry, value, place.at(number).named(f"question {id_}"))
        text = str(entry.question).strip()
        evidence, faults = read_evidence(entry.evidence, lines)
        if entry.answer is None:
            faults.append("no answer")
        elif not isinstance(entry.answer, str):
            faults.append("answer is a number")
        if text in first_asked:
            faults.append(f"repeats a question: {first_asked[text]}")
        first_asked.setdefault(text, id_)
        questions.append(
            Question(
                id=id_,
                text=text,
                kind=CATEGORIES.get(str(entry.category), f"category {entry.category}"),
                reference=str(entry.answer).strip() if entry.answer is not None else None,
                evidence=evidence,
                support=tuple(lines[id_] for id_ in evidence),
                group=sample.sample_id,
                metadata=_metadata(entry, faults),
            )
        )
    return questions


def _metadata(entry: _Entry, faults: list[str]) -> dict[str, object]:
    metadata: dict[str, object] = {"category": entry.category, **(entry.model_extra or {})}
    if entry.adversarial_answer is not None:
        metadata["adversarial_answer"] = str(entry.adversarial_answer)
    return metadata | ({"faults": faults} if faults else {})


def read_evidence(given: Sequence[object], turns: Mapping[str, object]) -> tuple[tuple[str, ...], list[str]]:
    """The ids of turns that exist, each once, and what is wrong with the others. One string may hold several ids
    (four of the published questions have no other; without them 1,531 questions have a gold turn). An id in
    another spelling is not guessed at.

    >>> read_evidence(["D8:6; D9:17", "D", "D4:36"], {"D8:6": 0, "D9:17": 0})[0]
    ('D8:6', 'D9:17')
    >>> read_evidence(["D", "D4:36"], {"D8:6": 0})[1]
    ['evidence is no turn id: D', 'evidence does not exist: D4:36']
    """
    if not given:
        return (), ["no evidence"]
    found: dict[str, None] = {}
    faults = []
    for item in given:
        parts = [part for part in _BETWEEN.split(str(item).strip()) if part]
        if len(parts) > 1:
            faults.append(f"several ids in one string: {item}")
        for part in parts:
            if part in turns:
                found[part] = None
            elif _TURN_ID.fullmatch(part):
                faults.append(f"evidence does not exist: {part}")
            else:
                faults.append(f"evidence is no turn id: {part}")
    return tuple(found), faults
