"""Which operator a masked question is nearest to, by the phrasings of `phrasings.txt`."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cache
from importlib import resources
from itertools import pairwise
from math import log, sqrt

from tem_graph.answer.rules.masked import PRONOUN, SUBJECT, Masked

NO_OPERATOR = "none"
"""The class of questions that no operator answers: plans, reasons, somebody's brother."""
_SMOOTHING = 0.1
"""Count that a feature has in every class before anything was seen. Chosen by leaving one set out."""
SPLIT = " | "
"""What stands between operator, words and meanings in a line."""
_PEOPLE = frozenset({SUBJECT, PRONOUN, "'s"})


class Phrasings:
    """Naive Bayes over masked phrasings: transparent, fitted in a fraction of a second, no dependency."""

    def __init__(self, examples: Iterable[tuple[str, Masked]]) -> None:
        """Fit on (operator, masked phrasing) pairs."""
        sizes: Counter[str] = Counter()
        self._of_operators: set[str] = set()
        self._of_people: set[str] = set()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for operator, masked in examples:
            sizes[operator] += 1
            if operator != NO_OPERATOR:
                self._of_operators.update(masked.words)
                self._of_people.update(w for one, w in pairwise(masked.words) if one in _PEOPLE)
            for feature in masked.features():
                counts[feature][operator] += 1
        self._unseen = {o: log(_SMOOTHING / (n + 2 * _SMOOTHING)) for o, n in sizes.items()}
        self._seen = {
            feature: {
                o: log((n + _SMOOTHING) / (sizes[o] + 2 * _SMOOTHING)) - self._unseen[o] for o, n in by_class.items()
            }
            for feature, by_class in counts.items()
        }

    def scores(self, masked: Masked) -> dict[str, float]:
        """Operator, or `NO_OPERATOR` → how near the question is to its phrasings, in log odds.

        A sum over many words is more noisy than over few: the odds are divided by the root of their number.
        """
        known = [self._seen[f] for f in masked.features() if f in self._seen]
        root = sqrt(max(len(masked.words), 1))
        return {
            o: (len(known) * unseen + sum(by.get(o, 0.0) for by in known)) / root for o, unseen in self._unseen.items()
        }

    def is_of_operators(self, word: str) -> bool:
        """Whether some phrasing of an operator has the word."""
        return word in self._of_operators

    def is_said_of_people(self, word: str) -> bool:
        """Whether some phrasing of an operator has the word right after a person: what they do or have."""
        return word in self._of_people

    def unknown_words(self, masked: Masked) -> int:
        """How many words occur in no phrasing of an operator."""
        return sum(word not in self._of_operators for word in masked.words)


@cache
def stored_phrasings() -> Phrasings:
    """The classifier of the phrasings that are part of the package."""
    text = resources.files("tem_graph.answer.rules").joinpath("phrasings.txt").read_text(encoding="utf-8")
    return Phrasings(read_phrasing(line) for line in text.splitlines())


def read_phrasing(line: str) -> tuple[str, Masked]:
    """The operator and the masked phrasing of a line "operator | words | meanings"."""
    operator, words, meanings = line.split(SPLIT)
    return operator, Masked(tuple(words.split()), tuple(meanings.split()))


def write_phrasing(masked: Masked) -> str:
    """Words and meanings of a line."""
    return f"{' '.join(masked.words)}{SPLIT}{' '.join(masked.meanings)}"
