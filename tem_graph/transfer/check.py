"""Whether an exported file is whole and makes sense here, decided before anything of it is written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO

from tem_graph.domain.names import fold
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import InputError, TemGraphError
from tem_graph.transfer.lines import read_lines
from tem_graph.transfer.passage_records import EventRecord, NoteRecord
from tem_graph.transfer.records import (
    FactRecord,
    MemoryRecord,
    OutcomeRecord,
    Record,
    RejectionRecord,
    SessionRecord,
    SubjectRecord,
    TurnRecord,
)


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that may be imported."""

    head: MemoryRecord
    counts: Mapping[str, int]
    corrections: tuple[tuple[str, str], ...]
    """(fact, fact that it corrects), by their ids in the file."""

    @property
    def linked(self) -> frozenset[str]:
        return frozenset(id_ for pair in self.corrections for id_ in pair)


def check(lines: Iterable[str], catalog: RelationCatalog, copy: IO[str]) -> Checked:
    """The head, counts and corrections of a good file; its lines are copied to `copy`, which is then rewound.

    Raises:
        InputError: names the line and what is wrong with it.
    """
    checker = _Checker(catalog)
    for number, record in read_lines(_copied(lines, copy)):
        try:
            checker.take(record)
        except TemGraphError as error:
            raise InputError(f"line {number}: {error.message}", hint=error.hint) from error
    copy.seek(0)
    return checker.result()


def _copied(lines: Iterable[str], copy: IO[str]) -> Iterator[str]:
    for line in lines:
        copy.write(line.rstrip("\r\n") + "\n")
        yield line


@dataclass
class _Checker:
    catalog: RelationCatalog
    head: MemoryRecord | None = None
    counts: Counter[str] = field(default_factory=Counter)
    corrections: list[tuple[str, str]] = field(default_factory=list)
    seen: dict[str, set[str | bytes]] = field(default_factory=dict)
    session: SessionRecord | None = None

    def take(self, record: Record) -> None:
        self.counts[record.type] += 1
        match record:
            case MemoryRecord():
                self.head = record
                self._check_relations(record)
            case SubjectRecord():
                self._once("subject", fold(record.name))
            case SessionRecord():
                self._once("session", record.id)
                self.session = record
            case TurnRecord():
                self._in_session(record)
                self._same_id(record.id, record.stored().ref)
                self._once("turn", bytes.fromhex(record.id))
                self._check_vector(record)
            case FactRecord():
                self._in_session(record)
                self._check_fact(record)
            case EventRecord() | NoteRecord():
                self._in_session(record)
                self._check_passage(record)
            case RejectionRecord():
                self._in_session(record)
            case OutcomeRecord():
                self._once("outcome", record.session)
            case _:
                pass

    def result(self) -> Checked:
        if self.head is None:
            raise InputError("the file has no head")
        facts = self.seen.get("fact", set())
        for new, old in self.corrections:
            if bytes.fromhex(old) not in facts:
                raise InputError(f"fact {new} corrects {old}, which is not in the file")
        return Checked(self.head, dict(self.counts), tuple(self.corrections))

    def _check_relations(self, head: MemoryRecord) -> None:
        for relation in head.relations:
            here = self.catalog.get(relation.name)
            if (here.name, here.cardinality, here.opposite) != (relation.name, relation.cardinality, relation.opposite):
                raise InputError(
                    f"relation {relation.name!r} was {relation.cardinality}-valued"
                    f"{f' with the opposite {relation.opposite!r}' if relation.opposite else ''}; here "
                    f"{here.name!r} is {here.cardinality}-valued"
                    f"{f' with the opposite {here.opposite!r}' if here.opposite else ''}",
                    hint="import with the relations file of the export (setting `relations`), or its histories change",
                )

    def _check_fact(self, record: FactRecord) -> None:
        stored = record.stored(self.catalog)
        self._same_id(record.id, stored.ref)
        self._once("fact", bytes.fromhex(record.id))
        self._known("subject", stored.fact.subject_key)
        if record.said_in is not None:
            self._known("turn", bytes.fromhex(record.said_in))
        if self.head is not None and self.head.embeddings != (record.embedding is not None):
            raise InputError("embedding: the head of the file says otherwise")
        self._check_vector(record)
        self.corrections += [(record.id, old) for old in record.corrects or ()]

    def _check_passage(self, record: EventRecord | NoteRecord) -> None:
        if len(record.turns) != len(record.based_on):
            raise InputError("turns: as many positions as ids of turns are needed")
        self._same_id(record.id, record.stored().ref)
        self._once(record.type, bytes.fromhex(record.id))
        for turn in record.based_on:
            self._known("turn", bytes.fromhex(turn))
        self._check_vector(record)

    def _check_vector(self, record: TurnRecord | FactRecord | EventRecord | NoteRecord) -> None:
        if record.embedding is not None and self.head and len(record.embedding) != self.head.embedder.dimension:
            raise InputError(f"embedding: has {len(record.embedding)} numbers, not {self.head.embedder.dimension}")

    def _in_session(self, record: TurnRecord | FactRecord | EventRecord | NoteRecord | RejectionRecord) -> None:
        if self.session is None or self.session.id != record.session:
            raise InputError(f"session: {record.session!r} is not the session above it")

    def _same_id(self, given: str, derived: str) -> None:
        if given != derived:
            raise InputError(f"id: {given!r} does not belong to this record", hint="the file was changed by hand")

    def _once(self, kind: str, key: str | bytes) -> None:
        keys = self.seen.setdefault(kind, set())
        if key in keys:
            raise InputError(f"this {kind} occurs twice")
        keys.add(key)

    def _known(self, kind: str, key: str | bytes) -> None:
        if key not in self.seen.get(kind, ()):
            raise InputError(f"names a {kind} that does not stand above it")
