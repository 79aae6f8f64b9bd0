"""Whether a name is that of a known place: cities, countries and states of places.txt.

The labels of the small pipeline are no judge of this: it takes "Lund" for a person and "Woohoo" for a company.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib import resources


@cache
def _places() -> frozenset[str]:
    text = resources.files("tem_graph.ingest.grammar").joinpath("places.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


def is_place(name: str) -> bool:
    """Whether the list has the name, whatever its accents.

    >>> is_place("Kraków"), is_place("Boiler")
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", name).replace("ł", "l").replace("Ł", "l")
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold() in _places()
