"""Long turns cut to the sentences that matter, never to less than half of their tokens. Pure.

What is kept stands as it was said; an ellipsis stands for what was left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

ELLIPSIS = "…"
KEPT = 0.5
"""The share of its tokens that a trimmed turn keeps at least, so that it still counts as evidence."""

_BORDER = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+(?=\S)|(?<=[。！？])|\s+(?=\[shares )|\n+")


@dataclass(frozen=True, slots=True)
class Cut:
    """What is left of a text, and whether that is all of it."""

    text: str
    is_whole: bool


def sentences(text: str) -> list[str]:
    """The sentences of `text`, each as it stands; the caption of a shared image is one of its own.

    >>> sentences("Hi Mel! I painted this. [shares a lake at dawn]")
    ['Hi Mel!', 'I painted this.', '[shares a lake at dawn]']
    """
    parts, start = [], 0
    for border in _BORDER.finditer(text):
        parts.append(text[start : border.end()].strip())
        start = border.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def trim(text: str, value: Callable[[str], float], count: Callable[[str], int]) -> Cut:
    """The fewest tokens of `text`, at least half of them, in whole sentences of the highest `value` per text.

    `value` says how much a sentence matters (0 or more), `count` its tokens. A text of one sentence stays whole,
    and so does one from which nothing worth an ellipsis can be dropped.
    """
    parts = sentences(text)
    if len(parts) < 2:
        return Cut(text, True)
    sizes = [count(part) for part in parts]
    total = count(text)
    needed = KEPT * max(total, sum(sizes))
    kept = _best(parts, sizes, [value(part) for part in parts], needed)
    shortened = _joined(parts, kept)
    if len(kept) == len(parts) or count(shortened) >= total:
        return Cut(text, True)
    return Cut(shortened, False)


def _best(parts: Sequence[str], sizes: Sequence[int], values: Sequence[float], needed: float) -> list[int]:
    """Positions of the sentences kept, ascending: by value until they are enough, less those not needed after all."""
    by_value = sorted(range(len(parts)), key=lambda n: (-values[n], -sizes[n], n))
    kept: list[int] = []
    size = 0
    for n in by_value:
        if size >= needed:
            break
        kept.append(n)
        size += sizes[n]
    for n in reversed(kept[:]):
        if size - sizes[n] >= needed and len(kept) > 1:
            kept.remove(n)
            size -= sizes[n]
    return sorted(kept)


def _joined(parts: Sequence[str], kept: Sequence[int]) -> str:
    pieces: list[str] = []
    last = -1
    for n in kept:
        if n != last + 1:
            pieces.append(ELLIPSIS)
        pieces.append(parts[n])
        last = n
    if last != len(parts) - 1:
        pieces.append(ELLIPSIS)
    return " ".join(pieces)
