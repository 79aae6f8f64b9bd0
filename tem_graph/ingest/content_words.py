"""What a sentence is about: its words without those that every sentence has, and whether a text has them too. Pure.

Function words are English (`english`); of other languages every word of more than two letters counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tem_graph.ingest import english
from tem_graph.ingest.text_match import Word, split_words

_STEM = 4
"""Letters that two forms of one word share at least: paint, painted. A guess."""
_ENDING = 4
"""Letters of an ending at most: "ings" and the like. A guess."""


def content_words(text: str) -> list[Word]:
    """The words of a text that carry content, in order.

    >>> [word.name_key for word in content_words("I went to Ana's pottery class, 3 times!")]
    ['went', 'ana', 'pottery', 'class', '3', 'times']
    """
    return [word for word in split_words(text) if is_content(word)]


def is_content(word: Word) -> bool:
    key = word.name_key
    if word.key in english.FUNCTION_WORDS or key in english.FUNCTION_WORDS:
        return False
    return len(key) > 2 or not key.isascii() or any(char.isdigit() for char in key)


def names_and_numbers(text: str, words: Sequence[Word]) -> list[Word]:
    """Of these words of `text`, those that stand for something by themselves: with a digit, or with a capital that
    does not open a sentence."""
    return [
        word
        for at, word in enumerate(words)
        if any(char.isdigit() for char in word.key)
        or (at > 0 and is_content(word) and text[word.start].isupper() and not _opens(text, words[at - 1], word))
    ]


def _opens(text: str, before: Word, word: Word) -> bool:
    """Whether a sentence begins between the two."""
    return any(mark in text[before.end : word.start] for mark in '.!?:;…"“')


def share_of(wanted: Iterable[Word], words: Sequence[Word]) -> float:
    """The share of `wanted`, from 0 to 1, that `words` have in some form; 1 where nothing is wanted."""
    keys = [word.name_key for word in words]
    found = [any(_is_form(word.name_key, key) for key in keys) for word in wanted]
    return sum(found) / len(found) if found else 1.0


def _is_form(one: str, other: str) -> bool:
    """Whether two words are forms of one: the same, the same but for an ending, or the same irregular verb."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    shared = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if shared >= max(_STEM, len(long) - _ENDING):
        return True
    return any(one in forms and other in forms for forms in _FORMS)


_FORMS = tuple(
    {base, *forms.split()}
    for base, forms in {
        **english.IRREGULAR,
        "take": "took taken takes taking",
        "make": "made makes making",
        "see": "saw seen sees seeing",
        "meet": "met meets meeting",
        "teach": "taught teaches teaching",
        "find": "found finds finding",
        "write": "wrote written writes writing",
        "run": "ran runs running",
        "win": "won wins winning",
        "child": "children kid kids child's",
        "give": "gave given gives giving",
        "begin": "began begun begins start started",
        "feel": "felt feels feeling",
        "have": "has had having",
        "leave": "left leaves leaving",
        "tell": "told tells telling",
        "mother": "mom mum mother's",
        "father": "dad father's",
    }.items()
)
"""Forms that no ending explains, and names of relatives that a retelling changes."""
