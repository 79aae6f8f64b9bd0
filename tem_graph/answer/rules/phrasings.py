"""Which operator a masked question is nearest to, by the phrasings of `phrasings.toml`."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib import resources
from math import log

from tem_graph.answer.rules.masked import Masked

NO_OPERATOR = "none"
"""The class of questions that no operator answers: plans, reasons, somebody's brother."""
_SMOOTHING = 0.1
"""Count that a feature has in every class before anything was seen. Chosen by leaving one set out."""
_SPLIT = " | "


class Phrasings:
    """Naive Bayes over masked phrasings: transparent, fitted in a fraction of a second, no dependency."""

    def __init__(self, examples: Iterable[tuple[str, Masked]]) -> None:
        """Fit on (operator, masked phrasing) pairs."""
        sizes: Counter[str] = Counter()
        self._of_operators: set[str] = set()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for operator, masked in examples:
            sizes[operator] += 1
            if operator != NO_OPERATOR:
                self._of_operators.update(masked.words)
            for feature in masked.features():
                counts[feature][operator] += 1
        self._sizes = sizes
        self._unseen = {o: log(_SMOOTHING / (n + 2 * _SMOOTHING)) for o, n in sizes.items()}
        self._seen = {
            feature: {
                o: log((n + _SMOOTHING) / (sizes[o] + 2 * _SMOOTHING)) - self._unseen[o] for o, n in by_class.items()
            }
            for feature, by_class in counts.items()
        }

    def nearest(self, masked: Masked, among: Collection[str]) -> tuple[str, float]:
        """The likeliest operator of `among` or `NO_OPERATOR`, and by how much (log odds to the next, per word)."""
        known = [self._seen[f] for f in masked.features() if f in self._seen]
        classes = [o for o in self._sizes if o in among or o == NO_OPERATOR]
        scored = sorted(
            ((len(known) * self._unseen[o] + sum(by.get(o, 0.0) for by in known), o) for o in classes), reverse=True
        )
        best = scored[0]
        margin = best[0] - scored[1][0] if len(scored) > 1 else 0.0
        return best[1], margin / max(len(masked.words), 1)

    def is_of_operators(self, word: str) -> bool:
        """Whether some phrasing of an operator has the word."""
        return word in self._of_operators

    def unknown_words(self, masked: Masked) -> int:
        """How many words occur in no phrasing of an operator."""
        return sum(word not in self._of_operators for word in masked.words)


@cache
def stored_phrasings() -> Phrasings:
    """The classifier of the phrasings that are part of the package."""
    text = resources.files("tem_graph.answer.rules").joinpath("phrasings.toml").read_text(encoding="utf-8")
    return Phrasings(read_phrasings(tomllib.loads(text)))


def read_phrasings(content: Mapping[str, Iterable[str]]) -> Iterable[tuple[str, Masked]]:
    """The examples of a file's content: operator → lines of "words | meanings"."""
    for operator, lines in content.items():
        for line in lines:
            words, _, meanings = line.partition(_SPLIT)
            yield operator, Masked(tuple(words.split()), tuple(meanings.split()))


def write_phrasing(masked: Masked) -> str:
    """One line of the file."""
    return f"{' '.join(masked.words)}{_SPLIT}{' '.join(masked.meanings)}"
