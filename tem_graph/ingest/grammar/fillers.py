"""From a phrase to an object: what of "my new job as a full-time nurse" is the title.

Each filler gives the span of the object, cut verbatim from the turn, or None where the phrase names
nothing of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from tem_graph.ingest.grammar.drinks import drinks_in
from tem_graph.ingest.grammar.lexicon import is_drink, is_occupation, singular, words
from tem_graph.ingest.grammar.names import company, former, name_span, organisation, place, without
from tem_graph.ingest.grammar.phrases import Phrase, until_of

Filler = Callable[[Phrase, Sequence[Phrase]], Phrase | None]
"""The phrase and those after it to the narrowed phrase, or None."""

_CONSUMING = frozenset(("drinking", "sipping", "ordering", "eating"))
_PRONOUNS = frozenset(("PRP", "EX", "WP"))
_SETTLED = frozenset(("new", "newest", "again", "still", "now", "officially", "only"))


def title(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A job title where the verb says that it is one ("work as …"): any noun that is not plainly something else."""
    if {w.lower for w in phrase.words} & words("nouns", "unheld"):
        return None
    span = without(phrase, words("nouns", "articles") | words("people", "owners") | words("nouns", "praise"))
    if span is None or span.words[0].tag in _PRONOUNS or span.words[0].tag == "CD":
        return None
    head = span.head.lower
    is_noun = span.words[-1].is_noun or span.gerund or phrase.sentence.is_lower
    if head in words("nouns", "empty") or head in words("nouns", "no_title") or not is_noun or is_drink(span.text):
        return None
    if span.gerund and head not in words("occupation", "fields"):
        return None
    if span.text.lower().endswith("role model"):
        return None
    if head in words("occupation", "complements"):
        return span if len(span.words) > 1 or head in {"model", "captain", "guide", "server"} else None
    return None if head in words("occupation", "never") and not is_occupation(head) else span


def profession(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A job title that must be one by itself: after "I am", people are many things."""
    return _known_title(phrase, after, agents=True)


def _known_title(phrase: Phrase, after: Sequence[Phrase], *, agents: bool) -> Phrase | None:
    span = title(phrase, after)
    if span is None or any(w.lower in words("nouns", "evaluative") for w in phrase.words[:-1]):
        return None
    if _is_of_employers(phrase, span):
        return replace(span, first=_behind_owner(span))
    is_definite = phrase.determiner in {"the"} | words("people", "owners")
    if is_definite and not _is_post(span) and not _is_at_a_name(after):
        return None
    head = span.head.lower
    if head in words("occupation", "complements"):
        if head == "owner" and "of" in {w.lower for w in span.words}:
            return None  # "the proud owner of a flat"
        return span if len(span.words) > 1 and head != "hand" and not _is_of_a_club(span) else None
    is_bare_plural = head != singular(head) and not phrase.determiner
    is_known = span.head.is_noun and is_occupation(span.head.text, agents=agents)
    return span if is_known and not is_bare_plural else None


def _is_of_employers(phrase: Phrase, span: Phrase) -> bool:
    """ "I've been their new librarian since May", "the village's new librarian": whoever the speaker works for."""
    told = {w.lower for w in phrase.sentence.words} & _SETTLED
    is_dated = any(w.is_time for w in phrase.sentence.words)
    has_owner = any(w.tag == "POS" and not phrase.sentence.words[w.i - 1].is_name for w in phrase.words)
    is_theirs = phrase.determiner == "their" or (phrase.determiner == "the" and has_owner)
    return is_theirs and bool(told or is_dated) and is_occupation(span.head.text)


def _behind_owner(span: Phrase) -> int:
    first = next((w.i + 1 for w in reversed(span.words) if w.tag == "POS"), span.first)
    while span.sentence.words[first].lower in words("nouns", "praise") and first + 1 < span.stop:
        first += 1
    return first


def _is_at_a_name(after: Sequence[Phrase]) -> bool:
    """ "I'm the gardener at Kew": the only one there."""
    return bool(after) and after[0].prep in {"at", "for"} and name_span(after[0]) is not None


def _is_of_a_club(span: Phrase) -> bool:
    """Whether a post is held for fun: "captain of our quiz team"."""
    lowers = {w.lower for w in span.words}
    return "of" in lowers and bool(lowers & words("employer", "no_employers"))


def _is_post(span: Phrase) -> bool:
    """Whether the title names a post that one person holds: "head of logistics", "the principal"."""
    lowers = [w.lower for w in span.words]
    return "of" in lowers or lowers[0] in {"lead", "head", "chief"} or lowers[-1] in words("nouns", "posts")


def field(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A line of work: "carpentry", "teaching"; or a title."""
    span = without(phrase, words("nouns", "articles") | words("nouns", "praise"))
    if span is None or phrase.owner:
        return None
    is_line_of_work = span.words[-1].lower in words("occupation", "fields") and phrase.determiner != "the"
    return span if is_line_of_work else _known_title(phrase, after, agents=False)


def drink(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """Something that is drunk, known by its noun."""
    span = liked(phrase, after)
    if span is None or not is_drink(span.text):
        return None
    added = next((w.i for w in span.words if w.lower == "with"), span.stop)
    named = [d for d in drinks_in(span.sentence) if d.first < added and span.first < d.stop]
    if len(named) != 1:
        return None if named else span  # "lemonade beats mate": no one drink
    before = {*phrase.sentence.lowers(phrase.first, named[0].first)}
    is_parted = phrase.sentence.lowers(phrase.first - 1, phrase.first) == ["sorry"]
    return (
        None
        if is_parted or words("drink", "farewells") & before
        else replace(span, first=named[0].first, stop=max(span.stop, named[0].stop))
    )


def taste(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """What "love" and "like" speak of in general: no single thing at hand ("Love the colours!")."""
    before = phrase.sentence.lowers(phrase.first - 1, phrase.first)
    openers = {w.lower for w in phrase.words[:2]}
    if phrase.determiner == "the" or openers & words("nouns", "particular") or before == ["how"]:
        return None
    if phrase.gerund and not _stands_alone(phrase):
        return None
    span = liked(phrase, after)
    if span is None or span.head.lower in words("nouns", "vague"):
        return None
    is_single = len(span.words) == 1 and span.words[0].tag == "JJ"
    return span if is_single or span.words[-1].is_noun or span.words[-1].tag == "VBG" else None


def _stands_alone(phrase: Phrase) -> bool:
    """Whether a gerund says by itself what is liked: "hiking in the hills", not "watching them"."""
    if len(phrase.words) > 1:
        return True
    items = phrase.sentence.words
    if phrase.stop == len(items):
        return True
    following = items[phrase.stop]
    ends_here = following.is_time or following.tag in {"CC", ".", ",", ":", "RB"}
    return ends_here or following.lower in {"in", "with", "because"}


def liked(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """Whatever one may like: no pronoun and no empty noun; measures go ("a cup of tea"), "with honey" stays."""
    if phrase.words[0].tag in _PRONOUNS or phrase.determiner in {"this", "that", "these", "those"}:
        return None
    if phrase.words[0].lower in _CONSUMING and len(phrase.words) > 1:
        phrase = replace(phrase, first=phrase.first + 1, gerund=False)
    elif phrase.gerund and phrase.words[0].lemma in words("nouns", "empty_gerunds"):
        return None
    span = _measured(phrase)
    if phrase.owner and not is_drink(span.text):
        return None  # "I love my job", "my sister": dear, but no taste
    drop = words("nouns", "articles") | (words("nouns", "praise") - words("nouns", "kept_for_things"))
    if is_drink(span.text):
        drop = (
            drop
            | words("people", "owners")
            | {"good", "morning", "cold", "fresh", "strong", "big", "real", "more", "lots"}
        )
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
    openers = {w.lower for w in phrase.words[:2]}
    if phrase.words[0].tag in _PRONOUNS or phrase.gerund or openers & words("nouns", "quantities"):
        return None
    drop = words("nouns", "articles") | words("people", "owners") | {"new", "brand", "lovely", "beautiful", "brand-new"}
    span = without(until_of(phrase), drop)
    if span is None or not span.words[-1].is_noun:
        return None
    return None if span.head.lower in words("nouns", "empty") | words("nouns", "abstract") else span


def owned(phrase: Phrase, after: Sequence[Phrase]) -> Phrase | None:
    """A thing or pet that "have" says is owned; one has many things that are no possessions."""
    span = thing(phrase, after)
    return span if span is not None and singular(span.head.lower) in words("possession", "nouns") else None


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
    "taste": taste,
    "thing": thing,
    "owned": owned,
}
