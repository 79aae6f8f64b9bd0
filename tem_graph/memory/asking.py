"""Verbs that ask a memory and change nothing."""

from __future__ import annotations

import asyncio
from datetime import date
from os import PathLike
from typing import Literal, TextIO

from tem_graph.answer.ask import Answer, Asker
from tem_graph.answer.question_time import times_in
from tem_graph.answer.resolve import Resolver
from tem_graph.answer.route import FirstOf, Router
from tem_graph.answer.route_model import ModelRouter
from tem_graph.answer.rules import ENGLISH, RULES
from tem_graph.domain.conversation import Event, Note, Turn
from tem_graph.domain.evidence import MarkedFact, ScoredPassage
from tem_graph.domain.extraction import Rejection
from tem_graph.domain.names import fold
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.time import AsOf
from tem_graph.embed.tokens import EstimateCounter
from tem_graph.errors import InputError, NotFound
from tem_graph.graph.store import MemoryInfo, SessionInfo, SubjectInfo
from tem_graph.memory.history import GroupHistory, group_histories
from tem_graph.memory.opened import Opened
from tem_graph.ports import TokenCounter
from tem_graph.retrieve.block import BlockStyle, MemoryBlock, render_block
from tem_graph.retrieve.hybrid import BUDGET_TOKENS, HybridEvidence, hybrid_evidence
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.registry import GroupRef, make_call
from tem_graph.temporal.result import Result
from tem_graph.transfer import export_memory
from tem_graph.transfer.files import AnyPath, written_whole

Policy = Literal["effective", "source", "paper"]
"""Law 4: `effective` by default; `source` is TEM's order; `paper` is TEM's bare rule as well (law 10)."""

_DEFAULT_STYLE = BlockStyle()


class Asking(Opened):
    """Searches, evidence, answers, operators and lists, all bound to one memory."""

    async def search(
        self, question: str, k: int | None = None, *, as_of: AsOf | None = None, policy: Policy = "effective"
    ) -> list[MarkedFact]:
        """The `k` facts nearest to the question, best first, each with the status that its whole group gives
        it. Score: cosine similarity × relation weight (TEM, section 3.3). One embedding, one round trip.
        """
        if k is not None and k < 1:
            raise InputError(f"k is {k}; a search is for at least one fact")
        (embedding,) = await self._connection.embedder.embed([_asked(question)])
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
        (embedding,) = await connection.embedder.embed([_asked(question)])
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
        (embedding,) = await self._connection.embedder.embed([_asked(question)])
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
        return await self._asker(point, k, style, hybrid).ask(_asked(question), point)

    async def answer_by_law(self, question: str, *, as_of: AsOf | None = None) -> Answer | None:
        """The answer of a temporal operator alone, as `ask` would give it; None where none fits the question."""
        point = as_of or self.now()
        answer, _ = await self._asker(point, None, _DEFAULT_STYLE).by_law(_asked(question), point)
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

    async def exists(self) -> bool:
        """Whether anything was ever put into this memory. Reading one that does not exist finds nothing, as in a new
        one; ask this where a mistyped id must not pass for an empty memory."""
        return await self._connection.reader.memory_exists(self.id)

    async def memories(self) -> list[MemoryInfo]:
        """Every memory of the database: ids and sizes, for its operator."""
        return await self._connection.reader.memories()

    async def export(self, to: TextIO | AnyPath, *, with_embeddings: bool = False) -> int:
        """The number of lines written: the whole memory as JSON Lines, one record a line, in an order of its own.

        `to` is an open text file or a path. A file of that path is replaced, once the export is complete.

        Raises:
            NotFound: there is no such memory.
            Conflict: it was written to meanwhile; what is in an open file `to` cannot be imported.
            InputError: the path cannot be written.
        """
        if isinstance(to, str | PathLike):
            with written_whole(to) as stream:
                return await self.export(stream, with_embeddings=with_embeddings)
        count = 0
        lines = export_memory(self._connection.graph, self._catalog, self.id, with_embeddings=with_embeddings)
        async for line in lines:
            to.write(line)
            count += 1
        return count

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

    def _asker(self, point: AsOf, k: int | None, style: BlockStyle, hybrid: bool = False) -> Asker:
        async def evidence(asked: str) -> MemoryBlock | HybridEvidence:
            if hybrid:
                return await self.hybrid_evidence(asked, marks=style.marks, as_of=point)
            return await self.evidence(asked, k, style=style, as_of=point)

        return Asker(
            law=self._resolver(),
            router=self._ready_router(),
            hops=RULES,
            model=self._ready_model(),
            evidence=evidence,
            max_tokens=self._settings.answer_max_tokens,
            user=self._settings.user,
            chains=self._connection.chains if self._settings.open_vocabulary else None,
        )

    def _resolver(self) -> Resolver:
        return Resolver(self._connection.reader, self.id, self._catalog)

    def _ready_router(self) -> Router:
        if self._router is None:
            model = self._ready_model() if self._settings.router == "rules+model" else None
            self._router = ENGLISH if model is None else FirstOf((ENGLISH, ModelRouter(model)))
        return self._router


def _asked(question: str) -> str:
    """The question.

    Raises:
        InputError: it says nothing.
    """
    if not question.strip():
        raise InputError("the question is empty", hint="ask in a few words, such as: Where did Ana live before Porto?")
    return question
