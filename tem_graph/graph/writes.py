"""Writing: whole sessions, facts by hand, retractions, corrections, forgetting.

Every transaction first locks its memory. So writers of one memory take turns, two writers of the same session
see each other's digest, and none can deadlock with another. Each verb may run twice without further effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from tem_graph.domain.conversation import Event, Note, Session
from tem_graph.domain.extraction import Rejection
from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.names import make_id
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.errors import Conflict, NotFound
from tem_graph.graph import passages, records
from tem_graph.graph.connection import Graph, Transaction
from tem_graph.graph.records import Properties
from tem_graph.graph.subjects import under_merged_names

FACTS_PER_STATEMENT = 500
"""Rows of 768 doubles that one statement carries. Measured: 250 to 1,000 are equally fast, 4,000 three times slower."""

_FORGET_BATCH = 5_000
_REPLACING = "ingest"
"""Who retracts the facts of a replaced session."""
_NO_TURNS: Mapping[tuple[str, int], str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SessionWrite:
    """One session with everything that was read from it, ready to be written whole."""

    session: Session
    facts: tuple[Fact, ...]
    embeddings: Mapping[str, Sequence[float]]
    """Id → vector: of every fact, and of the turns, events and notes that a search shall find."""
    rejections: tuple[Rejection, ...] = ()
    outcome: Outcome | None = None
    events: tuple[Event, ...] = ()
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class WriteResult:
    """What became of each session, by id."""

    statuses: dict[str, OutcomeStatus] = field(default_factory=dict)


async def write_sessions(
    graph: Graph, memory: str, writes: Sequence[SessionWrite], *, replace: bool, at: datetime
) -> WriteResult:
    """Writes sessions in one transaction: all of each, or none of any. Harmless to repeat.

    A session whose digest is stored is left alone (UNCHANGED); one with another digest is left alone too
    (CONFLICT) unless `replace`, which retracts what the old text said and the new one does not.

    Raises:
        Conflict: a session gives a source index while the memory orders by date, or the other way round; or
            facts by hand name it as their source with another date or index.
    """

    async def work(tx: Transaction) -> WriteResult:
        ordering = await _lock(tx, memory, at)
        ids = [w.session.id for w in writes]
        stored = {row["id"]: row["digest"] for row in await tx.run("stored_digests", memory=memory, ids=ids)}
        result = WriteResult()
        todo: list[SessionWrite] = []
        for write in writes:
            status = _decide(write.session, stored, replace)
            result.statuses[write.session.id] = status
            if status in {OutcomeStatus.STORED, OutcomeStatus.REPLACED}:
                todo.append(write)
        await _settle_ordering(tx, memory, ordering, [(w.session.id, w.session.index) for w in todo])
        named_only = [w.session for w in todo if w.session.id in stored and stored[w.session.id] is None]
        if named_only:
            await _refuse_moved(tx, memory, [Source(s.id, s.date, s.index) for s in named_only])
        groups = {new: [w for w in todo if (stored.get(w.session.id) is None) is new] for new in (True, False)}
        for is_new, group in groups.items():
            rows = (passages.session_row(memory, w.session, w.embeddings) for w in group)
            await passages.write_session_rows(tx, memory, rows, new=is_new)
        replaced = [w for w in todo if result.statuses[w.session.id] is OutcomeStatus.REPLACED]
        for write in replaced:
            await _set_aside(tx, memory, write, at)
        known_before = {w.session.id for w in todo} & stored.keys()
        await _add_facts(tx, memory, [w for w in todo if w.session.id not in known_before], check=False)
        await _add_facts(tx, memory, [w for w in todo if w.session.id in known_before], check=True)
        for is_new, group in groups.items():
            await passages.write_passages(tx, memory, [_passage_rows(memory, w) for w in group], new=is_new)
        await _write_rejections(tx, memory, todo)
        await _write_outcomes(tx, memory, writes, result.statuses, at)
        return result

    return await graph.write_with(work)


async def write_outcome(graph: Graph, memory: str, outcome: Outcome, *, at: datetime) -> None:
    """Keeps the outcome of a session of which nothing was stored."""

    async def work(tx: Transaction) -> None:
        await _lock(tx, memory, at)
        await tx.run("write_outcomes", memory=memory, outcomes=[outcome_row(memory, outcome, at)])

    await graph.write_with(work)


async def add_facts(
    graph: Graph, memory: str, facts: Sequence[Fact], embeddings: Mapping[str, Sequence[float]], *, at: datetime
) -> int:
    """How many of these facts were new. Their sources become sessions without turns where they are not stored.

    Raises:
        Conflict: a source gives a source index while the memory orders by date, or the other way round; or a
            stored session of that id has another date or index.
    """

    async def work(tx: Transaction) -> int:
        ordering = await _lock(tx, memory, at)
        sources = {f.source.session: f.source for f in facts}
        await _settle_ordering(tx, memory, ordering, [(s.session, s.index) for s in sources.values()])
        await _write_sources(tx, memory, list(sources.values()))
        return await _create_missing(tx, memory, facts, embeddings)

    return await graph.write_with(work)


async def retract(graph: Graph, memory: str, ids: Sequence[str], *, by: str, why: str, at: datetime) -> tuple[str, ...]:
    """The ids that were withdrawn now; those retracted before are left as they are.

    Raises:
        NotFound: one of the ids is no fact of this memory.
    """

    async def work(tx: Transaction) -> tuple[str, ...]:
        await _lock(tx, memory, at)
        await _require_facts(tx, memory, ids)
        rows = await tx.run("retract_facts", memory=memory, ids=list(ids), at=at, by=by, why=why)
        return tuple(row["id"] for row in rows)

    return await graph.write_with(work)


async def correct(
    graph: Graph, memory: str, old: str, new: Fact, embedding: Sequence[float], *, by: str, why: str, at: datetime
) -> None:
    """Puts `new` in the place of the fact `old`, which stays on record as retracted.

    Raises:
        NotFound: `old` is no fact of this memory.
        Conflict: `old` was retracted or corrected before.
    """

    async def work(tx: Transaction) -> None:
        await _lock(tx, memory, at)
        await _require_facts(tx, memory, [old])
        withdrawn = await tx.run("retract_facts", memory=memory, ids=[old], at=at, by=by, why=why)
        if not withdrawn:
            if await tx.run("standing_correction", memory=memory, old=old, new=new.id):
                return  # done before
            raise Conflict(
                f"fact {old!r} no longer counts, so there is nothing to correct",
                hint="correct the fact that stands in its place; `tem-graph history` shows it",
            )
        if not await _create_missing(tx, memory, [new], {new.id: embedding}):
            await tx.run("reinstate_fact", memory=memory, id=new.id)
        await tx.run("link_correction", memory=memory, old=old, new=new.id)

    await graph.write_with(work)


async def forget_session(graph: Graph, memory: str, session: str, *, at: datetime) -> None:
    """Removes a session and everything that came from it, for good."""

    async def work(tx: Transaction) -> None:
        await _lock(tx, memory, at)
        removed = await tx.run("forget_session", memory=memory, session=session)
        await tx.run("forget_outcome", memory=memory, session=session)
        await tx.run("forget_orphan_subjects", memory=memory)
        if removed:  # else somebody else was faster
            await tx.run("count_new_facts", memory=memory, added=-removed[0]["facts"])

    await graph.write_with(work)


async def forget_subject(graph: Graph, memory: str, subject_key: str, *, at: datetime) -> None:
    """Removes a subject, its facts, events and notes, and the rejected candidates about it, for good."""

    async def work(tx: Transaction) -> None:
        await _lock(tx, memory, at)
        (row,) = await tx.run("forget_subject", memory=memory, subject=subject_key)
        await tx.run("count_new_facts", memory=memory, added=-row["facts"])

    await graph.write_with(work)


async def forget_memory(graph: Graph, memory: str) -> None:
    """Removes a memory and everything in it, in transactions of 5,000 records each."""
    while True:
        (row,) = await graph.write("forget_memory_part", memory=memory, limit=_FORGET_BATCH)
        if not row["removed"]:
            break
    await graph.write("forget_memory_node", memory=memory)


async def _lock(tx: Transaction, memory: str, at: datetime) -> str | None:
    (row,) = await tx.run("lock_memory", memory=memory, at=at)
    return row["ordering"]  # type: ignore[no-any-return]


def _decide(session: Session, stored: Mapping[str, str | None], replace: bool) -> OutcomeStatus:
    digest = stored.get(session.id)
    if digest is None:  # unknown, or only named so far as the source of facts put in by hand
        return OutcomeStatus.STORED
    if digest == session.digest:
        return OutcomeStatus.UNCHANGED
    return OutcomeStatus.REPLACED if replace else OutcomeStatus.CONFLICT


async def _settle_ordering(
    tx: Transaction, memory: str, ordering: str | None, sessions: Sequence[tuple[str, int | None]]
) -> None:
    for session, index in sessions:
        wanted = "index" if index is not None else "date"
        if ordering is None:
            await tx.run("set_ordering", memory=memory, ordering=wanted)
            ordering = wanted
        elif ordering != wanted:
            raise Conflict(
                f"session {session!r} {'has a' if wanted == 'index' else 'has no'} source index, but memory {memory!r} "
                f"orders its sessions by {ordering}",
                hint="give `index` to every session of a memory or to none; or use another memory",
            )


async def _set_aside(tx: Transaction, memory: str, write: SessionWrite, at: datetime) -> None:
    session = write.session
    kept_turns = [records.turn_id(memory, session.id, turn) for turn in session.turns]
    kept_facts = [fact.id for fact in write.facts]
    await tx.run("set_aside_turns", memory=memory, session=session.id, kept=kept_turns, at=at)
    await tx.run(
        "retract_replaced_facts",
        memory=memory,
        session=session.id,
        kept=kept_facts,
        at=at,
        by=_REPLACING,
        why=f"session {session.id} was replaced",
    )
    await tx.run("restore_facts", memory=memory, ids=kept_facts, by=_REPLACING)
    kept_passages = [row["id"] for rows in _passage_rows(memory, write) for row in rows]
    await tx.run("set_aside_passages", memory=memory, session=session.id, kept=kept_passages, at=at)
    kept_rejections = [row["id"] for row in _rejection_rows(memory, write)]
    await tx.run("set_aside_rejections", memory=memory, session=session.id, kept=kept_rejections, at=at)


async def _add_facts(tx: Transaction, memory: str, writes: Sequence[SessionWrite], *, check: bool) -> None:
    facts = [fact for write in writes for fact in write.facts]
    if not facts:
        return
    vectors = {id_: vector for write in writes for id_, vector in write.embeddings.items()}
    turn_ids = {(w.session.id, n): id_ for w in writes for n, id_ in passages.turn_ids(memory, w.session).items()}
    add = _create_missing if check else _create
    await add(tx, memory, facts, vectors, turn_ids)


async def _create_missing(
    tx: Transaction,
    memory: str,
    facts: Sequence[Fact],
    embeddings: Mapping[str, Sequence[float]],
    turn_ids: Mapping[tuple[str, int], str] = _NO_TURNS,
) -> int:
    ids = [fact.id for fact in facts]
    stored = {row["id"] for row in await tx.run("stored_fact_ids", memory=memory, ids=ids)}
    return await _create(tx, memory, [f for f in facts if f.id not in stored], embeddings, turn_ids)


async def _create(
    tx: Transaction,
    memory: str,
    facts: Sequence[Fact],
    embeddings: Mapping[str, Sequence[float]],
    turn_ids: Mapping[tuple[str, int], str],
) -> int:
    new = await under_merged_names(tx, memory, list({fact.id: fact for fact in facts}.values()))
    for start in range(0, len(new), FACTS_PER_STATEMENT):
        batch = new[start : start + FACTS_PER_STATEMENT]
        await tx.run("create_facts", memory=memory, facts=[_fact_row(f, embeddings[f.id], turn_ids) for f in batch])
    if new:
        await tx.run("count_new_facts", memory=memory, added=len(new))
    return len(new)


def _fact_row(fact: Fact, embedding: Sequence[float], turn_ids: Mapping[tuple[str, int], str]) -> Properties:
    properties = records.fact_properties(fact)
    turn = fact.provenance.turn if fact.provenance else None
    properties["embedding"] = embedding
    return {
        "session": fact.source.session,
        "subject": fact.subject,
        "subject_key": fact.subject_key,
        "turn_id": turn_ids.get((fact.source.session, turn)) if turn is not None else None,
        "properties": properties,
    }


async def _write_sources(tx: Transaction, memory: str, sources: Sequence[Source]) -> None:
    stored = await _refuse_moved(tx, memory, sources)
    new = [records.source_row(memory, s) for s in sources if s.session not in stored]
    if new:
        await tx.run("write_sessions", memory=memory, sessions=new)


async def _refuse_moved(tx: Transaction, memory: str, sources: Sequence[Source]) -> set[str]:
    """The ids among these that are stored. Facts that are stored already keep the place of their source.

    Raises:
        Conflict: one of them is stored with another date or index.
    """
    rows = await tx.run("stored_sources", memory=memory, ids=[s.session for s in sources])
    stored = {row["id"]: row["source_key"] for row in rows}
    for source in sources:
        if stored.get(source.session, source.key) != source.key:
            raise Conflict(
                f"source {source.session!r} is stored with another date or index",
                hint="give the same date and index as before, or another source name",
            )
    return set(stored)


def _passage_rows(memory: str, write: SessionWrite) -> tuple[list[Properties], list[Properties]]:
    return passages.rows_of(memory, write.session, write.events, write.notes, write.embeddings)


async def _write_rejections(tx: Transaction, memory: str, writes: Sequence[SessionWrite]) -> None:
    if rows := [row for write in writes for row in _rejection_rows(memory, write)]:
        await tx.run("write_rejections", memory=memory, rejections=rows)


def _rejection_rows(memory: str, write: SessionWrite) -> list[Properties]:
    return [
        records.rejection_row(memory, write.session.id, number, rejection)
        for number, rejection in enumerate(write.rejections)
    ]


async def _write_outcomes(
    tx: Transaction,
    memory: str,
    writes: Sequence[SessionWrite],
    statuses: Mapping[str, OutcomeStatus],
    at: datetime,
) -> None:
    rows = [
        outcome_row(memory, w.outcome, at, statuses[w.session.id])
        for w in writes
        # An unchanged session keeps the outcome of the reading that stored it.
        if w.outcome and statuses[w.session.id] is not OutcomeStatus.UNCHANGED
    ]
    if rows:
        await tx.run("write_outcomes", memory=memory, outcomes=rows)


def outcome_row(memory: str, outcome: Outcome, at: datetime, status: OutcomeStatus | None = None) -> Properties:
    return {
        "id": make_id("outcome", memory, outcome.session),
        "properties": {
            "id": make_id("outcome", memory, outcome.session),
            "session": outcome.session,
            "status": str(status or outcome.status),
            "extractor": outcome.extractor,
            "facts": outcome.facts,
            "events": outcome.events,
            "notes": outcome.notes,
            "rejected": outcome.rejected,
            "calls": outcome.usage.calls,
            "prompt_tokens": outcome.usage.prompt_tokens,
            "output_tokens": outcome.usage.output_tokens,
            "seconds": outcome.seconds,
            "reason": outcome.reason,
            "digest": outcome.digest,
            "at": at,
        },
    }


async def _require_facts(tx: Transaction, memory: str, ids: Sequence[str]) -> None:
    stored = {row["id"] for row in await tx.run("stored_fact_ids", memory=memory, ids=list(ids))}
    missing = [id_ for id_ in ids if id_ not in stored]
    if missing:
        raise NotFound(
            f"memory {memory!r} has no fact {missing[0]!r}", hint="`tem-graph facts --json` lists facts with their ids"
        )
