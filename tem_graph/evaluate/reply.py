"""One answer of the model from evidence: the same prompt for every configuration."""

from __future__ import annotations

from dataclasses import dataclass

from tem_graph.llm.structured import without_thinking
from tem_graph.ports import ChatMessage, ChatModel, ChatReply, TokenCounter
from tem_graph.prompts.loader import Prompt, load_prompt

QUESTION_ROOM = 512
"""Tokens kept free for a question and the chat template when full context is cut. A guess: the longest question of
LoCoMo has 60."""


def answer_prompt() -> Prompt:
    """The prompt of every configuration; a new version is another evaluation."""
    return load_prompt("answer_evaluation", 1)


def room_for_evidence(window: int, answer_max_tokens: int, counter: TokenCounter) -> int:
    """Tokens that a window leaves for evidence beside prompt, question and answer; at least 0."""
    return max(0, window - answer_max_tokens - QUESTION_ROOM - counter.count(answer_prompt().text))


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A reply and what is scored of it: the text without a thinking block."""

    reply: ChatReply
    answer: str


async def ask_model(
    model: ChatModel, question: str, evidence: str, *, max_tokens: int, asked_on: str | None = None
) -> ModelAnswer:
    """The model's answer to the question from the evidence. `asked_on` is the day of the question, where it has one.

    Raises:
        ModelUnavailable: nobody answered, or the request was refused.
    """
    asked = f" (asked on {asked_on})" if asked_on else ""
    reply = await model.chat(
        [
            ChatMessage("system", answer_prompt().text),
            ChatMessage("user", f"{evidence}\n\nQuestion{asked}: {question}"),
        ],
        max_tokens=max_tokens,
    )
    return ModelAnswer(reply, without_thinking(reply.text).strip())
