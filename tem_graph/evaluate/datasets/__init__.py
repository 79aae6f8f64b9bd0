"""The published data sets and those in the project's own form, each read into questions, sessions and given facts.

Faults of a published file are handled and named (`DataSet.notes`, `Question.metadata["faults"]`), never crashed on
and never repaired in silence: the figures of others were made with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.datasets import factconsolidation, locomo, longmemeval, operators, state_update
from tem_graph.evaluate.datasets.shape import DataSet

__all__ = ["JOBS", "DataSet", "read_data"]

_READERS: dict[str, Callable[[Path], DataSet]] = {
    "state-update": state_update.read,
    "locomo": locomo.read,
    "operators": operators.read,
    "factconsolidation": factconsolidation.read,
    "longmemeval": longmemeval.read,
}
JOBS = tuple(_READERS)


def read_data(job: str, path: Path, kinds: Sequence[str] = ()) -> DataSet:
    """The data set of a job, with the questions of these kinds; without any, of the job's usual ones.

    Raises:
        InputError: the file cannot be used; names the line and the field.
        EvaluationError: no such kind, or a question id occurs twice.
    """
    data = _READERS[job](path.resolve())
    seen: set[str] = set()
    for question in data.questions:
        if question.id in seen:
            raise EvaluationError(f"{path}: the question id {question.id!r} occurs twice")
        seen.add(question.id)
    return data.of_kinds([locomo.CATEGORIES.get(kind, kind) for kind in kinds] if job == "locomo" else kinds)
