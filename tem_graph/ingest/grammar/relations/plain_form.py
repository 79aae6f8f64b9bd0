"""A segment in one plain form, over which the cues of preference.cues are written.

Lowercase, present forms of "be" as "be", "my" for "our", no articles, no intensifiers; "§" is the drink asked
about, or the word that stands for it, "¤" any other drink.
"""

from __future__ import annotations

from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.passage import Segment
from tem_graph.ingest.grammar.words import Word

_OTHERS_OWN = frozenset(("whose", "his", "her", "their", "your", "hers", "theirs", "yours"))


def plain(segment: Segment, drink: range | None = None) -> str:
    """The words of a segment in one form, the drink at the places `drink` as "§", other drinks as "¤"."""
    others = {i for d in segment.drinks for i in range(d.first, d.stop)}
    found: list[str] = []
    for word in segment.words:
        if drink is not None and word.i in drink:
            token = "§" if word.i == drink[0] else ""
        elif word.i in others:
            token = "¤" if word.i - 1 not in others else ""
        else:
            token = _form(segment, word)
        if token:
            found.append(token)
    return " ".join(found).rstrip(" ,:-")


def _form(segment: Segment, word: Word) -> str:
    lower = word.lower
    if lower in words("preference", "favourites"):
        return "favourite" if _is_of_drinks(segment, word) else "favourite_"
    if lower in {"'s", "is", "am", "'m", "are", "'re", "m", "re"} and word.lemma == "be":
        return "be"
    if word.tag == "POS":
        return "'s"
    if lower in {"has", "'s", "'ve", "ve", "have"} and word.lemma == "have":
        return "have"
    if lower == "its" and is_it_is(segment, word):
        return "it be"
    if lower in {"n't", "nt"}:
        return "not"
    if lower in {"our", "mine"}:
        return "my"
    if lower in {"a", "an", "the", "some", "such"} or lower in words("preference", "intensifiers"):
        return ""
    if word.tag == "RB" and lower.endswith("ly") and lower not in words("preference", "telling_adverbs"):
        return ""
    if not any(c.isalnum() for c in lower):
        return lower if lower in {",", ":", ">", "&", "#"} else ""
    return lower.strip("'") if lower not in {"'d", "'ll"} else {"'d": "would", "'ll": "will"}[lower]


def is_it_is(segment: Segment, word: Word) -> bool:
    """Whether "its" has lost its apostrophe: "its my fave", "its all about tea"."""
    items = segment.sentence.words
    follower = items[word.i + 1] if word.i + 1 < len(items) else None
    starts_a_drink = any(follower is not None and d.first == follower.i for d in segment.drinks)
    return follower is not None and (starts_a_drink or not (follower.is_noun or follower.tag.startswith("JJ")))


def _is_of_drinks(segment: Segment, word: Word) -> bool:
    """Whether "favourite" speaks of a drink of the speaker's: not "my favourite mug", not "her favourite"."""
    items = segment.sentence.words
    before = {w.lower for w in items[max(word.i - 4, segment.first) : word.i]}
    if before & _OTHERS_OWN or "'s" in {w.lower for w in items[max(word.i - 3, 0) : word.i] if w.tag == "POS"}:
        return False
    drinks = {i for d in segment.drinks for i in range(d.first, d.stop)}
    for follower in items[word.i + 1 : word.i + 4]:
        if follower.lower in words("preference", "tasted") or follower.i in drinks:
            return True
        if not (follower.is_noun or follower.tag.startswith("JJ") or follower.text == "-"):
            return True
        if follower.is_noun and not (follower.i + 1 < len(items) and items[follower.i + 1].is_noun):
            return follower.is_time
    return True
