"""The grammar extractor: facts of English conversation without a language model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold
from tem_graph.domain.relation import RelationCatalog
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.bystanders import is_left_to_others
from tem_graph.ingest.grammar.clause import NOBODY, SPEAKER, Clause, Person, Role
from tem_graph.ingest.grammar.elsewhere import is_set_elsewhere
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.gist import read_gist
from tem_graph.ingest.grammar.parse import parse_turns
from tem_graph.ingest.grammar.passage import Segment, segments
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.reader import read_clauses
from tem_graph.ingest.grammar.relations import read
from tem_graph.ingest.grammar.relations.preference import preferences
from tem_graph.ingest.grammar.relations.stance import goes_on_about_another, is_disowned
from tem_graph.ingest.grammar.words import Sentence

_MACHINES = frozenset(["assistant", "system", "ai", "bot", "tool", "function", "developer", "model", "chatbot"])


@dataclass(frozen=True, slots=True)
class _Found:
    """A reading and the words of the turn that state it, verbatim."""

    reading: Reading
    quote: str


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
        turns = [t for t in session.turns if t.text.strip() and (_is_read(t) or "?" in t.text)]
        parsed = parse_turns([t.text for t in turns])
        before = {turn.position: (turn.speaker, said) for turn, said in zip(turns, parsed, strict=True)}
        speakers = frozenset(part for t in session.turns for part in fold(t.speaker).split())
        found: list[Candidate] = []
        for turn, sentences in zip(turns, parsed, strict=True):
            if _is_read(turn):
                speaker, said = before.get(turn.position - 1, (turn.speaker, []))
                asked = said if speaker != turn.speaker else []
                found.extend(self._turn(turn, sentences, asked, speakers))
        return _without_idle_ends(found)

    def _turn(
        self, turn: Turn, sentences: list[Sentence], asked: list[Sentence], speakers: frozenset[str]
    ) -> Iterator[Candidate]:
        speaker = self._user if self._user and fold(turn.speaker) == "user" else turn.speaker
        seen: set[tuple[str, str, str, str]] = set()
        for found in _statements(sentences, asked, speakers):
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
            object="" if reading.open else reading.object.text,
            turn=turn.position,
            quote=found.quote,
            kind=reading.kind,
            slot=reading.slot,
            since=reading.since,
            until=reading.until,
        )


def _without_idle_ends(found: list[Candidate]) -> list[Candidate]:
    """Without the ends of whatever held where the session tells what holds: "I quit my job and joined Birch".

    Both stand at the same place in time, so that the end would end the new value too.
    """
    held = {(fold(c.subject), c.relation) for c in found if c.kind is FactKind.VALUE and not c.until}
    return [c for c in found if c.object or (fold(c.subject), c.relation) not in held]


def _quote(clause: Clause, value: Phrase) -> str:
    """The clause verbatim, with the words in front where its object stands ("I tried chai. It's my favourite")."""
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


def _statements(sentences: list[Sentence], asked: list[Sentence], speakers: frozenset[str]) -> list[_Found]:
    """What the sentences of a turn state, without what the next one takes back ("just kidding").

    `asked` are the sentences of the turn before, `speakers` the folded names of those who talk.
    """
    told = [s for k, s in enumerate(sentences) if k + 1 == len(sentences) or not _takes_back(sentences[k + 1])]
    clauses = [read_clauses(sentence) for sentence in told]
    found = [
        _Found(r, _quote(c, r.object))
        for own in clauses
        for c in own
        for r in read(c)
        if not is_left_to_others(r, c, told, asked)
    ]
    settled = [
        f.reading for f in found if f.reading.person is not NOBODY and (f.reading.slot or f.reading.relation != "likes")
    ]
    passages = segments(told, clauses)
    preferred = list(preferences(passages, segments(asked, [read_clauses(s) for s in asked]), settled))
    # "Kombucha is the best, I love it": what is preferred need not be liked besides.
    places = {(id(p.reading.object.sentence), p.reading.object.first) for p in preferred}
    found = [
        f for f in found if f.reading.slot or (id(f.reading.object.sentence), f.reading.object.first) not in places
    ]
    found = [*found, *(_Found(p.reading, p.quote) for p in preferred)]
    found = [f for f in found if not (f.reading.slot and _is_unclaimed(f.reading, passages))]
    gist = read_gist(told, asked, [f.reading for f in found], speakers)
    found.extend(_Found(r, _quote(c, r.object)) for r, c in gist)
    return [f for f in found if not is_set_elsewhere(f.reading, told)]


def _is_unclaimed(reading: Reading, passages: list[Segment]) -> bool:
    """Whether a drink is no preference of the speaker's after all, by the segment before it or those behind."""
    if reading.person is not SPEAKER or reading.kind is not FactKind.VALUE:
        return False
    drink = reading.object
    at = (k for k, s in enumerate(passages) if s.sentence is drink.sentence and s.first <= drink.first < s.stop)
    return any(goes_on_about_another(passages, k) or is_disowned(passages, k) for k in at)


def _is_read(turn: Turn) -> bool:
    """Whether a person said it; of a program only the questions are looked at, for the answers to them."""
    return fold(turn.speaker) not in _MACHINES


def _takes_back(sentence: Sentence) -> bool:
    """Whether the sentence says that the one before was no statement: "Just kidding!"."""
    fillers = lexicon.words("clauses", "laughter")
    said = tuple(
        w.lower for w in sentence.words if (w.text[0].isalpha() or w.text[0] == "'") and w.lower not in fillers
    )
    if said in lexicon.cues("clauses", "taken_back"):
        return True
    return any(said[: len(cue)] == cue for cue in lexicon.cues("clauses", "joking"))
