"""Events without a model: the sentences of a session that tell most, as they were said. Pure, and no parser.

Chosen are sentences in which somebody says of themselves that something happened or will: first person, names,
numbers, words of time. Greetings, questions, wishes and conditions are not. Languages other than English are
judged by their names, numbers and length alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date as Day

from tem_graph.domain.conversation import Event, Session, Turn
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.ingest import english
from tem_graph.ingest.attach import direction_of
from tem_graph.ingest.clauses import Sentence
from tem_graph.ingest.content_words import is_content, names_and_numbers
from tem_graph.ingest.dates import find_time_words, read_date
from tem_graph.ingest.places import ReadTurn

EXTRACTIVE = "extractive"
MOST_EVENTS = 6
"""Events of one session. A guess: a session of LoCoMo has 17 turns, of which about a third tell of something done."""
ENOUGH = 5.0
"""Points that a sentence needs. A guess, by looking at what is left of two conversations."""
_MOST_WORDS = 60
_MANY_WORDS = 6
"""Content words of a sentence that tells something, where its language is not known. A guess: greetings have fewer."""
_UNREAL = re.compile(
    r"\b(?:if|unless|whether|wish|hope|hoping|would|could|might|maybe|perhaps|let's|(?:can't|cannot) wait"
    r"|looking forward|i'd|we'd|should)\b"
)
"""What has not happened and is not arranged."""
_FIRST_PERSON = english.FIRST | english.FIRST_POSSESSIVE
_SECOND_PERSON = english.SECOND | english.SECOND_POSSESSIVE
_TIME_POINTS = 2.0


def extract_events(session: Session, *, most: int = MOST_EVENTS) -> tuple[Event, ...]:
    """At most `most` events, in the order of the session, one a turn at most; none where nothing tells enough.

    The summary is the speaker's name and the sentence itself. It is dated by its own words of time where they
    name a date for certain, else by the day of the session.
    """
    told = [best for turn in session.turns if (best := _best(turn)) is not None]
    chosen = sorted(told, key=lambda found: (-found.points, found.turn.position))[:most]
    return tuple(
        Event(
            summary=f"{found.turn.speaker}: {found.text}",
            session=session.id,
            date=event_date(found.text, session.date),
            participants=(found.turn.speaker,),
            turns=(found.turn.position,),
            extractor=EXTRACTIVE,
        )
        for found in sorted(chosen, key=lambda found: found.turn.position)
    )


def event_date(text: str, told: SessionDate | None) -> str | None:
    """The ISO date of what `text` tells: by the first words of time in it that name one, else the session's day."""
    for start, end in find_time_words(text):
        if found := read_date(text[start:end], told, direction=direction_of(text)).date:
            return found.isoformat()
    return _iso(told.day) if told else None


def _iso(day: Day) -> str:
    return PartialDate(day).isoformat()


@dataclass(frozen=True, slots=True)
class _Told:
    """A sentence of a turn, and how much it tells."""

    turn: Turn
    text: str
    points: float


def _best(turn: Turn) -> _Told | None:
    read = ReadTurn(Turn(turn.position, turn.speaker, turn.text), None)  # a caption says nothing of the speaker
    if read.is_assistant or read.gives_instructions:
        return None
    told = [t for t in _told(read) if t.points >= ENOUGH]
    return max(told, key=lambda t: t.points, default=None)


def _told(read: ReadTurn) -> Iterator[_Told]:
    for at, sentence in enumerate(read.sentences):
        if sentence.is_question or sentence.stop - sentence.first > _MOST_WORDS:
            continue
        stop = read.sentences[at + 1].first if at + 1 < len(read.sentences) else None
        end = len(read.text) if stop is None else read.words[stop].start
        text = " ".join(read.text[read.words[sentence.first].start : end].split())
        yield _Told(read.turn, text, _points(read, sentence, text))


def _points(read: ReadTurn, sentence: Sentence, text: str) -> float:
    words = read.words[sentence.first : sentence.stop]
    keys = [word.key for word in words]
    content = [word for word in words if is_content(word)]
    spoken = " ".join(keys)
    if len(content) < 3 or _UNREAL.search(spoken) or english.INVERSION.search(spoken):
        return 0.0
    points = min(3.0, len(content) / 2) + min(3, len(names_and_numbers(read.text, words)))
    if not read.is_english:
        return points + 2 if len(content) >= _MANY_WORDS else 0.0
    if any(key in english.FIRST for key in keys):
        points += 2
    elif any(key in _FIRST_PERSON for key in keys):
        points += 1
    if any(key in _SECOND_PERSON for key in keys):  # praise and advice
        points -= 2
    if points >= ENOUGH - _TIME_POINTS and find_time_words(text):
        points += _TIME_POINTS
    return points
