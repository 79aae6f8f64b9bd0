"""A memory as one JSON Lines file, and that file as a memory again: lossless, checked as a whole before it is written.

The ids in the file and the order of its lines do not depend on the memory's id, so the export of a copy is the export
of the original but for the name in its first line and the checksum in its last. No model is asked. Embeddings are
part of the file if asked for; else, or if the importing database has another embedder, they are made again.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from tempfile import SpooledTemporaryFile
from typing import IO, Literal

from tem_graph.domain.names import fold
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import Conflict, GraphError, TemGraphError
from tem_graph.graph import records as node_records
from tem_graph.graph import transfer_queries as queries
from tem_graph.graph.connection import Graph
from tem_graph.graph.schema import read_schema
from tem_graph.graph.store import GraphReader
from tem_graph.graph.transfer_passages import StoredPassage
from tem_graph.graph.transfer_queries import MemoryHead, SessionContents, StoredTurn
from tem_graph.graph.writes import forget_memory
from tem_graph.ports import Clock, Embedder
from tem_graph.transfer.check import Checked, check
from tem_graph.transfer.lines import LineWriter, parse_line
from tem_graph.transfer.passage_records import EventRecord, NoteRecord, passage_record
from tem_graph.transfer.records import (
    FORMAT,
    VERSION,
    EmbedderRecord,
    FactRecord,
    MemoryRecord,
    OutcomeRecord,
    RejectionRecord,
    RelationRecord,
    SessionRecord,
    SubjectRecord,
    TurnRecord,
)

FACTS_PER_WRITE = 500
SESSIONS_PER_WRITE = 50
TURNS_PER_WRITE = 2_000
ROWS_PER_WRITE = 1_000
"""A transaction is closed at any of these; FACTS_PER_WRITE as measured for ingest, the others are guesses."""
SPOOL_BYTES = 16 * 2**20
"""Up to this size the file is kept in memory between checking and writing, beyond it in a temporary file."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """What was imported: records by type, and whether embeddings were `restored` from the file or `made`."""

    memory: str
    counts: Mapping[str, int]
    embeddings: Literal["restored", "made"]


async def export_memory(
    graph: Graph, catalog: RelationCatalog, memory: str, *, with_embeddings: bool = False
) -> AsyncIterator[str]:
    """The lines of the memory, each with its line feed, read in pages. The same memory gives the same lines.

    Raises:
        NotFound: there is no such memory.
        Conflict: the memory was written to meanwhile, so the lines do not fit together.
        GraphError: it holds what this format has no record for.
    """
    head = await queries.read_head(graph, memory)
    schema = await read_schema(graph)
    writer = LineWriter()
    yield writer.line(
        MemoryRecord(
            format=FORMAT,
            version=VERSION,
            memory=memory,
            ordering=head.ordering,
            created_at=head.created_at,
            embedder=EmbedderRecord(name=schema.embedder, dimension=schema.dimension),
            embeddings=with_embeddings,
            relations=[_relation(name, catalog) for name in head.relations],
        )
    )
    async for name in queries.read_subjects(graph, memory):
        yield writer.line(SubjectRecord(name=name))
    async for contents in queries.read_contents(graph, catalog, memory, with_embeddings=with_embeddings):
        yield writer.line(SessionRecord.of(contents.session))
        for turn in contents.turns:
            yield writer.line(TurnRecord.of(turn))
        for fact in contents.facts:
            yield writer.line(FactRecord.of(fact))
        for passage in contents.passages:
            yield writer.line(passage_record(passage))
        for rejection in contents.rejections:
            yield writer.line(RejectionRecord.of(rejection))
    reader = GraphReader(graph, catalog)
    for outcome in await reader.outcomes(memory):
        yield writer.line(OutcomeRecord.of(outcome))
    if (await queries.read_head(graph, memory)).written_at != head.written_at:
        raise Conflict(f"memory {memory!r} was written to while it was exported", hint="export it again")
    counts = await reader.count_contents("count_memory_contents", memory)
    _refuse_gaps(memory, counts, writer.counts)
    yield writer.end()


def _relation(name: str, catalog: RelationCatalog) -> RelationRecord:
    schema = catalog.get(name)
    return RelationRecord(name=name, cardinality=schema.cardinality, opposite=schema.opposite)


def _refuse_gaps(memory: str, stored: Mapping[str, int], written: Mapping[str, int]) -> None:
    """A file that holds less than the memory would be a silent loss, on the day of the import."""
    for kind, count in stored.items():
        if (lines := written.get(kind.removesuffix("s"), 0)) != count:
            raise GraphError(
                f"memory {memory!r} holds {count} {kind}, of which {lines} can be exported",
                hint="update tem-graph: pip install -U tem-graph",
            )


async def import_memory(
    graph: Graph,
    catalog: RelationCatalog,
    embedder: Embedder,
    clock: Clock,
    memory: str,
    lines: Iterable[str],
    *,
    with_passages: bool = True,
) -> Transfer:
    """What was imported into the empty memory; `with_passages` is whether turns, events and notes are embedded where
    vectors have to be made. The whole file is checked before the first record is written; if
    writing fails half way, what was written is forgotten.

    Raises:
        InputError: the file is damaged, cut, of another version, or its relations mean something else here.
        Conflict: the memory is not empty, or another import into it is going on.
    """
    with SpooledTemporaryFile(SPOOL_BYTES, mode="w+", encoding="utf-8", newline="\n") as spool:
        checked = await asyncio.to_thread(check, lines, catalog, spool)
        head = MemoryHead(checked.head.ordering, checked.head.created_at)
        await queries.begin_import(graph, memory, head, token=secrets.token_hex(8), at=clock.now())
        try:
            importer = _Importer(graph, catalog, embedder, memory, checked, clock.now(), with_passages)
            made = await importer.run(spool)
            await queries.finish_import(graph, memory)
        except BaseException as error:
            try:
                await forget_memory(graph, memory)
            except TemGraphError:
                error.add_note(f"memory {memory!r} is half imported: forget it before you import again")
            raise
    return Transfer(memory, checked.counts, "made" if made else "restored")


@dataclass
class _Importer:
    """Writes a checked file, a batch of whole records per transaction."""

    graph: Graph
    catalog: RelationCatalog
    embedder: Embedder
    memory: str
    checked: Checked
    at: datetime
    with_passages: bool = True
    _batch: list[SessionContents] = field(default_factory=list)
    _subjects: list[str] = field(default_factory=list)
    _outcomes: list[Outcome] = field(default_factory=list)
    _turn_ids: dict[str, str] = field(default_factory=dict)
    _fact_ids: dict[str, str] = field(default_factory=dict)
    _made: bool = False

    async def run(self, lines: IO[str]) -> bool:
        """Whether embeddings had to be made."""
        for number, line in enumerate(lines, start=1):
            match parse_line(line, number):
                case SubjectRecord() as record:
                    self._subjects.append(record.name)
                case SessionRecord() as record:
                    await self._flush_if_full()
                    self._batch.append(SessionContents(record.stored()))
                case TurnRecord() as record:
                    turn = record.stored()
                    self._turn_ids[turn.ref] = node_records.turn_id(self.memory, turn.session, turn.turn)
                    self._batch[-1].turns.append(turn)
                case FactRecord() as record:
                    await self._flush_if_full()
                    self._batch[-1].facts.append(record.stored(self.catalog))
                case EventRecord() | NoteRecord() as record:
                    self._batch[-1].passages.append(record.stored())
                case RejectionRecord() as record:
                    self._batch[-1].rejections.append(record.stored())
                case OutcomeRecord() as record:
                    self._outcomes.append(record.outcome())
                case _:
                    pass
            if len(self._subjects) >= ROWS_PER_WRITE or len(self._outcomes) >= ROWS_PER_WRITE:
                await self._flush()
        await self._flush()
        links = [(self._fact_ids[new], self._fact_ids[old]) for new, old in self.checked.corrections]
        await queries.write_corrections(self.graph, self.memory, links, at=self.at)
        return self._made

    async def _flush_if_full(self) -> None:
        facts = sum(len(c.facts) for c in self._batch)
        turns = sum(len(c.turns) + len(c.passages) for c in self._batch)
        if facts >= FACTS_PER_WRITE or turns >= TURNS_PER_WRITE or len(self._batch) >= SESSIONS_PER_WRITE:
            await self._flush()

    async def _flush(self) -> None:
        if self._subjects:
            names = [(fold(name), name) for name in self._subjects]
            await queries.write_subjects(self.graph, self.memory, names, at=self.at)
            self._subjects = []
        if self._batch:
            batch = await self._embedded(self._batch)
            await queries.write_contents(self.graph, self.memory, batch, self._turn_ids, at=self.at)
            # The last session may go on: the next batch begins with it, without what is written.
            self._batch = [SessionContents(batch[-1].session)]
        if self._outcomes:
            await queries.write_outcomes(self.graph, self.memory, self._outcomes, at=self.at)
            self._outcomes = []

    async def _embedded(self, batch: Sequence[SessionContents]) -> list[SessionContents]:
        """The batch with a vector on every fact, and on what else a search shall find: the file's if the same
        embedder made it, else a new one."""
        for contents in batch:
            for stored in contents.facts:
                if stored.ref in self.checked.linked:
                    self._fact_ids[stored.ref] = replace(stored.fact, memory=self.memory).id
        if self._can_restore:
            return list(batch)
        texts = {stored.ref: stored.fact.text for contents in batch for stored in contents.facts}
        if self.with_passages:
            said: list[StoredTurn | StoredPassage] = []
            for contents in batch:
                said += contents.turns
                said += contents.passages
            texts |= {stored.ref: stored.line for stored in said if stored.line is not None}
        self._made = self._made or bool(texts)
        vectors = dict(zip(texts, map(tuple, await self.embedder.embed(list(texts.values()))), strict=True))
        return [
            replace(
                contents,
                facts=[replace(stored, embedding=vectors[stored.ref]) for stored in contents.facts],
                turns=[replace(stored, embedding=vectors.get(stored.ref)) for stored in contents.turns],
                passages=[replace(stored, embedding=vectors.get(stored.ref)) for stored in contents.passages],
            )
            for contents in batch
        ]

    @property
    def _can_restore(self) -> bool:
        made_by = self.checked.head.embedder
        same = (made_by.name, made_by.dimension) == (self.embedder.name, self.embedder.dimension)
        return self.checked.head.embeddings and same


__all__ = ["Transfer", "export_memory", "import_memory"]
