"""What `tem-graph evaluate JOB` does: answer with a progress bar, then judge, score and report."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tem_graph.cli.render.evaluation import draw_scores, job_progress
from tem_graph.evaluate.prepare import JobOptions, judge_settings
from tem_graph.evaluate.run import run_job

if TYPE_CHECKING:
    from tem_graph.cli.app import App
    from tem_graph.evaluate.scoring.verdict_file import Judge


@dataclass(frozen=True, slots=True)
class JobRequest:
    """The options of the command line, as they were given."""

    job: str
    data: Path
    out: Path
    configs: str | None
    model: str | None
    no_model: bool
    sample: int | None
    seed: int
    categories: str | None
    groups: str | None
    extractor: str | None
    tokenizer: str | None
    window: int | None
    answer_tokens: int | None
    budget: int | None
    policy: str
    concurrency: int | None
    retry_failed: bool
    forget: bool
    ray_address: str | None
    relations: Path | None
    typed: bool = False

    def as_job(self) -> JobOptions:
        return JobOptions(
            job=self.job,
            data=self.data,
            configs=self.configs,
            sample=self.sample,
            seed=self.seed,
            kinds=_listed(self.categories),
            groups=_listed(self.groups),
            typed=self.typed,
            no_model=self.no_model,
            model=self.model,
            extractor=self.extractor,
            tokenizer=self.tokenizer,
            window=self.window,
            answer_max_tokens=self.answer_tokens,
            budget=self.budget,
            policy=self.policy,
            concurrency=self.concurrency,
            relations=self.relations,
        )


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part.strip() for part in (text or "").split(",") if part.strip()))


def answer(app: App, request: JobRequest) -> None:
    """The log of the run is complete.

    Raises:
        TemGraphError: as `run_job`.
    """
    with job_progress() as watch:
        result = asyncio.run(
            run_job(
                request.as_job(),
                app.settings(),
                request.out,
                watch=watch,
                retry_failed=request.retry_failed,
                forget=request.forget,
                ray_address=request.ray_address,
            )
        )
    for note in result.job.data.notes:
        app.say(f"{result.job.data.name}: {note}")


def score(app: App, out: Path, judge_model: str | None, corrected: Sequence[Path] = ()) -> int:
    """How many samples of the run failed, after its scores and report are written and shown.

    With a judge, its verdicts count; else those of whoever judged last.
    """
    from tem_graph.evaluate.report import write_report
    from tem_graph.evaluate.scoring.score import as_json, read_overlay, score_run, write_scores

    overlays = [read_overlay(path) for path in corrected]
    judge = asyncio.run(_judge(app, out, judge_model)) if judge_model is not None else None
    scored = score_run(out, judge=judge, overlays=overlays)
    write_scores(scored)
    written = write_report([out], out, judge=judge, overlays=overlays)
    app.show(as_json(scored), lambda console: draw_scores(console, scored, written))
    return sum(account.failed for account in scored.accounts if account.group == "all")


async def _judge(app: App, out: Path, judge_model: str) -> Judge | None:
    """Who judged; None where no answer of the run needs a judge."""
    from tem_graph.evaluate.scoring.judging import judge_run
    from tem_graph.llm.choose import make_model

    settings = judge_settings(app.settings(), judge_model)
    model = make_model(settings)
    assert model is not None
    try:
        judged = await judge_run(out, model, in_flight=settings.concurrency)
    finally:
        await model.aclose()
    app.say(f"judged by {model.name}: {judged.asked} answers asked, {judged.known} known from before")
    return judged.judge if judged.asked or judged.known else None


def write_reports(app: App, runs: Sequence[Path], out: Path) -> None:
    """The report over the runs is written, and where it is is said."""
    from tem_graph.evaluate.report import write_report

    page = write_report(list(runs), out)
    app.show({"report": str(page)}, lambda console: console.print(str(page)))
