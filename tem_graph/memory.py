"""TemporalMemory: the whole service for one memory, and the only place where adapters are wired.

    with TemporalMemory("ana") as memory:
        memory.ingest(sessions)
        print(memory.evidence("Where did Ana live before Porto?"))

`AsyncTemporalMemory` is the same, awaited. Both speak of one memory; `for_memory` gives another one over the
same connection. Dates and times without an offset are read in the zone of the setting `timezone`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from dataclasses import replace as dataclass_replace
from datetime import date
from types import TracebackType
from typing import Literal, Self, TextIO

from tem_graph.answer.ask import Answer, Asker
from tem_graph.answer.chain import ChainFinder
from tem_graph.answer.question_time import times_in
from tem_graph.answer.resolve import Resolver
from tem_graph.answer.route import FirstOf, Router
from tem_graph.answer.route_model import ModelRouter
from tem_graph.answer.rules import RulesRouter
from tem_graph.clock import SystemClock
from tem_graph.domain.conversation import Event, Note, Provenance, Session, Turn
from tem_graph.domain.evidence import MarkedFact, ScoredPassage
from tem_graph.domain.extraction import Rejection
from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.time import AsOf, PartialDate
from tem_graph.embed.checked import CheckedEmbedder
from tem_graph.embed.choose import make_embedder
from tem_graph.embed.tokens import EstimateCounter
from tem_graph.errors import InputError, NotFound, SettingsError
from tem_graph.graph import writes
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.regroup import Regrouping, regroup
from tem_graph.graph.schema import migrate
from tem_graph.graph.store import GraphReader, MemoryInfo, SessionInfo, SubjectInfo
from tem_graph.graph.subjects import merge_subjects, split_subject
from tem_graph.ingest.by_hand import FactInput, facts_by_hand
from tem_graph.ingest.choose import make_extractor
from tem_graph.ingest.pipeline import Ingestor, IngestReport, OnOutcome
from tem_graph.ingest.reindex import Reindexed, reindex
from tem_graph.llm.choose import make_model
from tem_graph.ports import ChatModel, Clock, Embedder, Extractor, TokenCounter
from tem_graph.retrieve.block import BlockStyle, MemoryBlock, render_block
from tem_graph.retrieve.hybrid import BUDGET_TOKENS, HybridEvidence, hybrid_evidence
from tem_graph.settings import Settings, load_settings
from tem_graph.temporal.order import OrderPolicy, Timeline, build_timeline
from tem_graph.temporal.registry import GroupRef, make_call
from tem_graph.temporal.result import Result
from tem_graph.transfer import Transfer, export_memory, import_memory

Policy = Literal["effective", "source", "paper"]
"""Law 4: `effective` by default; `source` is TEM's order; `paper` is TEM's bare rule as well (law 10)."""

_DEFAULT_STYLE = BlockStyle()


@dataclass(frozen=True, slots=True)
class GroupHistory:
    """One version group with the names it goes by and its timeline."""

    subject: str
    relation: str
    slot: str | None
    object: str | None
    """The object whose history this is, for a multi-valued relation."""
    timeline: Timeline


@dataclass(frozen=True, slots=True)
class _Connection:
    """What is opened once and shared by every memory of a process."""

    graph: Graph
    reader: GraphReader
    embedder: Embedder
    chains: ChainFinder
    loop: asyncio.AbstractEventLoop


class AsyncTemporalMemory:
    """One memory, awaited. Use as an async context manager; it opens one connection and closes it.

    Args:
        memory: id of the memory; everything read and written belongs to it. Default: the setting `memory`.
        settings: all other choices; default: environment and file (`load_settings`).
        extractor, embedder, model, clock, counter, router: your own adapters in place of the configured ones.

    Raises (on entering):
        SettingsError: a setting is wrong, or an extra is not installed.
        GraphUnavailable, GraphRefused, SchemaMismatch: the database cannot be used; each says what to change.
    """

    def __init__(
        self,
        memory: str | None = None,
        *,
        settings: Settings | None = None,
        address: Address | None = None,
        extractor: Extractor | None = None,
        embedder: Embedder | None = None,
        model: ChatModel | None = None,
        clock: Clock | None = None,
        counter: TokenCounter | None = None,
        router: Router | None = None,
    ) -> None:
        self._settings = settings or load_settings()
        self.id = memory if memory is not None else self._settings.memory
        if not self.id.strip():
            raise SettingsError("memory id is empty", hint="name the memory, for example after its user")
        self._address = address
        self._extractor = extractor
        self._embedder = embedder
        self._model = model
        self._clock: Clock = clock or SystemClock()
        self._counter = counter
        self._rules = RulesRouter()
        self._router = router
        self._catalog = self._settings.catalog()
        self._open: _Connection | None = None
        self._borrowed = False

    async def __aenter__(self) -> Self:
        settings = self._settings
        embedder = CheckedEmbedder(self._embedder or make_embedder(settings))
        graph = Graph(self._address or find_address(settings), connect_timeout_s=settings.connect_timeout_s)
        try:
            await graph.check()
            await migrate(graph, embedder=embedder.name, dimension=embedder.dimension, now=self._clock.now())
        except BaseException:
            await graph.aclose()
            raise
        reader, loop = GraphReader(graph, self._catalog), asyncio.get_running_loop()
        self._open = _Connection(graph, reader, embedder, ChainFinder(embedder), loop)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connection, unless it was borrowed from another memory (`for_memory`)."""
        connection, self._open = self._open, None
        if connection is None or self._borrowed:
            return
        if self._model is not None:
            await self._model.aclose()
        await connection.graph.aclose()

    def for_memory(self, memory: str, *, clock: Clock | None = None, extractor: Extractor | None = None) -> Self:
        """Another memory over this one's connection and adapters, those given excepted. It needs no closing of
        its own."""
        other = copy(self)
        other.id, other._borrowed = memory, True
        other._clock, other._extractor = clock or self._clock, extractor or self._extractor
        if not memory.strip():
            raise SettingsError("memory id is empty", hint="name the memory, for example after its user")
        return other

    # In ---------------------------------------------------------------------------------------------------

    async def ingest(
        self,
        sessions: Iterable[Session],
        *,
        replace: bool = False,
        concurrency: int | None = None,
        on_outcome: OnOutcome | None = None,
    ) -> IngestReport:
        """The outcome of every session. What is stored already is recognised before any model is asked, so
        running again after a crash goes on where it stopped.

        Args:
            replace: put a changed text in the place of the stored one, whose facts are retracted on record.
            on_outcome: called with each outcome as it is known, for progress.

        Raises:
            InputError: two sessions have the same id.
            GraphError: the database became unusable; what was stored stays stored.
        """
        connection = self._connection
        ingestor = Ingestor(
            graph=connection.graph,
            reader=connection.reader,
            memory=self.id,
            extractor=self._ready_extractor(),
            embedder=connection.embedder,
            catalog=self._catalog,
            clock=self._clock,
            concurrency=concurrency or self._settings.concurrency,
            user=self._settings.user,
            open_vocabulary=self._settings.open_vocabulary,
            with_passages=self._settings.passages == "all",
        )
        return await ingestor.ingest(list(sessions), replace_changed=replace, on_outcome=on_outcome)

    async def add_facts(self, facts: Iterable[FactInput]) -> int:
        """How many of the given facts were new. No model is asked; nothing is stored if one of them is wrong.

        Raises:
            InputError: names the fact and the field.
            Conflict: sources with and without an index would be mixed in one memory.
        """
        made = facts_by_hand(
            list(facts),
            self._catalog,
            memory=self.id,
            recorded_at=self._clock.now(),
            zone=self._settings.zone,
            stored={s.id: Source(s.id, s.date, s.index) for s in await self.sessions()},
        )
        return await self._write_facts(made)

    async def correct(
        self, fact_id: str, *, object: str, by: str, why: str, effective: PartialDate | None = None
    ) -> Fact:
        """The fact that now stands where the wrong record stood. The record was wrong, the world did not
        change: the new one takes its session and place, the old one stays on record as retracted.

        Raises:
            InputError: the object is empty, or what the record says already.
            NotFound: this memory has no such fact.
            Conflict: the fact no longer counts: it was retracted or corrected before.
        """
        if not fold(object):
            raise InputError("object is empty", hint="say what is right, or use retract")
        old = await self._connection.reader.fact(self.id, fact_id)
        provenance = old.provenance or Provenance("by-hand")
        new = dataclass_replace(
            old,
            object=object,
            valid_from=effective or old.valid_from,
            recorded_at=self._clock.now(),
            retraction=None,
            provenance=dataclass_replace(provenance, extractor="correction", note=f"corrected by {by}: {why}"),
        )
        if new.id == fact_id:
            raise InputError(f"fact {fact_id!r} says {object!r} already", hint="say what is right instead")
        (embedding,) = await self._connection.embedder.embed([new.text])
        at = self._clock.now()
        await writes.correct(self._connection.graph, self.id, fact_id, new, embedding, by=by, why=why, at=at)
        return new

    async def retract(self, *fact_ids: str, by: str, why: str) -> tuple[str, ...]:
        """The ids that were withdrawn now. The records stay, with who, when and why.

        Raises:
            NotFound: one of the ids is no fact of this memory; then none is withdrawn.
        """
        return await writes.retract(self._connection.graph, self.id, fact_ids, by=by, why=why, at=self._clock.now())

    async def reindex(self) -> Reindexed:
        """What was added to sessions stored before there were passages, or without them: their turns can be found by
        search, and each has the events that its own sentences tell. No model is asked.

        Raises:
            NotFound: there is no such memory.
        """
        connection = self._connection
        await connection.reader.require_memory(self.id)
        return await reindex(connection.graph, connection.embedder, self._clock, self.id)

    async def regroup(self, *, dry_run: bool = False) -> Regrouping:
        """What was (or would be) moved into other version groups, since the relations file has changed how many
        values a relation holds or what its opposite is. What was told stays; run again it moves nothing.

        Raises:
            NotFound: there is no such memory.
        """
        connection = self._connection
        await connection.reader.require_memory(self.id)
        return await regroup(connection.graph, self._catalog, self.id, at=self._clock.now(), dry_run=dry_run)

    # Out --------------------------------------------------------------------------------------------------

    async def search(
        self, question: str, k: int | None = None, *, as_of: AsOf | None = None, policy: Policy = "effective"
    ) -> list[MarkedFact]:
        """The `k` facts nearest to the question, best first, each with the status that its whole group gives
        it. Score: cosine similarity × relation weight (TEM, section 3.3). One embedding, one round trip.
        """
        if k is not None and k < 1:
            raise InputError(f"k is {k}; a search is for at least one fact")
        (embedding,) = await self._connection.embedder.embed([question])
        return await self._connection.reader.search(
            self.id,
            embedding,
            limit=k or self._settings.limit,
            as_of=as_of or self.now(),
            policy=policy,
            exact_limit=self._settings.exact_search_limit,
        )

    async def evidence(
        self,
        question: str,
        k: int | None = None,
        *,
        style: BlockStyle = _DEFAULT_STYLE,
        as_of: AsOf | None = None,
        policy: Policy = "effective",
    ) -> MemoryBlock:
        """The memory block for the question: the best facts, oldest to newest, historical ones marked."""
        hits = await self.search(question, k, as_of=as_of, policy=policy)
        return render_block(hits, style, self._counter)

    async def hybrid_evidence(
        self,
        question: str,
        *,
        budget_tokens: int = BUDGET_TOKENS,
        marks: bool = True,
        as_of: AsOf | None = None,
        policy: Policy = "effective",
        counter: TokenCounter | None = None,
    ) -> HybridEvidence:
        """Evidence from all that the memory holds, in one token budget: marked facts first, then events, notes and
        turns, session by session. One embedding, one round trip. Tokens are counted by `counter`, else by the one
        that the memory was given, else by an estimate that keeps within the budget.

        Without `marks` the same lines stand in the same order, only their labels are missing.

        Raises:
            SettingsError: the budget does not even hold the frame.
        """
        connection, point = self._connection, as_of or self.now()
        (embedding,) = await connection.embedder.embed([question])
        found = await connection.reader.candidates(
            self.id,
            embedding,
            question,
            facts=self._settings.limit,
            as_of=point,
            policy=policy,
            exact_limit=self._settings.exact_search_limit,
        )
        # In a thread: a server's token counter blocks, and so does the ranking, for some milliseconds.
        return await asyncio.to_thread(
            hybrid_evidence,
            question,
            found,
            counter or self._counter or EstimateCounter(),
            budget_tokens=budget_tokens,
            marks=marks,
            when=times_in(question, point.valid_at or point.today),
        )

    async def search_turns(self, question: str, k: int = 15, *, as_of: AsOf | None = None) -> list[ScoredPassage]:
        """The `k` turns nearest to the question by vector alone, best first: plain retrieval, for comparison."""
        if k < 1:
            raise InputError(f"k is {k}; a search is for at least one turn")
        (embedding,) = await self._connection.embedder.embed([question])
        return await self._connection.reader.search_turns(
            self.id, embedding, k, as_of=as_of, exact_limit=self._settings.exact_search_limit
        )

    async def ask(
        self,
        question: str,
        k: int | None = None,
        *,
        style: BlockStyle = _DEFAULT_STYLE,
        as_of: AsOf | None = None,
        hybrid: bool = False,
    ) -> Answer:
        """The answer: by a temporal operator where one fits, else by the model from the marked evidence, else
        the evidence itself. `Answer.path` says which. With `hybrid`, evidence is that of `hybrid_evidence`.

        Raises:
            ModelUnavailable, BadReply: the model is needed and fails.
        """
        point = as_of or self.now()
        return await self._asker(point, k, style, hybrid).ask(question, point)

    async def answer_by_law(self, question: str, *, as_of: AsOf | None = None) -> Answer | None:
        """The answer of a temporal operator alone, as `ask` would give it; None where none fits the question."""
        point = as_of or self.now()
        answer, _ = await self._asker(point, None, _DEFAULT_STYLE).by_law(question, point)
        return answer

    async def facts(
        self,
        *,
        subject: str | None = None,
        relation: str | None = None,
        as_of: AsOf | None = None,
        policy: Policy = "effective",
    ) -> list[MarkedFact]:
        """All facts, or those of a subject or relation, in source order with their status."""
        found = self._connection.reader.facts(
            self.id,
            as_of=as_of or self.now(),
            policy=policy,
            subject_key=fold(subject) if subject is not None else None,
            relation_key=self._catalog.get(relation).key if relation is not None else None,
        )
        return [fact async for fact in found]

    async def history(
        self,
        subject: str,
        relation: str | None = None,
        *,
        as_of: AsOf | None = None,
        policy: OrderPolicy = OrderPolicy.EFFECTIVE,
    ) -> list[GroupHistory]:
        """The timelines of a subject, of one relation or of all; a multi-valued relation has one per object,
        in which liking and disliking it alternate. A slot counts as a relation: `favourite drink`.

        Raises:
            NotFound: nothing is known about that subject.
        """
        facts = [marked.fact for marked in await self.facts(subject=subject)]
        if not facts and fold(subject) not in {s.key for s in await self.subjects()}:
            raise NotFound(
                f"memory {self.id!r} knows nobody called {subject!r}", hint="`tem-graph facts` shows who is known"
            )
        if relation is not None:
            schema, slot = GroupRef(subject=subject, relation=relation).resolve(self._catalog)
            wanted = {f.group for f in facts if f.relation.key == schema.key and slot in (None, f.slot)}
            facts = [f for f in facts if f.group in wanted]
        return group_histories(facts, as_of or self.now(), policy)

    async def operator(
        self, name: str, *, as_of: AsOf | None = None, policy: OrderPolicy = OrderPolicy.EFFECTIVE, **arguments: object
    ) -> Result:
        """The answer of a temporal operator, with the versions that prove it; no model is asked.

            await memory.operator("before", subject="Ana", relation="residence", value="Porto")

        Raises:
            UnknownOperator: no such operator, or arguments that it does not take.
        """
        return await self._resolver().apply(make_call(name, arguments), as_of or self.now(), policy)

    async def conflicts(self, *, as_of: AsOf | None = None) -> list[MarkedFact]:
        """Facts that contradict another of the same place, with nothing later to settle it (law 5)."""
        return await self._connection.reader.conflicts(self.id, as_of=as_of or self.now(), policy="effective")

    async def merge_subjects(self, name: str, into: str, *, by: str, why: str) -> int:
        """How many facts now count as facts about `into`: two names for one, said explicitly and taken back by
        `split_subject`. Each fact keeps the name that it was told under. An unknown `name` becomes an alias.

        Raises:
            NotFound: nothing is known about `into`.
            Conflict: `name` is merged already, or the merge would run in a circle.
        """
        return await merge_subjects(
            self._connection.graph, self._catalog, self.id, name, into, by=by, why=why, at=self._clock.now()
        )

    async def split_subject(self, name: str) -> int:
        """How many facts count as facts about `name` again, its merge taken back.

        Raises:
            NotFound: `name` is not merged into another subject.
        """
        return await split_subject(self._connection.graph, self._catalog, self.id, name, at=self._clock.now())

    async def subjects(self) -> list[SubjectInfo]:
        return await self._connection.reader.subjects(self.id)

    async def sessions(self) -> list[SessionInfo]:
        """The stored sessions in source order, with how many turns, facts and rejections each brought."""
        return await self._connection.reader.sessions(self.id)

    async def turns(self, session: str | None = None) -> list[tuple[str, Turn]]:
        """(session id, turn) in order."""
        return await self._connection.reader.turns(self.id, session)

    async def events(self, session: str | None = None) -> list[Event]:
        """What happened, in source order, of one session or of all; each with the turns behind it."""
        return await self._connection.reader.events(self.id, session)

    async def notes(self, session: str | None = None) -> list[Note]:
        """Plans, conditions and opinions, in source order, of one session or of all."""
        return await self._connection.reader.notes(self.id, session)

    async def rejected(self, session: str | None = None) -> list[tuple[str, Rejection]]:
        """(session id, candidate that was not believed, with the reason)."""
        return await self._connection.reader.rejections(self.id, session)

    async def outcomes(self) -> list[Outcome]:
        """How the last reading of each session ended."""
        return await self._connection.reader.outcomes(self.id)

    async def bookmarks(self) -> tuple[str, ...]:
        """Where this process has written to, for another one that must see it (`catch_up`): only a cluster, where a
        read may go to a server that lags behind, makes a difference."""
        return await self._connection.graph.bookmarks()

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """From now on this connection sees what another process had written when it gave these bookmarks."""
        await self._connection.graph.catch_up(bookmarks)

    async def memories(self) -> list[MemoryInfo]:
        """Every memory of the database: ids and sizes, for its operator."""
        return await self._connection.reader.memories()

    # Whole memories ---------------------------------------------------------------------------------------

    async def export(self, to: TextIO, *, with_embeddings: bool = False) -> int:
        """The number of lines written: the whole memory as JSON Lines, one record a line, in an order of its own.

        Raises:
            NotFound: there is no such memory.
            Conflict: it was written to meanwhile; what is in `to` cannot be imported.
        """
        count = 0
        async for line in export_memory(
            self._connection.graph, self._catalog, self.id, with_embeddings=with_embeddings
        ):
            to.write(line)
            count += 1
        return count

    async def import_(self, lines: Iterable[str]) -> Transfer:
        """What was imported from an export (an open file will do) into this memory, which must be empty.

        Raises:
            InputError: the file is damaged, cut or of another version; then nothing is stored.
            Conflict: the memory is not empty.
        """
        connection = self._connection
        return await import_memory(
            connection.graph,
            self._catalog,
            connection.embedder,
            self._clock,
            self.id,
            lines,
            with_passages=self._settings.passages == "all",
        )

    # Points in time ---------------------------------------------------------------------------------------

    def now(self) -> AsOf:
        """The present: today by the clock, in the setting `timezone`."""
        return AsOf(self._clock.now().astimezone(self._settings.zone).date())

    async def as_of(self, *, valid_at: date | None = None, known_after: str | int | None = None) -> AsOf:
        """A point in both orders: true on a day, as known after a session (its id, or its place from 1).

        Raises:
            NotFound: there is no such session.
        """
        key = None
        if known_after is not None:
            sessions = await self.sessions()
            matching = [
                s for s in sessions
                if s.id == known_after or known_after == (s.index if s.index is not None else s.place)
            ]  # fmt: skip
            if not matching:
                raise NotFound(
                    f"memory {self.id!r} has no session {known_after!r}", hint="`tem-graph sessions` lists them"
                )
            key = max(s.source_key for s in matching)
        return AsOf(self.now().today, valid_at, key)

    # Forgetting -------------------------------------------------------------------------------------------

    async def forget_session(self, session: str, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed, by kind: the session and everything that came from it.

        Raises:
            NotFound: there is no such session.
        """
        counts = await self._connection.reader.count_contents("count_session_contents", self.id, session=session)
        if not counts["sessions"]:
            raise NotFound(f"memory {self.id!r} has no session {session!r}", hint="`tem-graph sessions` lists them")
        if not dry_run:
            await writes.forget_session(self._connection.graph, self.id, session, at=self._clock.now())
        return counts

    async def forget_subject(self, subject: str, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed: the subject, its facts and the rejected candidates about it. Turns
        that speak of it stay; forget their sessions to remove those too.

        Raises:
            NotFound: nothing is known about that subject.
        """
        key = fold(subject)
        counts = await self._connection.reader.count_contents("count_subject_contents", self.id, subject=key)
        if not any(counts.values()):
            raise NotFound(f"memory {self.id!r} knows nobody called {subject!r}")
        if not dry_run:
            await writes.forget_subject(self._connection.graph, self.id, key, at=self._clock.now())
        return counts

    async def forget_memory(self, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed: everything in this memory, for good.

        Raises:
            NotFound: there is no such memory.
        """
        await self._connection.reader.require_memory(self.id)
        counts = await self._connection.reader.count_contents("count_memory_contents", self.id)
        if not dry_run:
            await writes.forget_memory(self._connection.graph, self.id)
        return counts

    # Wiring -----------------------------------------------------------------------------------------------

    @property
    def _connection(self) -> _Connection:
        if self._open is None:
            raise SettingsError("the memory is not open", hint="use it in `async with` (or `with`, for TemporalMemory)")
        if self._open.loop is not asyncio.get_running_loop():
            raise SettingsError(
                "this AsyncTemporalMemory was opened in another event loop",
                hint="open one per asyncio.run, or use TemporalMemory, which works from every thread",
            )
        return self._open

    def _asker(self, point: AsOf, k: int | None, style: BlockStyle, hybrid: bool = False) -> Asker:
        async def evidence(asked: str) -> MemoryBlock | HybridEvidence:
            if hybrid:
                return await self.hybrid_evidence(asked, marks=style.marks, as_of=point)
            return await self.evidence(asked, k, style=style, as_of=point)

        return Asker(
            law=self._resolver(),
            router=self._ready_router(),
            hops=self._rules,
            model=self._ready_model(),
            evidence=evidence,
            max_tokens=self._settings.answer_max_tokens,
            user=self._settings.user,
            chains=self._connection.chains if self._settings.open_vocabulary else None,
        )

    def _resolver(self) -> Resolver:
        return Resolver(self._connection.reader, self.id, self._catalog)

    def _ready_extractor(self) -> Extractor:
        if self._extractor is None:
            self._extractor = make_extractor(self._settings, self._catalog, self._ready_model())
        return self._extractor

    def _ready_router(self) -> Router:
        if self._router is None:
            model = self._ready_model() if self._settings.router == "rules+model" else None
            self._router = self._rules if model is None else FirstOf((self._rules, ModelRouter(model)))
        return self._router

    def _ready_model(self) -> ChatModel | None:
        if self._model is None:
            self._model = make_model(self._settings)
        return self._model

    async def _write_facts(self, facts: Sequence[Fact]) -> int:
        vectors = await self._connection.embedder.embed([f.text for f in facts])
        embeddings = {fact.id: vector for fact, vector in zip(facts, vectors, strict=True)}
        return await writes.add_facts(self._connection.graph, self.id, facts, embeddings, at=self._clock.now())


def group_histories(facts: Iterable[Fact], as_of: AsOf, policy: OrderPolicy) -> list[GroupHistory]:
    """The version groups among these facts, each with its timeline, by subject, relation and first telling."""
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.group, []).append(fact)
    histories = []
    for members in groups.values():
        first = members[0]
        histories.append(
            GroupHistory(
                subject=first.subject,
                relation=first.relation.name,
                slot=first.slot,
                object=first.object if first.per_object else None,
                timeline=build_timeline(members, as_of, policy),
            )
        )
    return sorted(histories, key=lambda h: (fold(h.subject), relation_key(h.relation), h.slot or ""))


def find_address(settings: Settings) -> Address:
    """Where Neo4j is: the configured server, else the local one that `tem-graph server start` runs.

    Raises:
        SettingsError: NEO4J_URI without a password.
        ServerError: no local server is running.
    """
    if settings.neo4j_uri is None:
        from tem_graph.server import LocalServer, named_home

        local = LocalServer(named_home(settings.home, settings.server), settings.cache).connection()
        return Address(local.uri, local.username, local.password, local.database)
    if settings.neo4j_password is None:
        raise SettingsError("NEO4J_URI is set but NEO4J_PASSWORD is not", hint="set NEO4J_PASSWORD")
    return Address(
        settings.neo4j_uri,
        settings.neo4j_username,
        settings.neo4j_password.get_secret_value(),
        settings.neo4j_database,
    )
