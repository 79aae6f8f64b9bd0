"""Stems are the same from every thread: evidence for several questions is chosen at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import product

from tem_graph.retrieve.hybrid.words import stem

PARTS = ("relat", "operat", "condit", "vietnam", "form", "gener"), ("ional", "ization", "fulness", "ies", "ed", "ing")
WORDS = [f"{head}{middle}{tail}" for head, middle, tail in product(PARTS[0], "abcdefgh", PARTS[1])]


def test_stems_do_not_depend_on_other_threads() -> None:
    stem.cache_clear()
    alone = [stem(word) for word in WORDS]
    for _ in range(5):
        stem.cache_clear()
        with ThreadPoolExecutor(8) as threads:
            assert list(threads.map(stem, WORDS)) == alone
