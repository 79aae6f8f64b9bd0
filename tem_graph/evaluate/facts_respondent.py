"""Answers from given facts, in this process: operator sets bring their facts, so there is nothing to read or to store.

It is the same law over the same facts as in the graph; `--typed` takes operator and arguments from the set, else the
English question alone decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Self

from tem_graph.answer.ask import Answer, Asker
from tem_graph.answer.resolve import FactsAtHand
from tem_graph.answer.rules import ENGLISH, RULES
from tem_graph.answer.wording import word
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.fact import Fact, Status
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf
from tem_graph.embed.choose import make_embedder
from tem_graph.errors import EvaluationError, TemGraphError
from tem_graph.evaluate.configurations import Configuration
from tem_graph.evaluate.counting import make_counter
from tem_graph.evaluate.job import UNDATED, Job
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.respond import Evidence, Sitting
from tem_graph.ingest.by_hand import facts_by_hand
from tem_graph.llm.choose import make_model
from tem_graph.ports import ChatModel, Embedder, TokenCounter
from tem_graph.retrieve.block import BlockStyle, MemoryBlock, render_block
from tem_graph.temporal.registry import make_call
from tem_graph.temporal.status import mark_status

FAR_FUTURE = date(2100, 1, 1)
"""Today, for a question that names none and whose set gives none: everything told has come by then."""


@dataclass
class FactsRespondent:
    """Nothing to open but a model, where one answers the rest."""

    job: Job
    model: ChatModel | None
    counter: TokenCounter
    catalog: RelationCatalog
    _embedder: Embedder | None = None
    _facts: dict[str, tuple[Fact, ...]] = field(default_factory=dict, init=False)

    @classmethod
    async def open(cls, job: Job) -> Self:
        """Ready to answer; the embedder is loaded when a question has more facts than the evidence holds."""
        adapters, settings = job.adapters, job.settings
        model = None if job.spec.no_model else adapters.model or make_model(settings)
        counter = adapters.counter or make_counter(settings, tokenizer=job.tokenizer, has_model=model is not None)
        return cls(job, model, counter, settings.catalog(), adapters.embedder)

    async def aclose(self) -> None:
        if self.model is not None:
            await self.model.aclose()

    async def build(self, group: str, on_outcome: Callable[[Outcome], None]) -> None:
        """Nothing: the facts are given."""

    async def forget(self, group: str) -> None:
        """Nothing: nothing was stored."""

    async def bookmarks(self) -> tuple[str, ...]:
        """None: nothing was written."""
        return ()

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """Nothing: there is nothing to see."""

    async def answer(self, config: Configuration, question: Question) -> LogLine:
        """The line of the log, errors included."""
        limit = self.job.spec.model.answer_max_tokens if self.job.spec.model else 0
        return await Sitting(config, question, self.model, limit).run(self._answer)

    async def _answer(self, sitting: Sitting) -> None:
        question, config = sitting.question, sitting.config
        facts, as_of = self._given(question), AsOf(today_of(question))
        if config is Configuration.TEM_OPERATORS:
            answer = await self._by_law(question, facts, as_of)
            if answer is not None:
                proving = {fact.id for fact in answer.facts}
                marked = [m for m in mark_all(facts, as_of) if m.fact.id in proving]
                sitting.note_evidence(self._block(marked, marks=True))
                sitting.note_law(answer)
                return
            config = Configuration.TEM_STATUS
        await sitting.ask_the_model(await self._evidence(config, question, facts, as_of))

    async def _by_law(self, question: Question, facts: tuple[Fact, ...], as_of: AsOf) -> Answer | None:
        law = FactsAtHand(facts, self.catalog)
        if self.job.spec.typed:
            if question.operator is None:
                raise EvaluationError(f"question {question.id!r} names no operator", hint="leave --typed away")
            call = make_call(question.operator, question.args)
            result = await law.apply(call, as_of)
            return Answer(
                word(result),
                "operator",
                operator=result.operator,
                arguments=call.arguments,
                result=result,
                facts=result.facts,
                note=result.sentence or None,
            )

        async def no_evidence(asked: str) -> MemoryBlock:
            raise AssertionError("the law alone is asked")

        asker = Asker(law=law, router=ENGLISH, hops=RULES, model=self.model, evidence=no_evidence)
        answer, _ = await asker.by_law(question.text, as_of)
        return answer

    def _given(self, question: Question) -> tuple[Fact, ...]:
        if question.group not in self._facts:
            try:
                self._facts[question.group] = facts_by_hand(
                    self.job.data.facts[question.group],
                    self.catalog,
                    memory="operators",
                    recorded_at=UNDATED,
                    zone=self.job.settings.zone,
                    stored={},
                )
            except TemGraphError as error:
                raise EvaluationError(f"question {question.id!r}: {error.message}", hint=error.hint) from error
        return self._facts[question.group]

    async def _evidence(
        self, config: Configuration, question: Question, facts: tuple[Fact, ...], as_of: AsOf
    ) -> Evidence:
        marked = mark_all(facts, as_of)
        if config is Configuration.OVERWRITE:
            marked = [hit for hit in marked if hit.status is not Status.HISTORICAL]
        limit = self.job.spec.retrieval.limit
        if len(marked) > limit:
            marked = await self._best(marked, question.text, limit)
        return self._block(marked, marks=config is Configuration.TEM_STATUS)

    async def _best(self, marked: list[MarkedFact], question: str, limit: int) -> list[MarkedFact]:
        """Those with the highest score, cosine similarity × relation weight (TEM, section 3.3); ties by id."""
        if self._embedder is None:
            self._embedder = make_embedder(self.job.settings, cached=True)
        asked, *vectors = await self._embedder.embed([question, *(hit.fact.text for hit in marked)])
        scores = {
            hit.fact.id: sum(a * b for a, b in zip(asked, vector, strict=True)) * hit.fact.relation.weight
            for hit, vector in zip(marked, vectors, strict=True)
        }
        return sorted(marked, key=lambda hit: (-scores[hit.fact.id], hit.fact.id))[:limit]

    def _block(self, hits: list[MarkedFact], *, marks: bool) -> Evidence:
        block = render_block(hits, BlockStyle(marks=marks, legend=False), self.counter)
        return Evidence(block.text, block.tokens or 0)


def today_of(question: Question) -> date:
    """The day from which a question is asked: the set's `today`, else its argument `until`, else far ahead."""
    for given in (question.metadata.get("today"), question.args.get("until")):
        if isinstance(given, str) and len(given) >= 10:
            return date.fromisoformat(given[:10])
    return FAR_FUTURE


def mark_all(facts: tuple[Fact, ...], as_of: AsOf) -> list[MarkedFact]:
    """Every fact with the status that its whole group gives it. Pure."""
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.group, []).append(fact)
    statuses = {id_: status for group in groups.values() for id_, status in mark_status(group, as_of).items()}
    return [MarkedFact(fact, statuses[fact.id]) for fact in facts]
