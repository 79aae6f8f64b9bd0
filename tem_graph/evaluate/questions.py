"""What is asked, and what a right answer is: one shape for every data set.

A job freezes the questions that it chose in `questions.jsonl` beside its log, so that scoring and reports need
neither the data set nor the memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from tem_graph.errors import EvaluationError

QUESTIONS_FILE = "questions.jsonl"


@dataclass(frozen=True, slots=True)
class Question:
    """One question with its gold. Whatever a set does not say is None or empty."""

    id: str
    text: str
    kind: str
    """What the figures are broken down by: `current`, `multi-hop`, an operator's name, …"""
    reference: str | None
    """The gold answer as text; None where the set has none."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the gold answer."""
    other_values: tuple[str, ...] = ()
    """Values that a strict hit must not name."""
    evidence: tuple[str, ...] = ()
    """Ids of the gold turns that exist, each once, in the set's order; LoCoMo: `dia_id`s."""
    support: tuple[str, ...] = ()
    """The gold turns as text, `(date) speaker: what was said`, in the order of `evidence`."""
    group: str = ""
    """The memory that it is asked of: persona, conversation, timeline."""
    operator: str | None = None
    """Operator sets: the operator that the question means, with `args`."""
    args: Mapping[str, object] = field(default_factory=dict, hash=False)
    expected: Mapping[str, object] | None = field(default=None, hash=False)
    """Operator sets: the typed result (`{"status": "ok", "value": …}`)."""
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)
    """Everything else that the set says about the question, faults found in it included."""


_QUESTION = TypeAdapter(Question)


def write_questions(folder: Path, questions: Iterable[Question]) -> None:
    """Writes `questions.jsonl` into the folder, whole or not at all."""
    target, partial = folder / QUESTIONS_FILE, folder / f"{QUESTIONS_FILE}.part"
    partial.write_bytes(b"".join(_QUESTION.dump_json(question) + b"\n" for question in questions))
    partial.replace(target)


def read_questions(folder: Path) -> list[Question]:
    """The questions of a run, in the order in which they were chosen.

    Raises:
        EvaluationError: the folder has none, or a line is damaged; names the line.
    """
    path = folder / QUESTIONS_FILE
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise EvaluationError(
            f"{path} cannot be read: {error.strerror}", hint="give the --out folder of an evaluation job"
        ) from error
    questions = []
    for number, line in enumerate(lines, start=1):
        try:
            questions.append(_QUESTION.validate_json(line))
        except ValidationError as error:
            raise EvaluationError(f"{path}, line {number}: {error.errors()[0]['msg']}") from None
    return questions
