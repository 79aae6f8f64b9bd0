"""What the integration tests share: sessions in few words, a scripted reader for them, and all that a memory holds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.fact import Fact
from tem_graph.domain.time import SessionDate
from tem_graph.ingest.model import ModelExtractor
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.ports import ChatReply
from tem_graph.settings import load_relations
from tem_graph.sync import TemporalMemory

_LINE = re.compile(r"^\[(\d+)\] ([^:]+): (.*)$", re.MULTILINE)
_SAYINGS = (
    (re.compile(r"I live in ([^.,]+)"), "residence"),
    (re.compile(r"I work at ([^.,]+)"), "employer"),
    (re.compile(r"I love ([^.,]+)"), "likes"),
    (re.compile(r"I wish I lived in ([^.,]+)"), "residence"),
)


def said(id_: str, date: str | None, *lines: str | tuple[str, str], index: int | None = None) -> Session:
    """A session; a line without a speaker is Ana's."""
    turns = tuple(
        Turn(n, *(line if isinstance(line, tuple) else ("Ana", line)))  # type: ignore[arg-type]
        for n, line in enumerate(lines)
    )
    return Session(id_, turns, SessionDate.parse(date) if date else None, index)


def read_plainly(request: ChatRequest) -> str:
    """The reply of a model that reads `I live in X`, `I work at X`, `I love X`, and takes wishes for facts."""
    facts = [
        {"quote": text, "subject": speaker, "relation": relation, "object": match[1], "turn": int(turn)}
        for turn, speaker, text in _LINE.findall(request.messages[-1].content)
        for pattern, relation in _SAYINGS
        for match in pattern.finditer(text)
    ]
    return json.dumps({"facts": facts}, ensure_ascii=False)


def plain_reader() -> ModelExtractor:
    return reader_of(ScriptedChat(read_plainly))


def reader_of(model: ScriptedChat, **options: object) -> ModelExtractor:
    return ModelExtractor(model, load_relations(), **options)  # type: ignore[arg-type]


def replying(*replies: str | ChatReply | Exception | Mapping[str, object] | list[object]) -> ScriptedChat:
    """A model with these replies, the last of them again and again; plain values are sent as JSON."""
    return ScriptedChat(
        [r if isinstance(r, str | ChatReply | Exception) else json.dumps(r, ensure_ascii=False) for r in replies],
        repeat_last=True,
    )


def contents(memory: TemporalMemory) -> dict[str, list[tuple[object, ...]]]:
    """Everything a memory holds, without its id, the ids made from it and the time of writing."""
    marked = memory.facts()
    return {
        "facts": sorted((*told(m.fact), str(m.status), m.successor and told(m.successor)) for m in marked),
        "sessions": [(s.id, s.place, s.source_key, s.digest, s.turns, s.facts, s.rejected) for s in memory.sessions()],
        "turns": [(session, t.position, t.speaker, t.text) for session, t in memory.turns()],
        "subjects": sorted((s.key, s.facts, s.relations) for s in memory.subjects()),
        "rejected": sorted((s, r.candidate.object, r.reason) for s, r in memory.rejected()),
    }


def told(fact: Fact) -> tuple[str, ...]:
    """A fact as comparable text: all that was said, where and when, and whether it still counts."""
    left_out = {"memory", "recorded_at", "relation", "retraction"}
    kept = [f"{f.name}={getattr(fact, f.name)}" for f in fields(fact) if f.name not in left_out]
    return (*kept, f"relation={fact.relation.name}", f"retracted={fact.retraction is not None}")


def objects(facts: Iterable[object]) -> list[str]:
    """The objects of facts or marked facts, in their order."""
    return [getattr(f, "fact", f).object for f in facts]
