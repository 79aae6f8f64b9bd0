"""Names inside phrases: places and organisations, cut verbatim from the turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tem_graph.ingest.grammar.gazetteer import is_place
from tem_graph.ingest.grammar.lexicon import is_drink, singular, words
from tem_graph.ingest.grammar.phrases import Phrase, until_of
from tem_graph.ingest.grammar.words import Word

_PLACES = frozenset(("GPE", "LOC"))
_LOWER_KINDS = frozenset(
    ("team", "project", "office", "branch", "account", "campus", "department", "store", "site", "factory", "plant")
)


def place(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A place with a name. A generic one ("a flat", "the outskirts") hands over to the "in" or "of" behind it."""
    if singular(phrase.head.lower) in words("residence", "generic") and not phrase.head.is_name:
        inner = _after_of(phrase)
        if inner is not None:
            return place(inner, after)
        follow = next((p for p in after if not p.conjoined and not p.after_comma), None)
        is_near = follow is not None and follow.first - phrase.stop <= 2
        if follow is not None and is_near and follow.prep in {"in", "of", "on", "at"}:
            return place(follow, after[1:])
    span = name_span(phrase)
    if span is None or phrase.owner or span.text in {"I", "I."} or not _reads_as_place(phrase, span):
        return None
    if is_drink(span.text) and not is_place(span.text):
        return None  # "back to Earl Grey"
    is_denied = span.text.lower() in words("residence", "never") or span.words[0].lower in words("nouns", "empty")
    is_possessive = any(w.lower == "'s" for w in phrase.words[span.stop - phrase.first :])
    return None if is_denied or is_possessive or all(w.tag == "CD" for w in span.words) else span


def _reads_as_place(phrase: Phrase, span: Phrase) -> bool:
    """Whether what surrounds the name inside its phrase fits a place: "sunny Lund", not "the noise of Lund"."""
    fitting = words("nouns", "before_place") | words("residence", "generic") | words("nouns", "articles")
    before = phrase.words[: span.first - phrase.first]
    after = phrase.words[span.stop - phrase.first :]
    if any(w.lower not in fitting and w.lower != "of" and not w.tag.startswith("JJ") for w in before):
        return False
    return all(singular(w.lower) in words("residence", "generic") or not w.text.isalpha() for w in after)


def looks_like_a_place(span: Phrase) -> bool:
    """Whether a name itself says that it is a place: by the list, by its label, or as one that is not English."""
    if not span.text.isascii() or is_place(span.text):
        return True
    is_bare = len(span.words) == 1 and (span.first == 0 or span.text.isupper())
    return not is_bare and any(w.ent in _PLACES for w in span.words)


def is_surely_named(span: Phrase) -> bool:
    """Whether a place at the head of a sentence, where all words have a capital, is one: "Oxley", not "Music"."""
    return looks_like_a_place(span) or all(w.tag.startswith("NNP") for w in span.words)


def organisation(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A named organisation, or a kind of one ("a bakery", object "bakery")."""
    if phrase.head.lower in words("employer", "never") or phrase.words[0].tag == "PRP" or phrase.owner:
        return None
    span = name_span(phrase)
    if span is not None:
        return _whole_organisation(phrase, span)
    # "At a bakery" tells where; "at the shop" takes it as known, unless it goes on ("the city council").
    is_told = phrase.determiner != "the" or len(phrase.words) > 2
    if singular(phrase.head.lower) in words("employer", "kinds") and is_told:
        return without(until_of(phrase), words("nouns", "articles") | words("nouns", "praise") | {"small", "tiny"})
    return None


def _whole_organisation(phrase: Phrase, span: Phrase) -> Phrase | None:
    following = phrase.sentence.words[span.stop : phrase.stop]
    if following and all(w.is_noun or w.tag in {"JJ", "HYPH"} for w in following):
        return span if singular(following[-1].lower) in _LOWER_KINDS else replace(span, stop=phrase.stop)
    return span


def company(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """An organisation with a name that is neither place nor person: what one joins."""
    span = former(phrase, after)
    if span is None or singular(phrase.words[-1].lower) in words("employer", "no_employers"):
        return None
    return None if any(w.ent in _PLACES | {"PERSON"} for w in span.words) else span


def former(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """An organisation with a name: what one leaves. Entity labels are no help here: "Acme" is taken for a town."""
    return organisation(phrase, after) if name_span(phrase) is not None else None


def name_span(phrase: Phrase) -> Phrase | None:
    """The run of words written like a name inside the phrase, with what belongs to it ("Rio de Janeiro")."""
    items = phrase.words
    if all(w.ent in _PLACES and w.tag.startswith("NNP") for w in items):
        return phrase
    if phrase.sentence.is_lower and not any(w.is_name for w in items):
        return _lowercase_name(phrase)
    first, stop = -1, 0
    for k, word in enumerate(items):
        if _is_name_word(phrase, k):
            first = k if first < 0 else first
            stop = k + 1
        elif first >= 0 and (word.tag == "CD" or word.lower == "'s") and k == stop:
            stop = k + 1
        elif first >= 0 and not _may_join(items, k):
            break
    return replace(phrase, first=phrase.first + first, stop=phrase.first + stop) if first >= 0 else None


def _is_name_word(phrase: Phrase, k: int) -> bool:
    """Whether the word is part of a name; a capital at the start of a sentence makes no name of "The"."""
    word = phrase.words[k]
    if not word.is_name or word.tag in {"PRP", "PRP$"}:
        return False
    return not (word.tag in {"DT", "IN"} and word.i == 0)


def _may_join(items: Sequence[Word], k: int) -> bool:
    word = items[k]
    is_glued = (k > 0 and items[k - 1].end == word.start) or word.text in {"-", ".", "/", "'"}
    return is_glued or word.lower in words("nouns", "name_joiners")


def _lowercase_name(phrase: Phrase) -> Phrase | None:
    """A name by a writer who uses no capitals: a noun without a determiner that is none of the common ones."""
    items = phrase.words
    is_odd = items[-1].tag == "JJ" and len(items) == 1 and phrase.prep in {"from", "to"}
    if phrase.determiner or not (items[-1].is_noun or is_odd) or any(w.lower in words("nouns", "empty") for w in items):
        return None
    known = (
        words("residence", "generic") | words("employer", "kinds") | words("employer", "never") | words("nouns", "bare")
    )
    return None if items[-1].lower in known or singular(items[-1].lower) in known else phrase


def _after_of(phrase: Phrase) -> Phrase | None:
    of = next((w.i for w in phrase.words[1:-1] if w.lower == "of"), None)
    return None if of is None else replace(phrase, first=of + 1)


def without(phrase: Phrase, drop: frozenset[str] | set[str]) -> Phrase | None:
    """The phrase without the leading words that are no part of a name: articles, praise, adverbs."""
    items = phrase.sentence.words
    first = phrase.first
    while first < phrase.stop and _is_dropped(phrase, items, first, drop):
        first += 1
    return replace(phrase, first=first) if first < phrase.stop else None


def _is_dropped(phrase: Phrase, items: Sequence[Word], i: int, drop: frozenset[str] | set[str]) -> bool:
    word = items[i]
    following = items[i + 1].lower if i + 1 < phrase.stop else ""
    if word.text in {"-", ","}:
        return True
    if f"{word.lower} {following}" in words("drink", "nouns"):
        return False
    if following == "-" and i + 2 < phrase.stop:
        # "full-stack engineer" keeps its first word, "full-time" goes whole.
        return f"{word.lower}-{items[i + 2].lower}" in {"full-time", "part-time", "brand-new", "long-time"}
    if word.lower in drop:
        return not (word.tag == "NNP" and word.is_name and i > phrase.first)
    return word.tag in {"RB", "PDT"} and i < phrase.stop - 1 and word.lower not in {"sous", "vice"}
