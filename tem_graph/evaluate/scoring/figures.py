"""Figures with their counts and intervals, and differences between configurations, from scored answers. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tem_graph.evaluate.scoring.intervals import RESAMPLES, SEED, Interval, paired_bootstrap, wilson
from tem_graph.evaluate.scoring.samples import Sample

Group = tuple[str, str]
Column = list[float | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a measure over a group of questions under one configuration, 0 to 1."""

    config: str
    by: str
    group: str
    measure: str
    value: float | None
    """None: nothing was measured, which is not 0."""
    total: float
    """Sum of the measure: the hits, for a measure of hits."""
    asked: int
    """The denominator. Failed, empty and truncated answers are in it."""
    left_out: int
    """Questions of the group where the measure has nothing to look at, such as a question without a gold turn."""
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher a measure is under `config` than under `against`, over the questions that both were asked."""

    config: str
    against: str
    by: str
    group: str
    measure: str
    value: float
    asked: int
    better: int
    """Questions that `config` did better on."""
    worse: int
    low: float
    high: float

    def turned(self) -> Difference:
        """The same difference, seen from the other configuration."""
        return replace(
            self,
            config=self.against,
            against=self.config,
            value=-self.value,
            better=self.worse,
            worse=self.better,
            low=-self.high,
            high=-self.low,
        )


def figures_and_differences(
    samples: Iterable[Sample], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[list[Figure], list[Difference]]:
    """Every figure of every group, and every difference between two configurations, in order of first appearance.

    Intervals are 95 %: paired bootstrap, and Wilson's for a share of 0 or 1.
    """
    figures: list[Figure] = []
    differences: list[Difference] = []
    for group, members in _by_group(samples).items():
        found, compared = _of_group(group, members, resamples, seed)
        figures += found
        differences += compared
    return figures, differences


def _by_group(samples: Iterable[Sample]) -> dict[Group, list[Sample]]:
    groups: defaultdict[Group, list[Sample]] = defaultdict(list)
    for sample in samples:
        for group in sample.groups:
            groups[group].append(sample)
    return groups


def _of_group(
    group: Group, samples: Sequence[Sample], resamples: int, seed: int
) -> tuple[list[Figure], list[Difference]]:
    table = _table(samples)
    asked = {config: sum(s.line.config == config for s in samples) for config, _ in table}
    pairs = [
        (one, other)
        for one, other in combinations(table, 2)
        if one[1] == other[1] and one[0] != other[0]
    ]  # fmt: skip
    columns = list(table.values())
    gaps = [_minus(table[one], table[other]) for one, other in pairs]
    intervals = paired_bootstrap(columns + gaps, resamples=resamples, seed=seed)
    figures = [
        _figure(group, key, column, asked[key[0]], interval)
        for (key, column), interval in zip(table.items(), intervals[: len(columns)], strict=True)
    ]
    differences = [
        _difference(group, one, other, gap, interval)
        for (one, other), gap, interval in zip(pairs, gaps, intervals[len(columns) :], strict=True)
        if interval is not None
    ]
    return figures, differences


def _table(samples: Sequence[Sample]) -> dict[tuple[str, str], Column]:
    """One column for each (configuration, measure), one row for each question; None where it was not measured."""
    rows = {id_: row for row, id_ in enumerate(dict.fromkeys(s.question.id for s in samples))}
    table: dict[tuple[str, str], Column] = {}
    for sample in samples:
        for measure, value in sample.scores.items():
            column = table.setdefault((sample.line.config, measure), [None] * len(rows))
            column[rows[sample.question.id]] = value
    return table


def _minus(one: Column, other: Column) -> Column:
    return [None if a is None or b is None else a - b for a, b in zip(one, other, strict=True)]


def _figure(group: Group, key: tuple[str, str], column: Column, asked: int, interval: Interval | None) -> Figure:
    measured = [value for value in column if value is not None]
    total = sum(measured)
    if measured and total in {0, len(measured)}:
        interval = wilson(total, len(measured))
    return Figure(
        config=key[0],
        by=group[0],
        group=group[1],
        measure=key[1],
        value=total / len(measured) if measured else None,
        total=total,
        asked=len(measured),
        left_out=asked - len(measured),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


def _difference(
    group: Group, one: tuple[str, str], other: tuple[str, str], gap: Column, interval: Interval
) -> Difference:
    measured = [value for value in gap if value is not None]
    return Difference(
        config=one[0],
        against=other[0],
        by=group[0],
        group=group[1],
        measure=one[1],
        value=sum(measured) / len(measured),
        asked=len(measured),
        better=sum(value > 0 for value in measured),
        worse=sum(value < 0 for value in measured),
        low=interval.low,
        high=interval.high,
    )
