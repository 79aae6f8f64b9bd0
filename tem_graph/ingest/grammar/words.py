"""Words as plain data: what the tagger and parser found out about each, and where it stands in the turn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LEMMAS = {
    **dict.fromkeys(("'m", "m", "'re", "re", "am", "is", "are", "was", "were", "been"), "be"),
    **dict.fromkeys(("'ve", "ve"), "have"),
    **dict.fromkeys(("'ll", "wo"), "will"),
    **dict.fromkeys(("n't", "nt"), "not"),
    "ca": "can",
    "ended": "end",
    "got": "get",
    "left": "leave",
    "fell": "fall",
    "fallen": "fall",
    "gonna": "go",
    "gon": "go",
    "wanna": "want",
}
"""What the lemmatiser gets wrong, or writes in two ways."""


@dataclass(frozen=True, slots=True)
class Word:
    """One token. `head` is the place of its governor in the sentence, `start` and `end` offsets in the turn."""

    i: int
    text: str
    lemma: str
    tag: str
    dep: str
    head: int
    ent: str
    start: int
    end: int
    quoted: bool = False
    is_time: bool = False

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_name(self) -> bool:
        """Whether it is written like a name: a capital, or a script that has none."""
        first = self.text[0]
        return first.isupper() or (first.isalpha() and not first.islower())

    @property
    def is_noun(self) -> bool:
        return self.tag.startswith("NN") or self.tag == "FW"

    @property
    def is_verb(self) -> bool:
        return self.tag.startswith("VB") or self.tag == "MD"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with the text of the turn that it was cut from."""

    words: tuple[Word, ...]
    source: str
    question: bool
    is_lower: bool
    """The writer uses no capitals: a lowercase noun may be a name."""
    before: Sentence | None = None
    """The sentence in front of this one in the same turn."""

    def cut(self, first: int, stop: int) -> str:
        """The turn's own characters of the words `first` up to, but without, `stop`."""
        return self.source[self.words[first].start : self.words[stop - 1].end]

    def lowers(self, first: int, stop: int) -> list[str]:
        return [w.lower for w in self.words[max(first, 0) : stop]]

    def children(self, i: int, *deps: str) -> list[Word]:
        return [w for w in self.words if w.head == i and w.i != i and w.dep in deps]

    def subtree(self, i: int) -> tuple[int, int]:
        """First and one-past-last place of everything that the word governs."""
        members = {i}
        grew = True
        while grew:
            more = {w.i for w in self.words if w.head in members} - members
            members |= more
            grew = bool(more)
        return min(members), max(members) + 1


def lemma_of(text: str, lemma: str) -> str:
    return _LEMMAS.get(text.lower(), lemma.lower())


def is_latin(text: str) -> bool:
    """Whether a word is written in Latin letters, or has no letters at all."""
    return all("LATIN" in unicodedata.name(c, "LATIN") for c in text if c.isalpha())


def find(words: Sequence[str], *wanted: str) -> bool:
    """Whether the words contain `wanted` side by side."""
    if wanted[0] not in words:
        return False
    n = len(wanted)
    return any(tuple(words[k : k + n]) == wanted for k in range(len(words) - n + 1))
