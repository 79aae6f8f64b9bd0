"""A second opinion on which operator a masked question is nearest to: a linear classifier over the same features.

Naive Bayes takes features as independent, so that it is too sure of long questions. This one is fitted to tell the
operators apart (multinomial logistic regression, by `benchmarks/operators.py phrasings`); of its weights only those are
kept that matter, with one digit. Both are added up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources

from tem_graph.answer.rules.masked import Masked

INTERCEPT = "1"
"""The feature that every question has. No other is a single sign."""


class Weights:
    """Feature → operator → weight, in log odds."""

    def __init__(self, weights: Mapping[str, Mapping[str, float]]) -> None:
        self._weights = weights

    def scores(self, masked: Masked) -> dict[str, float]:
        """Operator, or `NO_OPERATOR` → its log odds. An operator that no feature speaks of is missing."""
        scores: dict[str, float] = defaultdict(float)
        for feature in (INTERCEPT, *masked.features()):
            for operator, weight in self._weights.get(feature, {}).items():
                scores[operator] += weight
        return scores


@cache
def stored_weights() -> Weights:
    """The classifier that is part of the package."""
    text = resources.files("tem_graph.answer.rules").joinpath("weights.txt").read_text(encoding="utf-8")
    return Weights(read_weights(text.splitlines()))


def read_weights(lines: Iterable[str]) -> dict[str, dict[str, float]]:
    """The weights of lines "feature | operator weight operator weight …"."""
    weights: dict[str, dict[str, float]] = {}
    for line in lines:
        feature, _, listed = line.rpartition(" | ")
        pairs = listed.split()
        weights[feature] = dict(zip(pairs[::2], map(float, pairs[1::2]), strict=True))
    return weights


def write_weights(weights: Mapping[str, Mapping[str, float]]) -> str:
    """The same as text, by feature in the order of the alphabet."""
    return "".join(
        f"{feature} | {' '.join(f'{o} {w:g}' for o, w in sorted(by_operator.items()))}\n"
        for feature, by_operator in sorted(weights.items())
        if by_operator
    )
