"""Table 8: what others report, with their settings; and what the paper reports under each table of ours. Pure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from pydantic import BaseModel, ConfigDict

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in, kind_name, kinds_in, of_job
from tem_graph.evaluate.report.table import Cell, Piece, Table, bounds, percent, word
from tem_graph.evaluate.scoring.samples import STRICT_HIGH, STRICT_LOW, SUBSTRING_MATCH


class Published(BaseModel):
    """One published figure with the settings that it was measured under."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    system: str
    benchmark: str
    part: str
    measure: str
    value: str
    """Per cent, as printed there."""
    generator: str
    scoring: str
    source: str


class PaperRemark(BaseModel):
    """What the paper reports in the table of the same number."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    text: str
    source: str


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    paper: tuple[PaperRemark, ...]
    figure: tuple[Published, ...]


@cache
def published() -> _File:
    """The figures of `published.toml`."""
    text = resources.files(__package__).joinpath("published.toml").read_text(encoding="utf-8")
    return _File.model_validate(tomllib.loads(text))


def with_paper(piece: Piece) -> Piece:
    """The table with a remark on what the paper reports in its place, where it does."""
    remarks = [f"In the paper: {p.text} ({p.source})." for p in published().paper if p.table == piece.name]
    return replace(piece, remarks=(*piece.remarks, *remarks)) if isinstance(piece, Table) else piece


def table(runs: Sequence[NamedRun]) -> Table:
    """Table 8: first what these runs measured on the same benchmarks, then what others report."""
    others = [
        (
            word(p.system),
            word(p.benchmark, p.part),
            word(p.measure),
            Cell(p.value),
            word(p.generator),
            word(p.scoring),
            word(p.source),
        )
        for p in published().figure
    ]
    return Table(
        "Table 8",
        "Published results and their settings (%)",
        ("System", "Benchmark", "Measure", "Result", "Generator", "Scoring", "Source"),
        (*_measured_here(runs), *others),
        (
            "Models, prompts, judges and measures differ between rows, and none of the other systems was run here: a "
            "row stands for itself.",
        ),
    )


def _measured_here(runs: Sequence[NamedRun]) -> Iterator[tuple[Cell, ...]]:
    for named in of_job(runs, "locomo"):
        for config in configs_in([named]):
            low, high = (named.run.figure(config, measure) for measure in (STRICT_LOW, STRICT_HIGH))
            if low and high:
                part = word("LoCoMo", f"{low.asked:,} questions of categories 1–4")
                judge = named.run.judge.model if named.run.judge else ""
                scoring = f"{judge}, unresolved as bounds"
                yield _row(named, config, part, "strict semantic score", bounds(low, high), scoring)
    for named in of_job(runs, "factconsolidation"):
        for config in configs_in([named]):
            for kind in kinds_in([named]):
                figure = named.run.figure(config, SUBSTRING_MATCH, by="kind", group=kind)
                if figure:
                    part = word("FactConsolidation", kind_name(kind))
                    yield _row(named, config, part, "substring match", percent(figure), "normalised substring")


def _row(named: NamedRun, config: str, benchmark: Cell, measure: str, result: Cell, scoring: str) -> tuple[Cell, ...]:
    generator = word("none" if named.run.spec.no_model else named.name)
    return word(config_name(config)), benchmark, word(measure), result, generator, word(scoring), word("this report")
