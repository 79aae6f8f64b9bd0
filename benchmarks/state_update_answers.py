"""Answers the questions of a state-update set end to end, from the text of its sessions. One memory per persona."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.fact import Status
from tem_graph.graph.connection import Address
from tem_graph.ingest.readers import read_conversations
from tem_graph.llm.structured import without_thinking
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.ports import ChatMessage, ChatModel, Embedder, Extractor
from tem_graph.prompts.loader import load_prompt
from tem_graph.retrieve.block import BlockStyle, render_block
from tem_graph.settings import Settings

Row = Mapping[str, Any]
OPERATORS = "tem-operators"
EVIDENCE_CONFIGS = ("overwrite", "unmarked", "tem-status")
ROWS = {
    "all": lambda q: True,
    "current": lambda q: q["kind"] == "current",
    "other historical": lambda q: q["kind"] == "historical",
    "residence before latest move": lambda q: q["kind"] == "previous_residence",
}
"""The rows of the paper's tables (TEM, section 4.1)."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One question under one configuration."""

    config: str
    question: Row
    answer: str
    path: str

    @property
    def hit(self) -> bool:
        """The answer contains the key entity or an alias, case-insensitively (TEM, section 4.1)."""
        return any(_contains(self.answer, name) for name in [self.question["key_entity"], *self.question["aliases"]])

    @property
    def strict_hit(self) -> bool:
        """A hit that names no other value of the group: listing every value is no answer."""
        return self.hit and not any(_contains(self.answer, other) for other in self.question["other_values"])


def _contains(answer: str, name: str) -> bool:
    return name.casefold() in answer.casefold()


def tabulate(answered: Sequence[Answered]) -> dict[str, dict[str, dict[str, Any]]]:
    """Config → row → hits, strict hits and questions."""
    table: dict[str, dict[str, dict[str, Any]]] = {}
    for config in dict.fromkeys(a.config for a in answered):
        own = [a for a in answered if a.config == config]
        table[config] = {}
        for row, belongs in ROWS.items():
            asked = [a for a in own if belongs(a.question)]
            hits, strict = sum(a.hit for a in asked), sum(a.strict_hit for a in asked)
            table[config][row] = {
                "questions": len(asked),
                "hits": hits,
                "strict_hits": strict,
                "hit_rate": hits / len(asked) if asked else None,
                "strict_hit_rate": strict / len(asked) if asked else None,
            }
    return table


def choose_sample(questions: Sequence[Row], count: int | None, seed: int) -> list[Row]:
    """A seeded sample with the set's own shares of kinds; all questions without a count."""
    if count is None or count >= len(questions):
        return list(questions)
    rng, chosen = Random(seed), []
    kinds = sorted({q["kind"] for q in questions})
    for kind in kinds:
        own = [q for q in questions if q["kind"] == kind]
        chosen += rng.sample(own, max(1, round(count * len(own) / len(questions))))
    return chosen


async def answer_all(
    folder: Path,
    questions: Sequence[Row],
    configs: Sequence[str],
    *,
    address: Address,
    settings: Settings,
    extractor: Extractor,
    embedder: Embedder,
    model: ChatModel | None,
    at_once: int = 4,
) -> tuple[list[Answered], Mapping[str, int]]:
    """Every question under every configuration, and what was read: facts and rejections."""
    asked_of = {q["persona_id"] for q in questions}
    conversations = [
        c for c in read_conversations(folder / "sessions.jsonl", format="state-update") if c.id in asked_of
    ]
    counts = {"sessions": 0, "facts": 0, "rejected": 0}
    answered: list[Answered] = []
    async with AsyncTemporalMemory(
        "state-update", settings=settings, address=address, extractor=extractor, embedder=embedder, model=model
    ) as root:
        for conversation in conversations:
            memory = root.for_memory(f"state-update-{conversation.id}")
            report = await memory.ingest(conversation.sessions)
            counts["sessions"] += len(report.outcomes)
            counts["facts"] += report.facts
            counts["rejected"] += report.rejected
            own = [q for q in questions if q["persona_id"] == conversation.id]
            gate = asyncio.Semaphore(at_once)
            work = [_answer(memory, config, q, model, gate) for config in configs for q in own]
            answered += await asyncio.gather(*work)
    return answered, counts


async def _answer(
    memory: AsyncTemporalMemory, config: str, question: Row, model: ChatModel | None, gate: asyncio.Semaphore
) -> Answered:
    async with gate:
        text = question["question"]
        if config == OPERATORS:
            answer = await memory.ask(text)
            # The evidence itself is no answer: whoever prints everything would hit everything.
            return Answered(config, question, "" if answer.path == "evidence" else answer.text, answer.path)
        if model is None:
            raise ValueError(f"configuration {config} needs a model")
        hits = await memory.search(text, 1_000)
        block = render_block(_kept(hits, config), BlockStyle(marks=config == "tem-status", legend=False))
        messages = [
            ChatMessage("system", load_prompt("answer").text),
            ChatMessage("user", f"{block.text}\n\nQuestion: {text}"),
        ]
        reply = await model.chat(messages, max_tokens=128)
        return Answered(config, question, without_thinking(reply.text), "model")


def _kept(hits: Iterable[MarkedFact], config: str) -> list[MarkedFact]:
    """The best 15 by score; Overwrite has forgotten all but the latest versions before it looks."""
    return [h for h in hits if config != "overwrite" or h.status is not Status.HISTORICAL][:15]
