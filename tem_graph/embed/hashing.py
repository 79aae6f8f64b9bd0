"""An embedder without a model: feature hashing of words and their character n-grams, for tests.

It knows likeness of spelling and nothing of meaning: "lives in" and "resides in" are strangers to it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b

from tem_graph.domain.names import fold

_WORD = re.compile(r"\w+")
_NGRAM_SIZES = (2, 3, 4)
_NGRAM_NORM = 0.7
"""Length of a word's n-grams together, beside 1 for the whole word. A guess: equal words count most."""


class HashingEmbedder:
    """Unit vectors of `dimension` floats from folded words and character n-grams of any script.

    The same text gives the same vector on every machine.
    """

    def __init__(self, dimension: int = 256) -> None:
        if dimension < 1:
            raise ValueError(f"dimension is {dimension}; at least 1 is needed")
        self._dimension = dimension

    @property
    def name(self) -> str:
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector per text, in order."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self._dimension
        for word in _WORD.findall(fold(text)):
            for bucket, weight in _word_features(word):
                vector[bucket % self._dimension] += weight
        norm = math.hypot(*vector)
        if norm == 0.0:
            # No words, or features that cancelled out: cosine needs a direction all the same.
            vector[_bucket(fold(text))[0] % self._dimension] = norm = 1.0
        return [value / norm for value in vector]


@lru_cache(maxsize=65_536)
def _word_features(word: str) -> tuple[tuple[int, float], ...]:
    """(bucket before the modulus, signed weight) of the word itself and of its n-grams."""
    grams = list(_ngrams(f"<{word}>"))
    weighted = [(f"={word}", 1.0), *((gram, _NGRAM_NORM / math.sqrt(len(grams))) for gram in grams)]
    return tuple((bucket, sign * weight) for feature, weight in weighted for bucket, sign in [_bucket(feature)])


def _ngrams(word: str) -> Iterator[str]:
    for size in _NGRAM_SIZES:
        yield from (word[start : start + size] for start in range(len(word) - size + 1))


def _bucket(feature: str) -> tuple[int, int]:
    """A place and a sign; signs make collisions cancel out on average (Weinberger et al., 2009)."""
    number = int.from_bytes(blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
    return number >> 1, 1 if number & 1 else -1
