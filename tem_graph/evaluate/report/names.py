"""What configurations, groups and runs are called in a report. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tem_graph.evaluate.scoring.score import ScoredRun

CONFIGS: Mapping[str, str] = {
    "naive-rag": "Naive RAG",
    "session-rag": "Session-aware RAG",
    "full-context": "Full context",
    "overwrite": "Overwrite",
    "unmarked": "Unmarked",
    "tem-status": "TEM-Status",
    "tem-hybrid-unmarked": "TEM-Hybrid-Unmarked",
    "tem-hybrid-state": "TEM-Hybrid-State",
    "tem-operators": "TEM-Operators",
}
"""Names as in the paper; controls first, so that what comes later is nearer to TEM."""
COLOURS: Mapping[str, str] = {
    "naive-rag": "#b9bfc8",
    "session-rag": "#7f8793",
    "full-context": "#c98a2b",
    "overwrite": "#b3574f",
    "unmarked": "#8fb7dd",
    "tem-status": "#1f5fa8",
    "tem-hybrid-unmarked": "#6aa5d8",
    "tem-hybrid-state": "#17447f",
    "tem-operators": "#2f7f6b",
}
"""One colour a configuration in every plot: controls grey and warm, TEM blue and green."""
KINDS: Mapping[str, str] = {
    "historical": "Other historical",
    "previous_residence": "Residence before the latest move",
    "multi-hop": "Multi-hop",
    "temporal": "Temporal",
    "open-domain": "Open-domain",
    "single-hop": "Single-hop",
    "adversarial": "Adversarial",
}


def config_name(config: str) -> str:
    return CONFIGS.get(config, config)


def colour_of(config: str) -> str:
    return COLOURS.get(config, "#8a5fb0")


def kind_name(kind: str) -> str:
    """A kind of question in words; operators and sets keep the names that they have."""
    return KINDS.get(kind, kind)


@dataclass(frozen=True, slots=True)
class NamedRun:
    """A run and what its column is headed."""

    name: str
    run: ScoredRun


def name_runs(runs: Sequence[ScoredRun]) -> list[NamedRun]:
    """Runs headed by their model; two of one job and model are told apart by their folders.

    A run that asked no model is headed "no model".
    """
    plain = [run.spec.model.name if run.spec.model and not run.spec.no_model else "no model" for run in runs]
    plain = [name.rstrip("/").rpartition("/")[2] or name for name in plain]
    often = Counter((name, run.spec.job) for name, run in zip(plain, runs, strict=True))
    return [
        NamedRun(name if often[name, run.spec.job] == 1 else f"{name} ({run.folder.resolve().name})", run)
        for name, run in zip(plain, runs, strict=True)
    ]


def of_job(runs: Sequence[NamedRun], job: str) -> list[NamedRun]:
    return [named for named in runs if named.run.spec.job == job]


def configs_in(runs: Sequence[NamedRun]) -> list[str]:
    """Every configuration of the runs, in the order of the paper's tables, unknown ones last."""
    there = {config for named in runs for config in named.run.configs}
    return [c for c in CONFIGS if c in there] + sorted(there - CONFIGS.keys())


def kinds_in(runs: Sequence[NamedRun], by: str = "kind") -> list[str]:
    """Every group of a breakdown, known kinds in the order of the paper, then the others by name."""
    there = {figure.group for named in runs for figure in named.run.figures if figure.by == by}
    return [k for k in KINDS if k in there] + sorted(there - KINDS.keys())
