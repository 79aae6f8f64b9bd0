"""The home folder: what is kept, what is closed to others, and what is never signalled or removed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from tem_graph.errors import ServerError, SettingsError
from tem_graph.server import LocalServer, Memory, named_home, refuse_if_elsewhere
from tem_graph.server.config import HASH_ROUNDS, initial_user, java_arguments, neo4j_conf
from tem_graph.server.home import Home, ProcessRecord
from tem_graph.server.logs import follow, messages, tail
from tem_graph.server.model import Connection, Ports
from tem_graph.settings import load_settings


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    made.create()
    return made


@pytest.fixture
def sleeper() -> Iterator[psutil.Process]:
    """A living process that is no Neo4j."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    yield psutil.Process(child.pid)
    child.kill()
    child.wait()


def conf(ports: Ports | None = None, memory: Memory | None = None) -> dict[str, str]:
    lines = neo4j_conf(ports or Ports(1, 2), memory or Memory()).splitlines()
    return dict(line.split("=", 1) for line in lines)


def test_every_address_is_loopback_and_nothing_is_reported() -> None:
    settings = conf(Ports(bolt=17687, http=17474), Memory("512m", "64m"))
    addresses = {value.split(":")[0] for name, value in settings.items() if name.endswith("_address")}
    assert addresses == {"127.0.0.1"}
    assert settings["server.bolt.listen_address"] == "127.0.0.1:17687"
    assert settings["server.http.listen_address"] == "127.0.0.1:17474"
    assert settings["server.https.enabled"] == "false"
    assert settings["dbms.security.auth_enabled"] == "true"
    assert settings["dbms.usage_report.enabled"] == "false"
    assert settings["client.allow_telemetry"] == "false"
    assert settings["server.memory.heap.max_size"] == "512m"
    assert settings["server.memory.pagecache.size"] == "64m"


def test_the_first_user_is_written_as_neo4j_writes_it() -> None:
    salt = "be7a7f4f8086fdb6d8bd87510706b3d331bb051b54ee09e4f41d3dcf5c73a513"
    digest = "cb58dba2e43259de1500334f4f3e8f670ffe67f28d3022606882b1c58317a64e"
    # From `neo4j-admin dbms set-initial-password 'pass word9'` of 5.26.30.
    assert initial_user("pass word9", bytes.fromhex(salt)) == f"neo4j:SHA-256,{digest},{salt},{HASH_ROUNDS}:\n"


def test_java_reads_paths_with_blanks_and_backslashes() -> None:
    text = java_arguments([Path("/a b/x.jar"), Path("C:\\y.jar")], Memory("2g"), ";")
    assert '"/a b/x.jar;C:\\\\y.jar"' in text
    assert "-Xmx2g" in text.splitlines()


@pytest.mark.parametrize("size", ["", "1", "0m", "1.5g", "1 g", "1t", "-1m", "1m --add-opens"])
def test_a_size_that_java_would_not_understand_is_refused(size: str) -> None:
    with pytest.raises(SettingsError, match="is not a size"):
        Memory(heap=size)


@pytest.mark.parametrize("name", ["", "..", ".hidden", "a/b", "/etc"])
def test_a_name_cannot_leave_the_folder_of_servers(name: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot name a server"):
        named_home(tmp_path, name)


def test_a_password_is_never_shown() -> None:
    assert "hunter2" not in repr(Connection("bolt://127.0.0.1:1", "neo4j", "hunter2"))


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_only_the_owner_may_read_the_password(home: Home) -> None:
    password = home.password()
    assert stat.S_IMODE(home.password_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(home.path.stat().st_mode) == 0o700
    assert len(password) >= 24
    assert home.password() == password


def test_two_homes_have_two_passwords(tmp_path: Path) -> None:
    passwords = set()
    for name in ("a", "b"):
        home = Home(tmp_path / name)
        home.create()
        passwords.add(home.password())
    assert len(passwords) == 2


def test_the_first_user_is_written_only_before_there_is_data(home: Home) -> None:
    home.configure(Ports(1, 2), Memory())
    users = home.data / "dbms" / "auth.ini"
    assert users.exists()
    assert home.password() not in users.read_text()
    users.unlink()
    (home.data / "databases").mkdir()
    home.configure(Ports(1, 2), Memory())
    assert not users.exists()


def test_a_lost_password_is_not_silently_made_anew(home: Home) -> None:
    home.configure(Ports(1, 2), Memory())
    (home.data / "databases").mkdir()
    home.password_file.unlink()
    with pytest.raises(ServerError, match="is gone") as caught:
        home.password()
    assert "reset" in (caught.value.hint or "")


def test_ports_and_process_are_remembered(home: Home) -> None:
    assert home.remembered_ports() is None
    assert home.process() is None
    record = ProcessRecord(12, 3.5, "5.26.0", Memory("2g", "1g"))
    home.remember_ports(Ports(7, 8))
    home.record_process(record)
    assert home.remembered_ports() == Ports(7, 8)
    assert home.process() == record
    home.forget_process()
    assert home.process() is None


def test_a_reset_keeps_password_and_ports(home: Home) -> None:
    home.configure(Ports(7, 8), Memory())
    home.remember_ports(Ports(7, 8))
    password = home.password()
    LocalServer(home.path, home.path).reset()
    assert not home.data.exists()
    assert home.password() == password
    assert home.remembered_ports() == Ports(7, 8)


def test_a_lasting_home_is_never_removed(home: Home) -> None:
    with pytest.raises(ServerError, match="not a throwaway server"):
        home.remove()
    (home.data / "databases").mkdir()
    with pytest.raises(ServerError, match="holds a lasting server"):
        home.mark_ephemeral()
    assert home.data.exists()


def test_stopping_what_was_never_started_makes_no_folder(tmp_path: Path) -> None:
    server = LocalServer(tmp_path / "nothing", tmp_path)
    assert server.stop() is False
    assert server.status() is None
    assert not (tmp_path / "nothing").exists()


def test_the_port_of_a_server_that_ended_is_not_asked(home: Home, sleeper: psutil.Process) -> None:
    home.remember_ports(Ports(7, 8))
    home.record_process(ProcessRecord(sleeper.pid, sleeper.create_time() - 60, "5.26.0", Memory()))
    with pytest.raises(ServerError, match="is not running") as caught:
        LocalServer(home.path, home.path).running_connection()
    assert "server start" in (caught.value.hint or "")
    home.record_process(ProcessRecord(sleeper.pid, sleeper.create_time(), "5.26.0", Memory()))
    assert LocalServer(home.path, home.path).running_connection().uri == "bolt://127.0.0.1:7"


def test_a_recycled_pid_is_not_killed(home: Home, sleeper: psutil.Process) -> None:
    home.remember_ports(Ports(7, 8))
    home.record_process(ProcessRecord(sleeper.pid, sleeper.create_time() - 60, "5.26.0", Memory()))
    server = LocalServer(home.path, home.path)
    assert server.status() is None
    assert server.stop() is False
    assert server.kill() is False
    assert sleeper.is_running()
    assert home.process() is None


def test_the_recorded_process_is_stopped(home: Home, sleeper: psutil.Process) -> None:
    home.record_process(ProcessRecord(sleeper.pid, sleeper.create_time(), "5.26.0", Memory()))
    assert LocalServer(home.path, home.path).stop(timeout_s=20) is True
    assert not sleeper.is_running() or sleeper.status() == psutil.STATUS_ZOMBIE


def test_nothing_local_is_meant_when_neo4j_uri_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "bolt://elsewhere.example:7687")
    with pytest.raises(SettingsError, match=r"NEO4J_URI is set to bolt://elsewhere\.example:7687"):
        refuse_if_elsewhere(load_settings())
    monkeypatch.delenv("NEO4J_URI")
    refuse_if_elsewhere(load_settings())


def test_a_log_is_read_from_its_end(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert tail(log, 5) == []
    log.write_text("one\ntwo\njava.lang.X: why\n\tat a.b.C\n\t... 8 more\nlast\n", encoding="utf-8")
    assert tail(log, 2) == ["\t... 8 more", "last"]
    assert messages(log, 2) == ["java.lang.X: why", "last"]
    assert messages(log, 9, since=4) == ["two", "java.lang.X: why", "last"]


def test_a_log_is_followed_over_a_rotation(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("old\n", encoding="utf-8")
    steps = iter([lambda: log.write_text("old\nnew\nhalf", encoding="utf-8"), lambda: log.write_text("r\n"), None])

    def ended() -> bool:
        step = next(steps)
        if step is not None:
            step()
        return step is None

    assert list(follow(log, 4, until=ended)) == ["new", "r"]
