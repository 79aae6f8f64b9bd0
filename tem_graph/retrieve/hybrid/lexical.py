"""How much a passage shares of a question's words: BM25 over the candidates of one memory. Pure.

The full-text index scores over all memories of the database; here only the candidates count, so what others hold
changes nothing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean

K1, B = 1.2, 0.75
"""BM25's usual constants."""


def term_weights(wanted: Sequence[str], documents: Sequence[Sequence[str]]) -> dict[str, float]:
    """How much each wanted term says about a document: the more, the fewer have it (BM25's idf, above 0)."""
    having = Counter(term for document in documents for term in frozenset(document))
    return {term: math.log(1 + (len(documents) - having[term] + 0.5) / (having[term] + 0.5)) for term in wanted}


def shared_words(weights: Mapping[str, float], documents: Sequence[Sequence[str]]) -> list[float]:
    """BM25 of each document for the weighted terms; 0 where it has none of them."""
    if not documents:
        return []
    average = fmean(len(document) for document in documents) or 1.0
    return [_bm25(weights, Counter(document), len(document) / average) for document in documents]


def _bm25(weights: Mapping[str, float], counts: Mapping[str, int], length: float) -> float:
    return sum(
        weight * often * (K1 + 1) / (often + K1 * (1 - B + B * length))
        for term, weight in weights.items()
        if (often := counts.get(term, 0))
    )
