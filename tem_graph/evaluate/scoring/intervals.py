"""95 % intervals of means and of differences, by resampling questions. Pure: the same seed gives the same interval.

All configurations of a group are resampled together, question by question, so a difference is that of two answers
to the same question (paired percentile bootstrap). Resampling says how far a figure would move with other questions
of the same kind; it says nothing about other conversations, models or prompts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from tem_graph.errors import SettingsError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 2_000
"""More moves the ends of an interval by less than the tenth of a point that is shown."""
SEED = 42
_AT_ONCE = 250
"""Resamples drawn together: 250 of 1,540 questions are 3 MB."""
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def paired_bootstrap(
    columns: Sequence[Sequence[float | None]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> list[Interval | None]:
    """The interval of the mean of each column, `None` for a column without a value.

    `columns` have equal length: row *i* of each is the same question, `None` where it was not measured. A resample
    draws rows, the same for every column, and takes each column's mean over its measured rows.

    Raises:
        SettingsError: the extra `evaluate` is not installed.
    """
    try:
        import numpy as np
    except ImportError as error:
        raise SettingsError("intervals need numpy", hint="install it: pip install 'tem-graph[evaluate]'") from error
    if not columns or not columns[0]:
        return [None] * len(columns)
    values = np.array([[np.nan if v is None else v for v in column] for column in columns], dtype=np.float64).T
    means = np.concatenate(list(_means(values, resamples, np.random.default_rng(seed))))
    measured = np.any(~np.isnan(values), axis=0)
    intervals: list[Interval | None] = []
    for column, is_measured in enumerate(measured.tolist()):
        drawn = means[:, column]
        ends = np.percentile(drawn[~np.isnan(drawn)], [2.5, 97.5]) if is_measured else ()
        intervals.append(Interval(*map(float, ends)) if is_measured else None)
    return intervals


def _means(
    values: NDArray[np.float64], resamples: int, generator: np.random.Generator
) -> Iterator[NDArray[np.float64]]:
    import numpy as np

    rows = len(values)
    held = (~np.isnan(values)).astype(np.float64)
    filled = np.nan_to_num(values)
    for start in range(0, resamples, _AT_ONCE):
        size = min(_AT_ONCE, resamples - start)
        times = generator.multinomial(rows, np.full(rows, 1 / rows), size=size).astype(np.float64)
        counts = times @ held
        # A resample may hold no measured row of a column; it then says nothing about that column.
        yield np.divide(times @ filled, counts, out=np.full_like(counts, np.nan), where=counts > 0)


def wilson(right: float, asked: int) -> Interval:
    """The Wilson score interval of a share: for a share of 0 or 1, of which a bootstrap says nothing.

    >>> round(wilson(60, 60).low, 3), wilson(0, 60).low
    (0.94, 0.0)
    """
    p, z2 = right / asked, _Z * _Z
    centre, spread = p + z2 / (2 * asked), _Z * sqrt(p * (1 - p) / asked + z2 / (4 * asked * asked))
    low, high = ((centre + side * spread) / (1 + z2 / asked) for side in (-1, 1))
    return Interval(max(0.0, low), min(1.0, high))
