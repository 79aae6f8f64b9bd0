"""Chosen answers, as in the paper's Fig. 4: where TEM is right and its controls are wrong, and the other way round.

The choice is a rule, not a taste. Pure: the same runs give the same examples.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in
from tem_graph.evaluate.scoring.samples import (
    KEY_ENTITY_HIT,
    STRICT_HIT,
    STRICT_LOW,
    SUBSTRING_MATCH,
    TYPED_RESULT,
    Sample,
)
from tem_graph.evaluate.scoring.verdict import Verdict

OURS = ("tem-status", "tem-hybrid-state", "tem-operators")
"""Whose answers are shown against the others', the first that the run has."""
SHOWN = 3
"""Examples of each direction for a run."""
_RIGHT_BY = (STRICT_LOW, KEY_ENTITY_HIT, TYPED_RESULT, SUBSTRING_MATCH)


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    config: str
    text: str
    is_right: bool | None
    """None: open, or right only in part."""


@dataclass(frozen=True, slots=True)
class Example:
    """One question with the answers of one model under every configuration. `title` says what it is one of."""

    run: str
    title: str
    question: str
    kind: str
    reference: str
    answers: tuple[GivenAnswer, ...]


def choose_examples(runs: Sequence[NamedRun]) -> list[Example]:
    """Up to `SHOWN` questions of each run that TEM gets right and most controls wrong, and as many the other way.

    Ordered by the number of controls on the other side (most first), then one of each kind of question before a
    second of any, then by id.
    """
    return [example for named in runs for example in _of_run(named)]


def _of_run(named: NamedRun) -> Iterator[Example]:
    measure = next((m for m in _RIGHT_BY if named.run.has_measured(m)), None)
    ours = next((config for config in OURS if config in named.run.configs), None)
    if measure is None or ours is None:
        return
    by_question: defaultdict[str, dict[str, Sample]] = defaultdict(dict)
    for sample in named.run.samples:
        by_question[sample.question.id][sample.line.config] = sample
    for is_right, title in ((True, "TEM right, controls wrong"), (False, "TEM wrong, controls right")):
        found = []
        for id_, samples in by_question.items():
            if ours not in samples or _is_right(samples[ours], measure) is not is_right:
                continue
            controls = [sample for config, sample in samples.items() if config not in OURS]
            opposed = sum(_is_right(control, measure) is (not is_right) for control in controls)
            if opposed:
                found.append((-opposed, id_, samples))
        for samples in _one_of_each_kind(sorted(found, key=lambda entry: entry[:2])):
            yield _example(named, f"{title} ({config_name(ours)})", samples, measure, ours)


def _one_of_each_kind(found: Sequence[tuple[int, str, dict[str, Sample]]]) -> list[dict[str, Sample]]:
    seen: defaultdict[str, int] = defaultdict(int)
    ranked = []
    for place, (_, _, samples) in enumerate(found):
        kind = next(iter(samples.values())).question.kind
        ranked.append((seen[kind], place, samples))
        seen[kind] += 1
    return [samples for _, _, samples in sorted(ranked, key=lambda entry: entry[:2])][:SHOWN]


def _is_right(sample: Sample, measure: str) -> bool | None:
    """Whether the answer is right; None where that is open, or half true."""
    if measure == STRICT_LOW:
        return {Verdict.RIGHT: True, Verdict.WRONG: False}.get(sample.verdict) if sample.verdict else None
    if measure not in sample.scores:
        return None  # nobody answered
    if measure == KEY_ENTITY_HIT and sample.scores[KEY_ENTITY_HIT] != sample.scores[STRICT_HIT]:
        return None  # an answer that names every value is no example of a right one, nor of a wrong one
    return sample.scores.get(measure) == 1.0


def _example(named: NamedRun, title: str, samples: dict[str, Sample], measure: str, ours: str) -> Example:
    question = samples[ours].question
    order = [ours, *(config for config in configs_in([named]) if config != ours)]
    answers = tuple(
        GivenAnswer(config_name(config), _said(samples[config]), _is_right(samples[config], measure))
        for config in order
        if config in samples
    )
    return Example(
        f"{named.name}, {named.run.spec.job}", title, question.text, question.kind, question.reference or "–", answers
    )


def _said(sample: Sample) -> str:
    line = sample.line
    if line.error:
        return f"(failed: {line.error})"
    text = " ".join(line.answer.split()) or "(empty)"
    return f"{text} (truncated)" if line.is_truncated else text
