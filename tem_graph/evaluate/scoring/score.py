"""`scores.json` from a log and its questions: the one way from answers to figures, with counts beside every figure.

Scoring reads `log.jsonl`, `questions.jsonl` and `verdicts.jsonl` of a run and nothing else: no memory, no data set, no
model. So it can be repeated, with another judge or corrected references, without answering anything again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.log import read_log
from tem_graph.evaluate.questions import read_questions
from tem_graph.evaluate.scoring.costs import Account, accounts
from tem_graph.evaluate.scoring.figures import Difference, Figure, figures_and_differences
from tem_graph.evaluate.scoring.intervals import RESAMPLES, SEED
from tem_graph.evaluate.scoring.samples import Overlay, Sample, score_samples
from tem_graph.evaluate.scoring.verdict_file import Judge, read_verdicts
from tem_graph.evaluate.spec import Spec

SCORES_FILE = "scores.json"


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with everything that can be counted in it."""

    folder: Path
    spec: Spec
    samples: tuple[Sample, ...]
    chosen: int
    """Answers that the job is for, its questions under each configuration; more than `samples` until it is done."""
    figures: tuple[Figure, ...]
    differences: tuple[Difference, ...]
    accounts: tuple[Account, ...]
    judge: Judge | None
    judge_tokens: int
    overlays: tuple[str, ...]

    @property
    def configs(self) -> tuple[str, ...]:
        """The configurations with answers, in the order of the spec."""
        there = {sample.line.config for sample in self.samples}
        return tuple(config for config in self.spec.configs if config in there)

    def figure(self, config: str, measure: str, *, by: str = "overall", group: str = "all") -> Figure | None:
        """One figure; None if it was not measured in this run."""
        wanted = (config, measure, by, group)
        return next((f for f in self.figures if (f.config, f.measure, f.by, f.group) == wanted), None)

    def has_measured(self, measure: str) -> bool:
        """Whether any configuration has a figure of this measure."""
        return any(figure.measure == measure and figure.value is not None for figure in self.figures)

    def account(self, config: str, group: str = "all") -> Account | None:
        return next((a for a in self.accounts if (a.config, a.group) == (config, group)), None)

    def difference(
        self, config: str, against: str, measure: str, *, by: str = "overall", group: str = "all"
    ) -> Difference | None:
        """How much higher `config` is than `against`, whichever of the two the spec names first."""
        for found in self.differences:
            if (found.measure, found.by, found.group) == (measure, by, group):
                if (found.config, found.against) == (config, against):
                    return found
                if (found.config, found.against) == (against, config):
                    return found.turned()
        return None


def score_run(folder: Path, *, judge: Judge | None = None, overlays: Sequence[Overlay] = ()) -> ScoredRun:
    """The scored run of an `--out` folder.

    Args:
        judge: whose verdicts count; else the one that judged last.
        overlays: corrected references; each adds its own figures (`locomo_f1@NAME`) beside the published ones.

    Raises:
        EvaluationError: a file of the run is missing or damaged, or that judge has given no verdict.
        SettingsError: the extra `evaluate` is not installed.
    """
    spec, log = read_log(folder)
    verdicts = read_verdicts(folder, judge)
    questions = read_questions(folder)
    samples = score_samples(spec.job, log, questions, verdicts, overlays)
    figures, differences = figures_and_differences(samples)
    return ScoredRun(
        folder=folder,
        spec=spec,
        samples=tuple(samples),
        chosen=len(questions) * len(spec.configs),
        figures=tuple(figures),
        differences=tuple(differences),
        accounts=tuple(accounts(samples, is_judged=verdicts is not None)),
        judge=verdicts.judge if verdicts else None,
        judge_tokens=sum(v.prompt_tokens + v.output_tokens for v in verdicts.lines.values()) if verdicts else 0,
        overlays=tuple(overlay.name for overlay in overlays),
    )


def write_scores(run: ScoredRun) -> Path:
    """Writes `scores.json` into the folder of the run, whole or not at all, and returns its path."""
    target = run.folder / SCORES_FILE
    partial = target.with_suffix(".json.part")
    partial.write_text(json.dumps(as_json(run), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    partial.replace(target)
    return target


def as_json(run: ScoredRun) -> dict[str, Any]:
    """What `scores.json` holds: what was scored and how, the accounts, every figure and every difference."""
    return {
        "identity": run.spec.identity,
        "job": run.spec.job,
        "answers": {"chosen": run.chosen, "in the log": len(run.samples)},
        "judge": asdict(run.judge) | {"tokens": run.judge_tokens} if run.judge else None,
        "overlays": list(run.overlays),
        "intervals": {"level": 0.95, "method": "paired percentile bootstrap over questions; Wilson for 0 and 1"}
        | {"resamples": RESAMPLES, "seed": SEED},
        "accounts": [_rounded(asdict(account)) for account in run.accounts],
        "figures": [_rounded(asdict(figure)) for figure in run.figures],
        "differences": [_rounded(asdict(difference)) for difference in run.differences],
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _rounded(inner) for key, inner in value.items()}
    return round(value, 6) if isinstance(value, float) else value


def read_overlay(path: Path) -> Overlay:
    """Corrected references from a JSON file `{"name": …, "references": {question id: reference}}`.

    Raises:
        EvaluationError: unreadable, or of another shape.
    """
    try:
        return _OVERLAY.validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise EvaluationError(
            f"{path} is no overlay of references",
            hint='it must be a JSON object {"name": "…", "references": {"question id": "reference"}}',
        ) from error


_OVERLAY = TypeAdapter(Overlay)
