"""Reading: search, facts with status, sessions, subjects, rejections, outcomes. Every verb is bound to one memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from tem_graph.domain.conversation import Event, Note, Turn
from tem_graph.domain.evidence import Candidates, MarkedFact, ScoredPassage
from tem_graph.domain.extraction import Rejection, Usage
from tem_graph.domain.fact import Fact
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf, SessionDate
from tem_graph.errors import NotFound
from tem_graph.graph import passages, records
from tem_graph.graph.connection import Graph
from tem_graph.graph.search import PASSAGES, Searcher, point

PAGE = 1_000
NAMES_PAGE = 10_000


@dataclass(frozen=True, slots=True)
class SessionInfo:
    """A stored session. `place` is its 1-based rank in source order; `index` the explicit one, where given."""

    id: str
    place: int
    date: SessionDate | None
    index: int | None
    source_key: str
    digest: str | None
    turns: int
    facts: int
    rejected: int
    events: int = 0
    notes: int = 0


@dataclass(frozen=True, slots=True)
class SubjectInfo:
    """Who or what the memory knows something about."""

    name: str
    key: str
    facts: int
    relations: tuple[str, ...]
    merged_into: str | None = None
    """The name that this one was explicitly merged into."""


@dataclass(frozen=True, slots=True)
class MemoryInfo:
    id: str
    ordering: str | None
    facts: int
    sessions: int
    created_at: datetime | None
    events: int = 0
    notes: int = 0


class GraphReader:
    """All reads of the graph, as domain values."""

    def __init__(self, graph: Graph, catalog: RelationCatalog) -> None:
        self._graph = graph
        self._catalog = catalog
        self._searcher = Searcher(graph, catalog)

    async def memories(self) -> list[MemoryInfo]:
        """Every memory of the database, by id: for its operator, never for a question."""
        return [
            MemoryInfo(
                row["id"],
                row["ordering"],
                row["facts"],
                row["sessions"],
                records.native(row["created_at"]),
                row["events"],
                row["notes"],
            )
            for row in await self._graph.read("list_memories")
        ]

    async def memory_exists(self, memory: str) -> bool:
        """Whether anything was ever written to the memory."""
        return bool(await self._graph.read("memory_by_id", memory=memory))

    async def require_memory(self, memory: str) -> int:
        """The number of facts that the memory holds, retracted ones included.

        Raises:
            NotFound: there is no such memory.
        """
        rows = await self._graph.read("memory_by_id", memory=memory)
        if not rows:
            raise NotFound(f"there is no memory {memory!r}", hint="`tem-graph info` lists those that exist")
        return int(rows[0]["facts"])

    async def search(
        self,
        memory: str,
        embedding: Sequence[float],
        *,
        limit: int,
        as_of: AsOf,
        policy: str,
        exact_limit: int,
    ) -> list[MarkedFact]:
        """The `limit` best facts by score, best first, ties by id, each with its whole-group status.

        Up to `exact_limit` facts in the memory every one is compared; beyond, candidates come from the vector
        index, fetched wider until no fact beyond them could score higher. `policy` is effective, source or paper.
        """
        return await self._searcher.facts(
            memory, embedding, limit=limit, as_of=as_of, policy=policy, exact_limit=exact_limit
        )

    async def candidates(
        self,
        memory: str,
        embedding: Sequence[float],
        text: str,
        *,
        facts: int = 15,
        passages: int = PASSAGES,
        as_of: AsOf,
        policy: str,
        exact_limit: int,
    ) -> Candidates:
        """What hybrid evidence is chosen from, in one round trip: the best facts, each with its whole-group status,
        and the `passages` nearest turns, as many that share words with `text`, events and notes alike, with what
        stands beside them. `exact_limit` as in `search`, counted in turns for passages.
        """
        return await self._searcher.candidates(
            memory, embedding, text, facts=facts, passages=passages, as_of=as_of, policy=policy, exact_limit=exact_limit
        )

    async def search_turns(
        self,
        memory: str,
        embedding: Sequence[float],
        limit: int,
        *,
        as_of: AsOf | None = None,
        exact_limit: int = 20_000,
    ) -> list[ScoredPassage]:
        """The `limit` turns nearest to the question, best first, ties by id: plain retrieval, for comparison."""
        known_after = as_of.known_after if as_of else None
        return await self._searcher.turns(memory, embedding, limit, known_after=known_after, exact_limit=exact_limit)

    async def facts(
        self,
        memory: str,
        *,
        as_of: AsOf,
        policy: str,
        subject_key: str | None = None,
        relation_key: str | None = None,
    ) -> AsyncIterator[MarkedFact]:
        """The memory's facts with their status, by source key and id, read in pages of 1,000."""
        after_key = after_id = ""
        while True:
            rows = await self._graph.read(
                "list_facts",
                memory=memory,
                subject=subject_key,
                relation=relation_key,
                after_key=after_key,
                after_id=after_id,
                limit=PAGE,
                **point(as_of, policy),
            )
            for row in rows:
                yield records.marked_fact_from(row, self._catalog)
            if len(rows) < PAGE:
                return
            after_key, after_id = rows[-1]["f"]["source_key"], rows[-1]["f"]["id"]

    async def facts_about(
        self, memory: str, subject_keys: Sequence[str], relation_keys: Sequence[str]
    ) -> list[tuple[str, Fact]]:
        """(subject key asked for, fact): every fact of these subjects under these relations, slots and retracted
        facts included. A merged name brings the facts of the subject that it was merged into."""
        rows = await self._graph.read(
            "facts_about", memory=memory, subjects=list(subject_keys), relations=list(relation_keys)
        )
        return [(row["asked"], records.fact_from(row["f"], self._catalog)) for row in rows]

    async def fact(self, memory: str, id_: str) -> Fact:
        """One fact.

        Raises:
            NotFound: the memory has no fact of that id.
        """
        rows = await self._graph.read("fact_by_id", memory=memory, id=id_)
        if not rows:
            raise NotFound(f"memory {memory!r} has no fact {id_!r}", hint="`tem-graph facts --json` lists ids")
        return records.fact_from(rows[0]["f"], self._catalog)

    async def conflicts(self, memory: str, *, as_of: AsOf, policy: str) -> list[MarkedFact]:
        """Facts that stand beside another value at their place, unsettled (law 5)."""
        rows = await self._graph.read("list_conflicts", memory=memory, **point(as_of, policy))
        return [records.marked_fact_from(row, self._catalog) for row in rows]

    async def subjects(self, memory: str) -> list[SubjectInfo]:
        return [
            SubjectInfo(row["name"], row["key"], row["facts"], tuple(sorted(row["relations"])), row["merged_into"])
            for row in await self._graph.read("list_subjects", memory=memory)
        ]

    async def known_values(self, memory: str) -> list[tuple[str, str, str, str | None]]:
        """(subject, relation, object, slot), each once, in the order of telling: names for reading a question. One
        round trip for every 10,000 facts."""
        values: dict[tuple[str, str, str, str | None], None] = {}
        after_key = after_id = ""
        while rows := await self._graph.read(
            "known_values", memory=memory, after_key=after_key, after_id=after_id, limit=NAMES_PAGE
        ):
            (page,) = rows
            values |= dict.fromkeys((subject, relation, obj, slot) for subject, relation, obj, slot in page["named"])
            if page["facts"] < NAMES_PAGE:
                break
            after_key, after_id = page["after_key"], page["after_id"]
        return list(values)

    async def sessions(self, memory: str) -> list[SessionInfo]:
        """The memory's sessions in source order."""
        return [
            SessionInfo(
                id=row["s"]["id"],
                place=place,
                date=records.session_date(row["s"]),
                index=row["s"].get("index"),
                source_key=row["s"]["source_key"],
                digest=row["s"].get("digest"),
                turns=row["turns"],
                facts=row["facts"],
                rejected=row["rejected"],
                events=row["events"],
                notes=row["notes"],
            )
            for place, row in enumerate(await self._graph.read("list_sessions", memory=memory), start=1)
        ]

    async def turns(self, memory: str, session: str | None = None) -> list[tuple[str, Turn]]:
        """(session id, turn) in order, of one session or of all."""
        rows = await self._graph.read("read_turns", memory=memory, session=session)
        return [(row["session"], records.turn_from(row["t"])) for row in rows]

    async def events(self, memory: str, session: str | None = None) -> list[Event]:
        """The events of one session, or of all, in source order."""
        rows = await self._graph.read("list_events", memory=memory, session=session)
        return [passages.event_from(row["e"]) for row in rows]

    async def notes(self, memory: str, session: str | None = None) -> list[Note]:
        """The notes of one session, or of all, in source order."""
        rows = await self._graph.read("list_notes", memory=memory, session=session)
        return [passages.note_from(row["n"]) for row in rows]

    async def rejections(self, memory: str, session: str | None = None) -> list[tuple[str, Rejection]]:
        """(session id, rejected candidate) in source order."""
        rows = await self._graph.read("list_rejections", memory=memory, session=session)
        return [(row["r"]["session"], records.rejection_from(row["r"])) for row in rows]

    async def outcomes(self, memory: str) -> list[Outcome]:
        return [_outcome_from(row["o"]) for row in await self._graph.read("list_outcomes", memory=memory)]

    async def digests(self, memory: str, ids: Sequence[str]) -> dict[str, str | None]:
        """Session id → digest, for those of `ids` that are stored; None for sources named by hand."""
        rows = await self._graph.read("stored_digests", memory=memory, ids=list(ids))
        return {row["id"]: row["digest"] for row in rows}

    async def count_contents(self, query: str, memory: str, **which: str) -> dict[str, int]:
        """What forgetting would remove, by kind."""
        (row,) = await self._graph.read(query, memory=memory, **which)
        return {kind: int(count) for kind, count in row.items()}


def _outcome_from(row: records.Row) -> Outcome:
    return Outcome(
        session=row["session"],
        status=OutcomeStatus(row["status"]),
        extractor=row["extractor"],
        facts=row["facts"],
        rejected=row["rejected"],
        usage=Usage(row["calls"], row["prompt_tokens"], row["output_tokens"]),
        seconds=row["seconds"],
        reason=row.get("reason"),
        digest=row.get("digest"),
        at=records.native(row.get("at")),
        events=row.get("events") or 0,
        notes=row.get("notes") or 0,
    )
