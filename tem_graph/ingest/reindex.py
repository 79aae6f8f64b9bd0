"""What a memory was stored without: vectors and full text of its turns, and events of their sessions.

Sessions that were stored before there were passages, or with the setting `passages` at `none`, are completed from
their own turns. No model is asked; the facts are not touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tem_graph.domain.conversation import Session
from tem_graph.graph.connection import Graph
from tem_graph.graph.passages import UnindexedSession, complete_sessions, passage_texts, unindexed_sessions
from tem_graph.ingest.extractive import extract_events
from tem_graph.ports import Clock, Embedder

SESSIONS_PER_WRITE = 32


@dataclass(frozen=True, slots=True)
class Reindexed:
    """How many sessions were completed, and what they were given."""

    sessions: int = 0
    turns: int = 0
    events: int = 0


async def reindex(graph: Graph, embedder: Embedder, clock: Clock, memory: str) -> Reindexed:
    """What was added. Harmless to repeat: sessions that are complete are left alone."""
    todo = await unindexed_sessions(graph, memory)
    done = Reindexed()
    for start in range(0, len(todo), SESSIONS_PER_WRITE):
        added = await _complete(graph, embedder, clock, memory, todo[start : start + SESSIONS_PER_WRITE])
        done = Reindexed(done.sessions + added.sessions, done.turns + added.turns, done.events + added.events)
    return done


async def _complete(
    graph: Graph, embedder: Embedder, clock: Clock, memory: str, batch: Sequence[UnindexedSession]
) -> Reindexed:
    events = {found.session.id: () if found.events else extract_events(found.session) for found in batch}
    texts: dict[str, str] = {}
    for found in batch:
        texts |= passage_texts(memory, found.session, events[found.session.id], ())
    vectors = dict(zip(texts, await embedder.embed(list(texts.values())), strict=True))
    sessions = [found.session for found in batch]
    done = await complete_sessions(graph, memory, sessions, events, vectors, at=clock.now())
    return Reindexed(
        len(done), sum(_said(session) for session in done), sum(len(events[session.id]) for session in done)
    )


def _said(session: Session) -> int:
    return sum(bool(turn.content.strip()) for turn in session.turns)
