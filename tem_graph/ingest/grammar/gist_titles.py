"""Job titles where they may be the speaker's work: "as a nurse", "being a nurse", "the nurse job", "A nurse!"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tem_graph.ingest.grammar.evidence import Mention, gist_words, is_addressed, is_past, shape, weigh
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.lexicon import is_occupation, singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.names import without
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.stretches import Stretch
from tem_graph.ingest.grammar.words import Word

_POSTS = frozenset(("head", "chief", "director", "captain", "vice", "master", "manager"))
_SURE = 3.0
_ANSWERS = frozenset(("yes", "no", "yep", "yeah", "still", "nope", "nah"))
_EARNED = frozenset(("certified", "registered", "licensed", "trained", "qualified", "chartered", "retired"))
# What in front of a title makes it one that was given up, or only compared with.
_LEFT = shape("titles", "left")
_FIRST = shape("titles", "first")
_GAVE_UP = shape("titles", "gave_up")
_OVER = shape("titles", "over")
_AS = shape("titles", "as")


def work_mentions(stretch: Stretch) -> Iterator[Mention]:
    """The titles of a stretch that may be what the speaker does, left to right."""
    row = [_trimmed(p) for p in phrases(stretch.sentence, stretch.first, stretch.stop)]
    if _is_called(stretch):
        return
    for k, phrase in enumerate(row):
        opening = phrase.words[0].lower
        if phrase.negated or (phrase.head.quoted and not _is_on_a_sign(stretch, phrase)):
            continue
        if opening in gist_words("residence", "greetings") | {"no", "neither"}:
            continue
        words = stretch.sentence.words
        if (inner := _before_noun(stretch, phrase)) is not None:
            yield inner
            continue
        span = profession(replace(phrase, prep=""), row[k + 1 :]) or _bare(phrase)
        if span is None or any(_tells(w) for w in span.words[:-1]):
            continue
        before = " ".join(w.lower for w in words[stretch.first : span.first])
        after = " ".join(w.lower for w in words[span.stop : stretch.stop])
        if (
            _LEFT.search(before)
            or _GAVE_UP.search(before)
            or (_OVER.search(after) and not _FIRST.search(before))
            or (is_past(stretch) and not _AS.search(before))
        ):
            continue
        alone = _is_alone(stretch, span)
        rest = " ".join(w.lower for w in words[span.stop :])
        weight = weigh("titles", before, after or rest)
        if weight is not None and weight < _SURE and not is_occupation(span.head.text):
            continue  # "at a counter": built like a title, and nothing more says that it is one
        if weight is None and (alone or phrase.head.quoted):
            weight = 1.5
        if weight and "same" not in stretch.sentence.lowers(phrase.first, span.first + 1):
            yield Mention(stretch, span, weight, alone, doubtful=is_addressed(span))


def _is_called(stretch: Stretch) -> bool:
    """ "I did it, coach!", "Coach, I did it": the title of whom one speaks to."""
    if len(stretch.words) != 1 or stretch.words[0].lower not in gist_words("occupation", "called"):
        return False
    items = stretch.sentence.words
    behind = items[stretch.stop].text if stretch.stop < len(items) else ""
    before = [w.lower for w in items[: stretch.first]]
    if not before:
        return behind == "," and bool({"i", "we", "you", "my"} & {w.lower for w in items})
    return before[-1] == "," and before[0] not in _ANSWERS and any(w.is_verb for w in items[: stretch.first])


def _is_on_a_sign(stretch: Stretch, phrase: Phrase) -> bool:
    """ "Under my name it says 'cook'": the title alone stands in quotes, on a thing of the speaker's."""
    items = stretch.sentence.words
    around = items[phrase.first - 1 : phrase.first] + items[phrase.stop : phrase.stop + 1]
    if any(w.quoted and w.text[0].isalnum() for w in around):
        return False
    before = stretch.sentence.before
    said = {w.lower for w in (*(before.words if before else ()), *items)}
    return bool(said & gist_words("occupation", "signs")) and bool(said & {"my", "our", "i", "got", "came"})


def _trimmed(phrase: Phrase) -> Phrase:
    """Without what leads to the title: "being a nurse", "the life of a nurse"."""
    first = phrase.first
    for word in phrase.words[:-1]:
        if (
            (word.tag == "VBG" and word.i == first)
            or (word.lower == "of" and phrase.sentence.words[word.i - 1].lower not in _POSTS)
            or (word.lower == "as" and word.i > first)
        ):
            first = word.i + 1
    return replace(phrase, first=first, gerund=phrase.gerund and first == phrase.first)


def _bare(phrase: Phrase) -> Phrase | None:
    """A title without an article, known by list or ending: "New job: nurse"."""
    drop = listed("nouns", "articles") | {
        "new",
        "newest",
        "only",
        "proper",
        "full",
        "freelance",
        "best",
        "happy",
        "proud",
    }
    lowers = {w.lower for w in phrase.words}
    if phrase.determiner in {"a", "an", "no"} or lowers & (listed("nouns", "unheld") | listed("nouns", "evaluative")):
        return None  # `profession` has looked at it
    if any(_tells(w) for w in phrase.words[:-1]):
        return None
    span = without(phrase, drop)
    is_title = span is not None and span.words[-1].is_noun and is_occupation(span.words[-1].text)
    if span is not None and span.words[-1].tag in {"NNPS", "NNS"} and not _is_of_several(span):
        return None  # "Goodbye, Smiths!", "always admired musicians"
    return span if is_title and not phrase.owner and span is not None else None


def _is_of_several(span: Phrase) -> bool:
    """Whether the sentence speaks of more than one, or the word is no plural after all ("boss")."""
    last = span.words[-1].lower
    return last == singular(last) or bool({"we", "us", "our", "both"} & {w.lower for w in span.sentence.words})


def _tells(word: Word) -> bool:
    """Whether a verb stands in front, and no participle that belongs to a title: "Watched snooker"."""
    is_participle = word.tag in {"VBN", "VBD"} and (word.i > 0 or word.lower in _EARNED)
    return word.tag in {"VBD", "VBN", "VBP", "VBZ"} and not is_participle


def _before_noun(stretch: Stretch, phrase: Phrase) -> Mention | None:
    """ "The new nurse job", "my nurse uniform": the title in front of the noun."""
    last = phrase.words[-1].lower
    if last not in gist_words("occupation", "posts") or len(phrase.words) < 2:
        return None
    drop = listed("nouns", "articles") | listed("nouns", "praise") | listed("people", "owners")
    span = without(replace(phrase, stop=phrase.stop - 1), drop)
    if (
        span is None
        or not is_occupation(span.words[-1].text)
        or {"old", "former", "last"} & {w.lower for w in phrase.words}
    ):
        return None
    words = stretch.sentence.words
    before = " ".join(w.lower for w in words[stretch.first : phrase.first])
    after = " ".join(w.lower for w in words[phrase.stop - 1 : stretch.stop])
    if _LEFT.search(f"{before} {phrase.determiner}".strip()) or _OVER.search(after) or is_past(stretch):
        return None
    own = phrase.owner in listed("people", "ours") or "new" in {w.lower for w in phrase.words}
    return Mention(stretch, span, 1.5 if own else 1.0)


def _is_alone(stretch: Stretch, span: Phrase) -> bool:
    beside = gist_words("occupation", "beside")
    others = [w for w in stretch.words if not span.first <= w.i < span.stop and not w.is_time]
    return all(w.lower in beside or not w.text[0].isalnum() for w in others)
