"""How FactConsolidation (MemoryAgentBench) compares an answer with its gold. Pure."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Lower case without punctuation and articles, blanks squeezed: how MemoryAgentBench compares.

    >>> normalise("The United States of America.")
    'united states of america'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def is_right(answer: str, golds: Iterable[str]) -> bool:
    """Whether a gold answer stands in the answer (substring match after `normalise`)."""
    return any(normalise(gold) in normalise(answer) for gold in golds)


def is_exact(answer: str, golds: Iterable[str]) -> bool:
    """Whether the answer is a gold answer and names nothing else."""
    return any(normalise(gold) == normalise(answer) for gold in golds)
