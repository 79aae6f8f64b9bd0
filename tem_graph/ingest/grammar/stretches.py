"""A turn as stretches: the stretches of words between pauses and joining words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tem_graph.ingest.grammar.words import Sentence, Word

_PAUSES = frozenset(",.;:!?-–—()")
_JOINING = frozenset(
    ("and", "but", "so", "because", "since", "when", "where", "which", "while", "though", "although", "before", "after")
)
_SUBJECTS = frozenset(
    (
        "i",
        "we",
        "it",
        "he",
        "she",
        "they",
        "you",
        "my",
        "our",
        "his",
        "her",
        "their",
        "now",
        "then",
        "there",
        "this",
        "that",
        "the",
    )
)
# Behind "and" these open a statement of their own, even where none stands in front of it.
_ANEW = frozenset(("nobody", "everybody", "everyone", "nothing", "i", "we", "it"))
_LONG = 4


@dataclass(frozen=True)
class Stretch:
    """Words `first` up to `stop` of sentence number `number` of the turn."""

    sentence: Sentence
    number: int
    first: int
    stop: int

    @property
    def words(self) -> tuple[Word, ...]:
        return self.sentence.words[self.first : self.stop]

    @cached_property
    def text(self) -> str:
        """The lowercase words, joined by blanks."""
        return " ".join(w.lower for w in self.words)


def stretches(sentences: Sequence[Sentence]) -> list[Stretch]:
    """The stretches of a turn, in order."""
    return [s for number, sentence in enumerate(sentences) for s in _split(sentence, number)]


def _split(sentence: Sentence, number: int) -> Iterator[Stretch]:
    first = 0
    for word in sentence.words:
        if word.i > first and (_is_pause(sentence, word) or _joins(sentence, first, word)):
            yield Stretch(sentence, number, first, word.i)
            first = word.i + 1 if _is_pause(sentence, word) else word.i
        elif word.i == first and _is_pause(sentence, word):
            first = word.i + 1
    if first < len(sentence.words):
        yield Stretch(sentence, number, first, len(sentence.words))


def _is_pause(sentence: Sentence, word: Word) -> bool:
    if word.text[0] not in _PAUSES and word.text != "...":
        return False
    words = sentence.words
    follows = words[word.i + 1] if word.i + 1 < len(words) else None
    is_glued = word.i > 0 and words[word.i - 1].end == word.start and follows is not None and follows.start == word.end
    return not is_glued


def _joins(sentence: Sentence, first: int, word: Word) -> bool:
    if word.lower not in _JOINING or word.is_time:
        return False
    if word.lower in {"where", "when"} and word.i and sentence.words[word.i - 1].lemma == "be":
        return False  # "Lund is where we live"
    if word.lower == "and" and not any(w.is_verb for w in sentence.words[first : word.i]):
        anew = sentence.words[word.i + 1].lower if word.i + 1 < len(sentence.words) else ""
        return anew in _ANEW and word.i - first > _LONG  # not "Aino and Pekka moved"
    following = sentence.words[word.i + 1 : word.i + 4]
    if following and following[0].lower in {"me", "us", "you", "him", "her", "them"}:
        return False  # "the couple who lived here before us"
    return bool(following) and (following[0].lower in _SUBJECTS or any(w.is_verb and not w.is_time for w in following))
