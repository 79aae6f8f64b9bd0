"""The share of the turns behind a gold answer that the evidence holds. Pure, and needs no model."""

from __future__ import annotations

from collections.abc import Iterable


def evidence_recall(found: Iterable[str], gold: Iterable[str]) -> float | None:
    """The share of distinct gold turns among those found, 0 to 1; None where there is no gold turn to find.

    `gold` holds turns that exist: LoCoMo names some that do not, and the reader of the set leaves those out. A
    question without any is not scored here, and the report counts it.

    >>> evidence_recall(["D1:3", "D2:1"], ["D1:3", "D1:3", "D4:8"]), evidence_recall(["D1:3"], [])
    (0.5, None)
    """
    wanted = frozenset(gold)
    return len(wanted & frozenset(found)) / len(wanted) if wanted else None
