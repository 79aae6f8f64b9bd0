"""Operator sets by operator and by trap, and FactConsolidation by set. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in, kind_name, kinds_in, of_job
from tem_graph.evaluate.report.table import LeftOut, Piece, Table, percent, word
from tem_graph.evaluate.scoring.samples import ALL, EXACT_MATCH, SUBSTRING_MATCH, TYPED_RESULT


def operator_tables(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """Right typed results by operator, and by trap where the set names traps."""
    runs = of_job(runs, "operators")
    if not runs:
        return
    yield _breakdown(
        "Operators", "Typed results that are right, by operator (%)", "Operator", runs, TYPED_RESULT, "kind"
    )
    if kinds_in(runs, "trap"):
        caption = "Typed results that are right, by what is hard about the timeline (%)"
        yield _breakdown("Operators by trap", caption, "Trap", runs, TYPED_RESULT, "trap")


def factconsolidation_tables(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """Substring match, the set's own score, and exact match, by set."""
    runs = of_job(runs, "factconsolidation")
    if not runs:
        return
    caption = "Answers that contain the gold answer, MemoryAgentBench's own score (%)"
    yield _breakdown("FactConsolidation", caption, "Set", runs, SUBSTRING_MATCH, "kind")
    caption = "Answers that are the gold answer and name nothing else (%)"
    yield _breakdown("FactConsolidation, exact", caption, "Set", runs, EXACT_MATCH, "kind")


def _breakdown(name: str, caption: str, first: str, runs: Sequence[NamedRun], measure: str, by: str) -> Piece:
    columns = [(named, config) for named in runs for config in configs_in([named])]
    groups = [(by, group) for group in kinds_in(runs, by)] + [("overall", ALL)]
    rows = tuple(
        (
            word("All" if group == ALL else kind_name(group)),
            *(percent(named.run.figure(config, measure, by=by, group=group)) for named, config in columns),
        )
        for by, group in groups
    )
    if not any(named.run.has_measured(measure) for named in runs):
        return LeftOut(name, "no run has answers")
    head = (first, *(_heading(named, config, runs) for named, config in columns))
    return Table(name, caption, head, rows)


def _heading(named: NamedRun, config: str, runs: Sequence[NamedRun]) -> str:
    how = ", typed" if named.run.spec.typed else ""
    return f"{config_name(config)}{how}, {named.name}" if len(runs) > 1 else f"{config_name(config)}{how}"
