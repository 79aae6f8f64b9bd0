"""A Neo4j that cannot be used: each reason is an error of its own, names the setting, and shows no password."""

from __future__ import annotations

import socket
import time
from dataclasses import replace

import pytest

from tem_graph.errors import GraphRefused, GraphUnavailable, InputError, NotFound, SettingsError
from tem_graph.graph import connection
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.memory import find_address
from tem_graph.settings import load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory


def test_a_wrong_password_is_one_clear_error_and_no_lock_out(own_address: Address) -> None:
    wrong = replace(own_address, password="not the password at all")
    for _ in range(2):
        with pytest.raises(GraphRefused) as caught:
            open_memory(wrong, "m").open()
        assert own_address.uri in caught.value.message
        assert "'neo4j'" in caught.value.message
        assert "NEO4J_PASSWORD" in (caught.value.hint or "")
        shown = f"{caught.value!r} {caught.value.hint} {caught.value.__cause__!r} {wrong!r}"
        assert "not the password at all" not in shown
        assert own_address.password not in shown
    with open_memory(own_address, "m") as memory:  # the corrected start works at once
        assert memory.subjects() == []


def test_a_missing_database_is_named_and_nothing_is_written(migrated: Address, memory_id: str) -> None:
    with pytest.raises(GraphRefused, match="'nosuch'") as caught:
        open_memory(replace(migrated, database="nosuch"), memory_id).open()
    assert "NEO4J_DATABASE" in (caught.value.hint or "")
    with open_memory(migrated, "look") as memory:
        assert memory_id not in {m.id for m in memory.memories()}


def test_an_unreachable_host_is_named_within_the_time_allowed() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        nobody = Address(f"bolt://127.0.0.1:{taken.getsockname()[1]}", "neo4j", "secret-word")
        began = time.perf_counter()
        with pytest.raises(GraphUnavailable) as caught:
            open_memory(nobody, "m").open()
    assert time.perf_counter() - began < 20
    assert nobody.uri in caught.value.message
    assert "NEO4J_URI" in (caught.value.hint or "")
    assert caught.value.retryable
    assert "secret-word" not in f"{caught.value!r} {nobody!r}"


@pytest.mark.parametrize("uri", ["http://127.0.0.1:7474", "127.0.0.1:7687", "nonsense", ""])
def test_an_address_of_another_kind_says_what_to_write(uri: str) -> None:
    with pytest.raises(GraphRefused, match="NEO4J_URI") as caught:
        open_memory(Address(uri, "neo4j", "secret-word"), "m").open()
    assert "bolt://" in (caught.value.hint or "")


def test_a_server_that_is_too_old_is_refused(migrated: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "OLDEST_SERVER", (99, 1))
    with pytest.raises(GraphRefused, match=r"too old: tem-graph needs 99\.1"):
        open_memory(migrated, "m").open()


def test_an_address_without_a_password_is_a_setting_that_is_missing() -> None:
    with pytest.raises(SettingsError, match="NEO4J_PASSWORD"):
        find_address(load_settings(neo4j_uri="bolt://127.0.0.1:1"))


def test_a_memory_that_is_not_open_says_so() -> None:
    memory = TemporalMemory("m", settings=load_settings(embedder="hashing"))
    with pytest.raises(SettingsError, match="not open"):
        memory.facts()


@pytest.mark.parametrize("name", ["", "  "])
def test_a_memory_needs_a_name(memory: TemporalMemory, name: str) -> None:
    with pytest.raises(SettingsError, match="memory id is empty"):
        memory.for_memory(name)
    with pytest.raises(SettingsError, match="memory id is empty"):
        TemporalMemory(name, settings=load_settings(embedder="hashing"))


def test_what_is_not_there_is_named(memory: TemporalMemory) -> None:
    unknown = memory.for_memory(f"{memory.id}-nobody")
    with pytest.raises(NotFound, match="nobody"):
        unknown.forget_memory()
    memory.add_facts([FactInput("Ana", "residence", "Ravn", "s1")])
    for call in (
        lambda: memory.forget_session("s9"),
        lambda: memory.as_of(known_after="s9"),
    ):
        with pytest.raises(NotFound, match="'s9'"):
            call()
    with pytest.raises(NotFound, match="'Ivo'"):
        memory.forget_subject("Ivo")
    with pytest.raises(NotFound, match="'Ivo'"):
        memory.history("Ivo")
    fact = memory.facts()[0].fact
    with pytest.raises(NotFound, match="'nope'"):
        memory.retract(fact.id, "nope", by="me", why="x")
    assert memory.facts()[0].status == "current"
    with pytest.raises(NotFound, match="'nope'"):
        memory.correct("nope", object="Lund", by="me", why="x")


@pytest.mark.parametrize("k", [0, -1])
def test_a_search_for_less_than_one_fact_is_refused(memory: TemporalMemory, k: int) -> None:
    with pytest.raises(InputError, match="k is"):
        memory.search("Where does Ana live?", k)
