"""Table 7: LoCoMo by category, in the shape of the paper's (TEM, section 4.6), and LongMemEval likewise. Pure.

LoCoMo's category 5 (adversarial) has a table of its own and is in no other figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in, kind_name, kinds_in, of_job
from tem_graph.evaluate.report.state_update import length
from tem_graph.evaluate.report.table import Cell, LeftOut, Piece, Table, bounds, percent, word
from tem_graph.evaluate.scoring.samples import (
    ALL,
    DECLINED,
    EVIDENCE_RECALL,
    LOCOMO_F1,
    STRICT_HIGH,
    STRICT_LOW,
    WITH_ADVERSARIAL,
)
from tem_graph.evaluate.scoring.verdict import ADVERSARIAL

CellOf = Callable[[NamedRun, str, str, str], Cell]
"""The cell of a run, a configuration, a breakdown and a group."""
_BOUNDS = (
    "Bounds: unresolved answers as wrong, and as right. Every question that was asked is in the denominator; failed, "
    "truncated and empty answers are wrong."
)


def locomo_tables(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """Table 7 and its companions, each made or left out."""
    runs = of_job(runs, "locomo")
    if not runs:
        yield LeftOut("Table 7", "no LoCoMo run is among the runs")
        return
    judged = [named for named in runs if named.run.has_measured(STRICT_LOW)]
    yield _by_kind(
        "Table 7",
        "Strict semantic scores on LoCoMo (%)",
        judged,
        _strict,
        "no run was judged",
        (_BOUNDS, *_judges(judged)),
    )
    yield _by_kind(
        "Table 7, F1",
        "LoCoMo's own token F1, reimplemented with its quirks (%)",
        [named for named in runs if named.run.has_measured(LOCOMO_F1)],
        _measure(LOCOMO_F1),
        "no run has answers",
    )
    yield _by_kind(
        "Table 7, evidence recall",
        "Share of the gold turns that are in the evidence (%)",
        [named for named in runs if named.run.has_measured(EVIDENCE_RECALL)],
        _measure(EVIDENCE_RECALL),
        "no run has evidence",
        (
            "A turn counts when it is in the evidence whole or with at least half of its tokens. Questions of which no "
            "gold turn exists are left out and counted.",
        ),
    )
    for overlay in sorted({name for named in runs for name in named.run.overlays}):
        yield _by_kind(
            f"Table 7, F1 with {overlay}",
            f"The same F1, with the references that the overlay “{overlay}” corrects (%)",
            [named for named in runs if overlay in named.run.overlays],
            _measure(f"{LOCOMO_F1}@{overlay}"),
            "no run has answers",
        )
    yield _adversarial(runs)


def longmemeval_tables(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """LongMemEval by type of question, where there is a run of it."""
    runs = of_job(runs, "longmemeval")
    if not runs:
        return
    judged = [named for named in runs if named.run.has_measured(STRICT_LOW)]
    caption = "Strict semantic scores on LongMemEval (%)"
    yield _by_kind("LongMemEval", caption, judged, _strict, "no run was judged", (_BOUNDS, *_judges(judged)))
    caption = "Share of the turns with the answer that are in the evidence (%)"
    found = [named for named in runs if named.run.has_measured(EVIDENCE_RECALL)]
    yield _by_kind("LongMemEval, evidence recall", caption, found, _measure(EVIDENCE_RECALL), "no run has evidence")


def _by_kind(
    name: str, caption: str, runs: Sequence[NamedRun], cell_of: CellOf, why_not: str, remarks: tuple[str, ...] = ()
) -> Piece:
    kinds = [kind for kind in kinds_in(runs) if kind != ADVERSARIAL]
    rows = []
    for named in runs:
        for config in configs_in([named]):
            cells = [cell_of(named, config, "kind", kind) for kind in kinds]
            total = cell_of(named, config, "overall", ALL)
            if total.text != "–":
                rows.append((word(named.name), word(config_name(config)), *cells, total, length(named, config)))
    if not rows:
        return LeftOut(name, why_not)
    head = ("Model", "Configuration", *map(kind_name, kinds), "All", "Evidence tokens")
    return Table(name, caption, head, tuple(rows), remarks, is_grouped=True)


def _strict(named: NamedRun, config: str, by: str, group: str) -> Cell:
    low, high = (named.run.figure(config, measure, by=by, group=group) for measure in (STRICT_LOW, STRICT_HIGH))
    return bounds(low, high)


def _measure(measure: str) -> CellOf:
    return lambda named, config, by, group: percent(named.run.figure(config, measure, by=by, group=group))


def _judges(runs: Sequence[NamedRun]) -> tuple[str, ...]:
    judges = dict.fromkeys(str(named.run.judge) for named in runs if named.run.judge)
    return (f"Judged by {'; '.join(judges)}.",) if judges else ()


def _adversarial(runs: Sequence[NamedRun]) -> Piece:
    rows = []
    for named in runs:
        for config in configs_in([named]):
            declined = named.run.figure(config, DECLINED, group=ADVERSARIAL)
            if declined is None or declined.value is None:
                continue
            rows.append(
                (
                    word(named.name),
                    word(config_name(config)),
                    percent(declined),
                    percent(named.run.figure(config, LOCOMO_F1, group=ADVERSARIAL)),
                    percent(named.run.figure(config, LOCOMO_F1)),
                    percent(named.run.figure(config, LOCOMO_F1, group=WITH_ADVERSARIAL)),
                    _strict(named, config, "overall", ALL),
                    _strict(named, config, "overall", WITH_ADVERSARIAL),
                )
            )
    name = "Table 7, adversarial"
    if not rows:
        return LeftOut(name, "no run asked category 5")
    head = (
        "Model",
        "Configuration",
        "Declined",
        "LoCoMo's rule",
        "F1, categories 1–4",
        "F1, categories 1–5",
        "Strict, 1–4",
        "Strict, 1–5",
    )
    remark = (
        "Right is to decline. LoCoMo's rule knows two phrases (“no information available”, “not mentioned”); "
        "“declined” also counts others of that meaning. All other tables are of categories 1 to 4 alone."
    )
    return Table(name, "LoCoMo's category 5, apart (%)", head, tuple(rows), (remark,), is_grouped=True)
