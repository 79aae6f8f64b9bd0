"""Every answer of a log with its question, its scores by measure, and the groups that it counts in. Pure.

What is measured depends on the job. A measure is a number from 0 to 1 for one answer, higher is better; None means
not measured (no gold turn to find, nobody there to answer), which is not the same as 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.scoring.evidence_recall import evidence_recall
from tem_graph.evaluate.scoring.key_entity import is_hit, is_strict_hit
from tem_graph.evaluate.scoring.locomo_f1 import CATEGORIES, locomo_f1
from tem_graph.evaluate.scoring.substring import is_exact, is_right
from tem_graph.evaluate.scoring.typed_result import same_result
from tem_graph.evaluate.scoring.verdict import ADVERSARIAL, Verdict, declines, without_judge
from tem_graph.evaluate.scoring.verdict_file import Verdicts

KEY_ENTITY_HIT, STRICT_HIT = "key_entity_hit", "strict_hit"
TYPED_RESULT = "typed_result"
SUBSTRING_MATCH, EXACT_MATCH = "substring_match", "exact_match"
LOCOMO_F1, DECLINED, EVIDENCE_RECALL = "locomo_f1", "declined", "evidence_recall"
STRICT_LOW, STRICT_HIGH = "strict_semantic_low", "strict_semantic_high"
"""The strict judge's score with unresolved cases as wrong, and as right."""

ALL, WITH_ADVERSARIAL = "all", "all with adversarial"
OTHERS = "all but previous_residence"
"""TEM, Table 5: the 360 questions beside the 60 about the residence before the latest move."""
Measure = Callable[[LogLine, Question], float | None]


@dataclass(frozen=True, slots=True)
class Overlay:
    """Corrected references for some questions, under a name. Scores are shown with and without, never only with."""

    name: str
    references: Mapping[str, str] = field(hash=False)

    def apply(self, question: Question) -> Question:
        corrected = self.references.get(question.id)
        return question if corrected is None else replace(question, reference=corrected)


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer, scored. `groups` are (breakdown, name): `("overall", "all")`, `("kind", "temporal")`, …"""

    line: LogLine
    question: Question
    scores: Mapping[str, float | None] = field(hash=False)
    groups: tuple[tuple[str, str], ...]
    verdict: Verdict | None = None
    """Of the judge, or without one where none has to be asked; None where a judge would be needed."""


def score_samples(
    job: str,
    log: Iterable[LogLine],
    questions: Iterable[Question],
    verdicts: Verdicts | None = None,
    overlays: Sequence[Overlay] = (),
) -> list[Sample]:
    """Every answer of the log, scored, in the order of the log.

    Raises:
        EvaluationError: the log has an answer to a question that is not among `questions`.
    """
    pairs = list(pair(log, questions))
    answering = {line.config for line, _ in pairs if line.path != "evidence"}
    return [
        Sample(
            line,
            question,
            scores=_scores(job, line, question, line.config in answering, verdicts, overlays),
            groups=tuple(_groups(job, question)),
            verdict=_verdict(line, question, verdicts),
        )
        for line, question in pairs
    ]


def pair(log: Iterable[LogLine], questions: Iterable[Question]) -> Iterator[tuple[LogLine, Question]]:
    """Each line with its question.

    Raises:
        EvaluationError: a question is missing; names it.
    """
    by_id = {question.id: question for question in questions}
    for line in log:
        if line.id not in by_id:
            raise EvaluationError(
                f"the log has an answer to {line.id!r}, which is not among the questions of the run",
                hint="log.jsonl and questions.jsonl must be of the same run",
            )
        yield line, by_id[line.id]


def _scores(
    job: str,
    line: LogLine,
    question: Question,
    is_answering: bool,
    verdicts: Verdicts | None,
    overlays: Sequence[Overlay],
) -> dict[str, float | None]:
    scores: dict[str, float | None] = {}
    if is_answering:
        for name, measure in _ANSWER_MEASURES.get(job, {}).items():
            scores[name] = measure(line, question)
            for overlay in overlays:
                scores[f"{name}@{overlay.name}"] = measure(line, overlay.apply(question))
        if verdicts is not None:
            verdict = _verdict(line, question, verdicts) or Verdict.UNRESOLVED
            scores[STRICT_LOW] = float(verdict is Verdict.RIGHT)
            scores[STRICT_HIGH] = float(verdict is not Verdict.WRONG)
    if job in _WITH_RECALL:
        scores[EVIDENCE_RECALL] = evidence_recall(line.evidence_turns, question.evidence)
    return scores


def _verdict(line: LogLine, question: Question, verdicts: Verdicts | None) -> Verdict | None:
    decided = without_judge(line, question)
    if decided is not None or verdicts is None:
        return decided
    found = verdicts.of(line, question)
    return found.verdict if found else None


def _typed(line: LogLine, question: Question) -> float | None:
    if question.expected is None:
        return None
    return float(line.result is not None and same_result(line.result, question.expected))


def _names(question: Question) -> tuple[str, ...]:
    return (*((question.reference,) if question.reference is not None else ()), *question.aliases)


def _f1(line: LogLine, question: Question) -> float | None:
    category = question.metadata.get("category")
    if not isinstance(category, int) or category not in CATEGORIES:
        return None
    return locomo_f1(line.answer, question.reference or "", category)


_ANSWER_MEASURES: Mapping[str, Mapping[str, Measure]] = {
    "state-update": {
        KEY_ENTITY_HIT: lambda line, asked: float(is_hit(line.answer, _names(asked))),
        STRICT_HIT: lambda line, asked: float(is_strict_hit(line.answer, _names(asked), asked.other_values)),
    },
    "operators": {TYPED_RESULT: _typed},
    "factconsolidation": {
        SUBSTRING_MATCH: lambda line, asked: float(is_right(line.answer, _names(asked))),
        EXACT_MATCH: lambda line, asked: float(is_exact(line.answer, _names(asked))),
    },
    "locomo": {
        LOCOMO_F1: _f1,
        DECLINED: lambda line, asked: float(declines(line.answer)) if asked.kind == ADVERSARIAL else None,
    },
}
_WITH_RECALL = {"locomo", "longmemeval"}


def _groups(job: str, question: Question) -> Iterator[tuple[str, str]]:
    is_trap = job == "locomo" and question.kind == ADVERSARIAL
    yield "overall", ADVERSARIAL if is_trap else ALL
    if job == "locomo":
        yield "overall", WITH_ADVERSARIAL
    if job == "state-update" and question.kind != "previous_residence":
        yield "overall", OTHERS
    if not is_trap:
        yield "kind", question.kind
    for name in _FURTHER.get(job, ()):
        if value := question.metadata.get(name):
            yield name, str(value)


_FURTHER: Mapping[str, Sequence[str]] = {"state-update": ("relation",), "operators": ("trap",)}
"""Fields of the set that figures are broken down by too."""
