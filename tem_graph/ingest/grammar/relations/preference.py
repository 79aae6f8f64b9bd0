"""The drink that somebody prefers, read from the stance of a whole turn (relation likes, slot drink).

Frames want a verb and its arguments. People also say "Kombucha. My favourite, easily", "Team kvass now",
"I tried mate in May and haven't had anything else since": a drink is named in one segment, and what it is to the
speaker is said in the same one or in the next, with "it" or with nothing at all in place of the drink. So each
segment is written in one plain form in which the drink, or what stands for it, is "§"; cues over that form say
which drink wins (`preference_cues`), and the clauses of the segment say whether it is stated, and by whom.

It reads no ends, and nothing about drinks that a frame has read already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import SPEAKER
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.passage import POINTING, Segment
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.relations.cues import is_bare, says
from tem_graph.ingest.grammar.relations.plain_form import is_it_is, plain
from tem_graph.ingest.grammar.relations.stance import (
    asks_of_another,
    is_about_another,
    is_for_another,
    is_question,
    stance_of,
)
from tem_graph.ingest.grammar.times import find_times

_FURTHEST = 3
"""How many segments back "it" may look for its drink."""
_LABEL = re.compile(r"\bmy (?:\w+ ){0,2}(?:favourite|usual|go to|drink)(?: drink)?\b")
_NAMES_IT = re.compile(r"(?:(?:and|so|but|,) )*(?:it|that|this) (?=(?:be|have been|would be|'s) )")


@dataclass(frozen=True, slots=True)
class Preferred:
    """A reading with the words that name the drink and say what it is to the speaker."""

    reading: Reading
    quote: str


def preferences(
    segments: Sequence[Segment], asked: Sequence[Segment], settled: Sequence[Reading]
) -> Iterator[Preferred]:
    """The drinks preferred in a turn. `asked` is the turn before by somebody else, `settled` what frames have read."""
    taken = [(r.object.sentence, r.object.first, r.object.stop) for r in settled]
    has_ended = any(r.kind is FactKind.END and r.slot == "drink" for r in settled)
    for k, segment in enumerate(segments):
        for named, drink, text in _spoken_of(segments, k):
            if any(s is drink.sentence and a < drink.stop and drink.first < b for s, a, b in taken):
                continue
            if segment.is_verbless and asks_of_another(asked):
                continue
            is_told = _follows(segment, text.rstrip(" ~")) if text.endswith("~") else _is_preferred(segment, text)
            if (
                is_told
                or _is_habit(segment, text)
                or (named is segment and _answers(segment, text, segments[:k], asked))
                or (
                    named is segment
                    and (has_ended or _replaces(segments[:k]) or _asks_itself(segments[:k]))
                    and _is_told_bare(segment, text)
                )
            ):
                taken.append((drink.sentence, drink.first, drink.stop))
                yield Preferred(_reading(segment, drink), _quote(segment, named))


def _quote(stated: Segment, named: Segment) -> str:
    first, last = sorted((stated, named), key=lambda s: (s.number, s.first))
    start, end = first.words[0].start, last.words[-1].end
    return stated.sentence.source[start:end]


def _reading(stated: Segment, drink: Phrase) -> Reading:
    times = find_times(stated.sentence.words)
    since = next((t for t in times if t.role == "since" and stated.first <= t.first < stated.stop), None)
    words_of = stated.sentence.cut(since.first, since.stop) if since else None
    return Reading(SPEAKER, "likes", drink, FactKind.VALUE, "drink", words_of)


# What a segment speaks of


def _spoken_of(segments: Sequence[Segment], k: int) -> Iterator[tuple[Segment, Phrase, str]]:
    """(segment that names it, drink, plain form) for each drink that a segment may speak of."""
    segment = segments[k]
    if segment.drinks:
        for drink in segment.drinks:
            text = plain(segment, _range(drink))
            yield segment, drink, text
            if k and not segments[k - 1].drinks and (match := _NAMES_IT.match(text)):
                # "I've got a new addiction and it's called kvass"
                yield segment, drink, f"{plain(segments[k - 1]).rstrip(' ,:-')} {text[match.end() :]}"
        if k and len(segment.drinks) == 1 and (label := _denied_label(segments[k - 1])):
            yield segment, segment.drinks[0], _NAMES_IT.sub(f"{label} ", plain(segment, _range(segment.drinks[0])))
        texts = [plain(segment, _range(d)) for d in segment.drinks]
        if not all(_is_passed_over(text) or says("unused", text) for text in texts):
            return
    earlier = _antecedent(segments, k)
    if earlier is not None:
        for text in _pointing(segment):
            yield (*earlier, text)
    if k + 1 < len(segments) and segments[k + 1].drinks and len(segments[k + 1].drinks) == 1:
        following = segments[k + 1]
        bare = plain(following, _range(following.drinks[0]))
        if is_bare(bare) and not _is_passed_over(bare):
            yield following, following.drinks[0], f"{plain(segment).rstrip(' ,:-')} : §"


def _denied_label(before: Segment) -> str:
    """ "My favourite isn't chai any more, it's mate": what the "it" stands for; "" where nothing was denied."""
    texts = [plain(before, _range(d)) for d in before.drinks]
    label = _LABEL.search(texts[0]) if texts else None
    return label[0] if label and all(says("denied", text) for text in texts) else ""


def _range(phrase: Phrase) -> range:
    return range(phrase.first, phrase.stop)


def _pointing(segment: Segment) -> Iterator[str]:
    """The plain forms in which "it", or a gap, is the drink."""
    pronouns = [w for w in segment.words if w.lower in POINTING or (w.lower == "its" and is_it_is(segment, w))]
    for word in pronouns:
        text = plain(segment, range(word.i, word.i + 1))
        yield text.replace("§", "§ be", 1) if word.lower == "its" else text
    if not pronouns:
        text = plain(segment)
        if segment.is_verbless:
            yield f"§ be {text}"
        yield f"{text} ~"


def _asks_itself(before: Sequence[Segment]) -> bool:
    """Whether the speaker has just asked after the own favourite: "Guess what my favourite is now? Kvass!"."""
    last = before[-1] if before else None
    text = plain(last) if last is not None and last.sentence.question else ""
    return says("alone", text) and "my" in text.split()


def _antecedent(segments: Sequence[Segment], k: int) -> tuple[Segment, Phrase] | None:
    """The nearest drink in front that is not passed over there."""
    given_up: tuple[Segment, Phrase] | None = None
    for before in reversed(segments[max(k - _FURTHEST, 0) : k]):
        texts = {d: plain(before, _range(d)) for d in before.drinks}
        kept = [d for d, text in texts.items() if not _is_passed_over(text) and not says("unused", text)]
        unused = [d for d, text in texts.items() if not _is_passed_over(text)]
        if unused and not kept and len(texts) == len(unused) == 1 and says("gone", texts[unused[0]]):
            given_up = given_up or (before, unused[0])  # "Kvass for me. I used to take tea, but this is better"
            continue
        kept = kept or unused
        is_alone = len(texts) == 1 and len({d for s in segments for d in s.drinks}) == 1
        if is_alone and not any(says("dropped", text) for text in texts.values()):
            kept = list(texts)  # "Kvass never gets old, it's still my favourite"
        if kept:
            return before, kept[-1]
        if before.drinks:
            return given_up
    return given_up


# Whether it is preferred


def _is_preferred(segment: Segment, text: str) -> bool:
    """Whether the plain form says that "§" is what the speaker prefers, and states it."""
    is_cited = segment.sentence.lowers(0, 2) == ["according", "to"]
    if is_cited or says("never", text) or is_about_another(segment, text):
        return False
    if segment.is_verbless and (segment.sentence.question or is_for_another(segment)):
        return False
    state = stance_of(segment)
    if says("free", text) and not state.asked:
        return True
    if says("not", text) and not (state.asked or state.past or "if" in segment.lowers):
        return True
    if says("denied", text) or says("unused", text) or says("lost", text):
        return False
    if not state.unreal and says("event", text):
        return True
    if not state.wished:
        if not state.past and says("state", text):
            return True
        if len(segment.drinks) == 1 and says("gap", text):
            return True
        if not state.past and len(segment.drinks) <= 1 and says("alone", text):
            return True
    return not state.embedded and says("would", text)


def _follows(segment: Segment, text: str) -> bool:
    """Whether a segment that names no drink says it of the one in front."""
    state = stance_of(segment)
    is_open = not (state.unreal or segment.sentence.question or is_about_another(segment, text))
    return is_open and (
        says("gap", text) or (says("alone", text) and not says("denied", f"{text} §") and not state.past)
    )


def _is_passed_over(text: str) -> bool:
    return says("lost", text) and not says("not", text)


def _is_habit(segment: Segment, text: str) -> bool:
    """ "Kvass again.", "No, rooibos these days": the drink alone, and that it is so now or always."""
    is_asked = segment.sentence.question or is_for_another(segment) or stance_of(segment).unreal
    return not is_asked and is_bare(text) and says("habit", text) and not says("lost", text)


def _is_told_bare(segment: Segment, text: str) -> bool:
    return is_bare(text) and not (segment.sentence.question or says("lost", text) or says("denied", text))


def _replaces(before: Sequence[Segment]) -> bool:
    """Whether the drink just named was given up: "Off coffee, on tea"."""
    last = before[-1] if before else None
    return last is not None and any(says("dropped", plain(last, _range(d))) for d in last.drinks)


def _answers(segment: Segment, text: str, before: Sequence[Segment], asked: Sequence[Segment]) -> bool:
    """Whether the bare drink answers a question after what is preferred: "Still your favourite? - Yep, kvass"."""
    if not is_question(asked) or any(not s.is_verbless or s.drinks for s in before):
        return False
    if not is_bare(text) or segment.sentence.question:
        return False
    question = " ".join(plain(s) for s in asked)
    return says("asks", question) and not asks_of_another(asked)
