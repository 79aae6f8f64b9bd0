"""A real server: started, looked at, killed, started again. Each start costs some ten seconds, so tests share them."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import psutil
import pytest
from neo4j import Driver, GraphDatabase
from neo4j.exceptions import ServiceUnavailable

from tem_graph.errors import GraphRefused, ServerError
from tem_graph.graph.connection import Address
from tem_graph.graph.probe import probe
from tem_graph.server import Connection, LocalServer, Memory, Reporter, process
from tem_graph.server.home import ProcessRecord
from tem_graph.server.model import Ports

pytestmark = pytest.mark.neo4j

SMALL = Memory(heap="512m", pagecache="64m")
CLI = "from tem_graph.cli.server import server_group; server_group()"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, jar_cache: Path) -> Iterator[LocalServer]:
    """One home for the tests below; each leaves its server running or says that it does not."""
    made = LocalServer(tmp_path_factory.mktemp("server"), jar_cache)
    yield made
    made.stop(force=True)


@pytest.fixture
def running(server: LocalServer) -> Connection:
    return start(server)[0]


def start(server: LocalServer) -> tuple[Connection, list[str]]:
    """The connection, and what the start said."""
    said: list[str] = []
    return server.start(memory=SMALL, reporter=Reporter(say=said.append)), said


def driver(connection: Connection) -> Driver:
    return GraphDatabase.driver(connection.uri, auth=(connection.username, connection.password))


def jvm(server: LocalServer) -> psutil.Process:
    status = server.status()
    assert status is not None
    return psutil.Process(status.pid)


def wait_until(claim: Callable[[], bool], seconds: float = 60) -> bool:
    deadline = time.perf_counter() + seconds
    while not claim():
        if time.perf_counter() > deadline:
            return False
        time.sleep(0.2)
    return True


def listen(port: int) -> socket.socket:
    """A program that has taken the port."""
    taken = socket.socket()
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    taken.bind(("127.0.0.1", port))
    taken.listen()
    return taken


def test_it_answers_and_tells_what_it_is(server: LocalServer, running: Connection) -> None:
    status = server.status()
    assert status is not None
    assert status.answers
    assert status.version.startswith("5.26.")
    assert status.uri == running.uri
    assert status.memory == SMALL
    assert status.memory_bytes > 100e6
    assert 0 < status.data_bytes < 50e6
    assert "neo4j" in httpx.get(status.browser_url).text.lower()


def test_it_listens_on_loopback_only_and_calls_nobody(server: LocalServer, running: Connection) -> None:
    sockets = jvm(server).net_connections(kind="all")
    internet = [s for s in sockets if s.family in (socket.AF_INET, socket.AF_INET6)]
    listening = [s.laddr for s in internet if s.status == psutil.CONN_LISTEN]
    ports = server.home.remembered_ports()
    assert ports is not None
    assert {address.port for address in listening} == {ports.bolt, ports.http}
    assert {address.ip.removeprefix("::ffff:") for address in listening} == {"127.0.0.1"}
    assert {s.raddr.ip.removeprefix("::ffff:") for s in internet if s.raddr} <= {"127.0.0.1"}


def test_it_reports_to_nobody(running: Connection) -> None:
    with driver(running) as opened:
        rows, _, _ = opened.execute_query("SHOW SETTINGS YIELD name, value")
    settings = {row["name"]: row["value"] for row in rows}
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["client.allow_telemetry"] == "false"


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_the_password_is_random_and_closed_to_others(server: LocalServer, running: Connection) -> None:
    assert stat.S_IMODE(server.home.password_file.stat().st_mode) == 0o600
    with pytest.raises(GraphRefused, match="wrong user name or password"):
        probe(Address(running.uri, "neo4j", "neo4j"))
    assert running.password not in " ".join(jvm(server).cmdline())


def test_starting_twice_does_nothing_and_says_so(server: LocalServer, running: Connection) -> None:
    before = jvm(server)
    again = server.ensure_running(memory=Memory(heap="2g"))
    assert again.already_running
    assert (again.connection, again.pid) == (running, before.pid)
    command = [sys.executable, "-c", CLI, "start", "--home", str(server.home.path)]
    environment = {name: value for name, value in os.environ.items() if name != "NEO4J_URI"}
    shown = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert "runs already" in shown.stdout
    assert running.password not in shown.stdout + shown.stderr


def test_committed_data_survives_kill_9(server: LocalServer, running: Connection) -> None:
    with driver(running) as opened:
        opened.execute_query("UNWIND range(1, 1000) AS n CREATE (:Kept {n: n})")
        with opened.session() as session:
            half = session.begin_transaction()
            half.run("UNWIND range(1, 1000) AS n CREATE (:Lost {n: n})").consume()
            assert server.kill()
            with pytest.raises(ServiceUnavailable):
                half.commit()
    assert server.status() is None
    connection, said = start(server)
    assert any("ended without being stopped" in line for line in said)
    assert connection == running
    with driver(connection) as opened:
        (row,), _, _ = opened.execute_query("RETURN count{(:Kept)} AS kept, count{(:Lost)} AS lost")
    assert (row["kept"], row["lost"]) == (1000, 0)


def test_a_stale_record_and_a_taken_port_are_got_over(server: LocalServer, running: Connection) -> None:
    assert server.stop()
    assert server.status() is None
    ports = server.home.remembered_ports()
    assert ports is not None
    server.home.record_process(ProcessRecord(os.getpid(), 1.0, "5.26.0", SMALL))
    with listen(ports.bolt):
        connection, said = start(server)
    assert str(ports.bolt) not in connection.uri
    assert any(f"port {ports.bolt} is taken by another program" in line for line in said)
    assert any(f"process {os.getpid()}" in line for line in said)
    found = server.home.remembered_ports()
    assert found is not None
    assert found.bolt != ports.bolt


def test_a_port_taken_at_the_last_moment_is_got_over(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.stop()
    (server.home.path / "ports.json").unlink()
    search = process.free_ports
    first = search()
    monkeypatch.setattr(process, "free_ports", lambda avoid: search(avoid) if avoid else first)
    with listen(first.http):
        _, said = start(server)
    assert any(f"{first.http} was taken while Neo4j started" in line for line in said)
    assert server.home.remembered_ports() != first


def test_two_starts_at_once_end_with_one_server(server: LocalServer) -> None:
    server.stop()
    command = [sys.executable, "-c", CLI, "start", "--json", "--heap", "512m", "--home", str(server.home.path)]
    environment = {name: value for name, value in os.environ.items() if name != "NEO4J_URI"}
    environment["TEM_GRAPH_CACHE"] = str(server.cache)
    both = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        for _ in range(2)
    ]
    answers = [json.loads(each.communicate()[0]) for each in both]
    assert [each.returncode for each in both] == [0, 0]
    assert sorted(answer["already_running"] for answer in answers) == [False, True]
    assert len({answer["pid"] for answer in answers}) == 1
    assert jvm(server).pid == answers[0]["pid"], "it outlives the commands that started it"


def test_a_reset_wipes_the_data_and_keeps_the_password(server: LocalServer) -> None:
    connection, _ = start(server)
    with driver(connection) as opened:
        opened.execute_query("CREATE (:Kept)")
    server.reset()
    assert server.status() is None
    fresh, _ = start(server)
    assert fresh.password == connection.password
    with driver(fresh) as opened:
        (row,), _, _ = opened.execute_query("RETURN count{()} AS nodes")
    assert row["nodes"] == 0


def test_a_start_that_fails_shows_the_log(server: LocalServer) -> None:
    server.stop()
    with pytest.raises(ServerError, match=r"(?s)Neo4j ended while starting.*heap") as caught:
        server.start(memory=Memory(heap="1k"))
    assert str(server.home.logs) in (caught.value.hint or "")
    assert server.status() is None
    assert server.home.process() is None


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
def test_a_throwaway_server_ends_with_its_owner_however_that_ends(tmp_path: Path, jar_cache: Path) -> None:
    code = f"""
import json, os, time
from pathlib import Path
from tem_graph.server import LocalServer, Memory
home = Path({str(tmp_path / "throwaway")!r})
started = LocalServer(home, Path({str(jar_cache)!r})).ensure_running(
    ephemeral=True, tie_to=os.getpid(), memory=Memory("512m", "64m"))
print(json.dumps(started.pid), flush=True)
time.sleep(600)
"""
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    pid = json.loads(owner.stdout.readline())
    assert psutil.pid_exists(pid)
    owner.send_signal(signal.SIGKILL)
    owner.communicate()
    assert wait_until(lambda: not psutil.pid_exists(pid))
    assert wait_until(lambda: not (tmp_path / "throwaway").exists())


def test_ports_are_chosen_apart() -> None:
    first = process.free_ports()
    assert process.free_ports(frozenset({first.bolt})) != first
    with listen(first.bolt):
        assert not process.is_free(first.bolt)
        assert isinstance(process.free_ports(), Ports)
        assert process.free_ports() != first
