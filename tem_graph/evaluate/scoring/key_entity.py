"""Key-entity hits of the state-update set: does the answer name the value asked for? Pure.

A hit is the paper's measure (TEM, section 4.1): the answer contains the reference entity or an alias, whatever the
case. It is generous, since "Lyon, before that Porto" hits both; the strict hit also wants none of the other values
of that timeline in the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tem_graph.domain.names import fold

Stretch = tuple[int, int]


def is_hit(answer: str, names: Iterable[str]) -> bool:
    """Whether the answer contains one of `names`: the key entity or an alias, both folded.

    >>> is_hit("She lives in LYON now.", ["Lyon"]), is_hit("She lives in Porto.", ["Lyon"])
    (True, False)
    """
    return any(_stretches(fold(answer), names))


def is_strict_hit(answer: str, names: Iterable[str], other_values: Iterable[str]) -> bool:
    """Whether the answer contains one of `names` and none of `other_values`.

    Another value counts as named unless it stands inside an occurrence of the name itself: an answer "green tea"
    does not name "tea" beside it, but an answer "iced tea" is not the value "tea".

    >>> is_strict_hit("Lyon, before that Porto", ["Lyon"], ["Porto"])
    False
    >>> is_strict_hit("green tea", ["green tea"], ["tea"]), is_strict_hit("iced tea", ["tea"], ["iced tea"])
    (True, False)
    """
    text = fold(answer)
    named = list(_stretches(text, names))
    others = _stretches(text, other_values)
    return bool(named) and all(any(_holds(name, other) for name in named) for other in others)


def _stretches(text: str, names: Iterable[str]) -> Iterator[Stretch]:
    for name in filter(None, map(fold, names)):
        yield from (match.span(1) for match in re.finditer(f"(?=({re.escape(name)}))", text))


def _holds(outer: Stretch, inner: Stretch) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
