"""From the text of a turn to sentences that a parser can read, without losing a character's place.

Chat is not newspaper text: curly quotes, emoji, missing apostrophes, dashes between clauses. Everything
here keeps the length of the text, so that a word found in the cleaned text stands at the same offset in
the turn, and objects and quotes can be cut verbatim from what was written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from tem_graph.ingest.grammar import lexicon

_SAME = str.maketrans(
    {
        **dict.fromkeys("’‘ʼ´`＇", "'"),
        **dict.fromkeys("“”„«»＂「」『』", '"'),
        **dict.fromkeys("。．", "."),
        **dict.fromkeys("，、", ","),
        "！": "!",
        "？": "?",
        "…": ".",
        "：": ":",
        "；": ";",
        **dict.fromkeys("\u00a0\u2007\u202f\t\r", " "),
        **dict.fromkeys("*_~|", " "),
    }
)
_LONE_I = re.compile(r"(?<![\w'’.&/-])i(?=(?:m|ve|'m|'ve|'d|'ll)?(?![\w'.&/-]))(?!\.e)")
_ABBREVIATIONS = lexicon.words("text", "abbreviations")
_STOP = re.compile(r"[.!?]+[\"')\]]*(?=\s|$)|\n+|(?<=[a-z])[.!?](?=[A-Z][a-z])")
_CLAUSE_BREAK = re.compile(
    r"\s*(?:[—–;]|\s-{1,2}(?=\s)|--|:(?=\s))\s*(?=(?:so |and |but |yes |yeah |well |oh |okay |ok |now |just |finally )*"
    r"(?:I|I'm|I've|we|we're|we've|my|our|he|she|it|it's|they|there|you|this|turns)\b)",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'"([^"\n]{2,400})"|(?<![\w])\'([^\'\n]+(?:\'[a-z][^\'\n]*)*)\'(?!\w)')
# "Favourite drink? Matcha." asks nobody: it is a label and its value.
_LABEL_ASKED = re.compile(
    r"(?:(?<=[.!?]\s)|^)(?:and |my |the |so )*(?:(?:new|current|favou?rite|fave|go-to|home|job|occupation|profession"
    r"|employer|city|drink|usual|day|of|choice|these days|now|right now|order|beverage|base|location|latest|morning"
    r"|title|food|colou?r) ?){1,5}\?",
    re.IGNORECASE,
)
# "And honestly? I love it": no question either.
_RHETORIC = re.compile(
    r"\b(?:honestly|seriously|you know what|guess what|the (?:best|worst|funny) part|the result|the verdict)\?",
    re.IGNORECASE,
)
# "I wrote 'I am a cook' on the form": quoted, and still the speaker's own word.
_OWN_WORDS = re.compile(
    r"(?:\b(?:I|we)(?: just| finally| then| now| proudly)? (?:said|say|wrote|write|answered|replied|typed|put)"
    r"|(?:^|[.!?] )(?:Wrote|Said|Answered|Typed))(?: down| out loud| proudly)?,?:? ?$"
)
_BEHIND = 80
"""Characters in front of a place that tell what it is: more would make long turns cost their square."""
_ASIDE = re.compile(r"\(([^()\n]*)\)")


@dataclass(frozen=True, slots=True)
class Span:
    """A sentence of a turn: its cleaned text and where that starts in the turn."""

    text: str
    start: int
    question: bool
    """Whether it ends with a question mark."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A turn made ready for the parser. `clean` has the length of the turn's text."""

    clean: str
    quoted: tuple[tuple[int, int], ...]
    """Offsets of what stands in quotation marks: somebody else's words, or not meant."""
    is_lower: bool
    """The writer uses no capitals, so that a lowercase word may be a name."""

    @classmethod
    def of(cls, text: str) -> Utterance:
        clean = "".join(_plain(c) for c in text.translate(_SAME))
        is_lower = not any(c.isupper() for c in clean)
        clean = _LABEL_ASKED.sub(lambda m: m[0][:-1] + ":", _LONE_I.sub("I", clean))
        clean = _RHETORIC.sub(lambda m: m[0][:-1] + ".", clean)
        quoted = (m.span() for m in _QUOTED.finditer(clean) if not _is_own(clean, m.start()))
        return cls(clean, tuple(quoted), is_lower)

    def is_quoted(self, offset: int) -> bool:
        return any(start <= offset < end for start, end in self.quoted)

    def sentences(self) -> Iterator[Span]:
        """Sentences in order; a remark in brackets is a sentence of its own and blank in the one around it."""
        around = _ASIDE.sub(lambda m: " " * len(m[0]), self.clean)
        spans = [*_split(around, 0)]
        for aside in _ASIDE.finditer(self.clean):
            spans.extend(_split(aside[1], aside.start(1)))
        yield from sorted(spans, key=lambda span: span.start)


def _plain(char: str) -> str:
    """The character itself, or a blank for what is no part of language (emoji, symbols, joiners)."""
    if char.isascii():
        return char
    category = unicodedata.category(char)
    return " " if category in {"So", "Sk", "Cs", "Co", "Cn"} or char in "\ufe0f" else char


def _split(text: str, offset: int) -> Iterator[Span]:
    begin = 0
    for stop, resume in _boundaries(text):
        if stop <= begin:
            continue
        yield from _span(text, begin, stop, offset)
        begin = resume
    yield from _span(text, begin, len(text), offset)


def _boundaries(text: str) -> list[tuple[int, int]]:
    """(end of the sentence, start of the next) in order."""
    found = [(m.start(), m.end()) for m in _CLAUSE_BREAK.finditer(text)]
    for match in _STOP.finditer(text):
        if match[0].strip() == "." and _abbreviates(text[max(0, match.start() - _BEHIND) : match.start()]):
            continue
        found.append((match.end(), match.end()))
    return sorted(found)


def _is_own(text: str, quote: int) -> bool:
    """Whether the words in front of the quotation that opens at `quote` make it the speaker's own."""
    return _OWN_WORDS.search(text, max(0, quote - _BEHIND), quote) is not None


def _abbreviates(before: str) -> bool:
    word = re.split(r"[\s(\"']", before)[-1].casefold()
    is_initial = len(word) == 1 and word.isalpha() and before[-1].isupper() and word != "i"
    return word in _ABBREVIATIONS or is_initial


def _span(text: str, begin: int, end: int, offset: int) -> Iterator[Span]:
    piece = text[begin:end]
    if not any(c.isalnum() for c in piece):
        return
    lead = len(piece) - len(piece.lstrip(" \n\"'.,!?-–—:;"))
    body = piece[lead:].rstrip()
    yield Span(body, offset + begin + lead, body.rstrip("\"')] ").endswith("?"))
