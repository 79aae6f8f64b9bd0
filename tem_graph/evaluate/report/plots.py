"""Which plots a report has: hit rates, historical residence, evidence lengths (the paper's Figs. 3 and 5), and LoCoMo
by category. What no run measured is not drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.evaluate.report.drawing import Bar, Lengths, Plot, draw_bars, draw_groups, draw_lengths
from tem_graph.evaluate.report.names import NamedRun, colour_of, config_name, configs_in, kind_name, kinds_in, of_job
from tem_graph.evaluate.report.state_update import PREVIOUS
from tem_graph.evaluate.scoring.figures import Figure
from tem_graph.evaluate.scoring.samples import (
    ALL,
    EVIDENCE_RECALL,
    KEY_ENTITY_HIT,
    LOCOMO_F1,
    STRICT_HIGH,
    STRICT_LOW,
    SUBSTRING_MATCH,
    TYPED_RESULT,
)
from tem_graph.evaluate.scoring.verdict import ADVERSARIAL


def plots(runs: Sequence[NamedRun]) -> Iterator[Plot]:
    """Every plot that the runs have figures for, in the order of the report."""
    updates = of_job(runs, "state-update")
    yield from _by_configuration(
        "hit-rates", "Overall key-entity hit rates by configuration", updates, KEY_ENTITY_HIT, ("overall", ALL)
    )
    yield from _by_configuration(
        "historical-residence",
        "Historical residence after repeated updates",
        updates,
        KEY_ENTITY_HIT,
        ("kind", PREVIOUS),
    )
    yield from _lengths("evidence-length", "Evidence length, state-update set", updates)
    talks = of_job(runs, "locomo")
    yield from _by_category("locomo-strict", "LoCoMo by category: strict semantic score", talks, STRICT_LOW)
    yield from _by_category("locomo-f1", "LoCoMo by category: token F1", talks, LOCOMO_F1)
    yield from _by_category("locomo-recall", "LoCoMo by category: evidence recall", talks, EVIDENCE_RECALL)
    yield from _lengths("locomo-evidence-length", "Evidence length, LoCoMo", talks)
    longer = of_job(runs, "longmemeval")
    yield from _by_category("longmemeval-strict", "LongMemEval by type: strict semantic score", longer, STRICT_LOW)
    yield from _by_category("longmemeval-recall", "LongMemEval by type: evidence recall", longer, EVIDENCE_RECALL)
    yield from _by_category("operators", "Operators: right typed results", of_job(runs, "operators"), TYPED_RESULT)
    sets = of_job(runs, "factconsolidation")
    yield from _by_category("factconsolidation", "FactConsolidation: substring match", sets, SUBSTRING_MATCH)


def _by_configuration(
    name: str, title: str, runs: Sequence[NamedRun], measure: str, group: tuple[str, str]
) -> Iterator[Plot]:
    panels = []
    for named in runs:
        bars = [
            bar
            for config in configs_in([named])
            if (bar := _bar(config, named.run.figure(config, measure, by=group[0], group=group[1])))
        ]
        if bars:
            panels.append((named.name, bars))
    if panels:
        yield draw_bars(name, title, _alt(title, panels), panels, "per cent of questions, with 95 % interval")


def _by_category(name: str, title: str, runs: Sequence[NamedRun], measure: str) -> Iterator[Plot]:
    panels = []
    for named in runs:
        groups = []
        for by, kind in [*(("kind", kind) for kind in kinds_in([named]) if kind != ADVERSARIAL), ("overall", ALL)]:
            bars = []
            for config in configs_in([named]):
                figure = named.run.figure(config, measure, by=by, group=kind)
                upper = named.run.figure(config, STRICT_HIGH, by=by, group=kind) if measure == STRICT_LOW else None
                if bar := _bar(config, figure, upper):
                    bars.append(bar)
            if bars:
                groups.append(("All" if kind == ALL else kind_name(kind), bars))
        if groups:
            panels.append((named.name, groups))
    if panels:
        rows = [(f"{run}, {group}", bars) for run, groups in panels for group, bars in groups]
        axis = "per cent, with 95 % interval" + ("; hatched: unresolved" if measure == STRICT_LOW else "")
        yield draw_groups(name, title, _alt(title, rows), panels, axis)


def _lengths(name: str, title: str, runs: Sequence[NamedRun]) -> Iterator[Plot]:
    panels = []
    for named in runs:
        rows = []
        for config in configs_in([named]):
            tokens = [
                sample.line.evidence_tokens
                for sample in named.run.samples
                if sample.line.config == config and sample.line.evidence_tokens is not None
            ]
            if tokens:
                rows.append(Lengths(config_name(config), tokens, colour_of(config)))
        if rows:
            panels.append((named.name, rows))
    if panels:
        shown = "; ".join(
            f"{run}: " + ", ".join(f"{row.label} {min(row.tokens)} to {max(row.tokens)} tokens" for row in rows)
            for run, rows in panels
        )
        yield draw_lengths(name, title, f"{title}. {shown}.", panels)


def _bar(config: str, figure: Figure | None, upper: Figure | None = None) -> Bar | None:
    if figure is None or figure.value is None or figure.low is None or figure.high is None:
        return None
    lifted = upper if upper is not None and upper.value is not None and upper.high is not None else figure
    assert lifted.value is not None
    assert lifted.high is not None
    return Bar(
        config_name(config),
        value=100 * figure.value,
        low=100 * figure.low,
        high=100 * lifted.high,
        upper=100 * lifted.value,
        colour=colour_of(config),
    )


def _alt(title: str, rows: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    shown = "; ".join(f"{row}: " + ", ".join(f"{bar.label} {bar.value:.1f} %" for bar in bars) for row, bars in rows)
    return f"{title}. {shown}."
