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
    """How many of each kind: by the largest remainders; a kind whose share is below one gets one beforehand."""
    fixed: dict[str, int] = {}
    while True:
        rest = {kind: size for kind, size in sizes.items() if kind not in fixed}
        left = count - len(fixed)
        exact = {kind: left * size / sum(rest.values()) for kind, size in rest.items()}
        small = [kind for kind, share in exact.items() if share < 1]
        if not small or count < len(sizes):
            break
        fixed |= dict.fromkeys(small, 1)
    shares = {kind: int(share) for kind, share in exact.items()}
    by_remainder = sorted(exact, key=lambda kind: (shares[kind] - exact[kind], kind))
    for kind in by_remainder[: left - sum(shares.values())]:
        shares[kind] += 1
    return shares | fixed
