"""Reading and writing whole memories for export and import, record by record as the graph holds them.

Ids in a record are portable: those of the same record in a memory without a name. So a memory that is imported
under another id exports alike, and only here they become the ids of a memory.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from tem_graph.domain.conversation import Note, Turn
from tem_graph.domain.extraction import Rejection
from tem_graph.domain.fact import Fact, FactKind
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import Conflict, NotFound
from tem_graph.graph import passages, records
from tem_graph.graph.connection import Graph, Transaction
from tem_graph.graph.records import Properties, Row
from tem_graph.graph.transfer_passages import (
    StoredPassage,
    passage_from,
    passage_rows,
    set_aside_row,
    vector_from,
)
from tem_graph.graph.writes import FACTS_PER_STATEMENT, outcome_row

SESSIONS_PER_PAGE = 50
SUBJECTS_PER_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class MemoryHead:
    """What a memory says of itself. `ordering` is `index`, `date`, or None while it has no session."""

    ordering: Literal["index", "date"] | None
    created_at: datetime | None
    written_at: datetime | None = None
    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session node. `digest` is None for a source that was only named by hand."""

    id: str
    source_key: str
    date: str | None = None
    index: int | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A turn node; `replaced_at` is set where a later text of the session no longer has it."""

    session: str
    turn: Turn
    replaced_at: datetime | None = None
    embedding: tuple[float, ...] | None = None

    @property
    def ref(self) -> str:
        return turn_ref(self.session, self.turn)

    @property
    def line(self) -> str | None:
        """What is to be embedded; None where no search shall find the turn."""
        return self.turn.line if self.replaced_at is None and self.turn.content.strip() else None


@dataclass(frozen=True, slots=True)
class StoredFact:
    """A fact node. Its place is kept as stored: a session that was replaced may have moved since."""

    session: str
    fact: Fact
    source_key: str
    said_in: str | None = None
    corrects: tuple[str, ...] = ()
    embedding: tuple[float, ...] | None = None

    @property
    def ref(self) -> str:
        return fact_ref(self.fact)


@dataclass(frozen=True, slots=True)
class StoredRejection:
    session: str
    number: int
    rejection: Rejection
    replaced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SessionContents:
    """A session with everything that hangs on it, each kind in an order that does not depend on the memory's id."""

    session: StoredSession
    turns: list[StoredTurn] = field(default_factory=list)
    facts: list[StoredFact] = field(default_factory=list)
    passages: list[StoredPassage] = field(default_factory=list)
    rejections: list[StoredRejection] = field(default_factory=list)


def turn_ref(session: str, turn: Turn) -> str:
    return records.turn_id("", session, turn)


def fact_ref(fact: Fact) -> str:
    return replace(fact, memory="").id


async def read_head(graph: Graph, memory: str) -> MemoryHead:
    """The head of a memory.

    Raises:
        NotFound: there is no such memory.
        Conflict: an import into it is going on or was broken off.
    """
    rows = await graph.read("export_memory", memory=memory)
    if not rows:
        raise NotFound(f"there is no memory {memory!r}", hint="`tem-graph info` lists those that exist")
    (row,) = rows
    if row["importing"] is not None:
        raise _half_imported(memory)
    names = tuple(str(r["name"]) for r in await graph.read("export_relations", memory=memory))
    return MemoryHead(row["ordering"], records.native(row["created_at"]), records.native(row["written_at"]), names)


async def read_subjects(graph: Graph, memory: str) -> AsyncIterator[str]:
    """The written names of the subjects, by key."""
    after = ""
    while True:
        rows = await graph.read("export_subjects", memory=memory, after_key=after, limit=SUBJECTS_PER_PAGE)
        for row in rows:
            yield row["name"]
        if len(rows) < SUBJECTS_PER_PAGE:
            return
        after = rows[-1]["key"]


async def read_contents(
    graph: Graph, catalog: RelationCatalog, memory: str, *, with_embeddings: bool
) -> AsyncIterator[SessionContents]:
    """The sessions in source order, 50 read at a time."""
    after_key = after_id = ""
    while True:
        rows = await graph.read(
            "export_sessions", memory=memory, after_key=after_key, after_id=after_id, limit=SESSIONS_PER_PAGE
        )
        page = {row["s"]["id"]: SessionContents(_session_from(row["s"])) for row in rows}
        await _fill(graph, catalog, memory, page, with_embeddings)
        for contents in page.values():
            yield contents
        if len(rows) < SESSIONS_PER_PAGE:
            return
        after_key, after_id = rows[-1]["s"]["source_key"], rows[-1]["s"]["id"]


async def _fill(
    graph: Graph, catalog: RelationCatalog, memory: str, page: dict[str, SessionContents], with_embeddings: bool
) -> None:
    ids = list(page)
    for row in await graph.read("export_turns", memory=memory, sessions=ids, with_embeddings=with_embeddings):
        turn, replaced_at = records.turn_from(row["t"]), records.native(row["t"].get("replaced_at"))
        stored = StoredTurn(row["session"], turn, replaced_at, vector_from(row["t"]))
        page[row["session"]].turns.append(stored)
    kinds = [kind.value for kind in FactKind] if with_embeddings else []
    for row in await graph.read("export_facts", memory=memory, sessions=ids, kinds=kinds):
        page[row["session"]].facts.append(_fact_from(row, catalog))
    for row in await graph.read("export_passages", memory=memory, sessions=ids, with_embeddings=with_embeddings):
        page[row["session"]].passages.append(passage_from(row))
    for row in await graph.read("export_rejections", memory=memory, sessions=ids):
        rejection, replaced_at = records.rejection_from(row["r"]), records.native(row["r"].get("replaced_at"))
        found = StoredRejection(row["session"], row["r"]["number"], rejection, replaced_at)
        page[row["session"]].rejections.append(found)
    for contents in page.values():
        contents.turns.sort(key=lambda t: (t.turn.position, t.replaced_at is not None, t.ref))
        contents.facts.sort(key=lambda f: (_turn_of(f.fact), f.ref))
        contents.passages.sort(key=lambda p: (isinstance(p.passage, Note), p.passage.turns, p.ref))
        contents.rejections.sort(key=lambda r: (r.number, repr(r.rejection)))


def _turn_of(fact: Fact) -> int:
    turn = fact.provenance.turn if fact.provenance else None
    return -1 if turn is None else turn


def _session_from(row: Row) -> StoredSession:
    return StoredSession(row["id"], row["source_key"], row.get("date"), row.get("index"), row.get("digest"))


def _fact_from(row: Row, catalog: RelationCatalog) -> StoredFact:
    stored = row["f"]
    return StoredFact(
        session=row["session"],
        fact=records.fact_from(stored, catalog),
        source_key=stored["source_key"],
        said_in=next((turn_ref(row["session"], records.turn_from(t)) for t in row["said_in"]), None),
        corrects=tuple(sorted(fact_ref(records.fact_from(old, catalog)) for old in row["corrects"])),
        embedding=vector_from(stored),
    )


async def begin_import(graph: Graph, memory: str, head: MemoryHead, *, token: str, at: datetime) -> None:
    """Takes an empty memory for this import.

    Raises:
        Conflict: the memory holds something, or another import has taken it.
    """

    async def work(tx: Transaction) -> None:
        await tx.run("lock_memory", memory=memory, at=at)
        (counts,) = await tx.run("count_memory_contents", memory=memory)
        held = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        parameters = {"ordering": head.ordering, "created_at": head.created_at, "token": token}
        (row,) = await tx.run("begin_import", memory=memory, **parameters)
        # Raising rolls everything back, the memory's node included.
        if row["importing"] != token:
            raise _half_imported(memory)
        if held:
            raise Conflict(
                f"memory {memory!r} is not empty: it holds {held}",
                hint="import into another memory, or forget this one first (`tem-graph forget memory`)",
            )

    await graph.write_with(work)


def _half_imported(memory: str) -> Conflict:
    return Conflict(
        f"an import into memory {memory!r} is going on, or was broken off",
        hint="wait for it; if nobody is importing, forget the memory and import again",
    )


async def finish_import(graph: Graph, memory: str) -> None:
    await graph.write("finish_import", memory=memory)


async def write_subjects(graph: Graph, memory: str, names: Sequence[tuple[str, str]], *, at: datetime) -> None:
    """Writes (key, name) of subjects."""

    async def work(tx: Transaction) -> None:
        await tx.run("lock_memory", memory=memory, at=at)
        rows = [{"key": key, "name": name} for key, name in names]
        await tx.run("import_subjects", memory=memory, subjects=rows)

    await graph.write_with(work)


async def write_contents(
    graph: Graph, memory: str, batch: Sequence[SessionContents], turn_ids: Mapping[str, str], *, at: datetime
) -> None:
    """Writes sessions with all that hangs on them, in one transaction. Every fact carries its embedding, and so does
    every turn, event and note that a search shall find.

    The facts must not be stored yet; parts of one session may come in several calls. `turn_ids` gives the id in
    this memory of every turn that a fact is said in or a passage is based on, by its portable one.
    """

    async def work(tx: Transaction) -> None:
        await tx.run("lock_memory", memory=memory, at=at)
        await passages.write_session_rows(tx, memory, (_session_row(memory, c) for c in batch), new=True)
        facts = [_fact_row(memory, stored, turn_ids) for contents in batch for stored in contents.facts]
        for start in range(0, len(facts), FACTS_PER_STATEMENT):
            await tx.run("create_facts", memory=memory, facts=facts[start : start + FACTS_PER_STATEMENT])
        await tx.run("count_new_facts", memory=memory, added=len(facts))
        await passages.write_passages(
            tx, memory, [passage_rows(memory, c.session.source_key, c.passages, turn_ids) for c in batch]
        )
        rejections = [_rejection_row(memory, stored) for contents in batch for stored in contents.rejections]
        await tx.run("write_rejections", memory=memory, rejections=rejections)

    await graph.write_with(work)


async def write_corrections(graph: Graph, memory: str, links: Sequence[tuple[str, str]], *, at: datetime) -> None:
    """Links (new, old) facts, by their ids in this memory."""

    async def work(tx: Transaction) -> None:
        await tx.run("lock_memory", memory=memory, at=at)
        await tx.run("link_corrections", memory=memory, rows=[{"new": new, "old": old} for new, old in links])

    await graph.write_with(work)


async def write_outcomes(graph: Graph, memory: str, outcomes: Sequence[Outcome], *, at: datetime) -> None:
    """Writes outcomes, each with the time that it carries."""

    async def work(tx: Transaction) -> None:
        await tx.run("lock_memory", memory=memory, at=at)
        rows = [outcome_row(memory, outcome, outcome.at or at) for outcome in outcomes]
        await tx.run("write_outcomes", memory=memory, outcomes=rows)

    await graph.write_with(work)


def _session_row(memory: str, contents: SessionContents) -> Properties:
    session = contents.session
    return {
        "id": session.id,
        "properties": {
            "memory": memory,
            "id": session.id,
            "index": session.index,
            "date": session.date,
            "source_key": session.source_key,
            "digest": session.digest,
        },
        "turns": [_turn_row(memory, session, stored) for stored in contents.turns],
    }


def _turn_row(memory: str, session: StoredSession, stored: StoredTurn) -> Properties:
    id_ = records.turn_id(memory, session.id, stored.turn)
    vectors = {id_: stored.embedding} if stored.embedding is not None else {}
    day = session.date[:10] if session.date else None
    row = passages.turn_row(memory, session.id, session.source_key, day, stored.turn, vectors)
    return set_aside_row(row, stored.replaced_at)


def _rejection_row(memory: str, stored: StoredRejection) -> Properties:
    row = records.rejection_row(memory, stored.session, stored.number, stored.rejection)
    return set_aside_row(row, stored.replaced_at)


def _fact_row(memory: str, stored: StoredFact, turn_ids: Mapping[str, str]) -> Properties:
    fact = replace(stored.fact, memory=memory)
    return {
        "session": stored.session,
        "subject": fact.subject,
        "subject_key": fact.subject_key,
        "turn_id": turn_ids[stored.said_in] if stored.said_in else None,
        "properties": records.fact_properties(fact)
        | {
            "source_key": stored.source_key,
            "effective_key": f"{fact.day.isoformat() if fact.day else ''} {stored.source_key}",
            "embedding": stored.embedding,
        },
    }
