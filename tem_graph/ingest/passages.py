"""What of proposed events and notes is believed: what their own turns say, dated by code. Pure.

An event or note must name turns of its session that a person said. Most of its content words, and every name and
number in it, must stand in those turns. Days are read from the words of the turns against the session's own day;
a date that a model worked out is none. Without proposed events, the telling sentences themselves stand in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tem_graph.domain.conversation import Event, Note, Session
from tem_graph.domain.extraction import Candidate, Extraction, Rejection
from tem_graph.domain.names import fold
from tem_graph.ingest import english
from tem_graph.ingest.attach import direction_of
from tem_graph.ingest.content_words import content_words, names_and_numbers, share_of
from tem_graph.ingest.dates import find_time_words, read_date
from tem_graph.ingest.extractive import extract_events
from tem_graph.ingest.places import ReadTurn
from tem_graph.ingest.text_match import Word, occurrences, split_words

ENOUGH_WORDS = 0.6
"""Share of the content words of an event or note that its turns must have. A guess: a retelling changes some."""


@dataclass(frozen=True, slots=True)
class Believed:
    """The events and notes to keep, in the order proposed, and what was left out with the reason."""

    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()
    rejected: tuple[Rejection, ...] = ()


def believe(session: Session, extraction: Extraction, *, user: str | None = None) -> Believed:
    """What of the events and notes of an extraction is believed; extractive events where it proposes none.

    An event keeps its participants that speak or are named; each of the others is listed as rejected. Its date is
    the day, month or year that its words name, None where they name none for certain, and the session's day where
    there are no such words. `user` is the person behind the speaker `user`.
    """
    if not extraction.events and not extraction.notes:
        return Believed(events=extract_events(session))
    reader = _Reader(session, user)
    events: dict[tuple[str, tuple[int, ...]], Event] = {}
    notes: dict[tuple[str, tuple[int, ...]], Note] = {}
    rejected: list[Rejection] = []
    for event in extraction.events:
        found = reader.event(event)
        if isinstance(found, Event):
            events.setdefault((fold(found.summary), found.turns), found)
            rejected += reader.strangers(event, found)
        else:
            rejected.append(found)
    for note in extraction.notes:
        kept = reader.note(note)
        if isinstance(kept, Note):
            notes.setdefault((fold(kept.text), kept.turns), kept)
        else:
            rejected.append(kept)
    stand_in = () if extraction.events else extract_events(session)
    return Believed((*events.values(), *stand_in), tuple(notes.values()), tuple(rejected))


class _Reader:
    """A session, read once for all that is proposed of it."""

    def __init__(self, session: Session, user: str | None) -> None:
        self._session = session
        self._user = user
        self._turns = {turn.position: ReadTurn(turn, user) for turn in session.turns}
        self._speakers = {fold(turn.speaker): turn.speaker for turn in self._turns.values() if not turn.is_assistant}

    def event(self, event: Event) -> Event | Rejection:
        source = self._source("event", event.summary, event.turns, event.date)
        if isinstance(source, Rejection):
            return source
        present = [name for given in event.participants if (name := self._present(given, source)) is not None]
        return replace(
            event,
            summary=" ".join(event.summary.split()),
            date=self._date(event, source),
            participants=tuple(dict.fromkeys(present)),
            turns=tuple(turn.turn.position for turn in source),
        )

    def note(self, note: Note) -> Note | Rejection:
        source = self._source("note", note.text, note.turns, None)
        if isinstance(source, Rejection):
            return source
        return replace(note, text=" ".join(note.text.split()), turns=tuple(turn.turn.position for turn in source))

    def strangers(self, proposed: Event, believed: Event) -> list[Rejection]:
        """The participants that were left out, each as a rejection."""
        source = [self._turns[position] for position in believed.turns]
        return [
            Rejection(
                Candidate(name, "event", believed.summary, believed.turns[0]),
                "unknown_subject",
                f"{name!r} neither speaks in the session nor is named in turns {_listed(believed.turns)}",
            )
            for name in proposed.participants
            if self._present(name, source) is None
        ]

    def _source(self, kind: str, text: str, positions: Sequence[int], since: str | None) -> list[ReadTurn] | Rejection:
        """The turns behind it that count, or why it is not believed."""

        def no(reason: str, detail: str) -> Rejection:
            return Rejection(Candidate("", kind, text, first, since=since), reason, detail)

        first = next((n for n in positions if n in self._turns), None)
        if missing := [n for n in positions if n not in self._turns]:
            return no("unknown_turn", f"the session has no turn {_listed(missing)}")
        if first is None:
            return no("unknown_turn", "no turn is named")
        said = [self._turns[n] for n in sorted(set(positions)) if not self._turns[n].is_assistant]
        if not said:
            return no("assistant_turn", f"turns {_listed(positions)} are by a program")
        source = [turn for turn in said if not turn.gives_instructions]
        if not source:
            return no("instruction", f"turns {_listed(positions)} speak to the reader")
        if missing_words := self._invented(text, source):
            return no("not_in_text", f"{missing_words} not in the words of turns {_listed(positions)}")
        return source

    def _invented(self, text: str, source: Sequence[ReadTurn]) -> str | None:
        """What of the text its turns do not say, as words for people; None where they say enough of it."""
        there = [word for turn in source for word in (*split_words(turn.speaker), *turn.words)]
        known = [*there, *(word for name in self._speakers.values() for word in split_words(name))]
        words = split_words(text)
        if any(turn.is_english for turn in source):
            for word in names_and_numbers(text, words):
                if share_of([word], known) < 1:
                    return f"{text[word.start : word.end]!r} is"
        content = [word for word in content_words(text) if self._counts(word)]
        share = share_of(content, there)
        return None if share >= ENOUGH_WORDS else f"{round((1 - share) * len(content))} of {len(content)} words are"

    def _counts(self, word: Word) -> bool:
        """Names of speakers and words of retelling are no evidence for or against."""
        if word.name_key in english.REPORTING_WORDS:
            return False
        return not any(word.name_key in key.split() for key in self._speakers)

    def _present(self, given: str, source: Sequence[ReadTurn]) -> str | None:
        """The participant as the session writes it; None for one who neither speaks nor is named."""
        key = fold(given)
        if key == "user" and self._user is not None:
            return self._user
        for speaker_key, speaker in self._speakers.items():
            if key == speaker_key or (key and key in speaker_key.split()):
                return speaker
        return given if key and any(any(occurrences(given, turn.words)) for turn in source) else None

    def _date(self, event: Event, source: Sequence[ReadTurn]) -> str | None:
        """The ISO date of an event, resolved by code; see `believe`."""
        told = self._session.date
        if event.date:
            for turn in source:
                for first, stop in occurrences(event.date, turn.words):
                    return self._day(event.date, turn, (turn.words[first].start, turn.words[stop - 1].end))
        # No words, or words that the turns do not have: those of the turns, where there is only one place of them.
        places = [(turn, span) for turn in source for span in find_time_words(turn.turn.text)]
        if len(places) == 1:
            turn, span = places[0]
            return self._day(turn.text[slice(*span)], turn, span)
        return told.day.isoformat() if told and not places else None

    def _day(self, words: str, turn: ReadTurn, span: tuple[int, int]) -> str | None:
        """The date of words of time that stand at `span`; the sentence around them says whether it looks ahead."""
        around = [word.key for s in turn.covered(span) for word in turn.words[s.first : s.stop]]
        found = read_date(words, self._session.date, direction=direction_of(" ".join(around))).date
        return found.isoformat() if found else None


def _listed(positions: Sequence[int]) -> str:
    return ", ".join(map(str, positions))
