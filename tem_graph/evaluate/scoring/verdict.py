"""What a judge is asked about an answer, and how its reply is read. Pure.

Strict semantic scoring (TEM, sections 4.1 and 4.6): an answer is right if it meets the factual and the temporal
conditions of the reference. What the reference leaves open is unresolved, and counts as wrong in the lower bound of
a score and as right in the upper one. An empty or truncated answer is wrong, and no judge is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.llm.structured import parse_reply, strict_schema
from tem_graph.ports import ChatMessage, ChatReply
from tem_graph.prompts.loader import Prompt

ADVERSARIAL = "adversarial"
_DECLINES = (
    "no information available",
    "not mentioned",
    "does not say",
    "doesn't say",
    "do not say",
    "don't say",
    "does not mention",
    "doesn't mention",
    "not stated",
    "no such subject",
    "no such relation",
)
_FRAME = re.compile(r"<(\s*/?\s*(?:question|reference|supporting_turns|answer)\s*)>", re.IGNORECASE)
"""The tags of the frame, kept out of what stands in it."""

Grade = Literal["correct", "incorrect", "unclear"]


class Verdict(StrEnum):
    RIGHT = "right"
    WRONG = "wrong"
    UNRESOLVED = "unresolved"


_STRICTEST = (Verdict.WRONG, Verdict.UNRESOLVED, Verdict.RIGHT)
_AS_VERDICT: Mapping[str, Verdict] = {
    "correct": Verdict.RIGHT,
    "incorrect": Verdict.WRONG,
    "unclear": Verdict.UNRESOLVED,
}


class JudgeReply(BaseModel):
    """The judge's JSON object. The reason comes first, so that it is found before the grades are given."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    reason: str
    factual: Grade
    temporal: Grade
    verdict: Verdict

    @property
    def strict(self) -> Verdict:
        """The strictest of the verdict and the two grades: a judge that calls a wrong date right is overruled."""
        said = (self.verdict, _AS_VERDICT[self.factual], _AS_VERDICT[self.temporal])
        return min(said, key=_STRICTEST.index)


SCHEMA: Mapping[str, object] = strict_schema(JudgeReply)


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """What a judge is asked: the messages, and a hash of all that can change its verdict but the judge."""

    messages: tuple[ChatMessage, ...]
    hash: str


def without_judge(line: LogLine, question: Question) -> Verdict | None:
    """The verdict where none has to be asked for: failed, empty or truncated is wrong, and a question that has no
    answer (LoCoMo's category 5, LongMemEval's abstentions) is answered right by declining. None where a judge
    decides.
    """
    if line.error or line.is_truncated or not line.answer.strip():
        return Verdict.WRONG
    if question.kind == ADVERSARIAL or question.reference is None or question.metadata.get("is_abstention"):
        return Verdict.RIGHT if declines(line.answer) else Verdict.WRONG
    return None


def declines(answer: str) -> bool:
    """Whether the answer says that the evidence does not say: LoCoMo's two phrases, our prompt's sentence and its
    like. A guess of ours beyond the first two, and wider than LoCoMo's own rule; both are reported.

    >>> declines("The evidence does not say."), declines("Not mentioned in the conversation"), declines("Lakes")
    (True, True, False)
    """
    lowered = answer.lower().replace("’", "'")
    return any(phrase in lowered for phrase in _DECLINES)


def judge_question(answer: str, question: Question, prompt: Prompt) -> JudgeQuestion:
    """The messages for one answer. The same question, reference, turns and answer give the same hash."""
    turns = "\n".join(f"- {turn}" for turn in question.support) or "- none is named"
    parts = {
        "question": question.text,
        "reference": question.reference or "",
        "supporting_turns": turns,
        "answer": answer.strip(),
    }
    clean = {name: _FRAME.sub(r"(\1)", text) for name, text in parts.items()}
    framed = "\n".join(f"<{name}>\n{text}\n</{name}>" for name, text in clean.items())
    messages = (ChatMessage("system", prompt.text), ChatMessage("user", framed))
    return JudgeQuestion(messages, sha256(f"{prompt.label}\0{framed}".encode()).hexdigest()[:16])


def read_verdict(reply: ChatReply) -> JudgeReply:
    """The judge's reply as grades and verdict.

    Raises:
        ReplyProblem: no JSON object of that shape.
    """
    return parse_reply(reply, JudgeReply)
