"""A question as words, each with its place in the text, so that a value can be given back as it was written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tem_graph.domain.names import fold

_WORD = re.compile(r"[$€£#@]*[^\W_]+(?:['’.&/@+:,](?=[^\W_])[^\W_]+)*|['’][sS]\b|[,;:?!()\"“”]")
_FULL_STOP = re.compile(r"[.…]\s")
_DASHES = "-–—‐"
_CONTRACTED = ("n't", "'s", "'re", "'ve", "'d", "'ll", "'m")
_BARE = {
    **dict.fromkeys(("whats", "wheres", "whos", "whens", "hows", "thats", "theres"), "'s"),
    **dict.fromkeys(("dont", "doesnt", "didnt", "isnt", "wasnt", "arent", "hasnt", "havent", "hadnt"), "n't"),
    **dict.fromkeys(("whered", "whod", "howd"), "'d"),
    "ive": "'ve",
    "im": "'m",
    "cant": "n't",
}
"""Words typed without their apostrophe → what follows it."""
_FULL = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will"}
_IS_AFTER = frozenset({"where", "who", "what", "when", "how", "that", "there", "it", "he", "she", "which", "here"})
_VOWELS = "aeiou"
_DOUBLING = re.compile(rf"[^{_VOWELS}][{_VOWELS}][bdgmnprt]$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word. `key` is its folded form, `start` and `end` its place in the question's text."""

    key: str
    start: int
    end: int
    is_capital: bool = False
    opens: bool = False
    """Whether a sentence ends before it, so that its capital says nothing."""

    @property
    def is_mark(self) -> bool:
        return not any(c.isalnum() for c in self.key) and self.key not in _FULL


def read_words(text: str) -> list[Word]:
    """The words of a text in order: contractions taken apart, hyphens as blanks, punctuation as marks of its own.

    >>> [w.key for w in read_words("Where's Ana's second-to-last home?")]
    ['where', 'is', 'ana', "'s", 'second', 'to', 'last', 'home', '?']
    """
    return list(_words(text))


def _words(text: str) -> Iterator[Word]:
    previous = ""
    end = 0
    for match in _WORD.finditer(text):
        opens = _FULL_STOP.search(text[end : match.start()]) is not None
        for word in _contracted(match[0], match.start(), previous):
            yield replace(word, opens=True) if opens else word
            previous, opens = word.key, False
        end = match.end()


def _contracted(raw: str, start: int, previous: str) -> Iterator[Word]:
    plain = unicodedata.normalize("NFKC", raw).replace("’", "'")
    if plain.lower() == "'s":
        yield Word("'s", start, start + len(raw))
        return
    tail = next((t for t in _CONTRACTED if plain.lower().endswith(t) and len(plain) > len(t)), "")
    typed = len(tail)
    if plain.lower() in _BARE:
        tail = _BARE[plain.lower()]
        typed = len(tail) - 1
    head = plain[: len(plain) - typed]
    end = start + len(raw) - typed
    if plain.lower() in {"won't", "can't", "cant"}:
        head, tail = {"w": "will", "c": "can"}[plain[0].lower()], "n't"
    yield Word(fold(head), start, end, head[:1].isupper())
    if tail == "'s":
        yield Word("is" if fold(head) in _IS_AFTER else "'s", end, start + len(raw))
    elif tail == "'d":
        yield Word("did" if fold(head) in _IS_AFTER else "'d", end, start + len(raw))
    elif tail:
        yield Word(_FULL[tail], end, start + len(raw))


def verb_forms(verb: str, irregular: tuple[str, ...] = ()) -> frozenset[str]:
    """All forms of a verb: the given irregular ones, the others by the rules of spelling.

    >>> sorted(verb_forms("quit", ("quit", "quitting"))), sorted(verb_forms("move"))
    (['quit', 'quits', 'quitting'], ['move', 'moved', 'moves', 'moving'])
    """
    if verb.endswith("e") and not verb.endswith("ee"):
        forms = {verb + "s", verb + "d", verb[:-1] + "ing"}
    elif verb.endswith("y") and verb[-2] not in _VOWELS:
        forms = {verb[:-1] + "ies", verb[:-1] + "ied", verb + "ing"}
    elif verb.endswith(("s", "sh", "ch", "x", "o")):
        forms = {verb + "es", verb + "ed", verb + "ing"}
    else:
        stem = verb + verb[-1] if len(verb) <= 4 and _DOUBLING.search(verb) else verb
        forms = {verb + "s", stem + "ed", stem + "ing"}
    if irregular:
        past = {f for f in forms if f.endswith("ed") or f.endswith("d")}
        forms -= past
        if any(f.endswith("ing") for f in irregular):
            forms = {f for f in forms if not f.endswith("ing")}
    return frozenset({verb, *forms, *irregular})
