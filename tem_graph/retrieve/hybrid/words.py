"""Words of questions and passages as they are compared: folded, without filler, English ones by their stem. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from threading import Lock
from typing import Any

_WORD = re.compile(r"[^\W_]+(?:['’ʼ][^\W\d_]+)?")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Letters of scripts that put no blanks between words: each counts as a word, as in the full-text index."""
_POSSESSIVE = re.compile(r"['’ʼ]s$")

_FILLER = """
a about after an and any are as at be been before but by can could did do does during for from had has have he her
his how i if in into is it its kind long many may might much my no not of often on or our she should so some such
than that the their them then there these they this those to type was we were what when where which who whom whose
why will with would you your
"""
FILLER = frozenset(_FILLER.split())
"""Words that say nothing about what is asked: question words, auxiliaries, pronouns, prepositions."""


@lru_cache(maxsize=8_192)
def terms(text: str) -> tuple[str, ...]:
    """The words of `text` in order, with repetitions, without filler.

    >>> terms("When did Ana's brothers paint the old pottery?")
    ('ana', 'brother', 'paint', 'old', 'potteri')
    """
    return tuple(term for word in all_words(text) if word not in FILLER and (term := stem(word)))


def all_words(text: str) -> list[str]:
    """The words of `text`, folded, a possessive ending dropped."""
    words: list[str] = []
    for match in _WORD.finditer(unicodedata.normalize("NFKC", text).casefold()):
        word = _POSSESSIVE.sub("", match[0])
        words += list(word) if _UNSPACED.search(word) else [word]
    return words


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """The stem by Porter's rules; a word that is not plain ASCII stays as it is."""
    if not word.isascii():
        return word
    with _one_at_a_time:
        return str(_stemmer().stemWord(word))


_one_at_a_time = Lock()
"""A stemmer keeps the word that it works on in itself, and evidence is chosen in several threads."""


@cache
def _stemmer() -> Any:
    import snowballstemmer  # brings the stemmers of thirty languages, so only whoever searches waits for it

    return snowballstemmer.stemmer("porter")
