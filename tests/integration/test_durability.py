"""Killed in the middle: the client at many moments, the database's JVM once. Whole sessions are left, or none."""

from __future__ import annotations

import multiprocessing
import os
import random
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection

import pytest

from tem_graph.errors import GraphError
from tem_graph.graph import connection
from tem_graph.graph.connection import Address
from tem_graph.server import LocalServer
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory
from tests.integration.own_server import SMALL, address_of
from tests.integration.stories import contents, plain_reader, said

SPEAKERS = 6
SESSIONS = [
    said(f"s{n}", f"2024-01-{n + 1:02d}", *((f"P{p}", f"I live in Town{n % 5}.") for p in range(SPEAKERS)))
    for n in range(10)
]


def ingest_until_killed(address: Address, memory: str, told: Connection) -> None:
    """The client that is killed: says that it is ready, then every session that it has been told is stored."""
    with open_memory(address, memory, extractor=plain_reader()) as opened:
        told.send("ready")
        for session in SESSIONS:
            opened.ingest([session])
            told.send(session.id)


def killed_after(seconds: float, address: Address, memory: str) -> set[str]:
    """Starts a client, ends it as `kill -9` does some time after it was ready, and returns what it had reported."""
    context = multiprocessing.get_context("forkserver")  # a process of its own that has the imports behind it
    context.set_forkserver_preload(["tests.integration.test_durability"])
    hears, told = context.Pipe(duplex=False)
    client = context.Process(target=ingest_until_killed, args=(address, memory, told))
    client.start()
    told.close()
    assert hears.recv() == "ready"
    time.sleep(seconds)
    client.kill()
    client.join(30)
    reported = set()
    try:
        while True:
            reported.add(hears.recv())
    except EOFError:
        return reported


def whole_sessions(memory: TemporalMemory) -> set[str]:
    """The stored sessions, each of which must have all of its turns and facts, and every fact its turn.

    What the server had in hand when its client was killed may still be committed between two reads, so they are
    made again until no session has come in between.
    """
    while True:
        stored, facts, turns, outcomes = memory.sessions(), memory.facts(), memory.turns(), memory.outcomes()
        if memory.sessions() == stored:
            break
    assert {(s.turns, s.facts) for s in stored} <= {(SPEAKERS, SPEAKERS)}
    assert len(facts) == len(turns) == SPEAKERS * len(stored)
    assert {m.fact.source.session for m in facts} == {s.id for s in stored}
    assert {o.session for o in outcomes} == {s.id for s in stored}
    return {s.id for s in stored}


def test_a_killed_client_leaves_whole_sessions_and_resumes(migrated: Address, memory_id: str) -> None:
    chance = random.Random(0)
    with open_memory(migrated, memory_id, extractor=plain_reader()) as undisturbed:
        undisturbed.ingest(SESSIONS)
        expected = contents(undisturbed)
        for round_ in range(4):
            killed = undisturbed.for_memory(f"{memory_id}-{round_}")
            before: set[str] = set()
            for moment in range(5):  # 20 kills in all, each resuming what the last one left
                finished = before | killed_after(chance.uniform(0.0, 0.06) * (moment + 1), migrated, killed.id)
                stored = whole_sessions(killed)
                assert finished <= stored  # nothing that was reported is lost
                before = stored
            killed.ingest(SESSIONS)
            assert contents(killed) == expected
            killed.forget_memory()
        undisturbed.forget_memory()


def test_a_killed_database_keeps_every_committed_session_whole(
    own_server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "RETRY_S", 5.0)  # the writer need not wait for the server to come back
    committed: list[str] = []
    under_way, over = threading.Event(), threading.Event()

    def write() -> None:
        with open_memory(address_of(own_server), "killed", extractor=plain_reader()) as memory:
            while not over.is_set():
                number = len(committed)
                lines = [(f"P{p}", f"I live in Town{number}.") for p in range(SPEAKERS)]
                (outcome,) = memory.ingest([said(f"s{number:06d}", "2024-01-01", *lines)]).outcomes
                assert outcome.is_success
                committed.append(outcome.session)
                if number == 15:
                    under_way.set()

    def write_until_the_end() -> None:
        with suppress(GraphError):
            write()

    writer = threading.Thread(target=write_until_the_end)
    writer.start()
    assert under_way.wait(120)
    assert own_server.kill()
    before = list(committed)
    own_server.start(memory=SMALL, ephemeral=True, tie_to=os.getpid())
    over.set()
    writer.join(180)
    assert not writer.is_alive()
    address = address_of(own_server)
    with open_memory(address, "killed", extractor=plain_reader()) as memory:
        stored = whole_sessions(memory)
        assert set(before) <= set(committed) <= stored
        assert len(stored - set(committed)) <= 1  # at most the one whose answer never came
        memory.forget_memory()
        assert "killed" not in {m.id for m in memory.memories()}
