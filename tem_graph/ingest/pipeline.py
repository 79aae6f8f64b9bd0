"""Sessions in, outcomes out: extract, verify, attach the source, embed in one batch, write whole sessions.

Facts, events, notes and the turns themselves are embedded and written together.

Extraction runs for several sessions at once; one writer takes what is ready and stores it in one transaction.
Whatever ends the run, a session is stored whole or not at all, and every session has an outcome.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter

from tem_graph.domain.conversation import Event, Note, Session
from tem_graph.domain.extraction import Rejection, Usage
from tem_graph.domain.fact import Fact
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import GraphError, GraphUnavailable, InputError, ModelError, TemGraphError
from tem_graph.graph.connection import Graph
from tem_graph.graph.passages import passage_texts
from tem_graph.graph.store import GraphReader
from tem_graph.graph.writes import SessionWrite, write_outcome, write_sessions
from tem_graph.ingest.attach import attach_source
from tem_graph.ingest.passages import Believed, believe
from tem_graph.ingest.verify import verify
from tem_graph.ports import Clock, Embedder, Extractor

SESSIONS_PER_WRITE = 32
FACTS_PER_WRITE = 500
PASSAGES_PER_WRITE = 1_000
"""A transaction is closed at any of these; whole sessions only, so one long session may exceed the last two."""

OnOutcome = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True)
class IngestReport:
    """The outcome of every session, in the order in which they were given, with totals."""

    outcomes: tuple[Outcome, ...]
    seconds: float = 0.0

    def count(self, *statuses: OutcomeStatus) -> int:
        return sum(o.status in statuses for o in self.outcomes)

    @property
    def failed(self) -> tuple[Outcome, ...]:
        return tuple(o for o in self.outcomes if not o.is_success)

    @property
    def facts(self) -> int:
        return sum(o.facts for o in self.outcomes)

    @property
    def rejected(self) -> int:
        return sum(o.rejected for o in self.outcomes)

    @property
    def events(self) -> int:
        return sum(o.events for o in self.outcomes)

    @property
    def notes(self) -> int:
        return sum(o.notes for o in self.outcomes)

    @property
    def usage(self) -> Usage:
        return sum((o.usage for o in self.outcomes), Usage())


@dataclass(frozen=True, slots=True)
class _Read:
    """One session after extraction and verification, waiting to be embedded and written."""

    session: Session
    facts: tuple[Fact, ...]
    rejections: tuple[Rejection, ...]
    outcome: Outcome
    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()
    passages: Mapping[str, str] = field(default_factory=dict)
    """Id → line to embed, of the turns, events and notes that a search shall find."""


@dataclass
class Ingestor:
    """The pipeline for one memory. `concurrency` bounds the sessions that are being read at once."""

    graph: Graph
    reader: GraphReader
    memory: str
    extractor: Extractor
    embedder: Embedder
    catalog: RelationCatalog
    clock: Clock
    concurrency: int = 4
    user: str | None = None
    open_vocabulary: bool = False
    with_passages: bool = True
    """Whether turns, events and notes are embedded too; else facts only."""
    _outcomes: dict[str, Outcome] = field(default_factory=dict, init=False)

    async def ingest(
        self,
        sessions: Sequence[Session],
        *,
        replace_changed: bool = False,
        on_outcome: OnOutcome | None = None,
    ) -> IngestReport:
        """The outcome of each session. Harmless to repeat: what is stored is recognised by its digest before
        any model is asked.

        Raises:
            InputError: two of the sessions have the same id.
            GraphError: Neo4j became unusable; sessions stored before that stay stored.
            Exception: whatever else an extractor or an embedder raises, with a note that names the session.
        """
        started = perf_counter()
        sessions = [self._with_user(s) for s in sessions]
        _refuse_repeated_ids(sessions)
        self._outcomes = {}
        todo = await self._settle_known(sessions, replace_changed, on_outcome)
        ready: asyncio.Queue[_Read | None] = asyncio.Queue(maxsize=2 * SESSIONS_PER_WRITE)
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._read_all(todo, ready, on_outcome))
                tasks.create_task(self._write_all(ready, replace_changed, on_outcome))
        except BaseExceptionGroup as group:
            # A fault of the program goes before an error of ours: it is what must be seen and mended.
            ours, others = group.split(TemGraphError)
            error = _first(others or ours or group)
            raise error from error.__cause__
        return IngestReport(tuple(self._outcomes[s.id] for s in sessions), perf_counter() - started)

    def _with_user(self, session: Session) -> Session:
        """The session with the person's name in place of the speaker `user` of chat exports."""
        if self.user is None or all(turn.speaker != "user" for turn in session.turns):
            return session
        turns = (replace(t, speaker=self.user) if t.speaker == "user" else t for t in session.turns)
        return replace(session, turns=tuple(turns))

    async def _settle_known(
        self, sessions: Sequence[Session], replace_changed: bool, on_outcome: OnOutcome | None
    ) -> list[Session]:
        stored = await self.reader.digests(self.memory, [s.id for s in sessions])
        todo = []
        for session in sessions:
            digest = stored.get(session.id)
            if digest == session.digest:
                self._settle(self._outcome(session, OutcomeStatus.UNCHANGED), on_outcome)
            elif digest is not None and not replace_changed:
                self._settle(self._outcome(session, OutcomeStatus.CONFLICT, reason=_CONFLICT), on_outcome)
            else:
                todo.append(session)
        return todo

    async def _read_all(
        self, sessions: Sequence[Session], ready: asyncio.Queue[_Read | None], on_outcome: OnOutcome | None
    ) -> None:
        waiting = iter(sessions)

        async def reader() -> None:
            for session in waiting:
                result = await self._read(session)
                if isinstance(result, Outcome):
                    await self._settle_durably(result, on_outcome)
                else:
                    await ready.put(result)
                    # An extractor that waits for nobody would else read on until the queue is full, and the writer,
                    # which works while the database does, would have to wait for that.
                    await asyncio.sleep(0)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(min(self.concurrency, len(sessions))):
                tasks.create_task(reader())
        await ready.put(None)

    async def _read(self, session: Session) -> _Read | Outcome:
        started = perf_counter()
        try:
            extraction = await self.extractor.extract(session)
        except TemGraphError as error:
            return self._outcome(
                session,
                OutcomeStatus.FAILED,
                usage=_spent(error),
                reason=error.message,
                seconds=perf_counter() - started,
            )
        except Exception as error:
            error.add_note(f"while session {session.id!r} was read by {self.extractor.name}")
            raise
        accepted, rejected = verify(
            session, extraction, self.catalog, user=self.user, open_vocabulary=self.open_vocabulary
        )
        facts = attach_source(
            accepted, session, extraction, self.catalog, memory=self.memory, recorded_at=self.clock.now()
        )
        believed = believe(session, extraction, user=self.user) if self.with_passages else Believed()
        texts = passage_texts(self.memory, session, believed.events, believed.notes) if self.with_passages else {}
        outcome = Outcome(
            session=session.id,
            status=OutcomeStatus.STORED,
            extractor=extraction.extractor,
            facts=len(facts),
            rejected=len(rejected) + len(believed.rejected),
            usage=extraction.usage,
            seconds=perf_counter() - started,
            digest=session.digest,
            events=len(believed.events),
            notes=len(believed.notes),
        )
        rejections = (*rejected, *believed.rejected)
        return _Read(session, facts, rejections, outcome, believed.events, believed.notes, texts)

    async def _write_all(
        self, ready: asyncio.Queue[_Read | None], replace_changed: bool, on_outcome: OnOutcome | None
    ) -> None:
        open_ = True
        while open_:
            batch: list[_Read] = []
            while open_ and not _is_full(batch):
                if batch and ready.empty():
                    break
                item = await ready.get()
                if item is None:
                    open_ = False
                else:
                    batch.append(item)
            if batch:
                await self._write(batch, replace_changed, on_outcome)

    async def _write(self, batch: Sequence[_Read], replace_changed: bool, on_outcome: OnOutcome | None) -> None:
        try:
            texts = {fact.id: fact.text for read in batch for fact in read.facts}
            texts |= {id_: line for read in batch for id_, line in read.passages.items()}
            vectors = dict(zip(texts, await self.embedder.embed(list(texts.values())), strict=True))
            writes = [
                SessionWrite(r.session, r.facts, vectors, r.rejections, r.outcome, r.events, r.notes) for r in batch
            ]
            result = await write_sessions(self.graph, self.memory, writes, replace=replace_changed, at=self.clock.now())
        except GraphUnavailable as error:  # nothing more can be kept, the outcomes neither
            for read in batch:
                self._settle(self._failed(read, error), on_outcome)
            raise
        except GraphError as error:
            if len(batch) == 1:
                await self._settle_failed(batch[0], error, on_outcome)
                return
            # One bad session must not take its neighbours with it: try each on its own.
            for read in batch:
                await self._write([read], replace_changed, on_outcome)
            return
        except TemGraphError as error:
            for read in batch:
                await self._settle_failed(read, error, on_outcome)
            return
        for read in batch:
            status = result.statuses[read.session.id]
            outcome = replace(read.outcome, status=status)
            if status in {OutcomeStatus.UNCHANGED, OutcomeStatus.CONFLICT}:  # another writer was faster
                outcome = self._outcome(
                    read.session, status, reason=_CONFLICT if status is OutcomeStatus.CONFLICT else None
                )
            self._settle(outcome, on_outcome)

    async def _settle_failed(self, read: _Read, error: TemGraphError, on_outcome: OnOutcome | None) -> None:
        await self._settle_durably(self._failed(read, error), on_outcome)

    def _failed(self, read: _Read, error: TemGraphError) -> Outcome:
        usage, seconds = read.outcome.usage, read.outcome.seconds
        failed = self._outcome(read.session, OutcomeStatus.FAILED, usage=usage, reason=error.message, seconds=seconds)
        return replace(failed, extractor=read.outcome.extractor)

    async def _settle_durably(self, outcome: Outcome, on_outcome: OnOutcome | None) -> None:
        await write_outcome(self.graph, self.memory, outcome, at=self.clock.now())
        self._settle(outcome, on_outcome)

    def _settle(self, outcome: Outcome, on_outcome: OnOutcome | None) -> None:
        self._outcomes[outcome.session] = outcome
        if on_outcome is not None:
            on_outcome(outcome)

    def _outcome(
        self,
        session: Session,
        status: OutcomeStatus,
        *,
        usage: Usage | None = None,
        seconds: float = 0.0,
        reason: str | None = None,
    ) -> Outcome:
        return Outcome(
            session=session.id,
            status=status,
            extractor=self.extractor.name,
            usage=usage or Usage(),
            seconds=seconds,
            reason=reason,
            digest=session.digest,
        )


def _is_full(batch: Sequence[_Read]) -> bool:
    return (
        len(batch) >= SESSIONS_PER_WRITE
        or sum(len(read.facts) for read in batch) >= FACTS_PER_WRITE
        or sum(len(read.passages) for read in batch) >= PASSAGES_PER_WRITE
    )


def _spent(error: TemGraphError) -> Usage:
    """What a failed reading cost."""
    if isinstance(error, ModelError):
        return Usage(error.calls, error.prompt_tokens, error.output_tokens)
    return Usage()


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """One error is enough for the caller; the others mostly failed for the same reason."""
    inner = group.exceptions[0]
    return _first(inner) if isinstance(inner, BaseExceptionGroup) else inner


_CONFLICT = "another text is stored under this session id; use replace to put this one in its place"


def _refuse_repeated_ids(sessions: Sequence[Session]) -> None:
    seen: set[str] = set()
    for session in sessions:
        if session.id in seen:
            raise InputError(f"session id {session.id!r} occurs twice", hint="give every session its own id")
        seen.add(session.id)
