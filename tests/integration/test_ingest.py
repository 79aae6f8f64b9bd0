"""Sessions in: order of arrival, repetition, replacement, failure, interruption, many at once."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Coroutine, Iterator, Sequence
from concurrent.futures import Future
from itertools import permutations

import pytest

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate, Extraction, Usage
from tem_graph.domain.outcome import OutcomeStatus
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import BadReply, Conflict, GraphRefused, GraphUnavailable, InputError, ModelUnavailable
from tem_graph.graph import writes
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.settings import load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_async_memory, open_memory
from tests.integration.stories import contents, objects, plain_reader, read_plainly, reader_of, replying, said

STORY = (
    said("s1", "2024-01-01", "I live in Ash.", "I love tea."),
    said("s2", "2024-02-01", "I live in Beck.", ("Mia", "I live in Beck.")),
    said("s3", "2024-03-01", "I live in Ash.", "I wish I lived in Cove."),
    said("s4", None, "I work at Acorn."),
)
STORED, UNCHANGED, CONFLICT = OutcomeStatus.STORED, OutcomeStatus.UNCHANGED, OutcomeStatus.CONFLICT
FAILED, REPLACED = OutcomeStatus.FAILED, OutcomeStatus.REPLACED


@pytest.fixture
def reading(migrated: Address, memory_id: str) -> Iterator[TemporalMemory]:
    """An open, empty memory whose extractor reads the plain sentences of these tests."""
    with open_memory(migrated, memory_id, extractor=plain_reader()) as opened:
        yield opened
        if any(m.id == memory_id for m in opened.memories()):
            opened.forget_memory()


def statuses(memory: TemporalMemory, *sessions: Session, **options: object) -> list[OutcomeStatus]:
    return [o.status for o in memory.ingest(sessions, **options).outcomes]


def current_homes(memory: TemporalMemory) -> list[str]:
    return sorted(m.fact.object for m in memory.facts(relation="residence") if m.status == "current")


# Order and repetition ---------------------------------------------------------------------------------------


def test_any_order_of_arrival_gives_the_same_memory(reading: TemporalMemory) -> None:
    found = []
    for number, order in enumerate(permutations(STORY[:3])):
        order = [*order[: number % 4], STORY[3], *order[number % 4 :]]
        memory = reading.for_memory(f"{reading.id}-{number}")
        for session in order:  # one by one: every session is an import of its own
            assert statuses(memory, session) == [STORED]
        found.append(contents(memory))
        memory.forget_memory()
    assert len(found[0]["facts"]) == 6
    assert all(one == found[0] for one in found)


def test_any_order_inside_one_call_gives_the_same_memory(reading: TemporalMemory) -> None:
    found = []
    for seed in range(3):
        order = random.Random(seed).sample(STORY, len(STORY))
        memory = reading.for_memory(f"{reading.id}-{seed}")
        memory.ingest(order, concurrency=3)
        found.append(contents(memory))
        memory.forget_memory()
    assert all(one == found[0] for one in found)


def test_explicit_indexes_order_whatever_the_dates_say(reading: TemporalMemory) -> None:
    later = said("late", "2020-01-01", "I live in Ash.", index=2)
    earlier = said("early", "2024-01-01", "I live in Beck.", index=1)
    assert statuses(reading, later, earlier) == [STORED, STORED]
    assert [s.id for s in reading.sessions()] == ["early", "late"]
    assert current_homes(reading) == ["Ash"]


def test_ingesting_again_changes_nothing_and_asks_no_model(migrated: Address, memory_id: str) -> None:
    model = ScriptedChat(read_plainly)
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as memory:
        first = memory.ingest(STORY)
        asked, before, outcomes = len(model.requests), contents(memory), memory.outcomes()
        again = memory.ingest(STORY)
        assert [o.status for o in first.outcomes] == [STORED] * 4
        assert [o.status for o in again.outcomes] == [UNCHANGED] * 4
        assert (len(model.requests), contents(memory), memory.outcomes()) == (asked, before, outcomes)
        assert first.facts == 6
        assert first.rejected == 1
        assert first.usage.calls == asked == 4
        memory.forget_memory()


def test_outcomes_come_in_the_order_given_and_are_kept(reading: TemporalMemory) -> None:
    seen = []
    report = reading.ingest(reversed(STORY), on_outcome=seen.append)
    assert [o.session for o in report.outcomes] == ["s4", "s3", "s2", "s1"]
    assert sorted(o.session for o in seen) == ["s1", "s2", "s3", "s4"]
    kept = {o.session: o for o in reading.outcomes()}
    assert {s: (o.status, o.facts, o.rejected, o.extractor) for s, o in kept.items()} == {
        "s1": (STORED, 2, 0, "model"),
        "s2": (STORED, 2, 0, "model"),
        "s3": (STORED, 1, 1, "model"),
        "s4": (STORED, 1, 0, "model"),
    }


def test_two_sessions_of_one_id_in_one_call_are_refused(reading: TemporalMemory) -> None:
    with pytest.raises(InputError, match="'s1' occurs twice"):
        reading.ingest([STORY[0], said("s1", "2024-05-05", "I live in Cove.")])
    assert reading.memories() == [m for m in reading.memories() if m.id != reading.id]


# A changed text under a known id ----------------------------------------------------------------------------


def test_a_changed_text_is_a_conflict_and_changes_nothing(reading: TemporalMemory) -> None:
    reading.ingest(STORY)
    before = contents(reading)
    changed = said("s1", "2024-01-01", "I live in Cove.")
    report = reading.ingest([changed, STORY[1]])
    assert [o.status for o in report.outcomes] == [CONFLICT, UNCHANGED]
    assert "replace" in (report.failed[0].reason or "")
    assert contents(reading) == before


def test_replacing_retracts_on_record_and_keeps_what_is_said_again(reading: TemporalMemory) -> None:
    reading.ingest([said("s1", "2024-01-01", "I live in Ash.", "I love tea.")])
    old = {m.fact.object: m.fact for m in reading.facts()}
    assert statuses(reading, said("s1", "2024-01-01", "I live in Cove.", "I love tea."), replace=True) == [REPLACED]
    now = {m.fact.object: m for m in reading.facts()}
    assert now["tea"].fact == old["tea"]
    assert (now["Cove"].status, now["Ash"].status) == ("current", "retracted")
    retraction = now["Ash"].fact.retraction
    assert retraction is not None
    assert (retraction.by, "s1" in retraction.why) == ("ingest", True)
    assert [t.text for _, t in reading.turns()] == ["I live in Cove.", "I love tea."]
    assert [o.status for o in reading.outcomes()] == [REPLACED]


def test_replacing_back_restores_the_first_text(reading: TemporalMemory) -> None:
    first, second = STORY[2], said("s3", "2024-03-01", "I live in Dell.", "I wish I lived in Elm.")
    reading.ingest([first])
    before = contents(reading)
    reading.ingest([second], replace=True)
    assert [(r.candidate.object) for _, r in reading.rejected()] == ["Elm"]
    reading.ingest([first], replace=True)
    assert current_homes(reading) == ["Ash"]
    after = contents(reading)
    assert (after["turns"], after["rejected"]) == (before["turns"], before["rejected"])
    assert statuses(reading, first) == [UNCHANGED]


def test_replacing_with_another_date_moves_what_is_said_again(reading: TemporalMemory) -> None:
    reading.ingest([said("s1", "2024-01-01", "I live in Ash."), said("s2", "2024-02-01", "I live in Beck.")])
    assert statuses(reading, said("s1", "2024-03-01", "I live in Ash."), replace=True) == [REPLACED]
    assert current_homes(reading) == ["Ash"]
    (current,) = [m.fact for m in reading.facts(relation="residence") if m.status == "current"]
    assert str(current.source.date) == "2024-03-01"
    assert [s.id for s in reading.sessions()] == ["s2", "s1"]


def test_replacing_leaves_what_people_decided(reading: TemporalMemory) -> None:
    first = said("s1", "2024-01-01", "I live in Ash.", "I work at Acorn.", "I love tea.")
    reading.ingest([first])
    ids = {m.fact.object: m.fact.id for m in reading.facts()}
    reading.add_facts([FactInput("Ana", "city of birth", "Elm", "s1")])
    reading.retract(ids["Acorn"], by="Ana", why="misheard")
    reading.correct(ids["Ash"], object="Ashe", by="Ana", why="spelling")
    reading.ingest([said("s1", "2024-01-01", *(t.text for t in first.turns), "And so on.")], replace=True)
    counted = {m.fact.object for m in reading.facts() if m.status != "retracted"}
    assert counted == {"Ashe", "tea", "Elm"}
    reading.ingest([said("s1", "2024-01-01", "I love tea.")], replace=True)
    assert {m.fact.object for m in reading.facts() if m.status != "retracted"} == {"tea", "Elm"}


def test_a_source_named_by_hand_may_get_its_text_later(reading: TemporalMemory) -> None:
    reading.add_facts([FactInput("Ana", "team", "Red", "s1", date="2024-01-01")])
    assert statuses(reading, said("s1", "2024-01-01", "I live in Ash.")) == [STORED]
    assert sorted(objects(reading.facts())) == ["Ash", "Red"]
    reading.add_facts([FactInput("Ana", "team", "Blue", "s2", date="2024-01-02")])
    report = reading.ingest([said("s2", "2024-05-05", "I live in Beck.")])
    assert [o.status for o in report.outcomes] == [FAILED]
    assert "another date or index" in (report.failed[0].reason or "")
    assert [str(s.date) for s in reading.sessions()] == ["2024-01-01", "2024-01-02"]


def test_sessions_with_and_without_an_index_do_not_mix(reading: TemporalMemory) -> None:
    reading.ingest([said("s1", "2024-01-01", "I live in Ash.")])
    report = reading.ingest([said("s2", "2024-02-01", "I live in Beck.", index=2), STORY[2]])
    assert [o.status for o in report.outcomes] == [FAILED, STORED]
    assert "s2" in (report.failed[0].reason or "")
    assert [s.id for s in reading.sessions()] == ["s1", "s3"]
    with pytest.raises(Conflict, match="orders its sessions by date"):
        reading.add_facts([FactInput("Ana", "team", "Red", "s9", index=9)])
    assert "s9" not in {s.id for s in reading.sessions()}


# Failure ----------------------------------------------------------------------------------------------------


def test_a_failed_session_is_reported_not_stored_and_can_be_retried(migrated: Address, memory_id: str) -> None:
    broken = True

    def reply(request: ChatRequest) -> str:
        return "no idea" if broken and "Beck" in request.text else read_plainly(request)

    model = ScriptedChat(reply)
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as memory:
        report = memory.ingest(STORY)
        (failed,) = report.failed
        assert (failed.session, failed.status, failed.facts) == ("s2", FAILED, 0)
        assert "s2" in (failed.reason or "")
        assert failed.usage.calls == 2  # the reading and its repair were paid for
        assert failed.usage.prompt_tokens > 0
        assert [s.id for s in memory.sessions()] == ["s4", "s1", "s3"]
        assert "Beck" not in objects(memory.facts())
        assert {o.session: o.status for o in memory.outcomes()}["s2"] is FAILED
        broken = False
        assert statuses(memory, *STORY) == [UNCHANGED, STORED, UNCHANGED, UNCHANGED]
        assert {o.session: o.status for o in memory.outcomes()}["s2"] is STORED
        memory.forget_memory()


@pytest.mark.parametrize("error", [BadReply("no"), ModelUnavailable("model gone")])
def test_an_embedder_that_fails_stores_nothing(migrated: Address, memory_id: str, error: Exception) -> None:
    class Broken(HashingEmbedder):
        async def embed(self, texts: object) -> list[list[float]]:
            raise error

    with open_memory(migrated, memory_id, extractor=plain_reader(), embedder=Broken()) as memory:
        report = memory.ingest(STORY[:2])
        assert [o.status for o in report.outcomes] == [FAILED, FAILED]
        assert (memory.sessions(), memory.facts()) == ([], [])
        assert [o.status for o in memory.outcomes()] == [FAILED, FAILED]
        memory.forget_memory()


def test_a_database_that_goes_away_is_raised_with_its_cause(
    reading: TemporalMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = GraphUnavailable("gone")
    gone.__cause__ = OSError("connection reset")

    async def refuse(*_: object, **__: object) -> None:
        raise gone

    monkeypatch.setattr("tem_graph.ingest.pipeline.write_sessions", refuse)
    with pytest.raises(GraphUnavailable, match="gone") as caught:
        reading.ingest(STORY)
    assert isinstance(caught.value.__cause__, OSError)


def test_one_session_that_neo4j_refuses_does_not_take_its_neighbours_along(
    reading: TemporalMemory, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writes.write_sessions

    async def picky(graph: object, memory: str, sessions: list[writes.SessionWrite], **options: object) -> object:
        if any(w.session.id == "s2" for w in sessions):
            raise GraphRefused("not this one")
        return await real(graph, memory, sessions, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("tem_graph.ingest.pipeline.write_sessions", picky)
    assert statuses(reading, *STORY) == [STORED, FAILED, STORED, STORED]
    assert [s.id for s in reading.sessions()] == ["s4", "s1", "s3"]


def test_a_model_that_writes_half_a_character_costs_one_candidate(migrated: Address, memory_id: str) -> None:
    reply = (
        '{"facts": [{"subject": "Ana", "relation": "residence", "object": "\\ud83d", "turn": 0},'
        ' {"subject": "Ana", "relation": "residence", "object": "Ash", "turn": 0, "quote": "I live in Ash"}]}'
    )
    with open_memory(migrated, memory_id, extractor=reader_of(replying(reply))) as memory:
        assert statuses(memory, STORY[0]) == [STORED]
        assert objects(memory.facts()) == ["Ash"]
        assert [r.candidate.object for _, r in memory.rejected()] == ["\ufffd"]
        memory.forget_memory()


# Interruption and concurrency -------------------------------------------------------------------------------


class Slow:
    """A reader that hands over one fact a session after a pause."""

    name = "slow"

    def __init__(self, pause_s: float) -> None:
        self._pause_s = pause_s
        self.running = self.most = 0

    async def extract(self, session: Session) -> Extraction:
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(self._pause_s)
        self.running -= 1
        facts = [Candidate(t.speaker, "residence", t.text.split()[-1].strip("."), t.position) for t in session.turns]
        return Extraction("slow", tuple(facts), usage=Usage(1))


def crowd(count: int = 40) -> list[Session]:
    """Sessions that all speak of the same ten people."""
    people = [f"P{n}" for n in range(10)]
    return [
        said(
            f"s{n}",
            f"2024-01-01T{n // 60:02d}:{n % 60:02d}:00+00:00",
            *((p, f"I live in Town{n % 7}.") for p in people),
        )
        for n in range(count)
    ]


def test_eight_workers_store_what_one_stores(migrated: Address, memory_id: str) -> None:
    sessions = crowd()
    with open_memory(migrated, memory_id, extractor=Slow(0.001)) as memory:
        alone = memory.for_memory(f"{memory_id}-alone")
        assert {o.status for o in memory.ingest(sessions, concurrency=8).outcomes} == {STORED}
        for session in sessions:
            assert statuses(alone, session, concurrency=1) == [STORED]
        assert len(memory.facts()) == 400
        assert contents(memory) == contents(alone)
        alone.forget_memory()
        memory.forget_memory()


async def test_eight_writers_of_one_memory_store_what_one_stores(migrated: Address, memory_id: str) -> None:
    sessions = crowd()
    async with open_async_memory(migrated, memory_id, extractor=Slow(0.0)) as memory:
        # Eight calls that share half of their sessions: each session is stored by exactly one of them.
        parts = [sessions[n::8] + sessions[(n + 1) % 8 :: 8] for n in range(8)]
        reports = await asyncio.gather(*(memory.ingest(part, concurrency=2) for part in parts))
        ended = [o.status for report in reports for o in report.outcomes]
        assert (ended.count(STORED), ended.count(UNCHANGED)) == (40, 40)
        assert len(await memory.facts()) == 400
        assert len(await memory.sessions()) == 40
        assert len(await memory.turns()) == 400
        assert sum(m.facts for m in await memory.memories() if m.id == memory_id) == 400
        await memory.forget_memory()


def test_concurrency_bounds_the_sessions_in_flight(migrated: Address, memory_id: str) -> None:
    extractor = Slow(0.01)
    with open_memory(migrated, memory_id, extractor=extractor) as memory:
        memory.ingest(crowd(12), concurrency=3)
        assert extractor.most == 3
        memory.forget_memory()


@pytest.mark.parametrize("after", [1, 5, 11, 19])
async def test_cancelling_leaves_whole_sessions(migrated: Address, memory_id: str, after: int) -> None:
    sessions = crowd(20)
    seen = 0
    async with open_async_memory(migrated, memory_id, extractor=Slow(0.004)) as memory:

        def stop(_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == after:
                task.cancel()

        task = asyncio.create_task(memory.ingest(sessions, concurrency=2, on_outcome=stop))
        with pytest.raises(asyncio.CancelledError):
            await task
        stored = await memory.sessions()
        assert {(s.turns, s.facts) for s in stored} <= {(10, 10)}
        assert after <= len(stored)
        done = {s.id for s in stored}
        report = await memory.ingest(sessions)
        assert {o.session for o in report.outcomes if o.status is UNCHANGED} == done
        assert len(await memory.facts()) == 200
        await memory.forget_memory()


def test_ctrl_c_stops_the_work_and_leaves_whole_sessions(
    migrated: Address, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    under_way = threading.Event()

    class Interrupted(Future):  # type: ignore[type-arg]
        """What the caller waits for: Ctrl-C arrives there, in the caller's thread, once work is under way."""

        def result(self, timeout: float | None = None) -> object:
            assert under_way.wait(60)
            raise KeyboardInterrupt

    with open_memory(migrated, memory_id, extractor=Slow(0.05)) as memory:
        real = asyncio.run_coroutine_threadsafe

        def interrupted(work: Coroutine[object, object, object], loop: asyncio.AbstractEventLoop) -> object:
            future = real(work, loop)
            if not under_way.is_set():
                future.__class__ = Interrupted
            return future

        with monkeypatch.context() as patch:
            patch.setattr("asyncio.run_coroutine_threadsafe", interrupted)
            with pytest.raises(KeyboardInterrupt):
                memory.ingest(crowd(40), concurrency=1, on_outcome=lambda _: under_way.set())
        stored = memory.sessions()
        assert 0 < len(stored) < 40
        assert {(s.turns, s.facts) for s in stored} == {(10, 10)}
        memory.forget_memory()


def test_the_person_behind_user_is_named(migrated: Address, memory_id: str) -> None:
    settings = load_settings(embedder="hashing", user="Ana")
    with open_memory(migrated, memory_id, settings=settings, extractor=plain_reader()) as memory:
        memory.ingest([said("s1", "2024-01-01", ("user", "I live in Ash."), ("assistant", "I live in Beck."))])
        assert [(m.fact.subject, m.fact.object) for m in memory.facts()] == [("Ana", "Ash")]
        assert [r.reason for _, r in memory.rejected()] == ["assistant_turn"]
        memory.forget_memory()


def test_writing_starts_while_an_extractor_that_waits_for_nobody_still_reads(migrated: Address, memory_id: str) -> None:
    class Eager:
        name, read = "eager", 0

        async def extract(self, session: Session) -> Extraction:
            self.read += 1
            return Extraction(self.name)

    eager = Eager()
    read_before_each_write: list[int] = []

    class Watching(HashingEmbedder):
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            read_before_each_write.append(eager.read)
            return await super().embed(texts)

    with open_memory(migrated, memory_id, extractor=eager, embedder=Watching()) as memory:
        told = [said(f"s{n}", "2024-01-01", f"The train to Town{n} was late.") for n in range(60)]
        assert memory.ingest(told).count(OutcomeStatus.STORED) == 60
        memory.forget_memory()
    assert read_before_each_write[0] < 10
    assert eager.read == 60
