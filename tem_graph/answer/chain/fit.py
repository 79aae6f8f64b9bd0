"""How well a path of relations accounts for the words of a question. Pure.

The content words are divided into phrases, each given to one relation of the path or to none; every relation must
get a phrase. A phrase counts its words times its likeness to the relation, a word that no relation takes next to
nothing. The best division is found exactly, by dynamic programming over words and sets of relations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tem_graph.answer.chain.question import OpenQuestion

UNEXPLAINED = 0.1
"""What a word counts that no relation of the path accounts for."""
PER_HOP = 0.1
"""What each relation costs: of two paths that fit alike the shorter one is meant."""
PER_INVERSE = 0.5
"""What a relation costs besides when it is read from its object to its subject."""
UNSAID = 0.35
"""What a relation costs that no phrase of the question speaks of."""
ASKED = 0.3
"""How much the likeness of the last relation to the asked phrase ("which city") counts."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A relation on a path, from subject to object, or backwards."""

    relation: str
    is_inverse: bool = False


@dataclass(frozen=True, slots=True)
class Likeness:
    """Cosine similarities of each relation to the question's phrases, in their order, and to the asked phrase."""

    phrases: Mapping[str, Sequence[float]]
    asked: Mapping[str, float]


def fit(question: OpenQuestion, likeness: Likeness, path: Sequence[Hop]) -> float:
    """About 0 to 1, higher is better: the share of the question's content that the path accounts for.

    The name from which the question starts counts as accounted for; so do paths from several names compare.
    """
    score = _division(question, likeness, path)
    score -= sum(PER_HOP + (PER_INVERSE if hop.is_inverse else 0.0) for hop in path)
    score += ASKED * likeness.asked.get(path[-1].relation, 0.0)
    return (score + question.anchor_weight) / (question.weight + question.anchor_weight)


def confidence(question: OpenQuestion, likeness: Likeness, path: Sequence[Hop]) -> float:
    """The same over the words besides the name: 1.0 where every word is one of a relation's own."""
    if not question.weights:
        return 0.0
    return max(0.0, min(1.0, _division(question, likeness, path) / question.weight))


def _division(question: OpenQuestion, likeness: Likeness, path: Sequence[Hop]) -> float:
    """The value of the best division of the content words among the relations of the path."""
    ending: list[list[int]] = [[] for _ in range(len(question.weights) + 1)]
    for number, phrase in enumerate(question.phrases):
        ending[phrase.last].append(number)
    rows = [likeness.phrases[hop.relation] for hop in path]
    best: list[dict[int, float]] = [{0: 0.0}]
    for end, weight in enumerate(question.weights, start=1):
        here = {used: value + UNEXPLAINED * weight for used, value in best[end - 1].items()}
        for number in ending[end]:
            phrase = question.phrases[number]
            for bit, row in enumerate(rows):
                gain = row[number] * phrase.weight
                for used, value in best[phrase.first].items():
                    now = used | 1 << bit
                    if value + gain > here.get(now, float("-inf")):
                        here[now] = value + gain
        best.append(here)
    return max(value - UNSAID * (len(path) - used.bit_count()) for used, value in best[-1].items())
