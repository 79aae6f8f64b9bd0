"""A smaller set that looks like the whole: seeded, with every kind of question in its share. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tem_graph.evaluate.questions import Question


def choose_sample(questions: Sequence[Question], count: int | None, seed: int) -> list[Question]:
    """`count` questions in the set's own order; all without a count.

    Each kind gets its share, rounded by the largest remainders so that the sum is `count`, and at least one where
    there is room for all kinds. The choice inside a kind follows from the seed, the kind and the ids alone.
    """
    if count is None or count >= len(questions):
        return list(questions)
    by_kind: dict[str, list[Question]] = {}
    for question in questions:
        by_kind.setdefault(question.kind, []).append(question)
    chosen: set[str] = set()
    for kind, share in _shares({kind: len(own) for kind, own in by_kind.items()}, count).items():
        own = sorted(by_kind[kind], key=lambda q: q.id)
        chosen |= {q.id for q in Random(f"{seed}/{kind}").sample(own, share)}
    return [q for q in questions if q.id in chosen]


def _shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    total, least = sum(sizes.values()), 1 if count >= len(sizes) else 0
    exact = {kind: count * size / total for kind, size in sizes.items()}
    shares = {kind: max(least, int(share)) for kind, share in exact.items()}
    by_remainder = sorted(sizes, key=lambda kind: (shares[kind] - exact[kind], kind))
    while (missing := count - sum(shares.values())) != 0:
        step = 1 if missing > 0 else -1
        order = by_remainder if step > 0 else by_remainder[::-1]
        for kind in order:
            if sum(shares.values()) == count:
                break
            if least <= shares[kind] + step <= sizes[kind]:
                shares[kind] += step
    return shares
