"""An open question taken apart: the name it starts from, and the words that relations have to account for. Pure.

No word here belongs to a relation or to a set of questions: articles, prepositions, auxiliaries and pronouns say
nothing by themselves, "of the", "that" and "where" stand between one relation and the next, everything else counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tem_graph.domain.names import fold

_WORD = re.compile(r"\w+(?:[.'’&/-]\w+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_BOUNDARY = re.compile(r"\bof (?:the|an?)\b|\b(?:that|which|who|whom|where|whose|and)\b|[,;]", re.IGNORECASE)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SILENT = _words(
    "a an the of in on at to for from with by as into than is was are were be been do does did has have had his her "
    "its their your my our what which whose how it he she they him them you there here this these that those such "
    "and or please tell me"
)
_ASKING = frozenset({"who", "whom", "where", "when"})
_FAINT = frozenset({"person", "individual", "someone", "name", "thing"})
_FAINT_WEIGHT = 0.3
"""What a word counts that says only of what kind a value is: "who", "the person", "the album Blue". A guess that the
small sets of `benchmarks/factconsolidation.py` do not depend on."""
_LONGEST_NAME = 14
_LONGEST_PHRASE = 4
_LONGEST_ASKED = 3

_OTHER_TIME = re.compile(
    r"\b(?:previous|previously|former|formerly|before|after|until|till|since|during|while|ago|ever|still|anymore|"
    r"used to|how (?:many|often|long|much)|when|no longer|changed?|history|both|"
    r"(?:the|['’]s) (?:first|second|third|last|earlier|later|next|latest|initial))\b|\b(?:1[89]|20)\d\d\b",
    re.IGNORECASE,
)
"""Wordings that ask for something else than what holds now; the operators answer those."""
_OTHER_ANSWER = re.compile(
    r"\s*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|why|how)\b", re.IGNORECASE
)
"""A yes or no, a reason or a manner is asked for, not a value."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Content words `first` to `last` (exclusive) of a question, with the words between them, in lower case."""

    first: int
    last: int
    text: str
    weight: float


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question seen from one name in it.

    `weights` has one number per content word outside the name. `phrases` are all runs of those words that one
    relation may account for. `asked` is the phrase right after the question word ("which city"): the last
    relation should account for it. `anchor_weight` is the number of words in the name.
    """

    anchor: str
    weights: tuple[float, ...]
    phrases: tuple[Phrase, ...]
    asked: str | None
    anchor_weight: float

    @property
    def weight(self) -> float:
        return sum(self.weights)


def asks_otherwise(question: str, names: Sequence[str] = ()) -> bool:
    """Whether a question asks for another time than now (in words outside the given names), or for no value.

    >>> asks_otherwise("Who led Acme before Ana?"), asks_otherwise("Who led The Day After?", ["The Day After"])
    (True, False)
    >>> asks_otherwise("Does Ana lead Acme?")
    True
    """
    if _OTHER_ANSWER.match(question):
        return True
    for name in sorted(names, key=len, reverse=True):
        question = re.sub(re.escape(name), " ", question, flags=re.IGNORECASE)
    return _OTHER_TIME.search(question) is not None


def name_key(name: str) -> str:
    """The form in which a name is looked for in a question: folded, without quotation marks and stops around it."""
    return fold(name).strip(" .,;:!?\"'“”‘’")


def read_open_question(question: str, names: Mapping[str, str]) -> Iterator[OpenQuestion]:
    """The question from each known name in it; a name inside a longer one does not count.

    `names` maps `name_key` of every known name to the name.
    """
    words = list(_WORD.finditer(question))
    for first, last, anchor in _anchors(question, words, names):
        yield _read(question, words, first, last, anchor)


def _anchors(question: str, words: Sequence[re.Match[str]], names: Mapping[str, str]) -> Iterator[tuple[int, int, str]]:
    taken: list[tuple[int, int]] = []
    for length in range(min(_LONGEST_NAME, len(words)), 0, -1):
        for first in range(len(words) - length + 1):
            last = first + length
            if any(a <= first and last <= b for a, b in taken):
                continue
            written = question[words[first].start() : words[last - 1].end()]
            spellings = (written, _POSSESSIVE.sub("", written))
            name = next((names[k] for s in spellings if (k := name_key(s)) in names), None)
            if name is not None:
                taken.append((first, last))
                yield first, last, name


def _read(question: str, words: Sequence[re.Match[str]], first: int, last: int, anchor: str) -> OpenQuestion:
    keys = [_POSSESSIVE.sub("", fold(w[0])) for w in words]
    content = [n for n, key in enumerate(keys) if not first <= n < last and key not in _SILENT]
    kind = set(_kind_in_front(keys, content, first))
    faint = {n for n in content if keys[n] in _ASKING | _FAINT or n in kind}
    weights = tuple(_FAINT_WEIGHT if n in faint else 1.0 for n in content)
    phrases = []
    for start in range(len(content)):
        for end in range(start + 1, min(len(content), start + _LONGEST_PHRASE) + 1):
            run = content[start:end]
            if run[0] < first <= run[-1] or _crosses(question, words, run):
                break
            if any(n not in faint for n in run):
                text = question[words[run[0]].start() : words[run[-1]].end()].lower()
                phrases.append(Phrase(start, end, text, sum(weights[start:end])))
    asked = _asked(question, words, content, keys, faint)
    return OpenQuestion(anchor, weights, tuple(phrases), asked, float(last - first))


def _crosses(question: str, words: Sequence[re.Match[str]], run: Sequence[int]) -> bool:
    """Whether a word that separates relations stands inside a run of content words."""
    return any(
        _POSSESSIVE.search(words[a][0]) or _BOUNDARY.search(question[words[a].end() : words[b].start()])
        for a, b in pairwise(run)
    )


def _kind_in_front(keys: Sequence[str], content: Sequence[int], anchor: int) -> Iterator[int]:
    """ "the album" in "the album Blue": words between an article and the name say what the name is."""
    at = anchor - 1
    while at in content:
        at -= 1
    if 0 <= at < anchor - 1 and keys[at] in {"the", "a", "an"}:
        yield from range(at + 1, anchor)


def _asked(
    question: str, words: Sequence[re.Match[str]], content: Sequence[int], keys: Sequence[str], faint: set[int]
) -> str | None:
    if not content or keys[content[0]] in _ASKING:
        return None
    start = next((at for at, n in enumerate(content) if n not in faint), None)
    if start is None:
        return None
    run = [content[start]]
    for n in content[start + 1 : start + _LONGEST_ASKED]:
        if n != run[-1] + 1 or _crosses(question, words, [run[-1], n]):
            break
        run.append(n)
    return question[words[run[0]].start() : words[run[-1]].end()].lower()
