"""What every data set is read into. Pure, but for the reading of bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

from tem_graph.domain.conversation import Session, Turn
from tem_graph.errors import EvaluationError
from tem_graph.evaluate.questions import Question
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.readers.document import Document, Record, decode, origin_of, read_bytes, read_document


@dataclass(frozen=True, slots=True)
class DataSet:
    """Questions, and by their `group` what they are asked of: sessions to read, or facts that are given."""

    job: str
    name: str
    """Name of the file or folder, without the path to it."""
    sha256: str
    """Of the content, gzip taken off; of a folder: of its files in order."""
    questions: tuple[Question, ...]
    conversations: Mapping[str, tuple[Session, ...]] = field(default_factory=dict)
    facts: Mapping[str, tuple[FactInput, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Faults of the set as a whole, one sentence each."""
    usual_kinds: tuple[str, ...] = ()
    """Kinds that are asked where none is named; empty: all."""
    extractor: str | None = None
    """Who must read the sessions, where the form of the set leaves no choice."""

    def of_kinds(self, kinds: Sequence[str]) -> DataSet:
        """The same set with the questions of these kinds, or of the usual ones.

        Raises:
            EvaluationError: there is no question of such a kind.
        """
        present = dict.fromkeys(q.kind for q in self.questions)
        if unknown := [kind for kind in kinds if kind not in present]:
            raise EvaluationError(
                f"{self.name} has no questions of kind {', '.join(unknown)}", hint=f"it has {', '.join(present)}"
            )
        wanted = set(kinds or self.usual_kinds or present)
        return replace(self, questions=tuple(q for q in self.questions if q.kind in wanted))


def open_document(path: Path) -> tuple[Document, bytes]:
    """The file's records, and its text as bytes, for the hash.

    Raises:
        InputError: there is no such file, or it is not JSON; names the line.
    """
    origin, stem = origin_of(path)
    text = decode(read_bytes(path), origin)
    return read_document(text, origin, stem), text.encode()


def items_of(document: Document) -> list[Record]:
    """The records of JSON Lines, or the elements of the one list of a JSON file."""
    if document.is_lines:
        return list(document.records)
    (whole,) = document.records
    if not isinstance(whole.value, list):
        return [whole]
    return [Record(item, whole.place.at(number)) for number, item in enumerate(whole.value)]


def digest(*contents: bytes) -> str:
    """SHA-256 in hex of one content, or of several in order."""
    if len(contents) == 1:
        return sha256(contents[0]).hexdigest()
    return sha256("".join(sha256(content).hexdigest() for content in contents).encode()).hexdigest()


def turn_id(session: Session, turn: Turn) -> str:
    """What a set calls the turn: LoCoMo's `dia_id`; elsewhere `session:position`, from 0."""
    return str(turn.metadata.get("dia_id") or f"{session.id}:{turn.position}")


def turn_line(session: Session, turn: Turn) -> str:
    """One turn as one line, `(2023-05-08) Caroline: what was said [shares caption]`."""
    day = f"({session.date.day.isoformat()}) " if session.date else ""
    return " ".join(f"{day}{turn.speaker}: {turn.content}".split())
