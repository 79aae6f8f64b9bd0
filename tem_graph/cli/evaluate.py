"""`tem-graph evaluate …`: jobs over data sets, their scores, and reports over several runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tem_graph.cli.app import App, common_without_memory
from tem_graph.cli.failures import INCOMPLETE
from tem_graph.cli.ingest import EXTRACTORS
from tem_graph.errors import InputError

CONFIGURATIONS = (
    "naive-rag, session-rag, full-context, overwrite, unmarked, tem-status, tem-hybrid-state, tem-hybrid-unmarked, "
    "tem-operators"
)


@click.group("evaluate")
def evaluate() -> None:
    """Run the paper's experiments, or those of a set of your own, on whatever model is configured.

    A job writes to --out: the frozen spec, one append-only log with a line per answer, the scores and a report.
    Stopped at any point, the same command goes on where it stopped; other options need another folder.
    """


_OPTIONS = (
    click.option("--data", type=click.Path(exists=True, path_type=Path), help="The set: a folder or a file."),
    click.option(
        "--out",
        type=click.Path(file_okay=False, path_type=Path),
        required=True,
        help="Folder of the run; an earlier run of the same job in it is gone on with.",
    ),
    click.option("--configs", metavar="A,B,…", help=f"Some of: {CONFIGURATIONS}."),
    click.option(
        "--model",
        metavar="NAME|URL",
        help="Who extracts and answers: an address (#NAME behind it), a folder or vllm:NAME for vLLM in this process, "
        "or a name at TEM_GRAPH_MODEL_URL.",
    ),
    click.option("--no-model", is_flag=True, help="No language model: grammar, operators, evidence alone."),
    click.option("--sample", type=click.IntRange(min=1), help="Only N questions, every kind in its share."),
    click.option("--seed", type=int, default=42, show_default=True, help="Seed of the sample."),
    click.option("--categories", metavar="A,B,…", help="Only these kinds of question."),
    click.option("--groups", metavar="A,B,…", help="Only these personas or conversations."),
    click.option("--extractor", type=click.Choice(EXTRACTORS), help="Who reads; else the model, or the grammar."),
    click.option("--tokenizer", metavar="PATH", help="Whose tokens are counted; else the model's own."),
    click.option("--window", type=click.IntRange(min=1024), help="Tokens of prompt and answer; else by profile."),
    click.option("--answer-tokens", type=click.IntRange(min=1), help="Answer limit; else by profile."),
    click.option("--budget", type=click.IntRange(min=64), help="Tokens of evidence where a budget rules; else 1024."),
    click.option(
        "--policy",
        type=click.Choice(["effective", "source", "paper"]),
        default="effective",
        show_default=True,
        help="What decides the order of facts.",
    ),
    click.option(
        "--relations",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A TOML file of your own relations, added to the built-in ones; else the setting.",
    ),
    click.option("--concurrency", type=click.IntRange(min=1), help="Calls in flight; else the setting."),
    click.option("--retry-failed", is_flag=True, help="Ask again what failed in an earlier turn."),
    click.option("--forget", is_flag=True, help="Remove the memories at the end; else they stay."),
    click.option("--ray", "ray_address", metavar="ADDRESS", help="Run on that Ray cluster; `local` starts one here."),
    click.option("--rescore", is_flag=True, help="Only score what is in the log; nothing is answered."),
    click.option(
        "--judge-model",
        metavar="NAME|URL",
        help="Have the answers judged by that model; verdicts of others stay beside its own.",
    ),
    click.option(
        "--overlay",
        "corrected",
        multiple=True,
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="A JSON file of corrected references; scores are shown with and without. Can be given again.",
    ),
)
_TYPED = click.option("--typed", is_flag=True, help="From typed arguments; else from the English question alone.")


def _job(name: str, help_: str, *, typed: bool = False) -> None:
    """Adds the command of one job."""

    def run(
        app: App,
        data: Path | None,
        out: Path,
        rescore: bool,
        judge_model: str | None,
        corrected: tuple[Path, ...],
        **options: Any,
    ) -> None:
        from tem_graph.cli.evaluating import JobRequest, answer, score

        if not rescore:
            if data is None:
                raise InputError("--data is missing", hint="name the set; only --rescore goes without")
            answer(app, JobRequest(name, data, out, **options))
        failed = score(app, out, judge_model, corrected)
        if failed:
            click.get_current_context().exit(INCOMPLETE)

    command = common_without_memory(run)
    for option in reversed((*_OPTIONS, _TYPED) if typed else _OPTIONS):
        command = option(command)
    evaluate.command(name, help=help_)(command)


_job("state-update", "Questions about what holds and what held, over personas whose state changes (TEM, section 4.1).")
_job("locomo", "LoCoMo as published: ten long conversations, 1,540 questions; category 5 only when it is named.")
_job("operators", "Questions that bring their facts and have one exact answer; needs no Neo4j.", typed=True)
_job("factconsolidation", "MemoryAgentBench's numbered facts, where a larger number is newer; the 6k sets by default.")
_job("longmemeval", "LongMemEval in its published JSON form: every question brings its own sessions.")


@evaluate.command("report")
@click.argument("runs", nargs=-1, required=True, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the report; else that of the one run."
)
@common_without_memory
def report(app: App, runs: tuple[Path, ...], out: Path | None) -> None:
    """Put the runs in the folders RUNS side by side, several models or several jobs, in tables as the paper's."""
    from tem_graph.cli.evaluating import write_reports

    if out is None and len(runs) > 1:
        raise InputError("--out is missing", hint="a report over several runs needs a folder of its own")
    write_reports(app, runs, out or runs[0])
