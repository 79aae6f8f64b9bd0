"""The arguments of a verb as a flat row of phrases: "a job | as a nurse | at St. Mary's | last week".

Attachment is left open on purpose: whether "at St. Mary's" belongs to "job" or to "nurse" does not change
what is said, but a parser often gets it wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.verbs import is_verbal
from tem_graph.ingest.grammar.words import Sentence, Word

_COMPOUND = {
    ("out", "of"): "out of",
    ("instead", "of"): "instead of",
    ("rather", "than"): "instead of",
    ("because", "of"): "because of",
    ("thanks", "to"): "because of",
    ("such", "as"): "such as",
    ("away", "from"): "from",
    ("along", "with"): "with",
    ("close", "to"): "near",
    ("next", "to"): "near",
    ("just", "outside"): "outside",
    ("ahead", "of"): "ahead of",
    **{(way, prep): prep for way in ("over", "up", "down") for prep in ("at", "in", "to")},
    **dict.fromkeys((("as", "well"), ("kind", "of"), ("sort", "of")), ""),
}
"""Two words that act as one preposition; "" for those that are none."""
_NOUNLIKE = frozenset(
    (
        "NN",
        "NNS",
        "NNP",
        "NNPS",
        "FW",
        "CD",
        "JJ",
        "JJR",
        "JJS",
        "DT",
        "PDT",
        "PRP$",
        "POS",
        "$",
        "ADD",
        "AFX",
        "LS",
    )
)
_PRONOUNS = frozenset(("PRP", "WP", "EX"))


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words `first` up to `stop`, without the preposition `prep` ("" for none) in front of them."""

    sentence: Sentence
    prep: str
    first: int
    stop: int
    conjoined: bool = False
    """Follows "and" or "or"."""
    after_comma: bool = False
    negated: bool = False
    """Follows "not": "in Lund, not in Paris"."""
    gerund: bool = False

    @property
    def words(self) -> tuple[Word, ...]:
        return self.sentence.words[self.first : self.stop]

    @property
    def text(self) -> str:
        return self.sentence.cut(self.first, self.stop)

    @property
    def head(self) -> Word:
        """The last noun before "of": "cup" in "a cup of tea"."""
        core = until_of(self).words
        return next((w for w in reversed(core) if w.is_noun or w.tag in _PRONOUNS), core[-1])

    @property
    def determiner(self) -> str:
        first = self.words[0]
        is_owner = first.lower in listed("people", "owners")
        return first.lower if first.tag in {"DT", "PRP$"} or is_owner else ""

    @property
    def owner(self) -> str:
        """Whose: "my", "our", "her" … or ""."""
        return next((w.lower for w in self.words[:3] if w.lower in listed("people", "owners")), "")


def until_of(phrase: Phrase) -> Phrase:
    """The phrase up to its first "of"."""
    of = next((w.i for w in phrase.words[1:] if w.lower == "of"), phrase.stop)
    return replace(phrase, stop=of)


def phrases(sentence: Sentence, first: int, stop: int) -> list[Phrase]:
    """The noun and prepositional phrases among the words `first` up to `stop`, in order."""
    return list(_scan(sentence, first, stop))


def _scan(sentence: Sentence, first: int, stop: int) -> Iterator[Phrase]:
    words = sentence.words
    prep = last_prep = ""
    conjoined = comma = negated = False
    i = first
    while i < stop:
        word = words[i]
        pair = (word.lower, words[i + 1].lower) if i + 1 < stop else ("", "")
        end = i if word.is_time else _noun_phrase(words, i, stop)
        if end > i:
            here = prep or (last_prep if conjoined else "")
            yield Phrase(sentence, here, i, end, conjoined, comma, negated, gerund=word.tag == "VBG")
            prep, last_prep = "", here
            conjoined = comma = negated = False
            i = end
            continue
        if word.is_time:
            prep = ""
        elif pair in _COMPOUND:
            prep = _COMPOUND[pair]
            i += 1
        elif word.lower in listed("nouns", "prepositions"):
            prep = "with" if word.lower == "w/" else word.lower
        elif word.tag == "CC":
            conjoined, negated = word.lower in {"and", "or", "&"}, False
        elif word.text in {",", "-", "–", "—", ";", ":"}:
            comma = True
            prep = "" if word.text in {":", ";"} else prep
        elif word.lower == "not":
            negated = True
        i += 1


def _noun_phrase(words: Sequence[Word], i: int, stop: int) -> int:
    """One past the last word of the noun phrase that starts at `i`; `i` where none starts."""
    if words[i].tag in _PRONOUNS:
        return i + 1
    if words[i].tag == "VBG" and is_verbal(words, i):
        return _gerund_phrase(words, i, stop)
    j = i
    while j < stop and _continues(words, i, j, stop):
        j += 1
    while j > i and (words[j - 1].lower in {"of", "&", "and", "-", "/"} or words[j - 1].tag in {"DT", "PRP$", "RB"}):
        j -= 1
    return j


def _continues(words: Sequence[Word], i: int, j: int, stop: int) -> bool:
    """Whether the word at `j` belongs to the noun phrase that starts at `i`."""
    word, before = words[j], words[j - 1] if j > i else None
    if word.is_time or _breaks(words, i, j):
        return False
    after = words[j + 1] if j + 1 < stop else None
    is_glued = before is not None and before.end == word.start
    if word.text in {"-", "/"} and is_glued:
        return after is not None and after.start == word.end
    if is_glued and before is not None and before.text in {"-", "/"}:
        return True
    if word.tag in {"DT", "PRP$"} and before is not None:
        is_inner_article = word.is_name and before.is_name
        return (
            before.tag == "PDT"
            or before.lower in {"of", "all", "both", "half"}
            or is_inner_article
            or _is_prefix(word, after)
        )
    if word.tag in {"JJR", "JJS"} and any(w.is_noun for w in words[i:j]):
        return False  # "oolong more than …"
    if word.lower in {"upon", "sur"} and before is not None and before.is_name and after is not None:
        return after.is_name
    if word.text in {"&", "+"} and before is not None:
        return True
    if word.tag in _NOUNLIKE or (
        word.is_name and before is not None and not word.is_verb and word.tag not in {"IN", "CC"}
    ):
        return True
    if word.is_verb:
        return not is_verbal(words, j)
    has_noun = any(w.is_noun or w.tag == "CD" for w in words[i:j])
    if word.lower == "of":
        return has_noun and _leads_on(words, j, stop)
    if word.tag in {"RB", "RBS", "RBR"}:
        return not has_noun and after is not None and (after.tag in {"JJ", "VBN"} or _is_prefix(word, after))
    return word.lower in {"and", "&"} and _joins_a_name(words, j, stop)


def _breaks(words: Sequence[Word], i: int, j: int) -> bool:
    """Whether an adverb or interjection ends the phrase: "Lund again", "a nurse now"."""
    word, before = words[j], words[j - 1] if j > i else None
    if word.lower in listed("nouns", "never_inside"):
        return not (word.is_name and before is not None and before.is_name)
    is_adverb = word.lower in listed("nouns", "adverb_alone") and word.tag in {"RB", "NN", "RP"}
    if word.lower == "home" and j + 1 < len(words) and words[j + 1].lower in listed("labels", "residence"):
        return False  # "my home city", "home address"
    is_hyphened = j + 1 < len(words) and words[j + 1].text == "-" and words[j + 1].start == word.end
    if not is_adverb or is_hyphened or (before is not None and before.end == word.start):
        return False
    return (before is None and not word.is_name) or (before is not None and before.is_name)


def _is_prefix(word: Word, after: Word | None) -> bool:
    """Whether a determiner is the first half of a hyphened word: "all-time"."""
    return after is not None and after.text == "-" and after.start == word.end


def _leads_on(words: Sequence[Word], of: int, stop: int) -> bool:
    """Whether what follows "of" belongs to the same phrase."""
    if words[of - 1].lower in listed("nouns", "light") or of + 1 >= stop or words[of + 1].tag in _PRONOUNS:
        return False
    return not words[of + 1].is_time and _noun_phrase(words, of + 1, stop) > of + 1


def _gerund_phrase(words: Sequence[Word], i: int, stop: int) -> int:
    """A gerund with its bare object: "playing the oboe"."""
    if i + 1 >= stop or words[i + 1].tag in _PRONOUNS or words[i + 1].is_time:
        return i + 1
    return max(i + 1, _noun_phrase(words, i + 1, stop))


def _joins_a_name(words: Sequence[Word], j: int, stop: int) -> bool:
    """Whether "and" stands inside one name: "Trinidad and Tobago", "gin and tonic"."""
    if j == 0 or j + 1 >= stop:
        return False
    if f"{words[j - 1].lower}-and-{words[j + 1].lower}" in listed("drink", "pairs") | listed("residence", "pairs"):
        return True
    if not words[j].ent:
        return False
    return words[j - 1].ent == words[j].ent == words[j + 1].ent and words[j - 1].is_name and words[j + 1].is_name
