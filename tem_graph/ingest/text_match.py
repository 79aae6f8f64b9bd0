"""Finding words in a text whatever their case, blanks and punctuation, and giving back the text's own form."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tem_graph.domain.names import fold

_APOSTROPHES = "'’ʼ＇"
_JOINERS = "\u200c\u200d"
_UNSPACED = ("CJK", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
"""Scripts that write words without blanks between them; each of their letters counts as a word."""
_ARTICLES = {"a", "an", "the", "my", "our", "his", "her", "their", "some"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `key` is its folded form, `[start, end)` its place in the text."""

    key: str
    start: int
    end: int

    @property
    def name_key(self) -> str:
        """The key without a possessive ending: Ana's → ana."""
        return self.key.removesuffix("'s").removesuffix("'")


def split_words(text: str) -> list[Word]:
    """The words of a text in order, punctuation left out; contractions are one word (don't, I'm). Pure.

    >>> [w.key for w in split_words("I’m in Graz, 住在杭州!")]
    ["i'm", 'in', 'graz', '住', '在', '杭', '州']
    """
    words: list[Word] = []
    position = 0
    while position < len(text):
        if not _is_letter(text[position]):
            position += 1
            continue
        start = position
        position += 1
        if not _stands_alone(text[start]):
            while position < len(text) and _continues(text, position):
                position += 1
        key = fold(text[start:position])
        for apostrophe in _APOSTROPHES[1:]:
            key = key.replace(apostrophe, "'")
        words.append(Word(key, start, position))
    return words


def _is_letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN"


def _stands_alone(char: str) -> bool:
    return not char.isascii() and unicodedata.name(char, "").startswith(_UNSPACED)


def _continues(text: str, position: int) -> bool:
    char = text[position]
    if char in _APOSTROPHES:
        return position + 1 < len(text) and _is_letter(text[position + 1])
    return char in _JOINERS or (_is_letter(char) and not _stands_alone(char))


def occurrences(wanted: str, words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Each place `[first, stop)` in `words` where the words of `wanted` stand in a row. Pure.

    Possessive endings and, on the last word, a plural ending make no difference; a leading article of
    `wanted` may be missing in the text.
    """
    keys = [word.name_key for word in split_words(wanted)]
    texts = [word.name_key for word in words]
    for needle in (keys, keys[1:] if len(keys) > 1 and keys[0] in _ARTICLES else []):
        found = False
        for first in range(len(texts) - len(needle) + 1) if needle else ():
            stop = first + len(needle)
            if texts[first : stop - 1] == needle[:-1] and _same_but_number(texts[stop - 1], needle[-1]):
                found = True
                yield first, stop
        if found:
            return


def _same_but_number(one: str, other: str) -> bool:
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and long in {f"{short}s", f"{short}es"}


def quote_span(quote: str, text: str, words: Sequence[Word]) -> tuple[int, int] | None:
    """The characters `[start, end)` of `text` that the quote repeats, or None. Pure.

    Case, blanks and punctuation may differ. A label such as "[2] Ana:" before the words is no part of them.
    """
    start = text.find(quote)
    if quote and start >= 0:
        return start, start + len(quote)
    for candidate in (quote, quote.partition(":")[2]):
        for first, stop in occurrences(candidate, words):
            return words[first].start, words[stop - 1].end
    return None
