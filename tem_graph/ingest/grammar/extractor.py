"""The grammar extractor: facts of English conversation without a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.names import fold
from tem_graph.domain.relation import RelationCatalog
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import Clause, Person, Role
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.parse import parse_turns
from tem_graph.ingest.grammar.reader import read_clauses
from tem_graph.ingest.grammar.relations import read
from tem_graph.ingest.grammar.words import Sentence

_MACHINES = frozenset(["assistant", "system", "ai", "bot", "tool", "function", "developer", "model", "chatbot"])


@dataclass(frozen=True, slots=True)
class _Found:
    reading: Reading
    clause: Clause


class GrammarExtractor:
    """Reads residence, employer, occupation, possession, likes and dislikes from spaCy's parse.

    Relations that `catalog` does not know are left out. `user` is the name of the person behind the
    speaker `user`.
    """

    def __init__(self, catalog: RelationCatalog, *, user: str | None = None) -> None:
        self._catalog = catalog
        self._user = user

    @property
    def name(self) -> str:
        return "grammar"

    async def extract(self, session: Session) -> Extraction:
        """Candidates in text order. The parse runs in a thread, so that the event loop goes on.

        Raises:
            SettingsError: spaCy or its English pipeline is not installed.
        """
        candidates = await asyncio.to_thread(self.read, session)
        return Extraction(extractor=self.name, candidates=tuple(candidates))

    def read(self, session: Session) -> list[Candidate]:
        """What `extract` reads, in this thread."""
        turns = [t for t in session.turns if fold(t.speaker) not in _MACHINES and t.text.strip()]
        parsed = parse_turns([t.text for t in turns])
        return [c for turn, sentences in zip(turns, parsed, strict=True) for c in self._turn(turn, sentences)]

    def _turn(self, turn: Turn, sentences: list[Sentence]) -> Iterator[Candidate]:
        speaker = self._user if self._user and fold(turn.speaker) == "user" else turn.speaker
        seen: set[tuple[str, str, str, str]] = set()
        for found in _statements(sentences):
            candidate = self._candidate(found, turn, speaker)
            if candidate is None:
                continue
            key = (fold(candidate.subject), candidate.relation, fold(candidate.object), candidate.kind)
            if key not in seen:
                seen.add(key)
                yield candidate

    def _candidate(self, found: _Found, turn: Turn, speaker: str) -> Candidate | None:
        reading = found.reading
        subject = _subject(reading.person, speaker)
        if subject is None or reading.relation not in self._catalog:
            return None
        relation = self._catalog.get(reading.relation)
        return Candidate(
            subject=subject,
            relation=relation.name,
            object=reading.object.text,
            turn=turn.position,
            quote=_quote(found),
            kind=reading.kind,
            slot=reading.slot,
            since=reading.since,
            until=reading.until,
        )


def _quote(found: _Found) -> str:
    """The clause verbatim, with the words in front where its object stands ("I tried chai. It's my favourite")."""
    clause, value = found.clause, found.reading.object
    if value.sentence is not clause.sentence:
        start = value.sentence.words[0].start
        return clause.sentence.source[start : clause.sentence.words[clause.stop - 1].end]
    return clause.sentence.cut(min(clause.first, value.first), max(clause.stop, value.stop))


def _subject(person: Person, speaker: str) -> str | None:
    match person.role:
        case Role.SPEAKER:
            return speaker
        case Role.NAMED:
            return person.name
        case Role.NOBODY:
            return None


def _statements(sentences: list[Sentence]) -> Iterator[_Found]:
    """What the sentences state, without what the next one takes back ("just kidding")."""
    for k, sentence in enumerate(sentences):
        if k + 1 < len(sentences) and _takes_back(sentences[k + 1]):
            continue
        for clause in read_clauses(sentence):
            for reading in read(clause):
                yield _Found(reading, clause)


def _takes_back(sentence: Sentence) -> bool:
    """Whether the sentence says that the one before was no statement: "Just kidding!"."""
    fillers = lexicon.words("clauses", "laughter")
    said = tuple(
        w.lower for w in sentence.words if (w.text[0].isalpha() or w.text[0] == "'") and w.lower not in fillers
    )
    if said in lexicon.cues("clauses", "taken_back"):
        return True
    return any(said[: len(cue)] == cue for cue in lexicon.cues("clauses", "joking"))
