"""Names and ids: one normaliser and one hash, used everywhere a name is compared or an id is made.

This module refuses to transliterate: every script keeps its letters, so 林小雨 and 陈大海 stay two people.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b

_BLANKS = re.compile(r"\s+")
_encode = json.JSONEncoder(ensure_ascii=False).encode


def fold(name: str) -> str:
    """The form in which two names are compared: NFKC, casefolded, blanks squeezed (design, law 2).

    >>> fold("  Frau   STRAUSS ") == fold("Frau Strauß")
    True
    >>> fold("İPEK") == fold("İpek"), fold("林小雨")
    (True, '林小雨')
    """
    if name.isascii():  # no composition, no letter that folds into two: the same result ten times sooner
        return " ".join(name.lower().split())
    # Casefolding can undo NFKC (and the other way round), so compose once more afterwards.
    composed = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return _BLANKS.sub(" ", composed).strip()


@lru_cache(maxsize=4_096)  # a few names, asked for with every fact
def relation_key(name: str) -> str:
    """The folded form of a relation name; `ad_budget` and `Ad budget` are one relation.

    >>> relation_key("Ad budget") == relation_key("ad_budget")
    True
    """
    return fold(name.replace("_", " "))


def make_id(*parts: str | int | None) -> str:
    """A deterministic 128-bit id, in hex, of parts that stay apart: ("a:b", "c") never equals ("a", "b:c").

    The same parts give the same id on every machine, so a repeated or retried write changes nothing.
    """
    return blake2b(_encode(parts).encode(), digest_size=16).hexdigest()
