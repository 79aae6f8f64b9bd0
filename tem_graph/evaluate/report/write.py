"""Writes a report of one or several runs: `report.md`, `report.html` and `plots/`. Nothing of it is ever fetched."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.report import bookkeeping, conversations, published, state_update, typed
from tem_graph.evaluate.report.drawing import Plot
from tem_graph.evaluate.report.examples import Example, choose_examples
from tem_graph.evaluate.report.names import NamedRun, kind_name, name_runs
from tem_graph.evaluate.report.plots import plots
from tem_graph.evaluate.report.table import LeftOut, Piece, Table, gather
from tem_graph.evaluate.scoring.intervals import RESAMPLES, SEED
from tem_graph.evaluate.scoring.samples import Overlay
from tem_graph.evaluate.scoring.score import score_run
from tem_graph.evaluate.scoring.verdict_file import Judge

if TYPE_CHECKING:
    from jinja2 import Template

MARKDOWN_FILE, HTML_FILE, PLOTS_FOLDER = "report.md", "report.html", "plots"
_MARKDOWN_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~])")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report with a heading; `left_out` says what it would have had."""

    title: str
    tables: tuple[Table, ...]
    plots: tuple[Plot, ...] = ()
    left_out: tuple[LeftOut, ...] = ()

    @property
    def id(self) -> str:
        return "-".join(self.title.lower().split())


@dataclass(frozen=True, slots=True)
class Report:
    """All that the two forms of a report show."""

    runs: tuple[NamedRun, ...]
    sections: tuple[Section, ...]
    examples: tuple[Example, ...]
    warnings: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    """What sections without a single table would have had."""

    @property
    def plots(self) -> list[Plot]:
        return [plot for section in self.sections for plot in section.plots]


def write_report(
    runs: Sequence[Path], out: Path, *, judge: Judge | None = None, overlays: Sequence[Overlay] = ()
) -> Path:
    """Writes the report of the run folders `runs` into `out`, several models side by side; returns the HTML page.

    The page needs no other file and no network. Texts of the data set may stand in it (questions, answers), so it is
    for those who may have the set.

    Raises:
        EvaluationError: no run, or a file of one is missing or damaged.
        SettingsError: the extra `evaluate` is not installed.
    """
    return save_report(make_report(runs, judge=judge, overlays=overlays), out)


def save_report(report: Report, out: Path) -> Path:
    """Writes the report in both forms, with its plots, into the folder `out`; returns the HTML page."""
    drawn = out / PLOTS_FOLDER
    drawn.mkdir(parents=True, exist_ok=True)
    for plot in report.plots:
        (drawn / f"{plot.name}.svg").write_bytes(plot.svg)
        (drawn / f"{plot.name}.png").write_bytes(plot.png)
    (out / MARKDOWN_FILE).write_text(render_markdown(report), encoding="utf-8")
    page = out / HTML_FILE
    page.write_text(render_html(report), encoding="utf-8")
    return page


def make_report(runs: Sequence[Path], *, judge: Judge | None = None, overlays: Sequence[Overlay] = ()) -> Report:
    """The report, scored from the logs and drawn, still in neither form."""
    if not runs:
        raise EvaluationError("a report needs at least one run", hint="give the --out folders of evaluation jobs")
    named = name_runs([score_run(folder, judge=judge, overlays=overlays) for folder in runs])
    drawn = {plot.name: plot for plot in plots(named)}
    sections = [
        _section("State updates", state_update.tables(named), _pick(drawn, "hit-", "historical-", "evidence-")),
        _section("LoCoMo", conversations.locomo_tables(named), _pick(drawn, "locomo-")),
        _section("LongMemEval", conversations.longmemeval_tables(named), _pick(drawn, "longmemeval-")),
        _section("Operators", typed.operator_tables(named), _pick(drawn, "operators")),
        _section("FactConsolidation", typed.factconsolidation_tables(named), _pick(drawn, "factconsolidation")),
        _section("Differences", [bookkeeping.differences(named)]),
        _section("Counts and costs", bookkeeping.counts(named)),
        _section("What was run", [bookkeeping.settings(named)]),
        _section("Published results", [published.table(named)]),
    ]
    return Report(
        runs=tuple(named),
        sections=tuple(section for section in sections if section.tables),
        examples=tuple(choose_examples(named)),
        warnings=tuple(_warnings(named)),
        left_out=gather(piece for section in sections if not section.tables for piece in section.left_out),
    )


def _section(title: str, pieces: Iterable[Piece], drawn: Iterable[Plot] = ()) -> Section:
    pieces = [published.with_paper(piece) for piece in pieces]
    return Section(
        title,
        tables=tuple(piece for piece in pieces if isinstance(piece, Table)),
        plots=tuple(drawn),
        left_out=gather(piece for piece in pieces if isinstance(piece, LeftOut)),
    )


def _pick(drawn: dict[str, Plot], *prefixes: str) -> list[Plot]:
    return [plot for name, plot in drawn.items() if name.startswith(prefixes)]


def _warnings(runs: Sequence[NamedRun]) -> Iterable[str]:
    """What keeps runs of one job from being compared."""
    for job in dict.fromkeys(named.run.spec.job for named in runs):
        specs = [named.run.spec for named in runs if named.run.spec.job == job]
        asked = [frozenset(sample.question.id for sample in n.run.samples) for n in runs if n.run.spec.job == job]
        for differs, what in (
            (len({spec.data_sha256 for spec in specs}) > 1, "data"),
            (len(set(asked)) > 1, "questions"),
            (len({spec.code for spec in specs}) > 1, "code"),
        ):
            if differs:
                yield f"The {job} runs differ in {what}: their columns are not of the same measurement."
        judges = {named.run.judge for named in runs if named.run.spec.job == job and named.run.judge}
        if len(judges) > 1:
            yield f"The {job} runs were judged by different judges or prompts; see “What was run”."
    for named in runs:
        if missing := named.run.chosen - len(named.run.samples):
            yield f"{named.name}: the run is not done, {missing} of {named.run.chosen} answers are still to come."
        if open_ := sum(account.unjudged for account in named.run.accounts if account.group == "all"):
            yield f"{named.name}: {open_} answers have not been judged and stand in the bounds as unresolved."


def render_html(report: Report) -> str:
    """The page as HTML text, UTF-8, with style and plots inside."""
    css = resources.files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    return _template("page.html.jinja", is_html=True).render(
        report=report, css=css, kind_name=kind_name, data_uri=_data_uri, resamples=RESAMPLES, seed=SEED
    )


def render_markdown(report: Report) -> str:
    """The same as Markdown, with the plots as files beside it."""
    text = _template("page.md.jinja", is_html=False).render(
        report=report, kind_name=kind_name, plots_folder=PLOTS_FOLDER, resamples=RESAMPLES, seed=SEED
    )
    return text.strip() + "\n"


@cache
def _template(name: str, *, is_html: bool) -> Template:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=is_html, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["md"] = markdown_text
    return environment.from_string(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


def markdown_text(text: str) -> str:
    r"""The text so that Markdown shows it as it is, in one line: models and data sets write anything.

    >>> markdown_text("a|b <img src=x>\n*c*")
    'a\\|b &lt;img src=x&gt; \\*c\\*'
    """
    return _MARKDOWN_MARKS.sub(r"\\\1", " ".join(text.split())).replace("\\<", "&lt;").replace("\\>", "&gt;")


def _data_uri(plot: Plot) -> str:
    return f"data:image/svg+xml;base64,{b64encode(plot.svg).decode('ascii')}"
