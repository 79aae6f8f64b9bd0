"""Verbs that change a memory. All but forgetting only add to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as dataclass_replace
from os import PathLike

from tem_graph.domain.conversation import Provenance, Session
from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.names import fold
from tem_graph.domain.time import PartialDate
from tem_graph.errors import InputError, NotFound
from tem_graph.graph import writes
from tem_graph.graph.regroup import Regrouping, regroup
from tem_graph.graph.subjects import merge_subjects, split_subject
from tem_graph.ingest.by_hand import FactInput, facts_by_hand
from tem_graph.ingest.choose import make_extractor
from tem_graph.ingest.pipeline import Ingestor, IngestReport, OnOutcome
from tem_graph.ingest.reindex import Reindexed, reindex
from tem_graph.memory.opened import Opened
from tem_graph.ports import Extractor
from tem_graph.transfer import Transfer, import_memory
from tem_graph.transfer.files import utf8_lines


class Changing(Opened):
    """What puts facts in, takes them back on record, or removes them for good."""

    async def ingest(
        self,
        sessions: Iterable[Session],
        *,
        replace: bool = False,
        concurrency: int | None = None,
        on_outcome: OnOutcome | None = None,
    ) -> IngestReport:
        """The outcome of every session. What is stored already is recognised before any model is asked, so
        running again after a crash goes on where it stopped.

        Args:
            replace: put a changed text in the place of the stored one, whose facts are retracted on record.
            on_outcome: called with each outcome as it is known, for progress.

        Raises:
            InputError: two sessions have the same id.
            GraphError: the database became unusable; what was stored stays stored.
        """
        connection = self._connection
        ingestor = Ingestor(
            graph=connection.graph,
            reader=connection.reader,
            memory=self.id,
            extractor=self._ready_extractor(),
            embedder=connection.embedder,
            catalog=self._catalog,
            clock=self._clock,
            concurrency=concurrency or self._settings.concurrency,
            user=self._settings.user,
            open_vocabulary=self._settings.open_vocabulary,
            with_passages=self._settings.passages == "all",
        )
        return await ingestor.ingest(list(sessions), replace_changed=replace, on_outcome=on_outcome)

    async def add_facts(self, facts: Iterable[FactInput]) -> int:
        """How many of the given facts were new. No model is asked; nothing is stored if one of them is wrong.

        Raises:
            InputError: names the fact and the field.
            Conflict: sources with and without an index would be mixed in one memory.
        """
        made = facts_by_hand(
            list(facts),
            self._catalog,
            memory=self.id,
            recorded_at=self._clock.now(),
            zone=self._settings.zone,
            stored={s.id: Source(s.id, s.date, s.index) for s in await self._connection.reader.sessions(self.id)},
        )
        return await self._write_facts(made)

    async def correct(
        self, fact_id: str, *, object: str, by: str | None = None, why: str, effective: PartialDate | None = None
    ) -> Fact:
        """The fact that now stands where the wrong record stood. The record was wrong, the world did not
        change: the new one takes its session and place, the old one stays on record as retracted.
        `by` is who says so: by default the setting `user`, else the login name.

        Raises:
            InputError: the object is empty, or what the record says already.
            NotFound: this memory has no such fact.
            Conflict: the fact no longer counts: it was retracted or corrected before.
        """
        if not fold(object):
            raise InputError("object is empty", hint="say what is right, or use retract")
        old, by = await self._connection.reader.fact(self.id, fact_id), self._signed(by)
        provenance = old.provenance or Provenance("by-hand")
        new = dataclass_replace(
            old,
            object=object,
            valid_from=effective or old.valid_from,
            recorded_at=self._clock.now(),
            retraction=None,
            provenance=dataclass_replace(provenance, extractor="correction", note=f"corrected by {by}: {why}"),
        )
        if new.id == fact_id:
            raise InputError(f"fact {fact_id!r} says {object!r} already", hint="say what is right instead")
        (embedding,) = await self._connection.embedder.embed([new.text])
        at = self._clock.now()
        await writes.correct(self._connection.graph, self.id, fact_id, new, embedding, by=by, why=why, at=at)
        return new

    async def retract(self, *fact_ids: str, by: str | None = None, why: str) -> tuple[str, ...]:
        """The ids that were withdrawn now. The records stay, with who (`by`, as in `correct`), when and why.

        Raises:
            InputError: an id is no text: a list is given as `*ids`, a fact by its `id`.
            NotFound: one of the ids is no fact of this memory; then none is withdrawn.
        """
        for id_ in fact_ids:
            if not isinstance(id_, str):
                raise InputError(
                    f"a fact id is a text, not a {type(id_).__name__}",
                    hint="write retract(*ids, why=…) for a list of ids, and retract(fact.id, why=…) for a fact",
                )
        graph, at = self._connection.graph, self._clock.now()
        return await writes.retract(graph, self.id, fact_ids, by=self._signed(by), why=why, at=at)

    async def reindex(self) -> Reindexed:
        """What was added to sessions stored before there were passages, or without them: their turns can be found by
        search, and each has the events that its own sentences tell. No model is asked.

        Raises:
            NotFound: there is no such memory.
        """
        connection = self._connection
        await connection.reader.require_memory(self.id)
        return await reindex(connection.graph, connection.embedder, self._clock, self.id)

    async def regroup(self, *, dry_run: bool = False) -> Regrouping:
        """What was (or would be) moved into other version groups, since the relations file has changed how many
        values a relation holds or what its opposite is. What was told stays; run again it moves nothing.

        Raises:
            NotFound: there is no such memory.
        """
        connection = self._connection
        await connection.reader.require_memory(self.id)
        return await regroup(connection.graph, self._catalog, self.id, at=self._clock.now(), dry_run=dry_run)

    async def merge_subjects(self, name: str, into: str, *, by: str | None = None, why: str) -> int:
        """How many facts now count as facts about `into`: two names for one, said explicitly and taken back by
        `split_subject`. Each fact keeps the name that it was told under. An unknown `name` becomes an alias.
        `by` is who says so, as in `correct`.

        Raises:
            NotFound: nothing is known about `into`.
            Conflict: `name` is merged already, or the merge would run in a circle.
        """
        graph, at = self._connection.graph, self._clock.now()
        return await merge_subjects(graph, self._catalog, self.id, name, into, by=self._signed(by), why=why, at=at)

    async def split_subject(self, name: str) -> int:
        """How many facts count as facts about `name` again, its merge taken back.

        Raises:
            NotFound: `name` is not merged into another subject.
        """
        return await split_subject(self._connection.graph, self._catalog, self.id, name, at=self._clock.now())

    async def import_(self, lines: Iterable[str] | PathLike[str]) -> Transfer:
        """What was imported from an export (path, open file or lines) into this memory, which must be empty.

        Raises:
            InputError: the file is damaged, cut or of another version; then nothing is stored.
            Conflict: the memory is not empty.
        """
        if isinstance(lines, str | PathLike):
            with utf8_lines(lines) as stream:
                return await self.import_(stream)
        connection = self._connection
        return await import_memory(
            connection.graph,
            self._catalog,
            connection.embedder,
            self._clock,
            self.id,
            lines,
            with_passages=self._settings.passages == "all",
        )

    async def forget_session(self, session: str, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed, by kind: the session and everything that came from it.

        Raises:
            NotFound: there is no such session.
        """
        counts = await self._connection.reader.count_contents("count_session_contents", self.id, session=session)
        if not counts["sessions"]:
            raise NotFound(f"memory {self.id!r} has no session {session!r}", hint="`tem-graph sessions` lists them")
        if not dry_run:
            await writes.forget_session(self._connection.graph, self.id, session, at=self._clock.now())
        return counts

    async def forget_subject(self, subject: str, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed: the subject, its facts and the rejected candidates about it. Turns
        that speak of it stay; forget their sessions to remove those too.

        Raises:
            NotFound: nothing is known about that subject.
        """
        key = fold(subject)
        counts = await self._connection.reader.count_contents("count_subject_contents", self.id, subject=key)
        if not any(counts.values()):
            raise NotFound(f"memory {self.id!r} knows nobody called {subject!r}")
        if not dry_run:
            await writes.forget_subject(self._connection.graph, self.id, key, at=self._clock.now())
        return counts

    async def forget_memory(self, *, dry_run: bool = False) -> Mapping[str, int]:
        """What was (or would be) removed: everything in this memory, for good.

        Raises:
            NotFound: there is no such memory.
        """
        await self._connection.reader.require_memory(self.id)
        counts = await self._connection.reader.count_contents("count_memory_contents", self.id)
        if not dry_run:
            await writes.forget_memory(self._connection.graph, self.id)
        return counts

    def _ready_extractor(self) -> Extractor:
        if self._extractor is None:
            self._extractor = make_extractor(self._settings, self._catalog, self._ready_model())
        return self._extractor

    async def _write_facts(self, facts: Sequence[Fact]) -> int:
        vectors = await self._connection.embedder.embed([f.text for f in facts])
        embeddings = {fact.id: vector for fact, vector in zip(facts, vectors, strict=True)}
        return await writes.add_facts(self._connection.graph, self.id, facts, embeddings, at=self._clock.now())
