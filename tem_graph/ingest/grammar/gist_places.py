"""Places where they may be the speaker's home: "my Lund flat", "here in Lund", "Lund it is", "Lund is so quiet"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from tem_graph.ingest.grammar.evidence import OWN_CIRCLE, Mention, gist_words, is_addressed, is_past, shape, weigh
from tem_graph.ingest.grammar.gazetteer import is_place
from tem_graph.ingest.grammar.lexicon import is_drink, is_occupation, singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.names import looks_like_a_place, name_span, place
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.stretches import Stretch
from tem_graph.ingest.grammar.words import Word

_ADORNED = shape("places", "adorned")
_OPENING = frozenset(
    [
        "goodbye",
        "bye",
        "farewell",
        "hello",
        "hi",
        "hey",
        "left",
        "so",
        "new",
        "good",
        "old",
        "dear",
        "sunny",
        "rainy",
        "greetings",
        "adieu",
        "no",
        "yes",
        "nah",
        "yep",
        "nope",
    ]
)
# What in front of a place makes it one that was left or is only compared with.
_LEFT = shape("places", "left")
_OVER = shape("places", "over")
_GREETING = shape("places", "greeting")
_STAYS = shape("places", "stays")
_BEFORE = shape("places", "before")
_OF_WORK = shape("places", "of_work")
_IS_ME = shape("places", "is_me")
_WHERE_I_AM = shape("places", "where_i_am")
_SELF = shape("places", "self")
_CENTRE = shape("places", "centre")
_MOVE = shape("places", "move")
_MISSED = shape("places", "missed")
_CAME_BACK = shape("places", "came_back")


_MERE = 0.25
"""A place that is only named: too little by itself, but "I live here" may point at it."""


def home_mentions(stretch: Stretch) -> Iterator[Mention]:
    """The places of a stretch that may be where the speaker lives, left to right."""
    row = [_trimmed(p) for p in phrases(stretch.sentence, stretch.first, stretch.stop)]
    for k, phrase in enumerate(row):
        if phrase.head.quoted:
            continue
        if (inner := _before_noun(stretch, phrase)) is not None:
            yield inner
            continue
        span = place(replace(phrase, prep=""), row[k + 1 :])
        if span is None or span.first >= phrase.stop or not _is_named_like_a_place(span):
            continue
        before = " ".join(w.lower for w in stretch.sentence.words[stretch.first : span.first])
        before = _ADORNED.sub("", _CENTRE.sub("in", before))
        after = " ".join(w.lower for w in stretch.sentence.words[span.stop : stretch.stop])
        if _STAYS.search(before):
            yield Mention(stretch, span, 3.0)
            continue
        if _BEFORE.search(before) or before in {"hey", "hi", "dear", "yo", "thanks"}:
            continue  # "Hey Lena, we moved"
        if stretch.sentence.words[phrase.first].lower in gist_words("residence", "greetings") and _is_called(phrase):
            continue
        greets = _GREETING.search(before) is not None and not after.startswith("to ")
        if _is_missed_and_found(stretch, before):
            yield Mention(stretch, span, 3.0)
            continue
        moved = _MOVE.search(before) is not None
        if phrase.negated or (not moved and ((_LEFT.search(before) and not greets) or _OVER.search(after))):
            continue
        weight = 1.5 if greets else _weight(stretch, phrase, span, before, after)
        if weight:
            is_named = _leads_to_a_place(before) or (looks_like_a_place(span) and not is_addressed(span))
            yield Mention(stretch, span, weight, alone=_is_alone(stretch, span), doubtful=not is_named)


def _is_missed_and_found(stretch: Stretch, before: str) -> bool:
    """ "I missed Lund so much that I moved back": the place that was missed is the home again."""
    return _MISSED.search(before) is not None and _CAME_BACK.search(_text_from(stretch)) is not None


def _text_from(stretch: Stretch) -> str:
    return " ".join(w.lower for w in stretch.sentence.words[stretch.first :])


def _is_called(phrase: Phrase) -> bool:
    """ "Hello Kim, me again": a name behind a greeting is whom one speaks to, unless it is a place."""
    if {"goodbye", "bye", "farewell"} & {w.lower for w in phrase.sentence.words[: phrase.first]}:
        return False
    return phrase.first + 1 == phrase.stop or not looks_like_a_place(replace(phrase, first=phrase.first + 1))


def _leads_to_a_place(before: str) -> bool:
    """Whether a preposition in front makes a place of any name: "in Oxley", but not "used to Toby"."""
    return before.split()[-1:] in (["in"], ["to"], ["into"], ["from"]) and not before.endswith(("used to", "back to"))


def _is_named_like_a_place(span: Phrase) -> bool:
    """A name by its tags: a capital at the head of a sentence makes none."""
    first = span.words[0]
    if span.words[-1].lower in {"'s", "'"}:
        return False  # "Train's here"
    if len(span.words) == 1 and len(span.text) > 3 and span.text.isupper() and not is_place(span.text):
        return False  # "it's LOUD"
    behind = span.sentence.words[span.stop : span.stop + 3]
    if [w.lower for w in behind[:2]] == ["'s", "been"] and behind[-1].tag == "VBN" and behind[-1].lower != "been":
        return False  # "Choir's been cancelled"
    if len(span.words) == 1 and {first.lower, singular(first.lower)} & gist_words("residence", "exclaimed"):
        return False
    if span.sentence.is_lower and not is_occupation(span.words[-1].lower) and not is_drink(span.text):
        return all(w.is_noun or w.tag == "JJ" for w in span.words)
    if is_occupation(span.words[-1].text.lower()) or is_drink(span.text):
        return False
    opens = first.i == 0 or not span.sentence.words[first.i - 1].text[0].isalnum()
    follower = span.sentence.words[span.stop].lower if span.stop < len(span.sentence.words) else ""
    is_odd = opens and follower != "'s" and first.tag in {"NN", "JJ"} and first.lower not in listed("nouns", "empty")
    is_tagged = any(w.tag.startswith("NNP") or w.ent in {"FAC", "ORG", "PERSON"} for w in span.words)
    return _is_surely_a_name(span) or is_odd or is_tagged


def _is_surely_a_name(span: Phrase) -> bool:
    """Whether more than a capital at the head of a sentence says so."""
    first = span.words[0]
    if len(span.words) > 1 or span.sentence.is_lower or not first.text.isascii():
        return True
    opens = first.i == 0 or not span.sentence.words[first.i - 1].text[0].isalnum()
    if opens:
        return first.ent in {"GPE", "LOC"}  # "Aww", "Night!": tagged as names just as well
    return first.ent != "" or first.tag.startswith("NNP")


def _trimmed(phrase: Phrase) -> Phrase:
    """Without what opens the phrase and is no part of a name: "Goodbye Lund", "Left Lund", but not "New York"."""
    first = phrase.first
    if is_place(phrase.text):
        return phrase
    while first + 1 < phrase.stop and phrase.sentence.words[first].lower in _OPENING:
        first += 1
    if first + 1 < phrase.stop and phrase.sentence.words[first].tag == "VBG":
        first += 1
    stop = phrase.stop
    while stop - 1 > first and _is_no_name(phrase.sentence.words[stop - 1]):
        stop -= 1  # "that apartment in Lund I showed you"
    return replace(phrase, first=first, stop=stop)


def _is_no_name(word: Word) -> bool:
    return word.tag == "PRP" or word.lower in {"nothing", "everything", "everyone", "everybody", "nobody"}


def _before_noun(stretch: Stretch, phrase: Phrase) -> Mention | None:
    """ "My Lund flat", "a Lund local": the name in front of the noun."""
    if phrase.text.endswith("-based"):
        follows = stretch.sentence.words[phrase.stop : phrase.stop + 1]
        return None if follows and follows[0].is_noun else Mention(stretch, replace(phrase, stop=phrase.stop - 2), 3.0)
    last = phrase.words[-1].lower
    span = name_span(phrase)
    if span is None or span.stop == phrase.stop or not _is_named_like_a_place(span):
        return None
    if not looks_like_a_place(span) or any(w.ent == "NORP" or w.tag == "JJ" for w in span.words):
        return None  # "my Japanese house", "our Dell monitors"
    if any(w.text[0].isupper() for w in phrase.words[span.stop - phrase.first :]):
        return None
    before = " ".join(w.lower for w in stretch.sentence.words[stretch.first : phrase.first])
    if (_LEFT.search(before) and not before.endswith("of")) or is_past(stretch):
        return None
    if last in gist_words("residence", "dwellers"):
        is_me = _IS_ME.search(before)
        return Mention(stretch, span, 3.0 if is_me and last not in {"person", "people"} else 1.5)
    if singular(last) in gist_words("residence", "nouns") or last in gist_words("residence", "nouns"):
        if _OVER.search(" ".join(w.lower for w in stretch.sentence.words[phrase.stop : stretch.stop])):
            return None
        lowers = [w.lower for w in phrase.words]
        return Mention(stretch, span, 3.0 if phrase.owner in listed("people", "ours") and "old" not in lowers else 1.5)
    if "library" in [w.lower for w in phrase.words]:
        return Mention(stretch, span, 1.5)
    return None


def _weight(stretch: Stretch, phrase: Phrase, span: Phrase, before: str, after: str) -> float:
    rest = " ".join(w.lower for w in stretch.sentence.words[span.stop :])
    if _WHERE_I_AM.search(rest):
        return 3.0
    owned = _home_in(stretch, span)
    if owned is not None:
        return owned
    is_inside = before.endswith((" in", " to")) or before in {"in", "to", "into"} or before.endswith(" into")
    if is_inside and (_is_of_work(stretch) or _moves_somebody(stretch, span)):
        return 0.0
    weight = weigh("places", before, after)
    if weight is not None and not (is_inside and weight == 1.0):
        return weight
    if _is_alone(stretch, span):
        return 1.5 if is_inside or _is_surely_a_name(span) else 1.0
    if not is_inside:
        return weight or (_MERE if looks_like_a_place(span) else 0.0)
    return weight or (1.0 if _SELF.search(stretch.text) or _is_elided(stretch) else 0.5)


def _is_of_work(stretch: Stretch) -> bool:
    """ "Our office moved to Lund": no home, unless it took the speaker along."""
    return _OF_WORK.search(stretch.text) is not None and not {"me", "us", "i", "we"} & {w.lower for w in stretch.words}


def _moves_somebody(stretch: Stretch, span: Phrase) -> bool:
    """ "We moved my mum to Lund", "I moved all my books to Lund"."""
    moved = listed("people", "kin") | {"parent", "kid", "son", "dad", "mum", "book"}
    items = stretch.sentence.words[max(stretch.first, span.first - 4) : span.first]
    owners = listed("people", "ours") | {"a", "moved"}
    return any(singular(b.lower) in moved and a.lower in owners for a, b in pairwise(items))


def _home_in(stretch: Stretch, span: Phrase) -> float | None:
    """ "My street in Lund", "the new flat's in Lund": whose home or neighbour it is that stands there."""
    words = stretch.sentence.words
    for word in words[stretch.first : span.first]:
        if word.lower not in gist_words("residence", "nouns") or not word.is_noun:
            continue
        between = _CENTRE.sub("in", " ".join(w.lower for w in words[word.i + 1 : span.first])).split()
        if not between or between[-1] != "in" or len(between) > 6 or {"to", "from"} & set(between):
            continue
        lead = [w.lower for w in words[max(stretch.first, word.i - 4) : word.i]]
        if lead[-1:] == ["at"] and between == ["here", "in"]:
            return 3.0
        if {"hotel", "office", "holiday", "summer", "former", "'s", "'", "parents"} & set(lead) or is_past(stretch):
            return 0.0
        if "old" in lead and "same" not in lead:
            return 2.0 if "back" in stretch.sentence.lowers(span.stop, stretch.stop) else 0.0
        is_governed = bool({"for", "to", "from", "with", "by", "of"} & set(lead))
        if singular(word.lower) in OWN_CIRCLE and is_governed and "here" not in between:
            return 0.75  # "the parcel for my neighbour in Lund"
        if {"my", "our"} & set(lead) or (word.lower in {"life", "living"} and not lead):
            return 3.0
        return 2.0 if "new" in lead else 1.5
    return None


def _is_elided(stretch: Stretch) -> bool:
    """Whether the stretch starts with a verb whose subject is left out: "made it to Lund"."""
    return bool(stretch.words) and stretch.words[0].is_verb


def _is_alone(stretch: Stretch, span: Phrase) -> bool:
    beside = gist_words("residence", "beside")
    stop = next((w.i for w in stretch.words if w.i >= span.stop and w.lower in {"instead", "not"}), stretch.stop)
    others = [w for w in stretch.words if not span.first <= w.i < span.stop and w.i < stop and not w.is_time]
    return all(w.lower in beside or not w.text[0].isalnum() for w in others)
