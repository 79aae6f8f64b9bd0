"""From a question under one configuration to a line of the log; what asks the memory and what the facts share.

An error of ours becomes part of the line, beside what was known before it. A bug is no sample: it ends the run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from time import perf_counter
from typing import Protocol

from tem_graph.answer.ask import Answer
from tem_graph.domain.extraction import Usage
from tem_graph.domain.outcome import Outcome
from tem_graph.errors import ModelError, TemGraphError
from tem_graph.evaluate.configurations import Configuration
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.reply import ask_model
from tem_graph.ports import ChatModel
from tem_graph.temporal.result import to_expected


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a configuration hands to the model. `turns` are ids as the data set spells them."""

    text: str
    tokens: int
    turns: tuple[str, ...] = ()
    note: str | None = None


class Respondent(Protocol):
    """Builds memories and answers. One per process; `answer` may be called many times at once."""

    async def build(self, group: str, on_outcome: Callable[[Outcome], None]) -> None:
        """The group's memory is there, whole; harmless to repeat.

        Raises:
            ModelUnavailable, GraphUnavailable: nobody answered; what was stored stays stored.
        """
        ...

    async def answer(self, config: Configuration, question: Question) -> LogLine:
        """The line of the log, errors included."""
        ...

    async def forget(self, group: str) -> None:
        """The group's memory is gone."""
        ...

    async def bookmarks(self) -> tuple[str, ...]:
        """What has been written, for a respondent in another process that is to see it."""
        ...

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """It is seen from now on."""
        ...

    async def aclose(self) -> None: ...


@dataclass
class Sitting:
    """One question under one configuration, while it is being answered."""

    config: Configuration
    question: Question
    model: ChatModel | None
    max_tokens: int
    line: LogLine = field(init=False)
    usage: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        q = self.question
        self.line = LogLine(
            id=q.id, config=self.config, question=q.text, kind=q.kind, group=q.group, metadata=dict(q.metadata)
        )

    async def run(self, work: Callable[[Sitting], Awaitable[None]]) -> LogLine:
        """The finished line: what `work` noted, tokens and seconds, and its error if it failed."""
        started = perf_counter()
        try:
            await work(self)
        except TemGraphError as error:
            if isinstance(error, ModelError):
                self.usage += Usage(error.calls, error.prompt_tokens, error.output_tokens)
            self.note(error=f"{type(error).__name__}: {error.message}", retryable=error.retryable, path=None)
        return self.line.model_copy(
            update={
                "seconds": round(perf_counter() - started, 4),
                "calls": self.usage.calls,
                "prompt_tokens": self.usage.prompt_tokens,
                "output_tokens": self.usage.output_tokens,
            }
        )

    def note(self, **fields: object) -> None:
        self.line = self.line.model_copy(update=fields)

    def note_evidence(self, evidence: Evidence) -> None:
        self.note(
            evidence=evidence.text,
            evidence_tokens=evidence.tokens,
            evidence_turns=evidence.turns,
            note=evidence.note,
        )

    def note_law(self, answer: Answer) -> None:
        """An operator's answer, with its typed result."""
        self.usage += answer.usage
        self.note(
            path="operator",
            answer=answer.text,
            operator=answer.operator,
            args=answer.arguments or None,
            result=to_expected(answer.result) if answer.result is not None else None,
            note=answer.note,
        )

    async def ask_the_model(self, evidence: Evidence) -> None:
        """The model's answer from the evidence; without a model, the evidence alone."""
        self.note_evidence(evidence)
        if self.model is None:
            self.note(path="evidence")
            return
        asked_on = self.question.metadata.get("asked_on")
        answered = await ask_model(
            self.model,
            self.question.text,
            evidence.text,
            max_tokens=self.max_tokens,
            asked_on=asked_on if isinstance(asked_on, str) else None,
        )
        self.usage += answered.reply.usage
        self.note(
            path="model",
            raw_reply=answered.reply.text,
            answer=answered.answer,
            finish_reason=answered.reply.finish_reason,
        )
