"""From a phrase to an object: what of "my new job as a full-time nurse" is the title.

Each filler gives the span of the object, cut verbatim from the turn, or None where the phrase names
nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tem_graph.ingest.grammar.lexicon import is_drink, is_occupation, singular, words
from tem_graph.ingest.grammar.names import company, former, organisation, place, without
from tem_graph.ingest.grammar.phrases import Phrase, until_of

Filler = Callable[[Phrase, Sequence[Phrase]], Phrase | None]
"""The phrase and those after it to the narrowed phrase, or None."""

_CONSUMING = frozenset(("drinking", "sipping", "ordering", "eating"))
_PRONOUNS = frozenset(("PRP", "EX", "WP"))


def title(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A job title where the verb says that it is one ("work as …"): any noun that is not plainly something else."""
    span = without(phrase, words("nouns", "articles") | words("people", "owners") | words("nouns", "praise"))
    if span is None or span.words[0].tag in _PRONOUNS or span.words[0].tag == "CD":
        return None
    head = span.head.lower
    if head in words("nouns", "empty") or head in words("nouns", "no_title") or not span.words[-1].text[0].isalpha():
        return None
    if span.gerund and head not in words("occupation", "fields"):
        return None
    if head in words("occupation", "complements"):
        return span if len(span.words) > 1 or head in {"model", "captain", "guide", "server"} else None
    return None if head in words("occupation", "never") and not is_occupation(head) else span


def profession(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A job title that must be one by itself: after "I am", people are many things."""
    span = title(phrase, after)
    if span is None or any(w.lower in words("nouns", "evaluative") for w in phrase.words[:-1]):
        return None
    is_definite = phrase.determiner in {"the"} | words("people", "owners")
    if is_definite and not _is_post(span):
        return None
    head = span.head.lower
    if head in words("occupation", "complements"):
        return span if len(span.words) > 1 and head != "hand" else None
    is_bare_plural = head != singular(head) and not phrase.determiner
    return span if is_occupation(head) and not is_bare_plural else None


def _is_post(span: Phrase) -> bool:
    """Whether the title names a post that one person holds: "head of logistics", "the principal"."""
    lowers = [w.lower for w in span.words]
    return "of" in lowers or lowers[-1] in words("nouns", "posts")


def field(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A line of work: "carpentry", "teaching"; or a title."""
    span = without(phrase, words("nouns", "articles") | words("nouns", "praise"))
    if span is None or phrase.owner:
        return None
    return span if span.words[-1].lower in words("occupation", "fields") else profession(phrase, after)


def drink(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """Something that is drunk, known by its noun."""
    span = liked(phrase, after)
    return span if span is not None and is_drink(span.text) else None


def liked(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """Whatever one may like: no pronoun and no empty noun; measures go ("a cup of tea"), "with honey" stays."""
    if phrase.words[0].tag in _PRONOUNS or phrase.determiner in {"this", "that", "these", "those"}:
        return None
    if phrase.words[0].lower in _CONSUMING and len(phrase.words) > 1:
        phrase = replace(phrase, first=phrase.first + 1, gerund=False)
    elif phrase.gerund and phrase.words[0].lemma in words("nouns", "empty_gerunds"):
        return None
    span = _measured(phrase)
    drop = words("nouns", "articles") | (words("nouns", "praise") - words("nouns", "kept_for_things"))
    if is_drink(span.text):
        drop = drop | words("people", "owners") | {"good", "morning", "cold", "fresh", "strong"}
    stripped = without(span, drop)
    if stripped is None or stripped.head.lower in words("nouns", "empty"):
        return None
    if is_drink(stripped.text) and after and _is_addition(phrase, after[0]):
        return replace(stripped, stop=after[0].stop)
    return stripped


def _is_addition(phrase: Phrase, follow: Phrase) -> bool:
    """Whether "with honey" behind a drink is part of what it is called."""
    is_next = follow.prep == "with" and follow.first - phrase.stop <= 1 and not follow.owner
    return is_next and singular(follow.words[-1].lower) in words("drink", "additions")


def _measured(phrase: Phrase) -> Phrase:
    """The phrase behind "a cup of", "a lot of"."""
    for before, word in zip(phrase.words, phrase.words[1:-1], strict=False):
        if word.lower == "of" and singular(before.lower) in words("drink", "measures"):
            return replace(phrase, first=word.i + 1)
    return phrase


def thing(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """Something that can be owned: "a blue van", "two cats"."""
    if phrase.words[0].tag in _PRONOUNS or phrase.gerund:
        return None
    drop = words("nouns", "articles") | words("people", "owners") | {"new", "brand", "lovely", "beautiful", "brand-new"}
    span = without(until_of(phrase), drop)
    if span is None or not span.words[-1].is_noun:
        return None
    return None if span.head.lower in words("nouns", "empty") | words("nouns", "abstract") else span


FILLERS: dict[str, Filler] = {
    "place": place,
    "org": organisation,
    "company": company,
    "former": former,
    "title": title,
    "profession": profession,
    "field": field,
    "drink": drink,
    "liked": liked,
    "thing": thing,
}
