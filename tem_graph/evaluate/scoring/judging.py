"""Asks a judge about the answers of a log and writes each verdict down as it comes.

Judging that was killed goes on where it stopped. A second judge, or a second prompt, leaves the first one's verdicts
beside its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Protocol, runtime_checkable

from tem_graph.errors import BadReply, ModelRefused
from tem_graph.evaluate.log import LogLine, read_log
from tem_graph.evaluate.questions import Question, read_questions
from tem_graph.evaluate.scoring.samples import pair
from tem_graph.evaluate.scoring.verdict import (
    SCHEMA,
    JudgeQuestion,
    Verdict,
    judge_question,
    read_verdict,
    without_judge,
)
from tem_graph.evaluate.scoring.verdict_file import Judge, VerdictLine, appending, read_lines
from tem_graph.llm.structured import answer, ask
from tem_graph.ports import ChatModel
from tem_graph.prompts.loader import Prompt, load_prompt

MAX_TOKENS = 2_048
"""A verdict with its reason takes about 60; a judge that reasons first (gpt-oss at low effort) takes more. A guess."""


@runtime_checkable
class _TellsName(Protocol):
    """A model that knows its name only once its server has been asked (`OpenAIChat`)."""

    async def describe(self) -> tuple[str, int | None]: ...


@dataclass
class Judged:
    """What a round of judging did, and whose: answers by who decided, and what it cost."""

    judge: Judge
    answers: int = 0
    without_judge: int = 0
    known: int = 0
    """Judged before, or the same text as another answer."""
    asked: int = 0
    failed: int = 0
    """No usable reply: unresolved for now, and asked again the next time."""
    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    verdicts: dict[Verdict, int] = field(default_factory=dict)
    """Of those asked now."""

    def book(self, line: VerdictLine) -> None:
        self.asked += 1
        self.failed += line.error is not None
        self.calls += line.calls
        self.prompt_tokens += line.prompt_tokens
        self.output_tokens += line.output_tokens
        self.verdicts[line.verdict] = self.verdicts.get(line.verdict, 0) + 1


@dataclass(frozen=True, slots=True)
class _Case:
    line: LogLine
    asked: JudgeQuestion


async def judge_run(
    folder: Path,
    model: ChatModel,
    *,
    in_flight: int = 8,
    max_tokens: int = MAX_TOKENS,
    prompt_version: int | None = None,
    on_verdict: Callable[[int, int], None] | None = None,
) -> Judged:
    """Asks `model` about every answer of the run that it has not judged yet. Running it twice asks nothing twice.

    Args:
        on_verdict: is told (done, to do) after every verdict.

    Raises:
        EvaluationError: there is no log, or another process is judging this run.
        ModelUnavailable: the judge did not answer; what it said before is kept, and the next call goes on there.
    """
    prompt = load_prompt("judge", prompt_version)
    if isinstance(model, _TellsName):
        await model.describe()  # else the first verdicts would be booked under the server's address
    _, log = read_log(folder)
    answers = list(pair(log, read_questions(folder)))
    judged = Judged(Judge(model.name, prompt.label), answers=len(answers))
    with appending(folder) as file:
        known = {
            line.asked
            for line in read_lines(folder)
            if (line.judge, line.prompt) == (model.name, prompt.label) and line.error is None
        }
        cases = list(_open_cases(answers, prompt, known, judged))

        def keep(line: VerdictLine) -> None:
            file.write(line)
            judged.book(line)
            if on_verdict:
                on_verdict(judged.asked, len(cases))

        await _judge_all(cases, _Asking(model, prompt, max_tokens), keep, in_flight)
    return judged


def _open_cases(
    answers: Iterable[tuple[LogLine, Question]], prompt: Prompt, known: set[str], judged: Judged
) -> Iterator[_Case]:
    seen = set(known)
    for line, question in answers:
        if line.path == "evidence" or without_judge(line, question) is not None:
            judged.without_judge += 1
            continue
        asked = judge_question(line.answer, question, prompt)
        if asked.hash in seen:
            judged.known += 1
            continue
        seen.add(asked.hash)
        yield _Case(line, asked)


async def _judge_all(
    cases: Sequence[_Case], judge: _Asking, keep: Callable[[VerdictLine], None], in_flight: int
) -> None:
    waiting = iter(cases)

    async def work() -> None:
        for case in waiting:  # shared: each worker takes the next one
            keep(await judge.decide(case))

    workers = [asyncio.create_task(work()) for _ in range(min(in_flight, len(cases)))]
    try:
        await asyncio.gather(*workers)
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)


@dataclass
class _Asking:
    model: ChatModel
    prompt: Prompt
    max_tokens: int
    has_replied: bool = False

    async def decide(self, case: _Case) -> VerdictLine:
        started = perf_counter()
        said = VerdictLine(
            id=case.line.id,
            config=case.line.config,
            judge=self.model.name,
            prompt=self.prompt.label,
            asked=case.asked.hash,
            verdict=Verdict.UNRESOLVED,
        )
        flow = ask(case.asked.messages, read_verdict, about=f"verdict on {said.id!r} under {said.config}")
        try:
            answered = await answer(self.model, flow, max_tokens=self.max_tokens, schema=SCHEMA)
        except (BadReply, ModelRefused) as error:
            if isinstance(error, ModelRefused) and not self.has_replied:
                raise  # a wrong key or model name, not one request that is too long
            return said.model_copy(
                update={
                    "calls": error.calls,
                    "prompt_tokens": error.prompt_tokens,
                    "output_tokens": error.output_tokens,
                    "seconds": round(perf_counter() - started, 3),
                    "error": f"{type(error).__name__}: {error}",
                }
            )
        self.has_replied = True
        reply, usage = answered.value, answered.usage
        return said.model_copy(
            update={
                "verdict": reply.strict,
                "said": reply.verdict,
                "factual": reply.factual,
                "temporal": reply.temporal,
                "reason": reply.reason,
                "calls": usage.calls,
                "prompt_tokens": usage.prompt_tokens,
                "output_tokens": usage.output_tokens,
                "seconds": round(perf_counter() - started, 3),
            }
        )
