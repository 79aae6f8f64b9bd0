"""From a question to an answer: by the law where an operator fits, else by the model from marked evidence.

Which of the two it was stands in the answer. Nothing is guessed in silence: without a model, a question that no
operator fits gets its evidence and the plain statement that no model is set.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Literal

from tem_graph.answer.chain import ChainFinder
from tem_graph.answer.hops import resolve_hops
from tem_graph.answer.resolve import Law
from tem_graph.answer.route import Router
from tem_graph.answer.rules import RulesRouter
from tem_graph.answer.wording import word
from tem_graph.domain.extraction import Usage
from tem_graph.domain.fact import Fact
from tem_graph.domain.time import AsOf
from tem_graph.errors import BadReply
from tem_graph.llm.structured import without_thinking
from tem_graph.ports import ChatMessage, ChatModel
from tem_graph.prompts.loader import load_prompt
from tem_graph.retrieve.block import MemoryBlock
from tem_graph.retrieve.hybrid import HybridEvidence
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.registry import Call
from tem_graph.temporal.result import Result, ResultStatus

SURE = 0.7
"""Confidence from which a routed operator answers alone (see `Routed.confidence`)."""

NO_MODEL = "No language model is set, and no operator fits this question. This is the evidence for it:"
_UNKNOWN = {ResultStatus.NO_SUCH_SUBJECT, ResultStatus.NO_SUCH_RELATION}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer and how it came to be.

    `path` is `operator` (the law answered, exactly), `model` (a model answered from `block`) or `evidence`
    (nobody answered; `block` is what is known). `facts` are the versions that prove an operator's answer.
    `note` says what a reader should know: what was counted, which choice was made, why there is no answer.
    """

    text: str
    path: Literal["operator", "model", "evidence"]
    operator: str | None = None
    arguments: dict[str, object] = field(default_factory=dict)
    result: Result | None = None
    facts: tuple[Fact, ...] = ()
    block: MemoryBlock | HybridEvidence | None = None
    note: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Asker:
    """Answers questions about one memory. `evidence` fetches the memory block when it is needed."""

    law: Law
    router: Router
    hops: RulesRouter
    model: ChatModel | None
    evidence: Callable[[str], Awaitable[MemoryBlock | HybridEvidence]]
    max_tokens: int = 512
    user: str | None = None
    """Who "I" is in a question."""
    chains: ChainFinder | None = None
    """Answers over relations that no catalog lists; set in open vocabulary mode."""

    async def ask(self, question: str, as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> Answer:
        """The answer to one question.

        Raises:
            ModelUnavailable: the model is needed and does not answer.
            BadReply: the model answered with nothing.
        """
        started = perf_counter()
        by_law, spent = await self.by_law(question, as_of, policy)
        if by_law is not None:
            return by_law
        block = await self.evidence(question)
        if self.model is None:
            return Answer(
                NO_MODEL, "evidence", block=block, note=NO_MODEL, usage=spent, seconds=perf_counter() - started
            )
        text, usage = await self._from_model(self.model, question, block)
        return Answer(
            text=text,
            path="model",
            block=block,
            facts=tuple(hit.fact for hit in block.facts),
            model=self.model.name,
            usage=spent + usage,
            seconds=perf_counter() - started,
        )

    async def by_law(
        self, question: str, as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE
    ) -> tuple[Answer | None, Usage]:
        """The answer of a temporal operator, or None where none fits and `ask` turns to the evidence; and what
        finding that out cost (a router may ask the model)."""
        started = perf_counter()
        known = await self.law.known(as_of, self.user)

        async def resolve(call: Call) -> Result:
            return await self.law.apply(call, as_of, policy)

        if self.chains is not None and (found := await self.chains.find(question, known, resolve)):
            return _from_operator(found.calls[-1], found.result, started), Usage()
        chain = await resolve_hops(question, known, self.hops, resolve)
        if chain is not None and (chain.result.is_found or self.model is None):
            return _from_operator(chain.steps[-1].call, chain.result, started), Usage()
        routed = await self.router.route(question, known)
        spent = routed.usage if routed else Usage()
        if routed is not None and routed.is_ambiguous:
            which = Answer(
                text="Which do you mean: " + ", ".join(routed.choices) + "?",
                path="operator",
                note=routed.reading,
                usage=spent,
                seconds=perf_counter() - started,
            )
            return which, spent
        if routed is not None and routed.call is not None and routed.confidence >= SURE:
            result = await self.law.apply(routed.call, as_of, policy)
            if self.model is None or result.status not in _UNKNOWN:
                return _from_operator(routed.call, result, started, spent, whether=routed.asks_whether), spent
        return None, spent

    async def _from_model(
        self, model: ChatModel, question: str, block: MemoryBlock | HybridEvidence
    ) -> tuple[str, Usage]:
        prompt = load_prompt("answer_hybrid" if isinstance(block, HybridEvidence) else "answer")
        messages = [
            ChatMessage("system", prompt.text),
            ChatMessage("user", f"{block.text}\n\nQuestion: {question}"),
        ]
        reply = await model.chat(messages, max_tokens=self.max_tokens)
        text = without_thinking(reply.text).strip()
        if not text:
            raise BadReply(f"model {model.name} answered with nothing", hint="try again, or raise answer_max_tokens")
        return text, reply.usage


def _from_operator(
    call: Call, result: Result, started: float, usage: Usage | None = None, *, whether: bool = False
) -> Answer:
    return Answer(
        text=word(result, whether=whether),
        path="operator",
        operator=result.operator,
        arguments=call.arguments,
        result=result,
        facts=result.facts,
        note=result.sentence or None,
        usage=usage or Usage(),
        seconds=perf_counter() - started,
    )
