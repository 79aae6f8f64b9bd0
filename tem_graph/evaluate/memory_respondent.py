"""Answers from memories in Neo4j: one per group, built by the job's extractor, asked under every configuration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self, cast

from tem_graph.clock import FixedClock
from tem_graph.domain.conversation import Session
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.extraction import Extraction
from tem_graph.domain.fact import Fact, Status
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.time import AsOf
from tem_graph.embed.choose import make_embedder
from tem_graph.errors import ModelRefused, ModelUnavailable
from tem_graph.evaluate.configurations import FACTS, HYBRID, RAG, Configuration, need_graph
from tem_graph.evaluate.counting import make_counter
from tem_graph.evaluate.datasets.shape import turn_id
from tem_graph.evaluate.job import Job, now_of
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.profiles import LONG_ANSWERS
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.reply import room_for_evidence
from tem_graph.evaluate.respond import Evidence, Sitting
from tem_graph.evaluate.turns import ChosenTurns, Place, choose_turns, full_context
from tem_graph.ingest.choose import make_extractor
from tem_graph.llm.choose import make_model
from tem_graph.memory import AsyncTemporalMemory, Policy
from tem_graph.ports import ChatModel, Extractor, TokenCounter
from tem_graph.retrieve.block import BlockStyle, render_block

TURNS_TO_RANK = 200
"""Turns that are ranked before a budget cuts: 1,024 tokens hold about 35 turns of LoCoMo, at five tokens each 200."""
_OVERFETCH = 4
NO_READER = "none"
"""Name of the extractor that reads nothing: plain turns are enough for the configurations that were asked for."""


class NoReader:
    """An extractor that reads nothing."""

    name = NO_READER

    async def extract(self, session: Session) -> Extraction:
        return Extraction(self.name)


class _Watched:
    """An extractor, and whether its model went away while it read: then the job has to stop, not to go on without."""

    def __init__(self, extractor: Extractor) -> None:
        self._extractor = extractor
        self.unavailable: ModelUnavailable | None = None

    @property
    def name(self) -> str:
        return self._extractor.name

    async def extract(self, session: Session) -> Extraction:
        if self.unavailable is not None:
            raise self.unavailable
        try:
            return await self._extractor.extract(session)
        except ModelUnavailable as error:
            if not isinstance(error, ModelRefused):
                self.unavailable = error
            raise


@dataclass
class MemoryRespondent:
    """`open` connects; `aclose` closes what was opened."""

    job: Job
    root: AsyncTemporalMemory
    model: ChatModel | None
    counter: TokenCounter
    extractor: Extractor
    _full: dict[str, ChosenTurns] = field(default_factory=dict, init=False)

    @classmethod
    async def open(cls, job: Job) -> Self:
        """Connected to Neo4j, with the job's model and embedder.

        Raises:
            SettingsError, GraphUnavailable, GraphRefused, SchemaMismatch: as `AsyncTemporalMemory`.
        """
        settings, adapters = job.settings, job.adapters
        model = None if job.spec.no_model else adapters.model or make_model(settings)
        counter = adapters.counter or make_counter(settings, tokenizer=job.tokenizer, has_model=model is not None)
        embedder = adapters.embedder or make_embedder(settings, cached=True)
        wanted = job.spec.retrieval.extractor
        extractor = (
            NoReader()
            if wanted == NO_READER
            else make_extractor(settings.model_copy(update={"extractor": wanted}), settings.catalog(), model)
        )
        root = AsyncTemporalMemory(
            f"evaluate-{job.spec.job}",
            settings=settings,
            address=adapters.address,
            extractor=extractor,
            embedder=embedder,
            model=model,
            counter=counter,
        )
        if need_graph(job.configs):
            await root.__aenter__()
        return cls(job, root, model, counter, extractor)

    async def aclose(self) -> None:
        await self.root.aclose()
        if self.model is not None:
            await self.model.aclose()

    # Building -----------------------------------------------------------------------------------------------

    async def build(self, group: str, on_outcome: Callable[[Outcome], None]) -> None:
        """The group's sessions are stored. Those that the model could not be read from are left out and logged.

        Raises:
            ModelUnavailable, GraphUnavailable: nobody answered; what was stored stays stored.
        """
        if not need_graph(self.job.configs):
            return
        sessions = self.job.data.conversations[group]
        watched = _Watched(self.extractor)
        memory = self._memory(group, extractor=watched)
        await memory.ingest(sessions, on_outcome=on_outcome)
        if watched.unavailable is not None:
            raise watched.unavailable

    async def forget(self, group: str) -> None:
        """The group's memory is gone."""
        memory = self._memory(group)
        if any(known.id == memory.id for known in await self.root.memories()):
            await memory.forget_memory()

    async def bookmarks(self) -> tuple[str, ...]:
        """What has been written, for a respondent in another process that is to see it."""
        return await self.root.bookmarks() if need_graph(self.job.configs) else ()

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """It is seen from now on."""
        if need_graph(self.job.configs):
            await self.root.catch_up(bookmarks)

    def _memory(self, group: str, extractor: Extractor | None = None) -> AsyncTemporalMemory:
        clock = FixedClock(now_of(self.job.data.conversations[group]))
        return self.root.for_memory(self.job.memory_of(group), clock=clock, extractor=extractor)

    # Answering ----------------------------------------------------------------------------------------------

    async def answer(self, config: Configuration, question: Question) -> LogLine:
        """The line of the log, errors included."""
        limit = self.job.spec.model.answer_max_tokens if self.job.spec.model else 0
        return await Sitting(config, question, self.model, limit).run(self._answer)

    async def _answer(self, sitting: Sitting) -> None:
        config, question = sitting.config, sitting.question
        if config is Configuration.TEM_OPERATORS:
            memory = self._memory(question.group)
            answer = await memory.answer_by_law(question.text, as_of=self._point(question))
            if answer is not None:
                sitting.note_evidence(await self._proof(memory, answer.facts, self._point(question)))
                sitting.note_law(answer)
                return
            config = Configuration.TEM_HYBRID_STATE if self._is_long else Configuration.TEM_STATUS
        await sitting.ask_the_model(await self._evidence(config, question))

    @property
    def _is_long(self) -> bool:
        return self.job.spec.job in LONG_ANSWERS

    def _point(self, question: Question) -> AsOf:
        return AsOf(now_of(self.job.data.conversations[question.group], question.metadata).date())

    async def _evidence(self, config: Configuration, question: Question) -> Evidence:
        if config is Configuration.FULL_CONTEXT:
            return self._full_context(question.group)
        if config in RAG:
            return await self._nearest_turns(config, question)
        if config in HYBRID:
            return await self._hybrid(config, question)
        assert config in FACTS, config
        return await self._facts(config, question)

    def _full_context(self, group: str) -> Evidence:
        if group not in self._full:
            spec = self.job.spec.model
            # Without a model nothing is cut: there is no window.
            room = room_for_evidence(spec.window, spec.answer_max_tokens, self.counter) if spec else 10**9
            self._full[group] = full_context(self.job.data.conversations[group], self.counter, room)
        chosen = self._full[group]
        note = f"cut at the window: the oldest {chosen.left_out} turns are left out" if chosen.left_out else None
        return Evidence(chosen.text, chosen.tokens, self._ids(group, chosen.turns), note)

    async def _nearest_turns(self, config: Configuration, question: Question) -> Evidence:
        retrieval = self.job.spec.retrieval
        budget = retrieval.rag_budget_tokens
        hits = await self._memory(question.group).search_turns(
            question.text, retrieval.limit if budget is None else TURNS_TO_RANK
        )
        chosen = choose_turns(
            hits,
            self.counter,
            limit=retrieval.limit,
            budget=budget,
            in_order=config is Configuration.SESSION_RAG,
        )
        return Evidence(chosen.text, chosen.tokens, self._ids(question.group, chosen.turns))

    async def _hybrid(self, config: Configuration, question: Question) -> Evidence:
        found = await self._memory(question.group).hybrid_evidence(
            question.text,
            budget_tokens=self.job.spec.retrieval.hybrid_budget_tokens,
            marks=config is Configuration.TEM_HYBRID_STATE,
            as_of=self._point(question),
        )
        return Evidence(found.text, found.tokens, self._ids(question.group, found.turns))

    async def _facts(self, config: Configuration, question: Question) -> Evidence:
        memory, limit = self._memory(question.group), self.job.spec.retrieval.limit
        if config is Configuration.OVERWRITE:
            hits = await self._holding(memory, question, limit)
        else:
            hits = await self._search(memory, question, limit)
        return self._block(hits, marks=config is Configuration.TEM_STATUS)

    async def _holding(self, memory: AsyncTemporalMemory, question: Question, limit: int) -> list[MarkedFact]:
        """The best facts among those that are not historical: more are fetched until enough of them are."""
        wanted = limit
        while True:
            wanted *= _OVERFETCH
            hits = await self._search(memory, question, wanted)
            holding = [hit for hit in hits if hit.status is not Status.HISTORICAL]
            if len(holding) >= limit or len(hits) < wanted:
                return holding[:limit]

    async def _search(self, memory: AsyncTemporalMemory, question: Question, k: int) -> list[MarkedFact]:
        policy = cast(Policy, self.job.spec.retrieval.policy)
        return await memory.search(question.text, k, as_of=self._point(question), policy=policy)

    async def _proof(self, memory: AsyncTemporalMemory, facts: Iterable[Fact], as_of: AsOf) -> Evidence:
        """The versions that prove an operator's answer, marked as their whole groups mark them."""
        proving = {fact.id for fact in facts}
        subjects = dict.fromkeys(fact.subject for fact in facts)
        marked = {m.fact.id: m for s in subjects for m in await memory.facts(subject=s, as_of=as_of)}
        return self._block([hit for id_, hit in marked.items() if id_ in proving], marks=True)

    def _block(self, hits: Sequence[MarkedFact], *, marks: bool) -> Evidence:
        block = render_block(hits, BlockStyle(marks=marks, legend=False), self.counter)
        return Evidence(block.text, block.tokens or 0)

    def _ids(self, group: str, places: Iterable[Place]) -> tuple[str, ...]:
        ids = self._turn_ids[group]
        return tuple(dict.fromkeys(ids[place] for place in places))

    @cached_property
    def _turn_ids(self) -> dict[str, dict[Place, str]]:
        return {
            group: {
                (session.id, turn.position): turn_id(session, turn) for session in sessions for turn in session.turns
            }
            for group, sessions in self.job.data.conversations.items()
        }
