"""What the grammar's parse has against a fact that somebody else proposes.

The grammar extractor says which facts it found. Here its clauses are asked the other way round: given a
fact, is the clause that holds its object a statement, about that person, that is so?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate
from tem_graph.domain.names import fold
from tem_graph.ingest.grammar.clause import Clause, Role
from tem_graph.ingest.grammar.parse import parse_turns
from tem_graph.ingest.grammar.reader import read_clauses
from tem_graph.ingest.text_match import occurrences, split_words


def read_objections(session: Session) -> Callable[[Candidate], str | None]:
    """A function that says, for a candidate of this session, as what its clause reads instead of as a statement
    about its subject ("'Lund' as wished, asked or imagined"); None where nothing speaks against it.

    CPU-bound: parses the session.

    Raises:
        SettingsError: spaCy or its English pipeline is not installed.
    """
    parsed = parse_turns([turn.text for turn in session.turns])
    clauses = {
        turn.position: (turn.speaker, turn.text, [c for sentence in sentences for c in read_clauses(sentence)])
        for turn, sentences in zip(session.turns, parsed, strict=True)
    }

    def objection(candidate: Candidate) -> str | None:
        if candidate.turn not in clauses or not fold(candidate.object):
            return None
        speaker, text, of_turn = clauses[candidate.turn]
        holding = [clause for clause in of_turn if _holds(clause, candidate, text)]
        found = [_against(clause, candidate, speaker) for clause in holding]
        # One clause that states it is enough: the same object may also be asked for, or another's.
        return f"{candidate.object!r} as {found[0]}" if found and all(found) else None

    return objection


def _holds(clause: Clause, candidate: Candidate, text: str) -> bool:
    words = clause.sentence.words[clause.first : clause.stop]
    inside = [w for w in split_words(text) if words and words[0].start <= w.start and w.end <= words[-1].end]
    return any(occurrences(candidate.object, inside))


def _against(clause: Clause, candidate: Candidate, speaker: str) -> str | None:
    """What the clause is instead of a statement about the subject. Denials are left to `verify`, which knows the
    relations that a denial states. Pure."""
    if clause.unreal:
        return "wished, asked or imagined"
    is_about_speaker = fold(candidate.subject) == fold(speaker)
    if is_about_speaker and clause.person.role is Role.NAMED and fold(clause.person.name) != fold(speaker):
        return f"said of {clause.person.name!r}"
    if is_about_speaker and clause.person.role is Role.NOBODY and _has_person(clause.words):
        return "said of somebody else"
    if not is_about_speaker and clause.person.role is Role.SPEAKER:
        return "said of the speaker"
    return None


def _has_person(words: Sequence[str]) -> bool:
    """Whether the clause names somebody as its subject at all; "new job: welder" has nobody and is the speaker's."""
    return any(word in _PERSONS for word in words)


_PERSONS = frozenset({"he", "she", "they", "you", "who"})
