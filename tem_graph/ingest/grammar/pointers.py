"""Names that later words point back at: "…, and I live here", "I've been one since May", "that's my job now"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tem_graph.ingest.grammar.bystanders import says_i
from tem_graph.ingest.grammar.evidence import Mention, is_void, pattern, shape
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.gist_places import home_mentions
from tem_graph.ingest.grammar.lexicon import cues, is_occupation
from tem_graph.ingest.grammar.names import looks_like_a_place
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.stretches import Stretch
from tem_graph.ingest.grammar.words import find

_FAR = 3
"""How many sentences off a name is out of reach for "here" and "one"."""
POINTED = 3.0
"""The weight of a name that is pointed at: enough by itself."""
# Said of a visit, but also of one who comes to stay, or whom others visit.
_OF_MOVERS = frozenset(
    (("for", "work"), ("for", "business"), ("visiting",), ("for", "a", "bit"), ("to", "visit"), ("couch",))
)
_ANYBODY = frozenset(("you", "anyone", "anybody", "somebody", "someone", "nobody", "people"))
_MYSELF = frozenset(("me", "moi", "this", "yours", "yup", "yep", "your", "muggins", "myself"))
_ARTICLES = frozenset(("a", "an", "every", "any", "each", ""))
_LEFT = shape("titles", "left")


def is_visit(part: Stretch) -> bool:
    """Whether the stretch speaks of a trip, or of a stay with an end in sight."""
    lowers = part.text.split()
    stays = (find(lowers, *cue) for cue in cues("residence", "visits") if cue not in _OF_MOVERS)
    return pattern("residence", "visit").search(part.text) is not None or any(stays)


def is_pointed_at(parts: Sequence[Stretch], mention: Mention) -> bool:
    """Whether "I live here", "where we live", soon after the place and before any other, makes it the home."""
    named = mention.stretch
    if not looks_like_a_place(mention.value) and mention.weight < 1:
        return False
    k = next(i for i, part in enumerate(parts) if part is named)
    rest = replace(named, first=mention.value.stop)
    for part in (rest, *parts[k + 1 :]):
        if part.number - named.number > _FAR:
            return False
        if (pointer := pattern("residence", "here").search(part.text)) is not None:
            is_open = "where" in pointer[0] or not is_void(named, "residence") or _is_for_anybody(named)
            said = pattern("veto", "idioms").sub("", part.text[: pointer.end()])
            is_away = is_visit(named) and not _is_for_anybody(named)
            return is_open and not (pattern("veto", "unreal", "negated").search(said) or is_away)
        if part is not rest and any(True for _ in home_mentions(part)):
            return False
    return False


def _is_for_anybody(named: Stretch) -> bool:
    """ "Does anybody know a barber in Lund?", "if you're ever in Lund": no plan of the speaker's."""
    lowers = {w.lower for w in named.sentence.words}
    return (named.sentence.question or bool(lowers & _ANYBODY)) and not says_i(named)


def guessed(parts: Sequence[Stretch]) -> Mention | None:
    """ "Guess who's a nurse now? Me!": the title that the speaker asks after and answers for."""
    for k, part in enumerate(parts[:-1]):
        if part.text.startswith("guess who ") and parts[k + 1].words[0].lower in _MYSELF:
            return next((replace(t, told=parts[k + 1]) for t in _titles(part)), None)
    return None


def pointed_title(parts: Sequence[Stretch]) -> Mention | None:
    """The title named last before words of the speaker's own that take it up, such as "I am one"."""
    named: Mention | None = None
    for part in parts:
        pointer = pattern("occupation", "pointing").search(part.text)
        titles = list(_titles(part))
        if pointer is not None and not pattern("veto", "negated", "past").search(part.text[: pointer.end()]):
            start = part.first + len(part.text[: pointer.start()].split())
            inside = [t for t in titles if t.value.first < start]
            if any(t.value.first >= start for t in titles):
                return None  # "that's what I do now: nurse" is read where it stands
            found = inside[-1] if inside else named
            is_near = found is not None and part.number - found.stretch.number < _FAR
            return replace(found, told=part) if found is not None and is_near else None
        named = titles[-1] if titles else named
    return None


def _titles(part: Stretch) -> Iterator[Mention]:
    """The titles of a stretch that could be anybody's, left to right; quoted ones too."""
    row = phrases(part.sentence, part.first, part.stop)
    for k, phrase in enumerate(row):
        if phrase.owner or phrase.negated:
            continue
        span = profession(replace(phrase, prep=""), row[k + 1 :]) or _bare(phrase)
        if span is None or phrase.determiner not in _ARTICLES or not is_occupation(span.head.text):
            continue
        before = " ".join(w.lower for w in part.sentence.words[part.first : span.first])
        if not _LEFT.search(before):
            yield Mention(part, span, POINTED)


def _bare(phrase: Phrase) -> Phrase | None:
    """A lone title without an article: "it should say nurse"."""
    is_title = not phrase.determiner and phrase.words[-1].tag == "NN" and is_occupation(phrase.words[-1].text)
    return phrase if is_title else None
