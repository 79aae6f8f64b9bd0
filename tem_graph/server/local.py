"""Starts, stops and describes one local Neo4j. Refuses to signal a process that it did not start.

Every change of a home happens under its lock file, so two starts at once end with one server and two answers.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import psutil
from filelock import FileLock

from tem_graph.errors import GraphError, ServerError, SettingsError
from tem_graph.graph.probe import probe
from tem_graph.server import logs, process
from tem_graph.server.home import Home, ProcessRecord
from tem_graph.server.launch import Launch, address, wait_for_bolt
from tem_graph.server.model import LOOPBACK, Connection, Memory, Reporter, ServerStatus, Start
from tem_graph.server.watch import watch_over
from tem_graph.settings import Settings

Log = Literal["neo4j", "debug", "console"]

START_TIMEOUT_S = 300.0
"""Three times what a start took on two cores with a load of 14; on quiet ones it takes ten seconds."""

STOP_TIMEOUT_S = 90.0
"""A guess: a stop writes a checkpoint, which takes seconds per gigabyte changed."""


def named_home(folder: Path, name: str = "default") -> Path:
    """Where the server called `name` lives below the folder of all local servers.

    Raises:
        SettingsError: the name is not a plain folder name.
    """
    if not name or name != Path(name).name or name.startswith("."):
        raise SettingsError(f"{name!r} cannot name a server", hint="use letters, digits, - and _")
    return folder / "servers" / name


def refuse_if_elsewhere(settings: Settings) -> None:
    """Nothing, where a local server is meant.

    Raises:
        SettingsError: the settings name a Neo4j, so none is started here.
    """
    if settings.neo4j_uri is not None:
        raise SettingsError(
            f"NEO4J_URI is set to {settings.neo4j_uri}, so no local Neo4j is started",
            hint="unset NEO4J_URI (and neo4j_uri in tem-graph.toml) to use a local one",
        )


class LocalServer:
    """The Neo4j of one home folder; `cache` is the user's folder of downloads, shared by all homes."""

    def __init__(self, home: Path, cache: Path, *, maven_url: str | None = None) -> None:
        self.home = Home(home.absolute())
        self.cache = cache.absolute()
        self._maven_url = maven_url

    @classmethod
    def from_settings(cls, settings: Settings, *, home: Path | None = None) -> LocalServer:
        """The local server that these settings mean, or the one in `home`."""
        home = home or named_home(settings.home, settings.server)
        return cls(home, settings.cache, maven_url=settings.maven_url)

    def start(
        self,
        *,
        memory: Memory | None = None,
        ephemeral: bool = False,
        tie_to: int | None = None,
        timeout_s: float = START_TIMEOUT_S,
        reporter: Reporter | None = None,
    ) -> Connection:
        """How to reach the server, which answers queries now. Takes and raises what `ensure_running` does."""
        return self.ensure_running(
            memory=memory, ephemeral=ephemeral, tie_to=tie_to, timeout_s=timeout_s, reporter=reporter
        ).connection

    def ensure_running(
        self,
        *,
        memory: Memory | None = None,
        ephemeral: bool = False,
        tie_to: int | None = None,
        timeout_s: float = START_TIMEOUT_S,
        reporter: Reporter | None = None,
    ) -> Start:
        """What was done so that the server runs and answers queries. Blocks; retry: harmless.

        Args:
            memory: the JVM's sizes; a server that runs already keeps its own.
            ephemeral: the whole folder goes when the server stops.
            tie_to: a pid; when that process ends, however it ends, the server is stopped.
            timeout_s: seconds to wait for the first answer, downloads not counted.

        Raises:
            ServerError: it did not start; the message holds the last lines of its log.
        """
        began = time.perf_counter()
        reporter = reporter or Reporter()
        self.home.create()
        with FileLock(self.home.lock_file):
            running = self._running()
            if running is not None:
                version = wait_for_bolt(self.home, running[1], timeout_s)
                return Start(self.connection(), version, running[0].pid, True, time.perf_counter() - began)
            if ephemeral:
                self.home.mark_ephemeral()
            self._forget_stale_process(reporter)
            jars, version = self._jars(reporter)
            record = Launch(self.home, jars, version, memory or Memory(), timeout_s, reporter).run()
            if tie_to is not None:
                watch_over(tie_to, self.home)
        return Start(self.connection(), record.version, record.pid, False, time.perf_counter() - began)

    def stop(self, *, timeout_s: float = STOP_TIMEOUT_S, force: bool = False) -> bool:
        """Whether a server was running and has now ended. A throwaway one's folder goes with it.

        Raises:
            ServerError: it did not end within `timeout_s` and `force` was not given.
        """
        if not self.home.path.exists():
            return False
        with FileLock(self.home.lock_file):
            running = self._running()
            if running is not None:
                try:
                    process.terminate(running[1], timeout_s)
                except ServerError:
                    if not force:
                        raise
                    process.kill(running[1])
            self.home.forget_process()
            if self.home.is_ephemeral:
                self.home.remove()
        return running is not None

    def kill(self) -> bool:
        """Whether a server was running; it was ended at once, as by a power cut. Its home keeps the stale record."""
        running = self._running()
        if running is not None:
            process.kill(running[1])
        return running is not None

    def reset(self) -> None:
        """Stops the server and removes its data and logs. Password and ports stay. Cannot be undone."""
        self.stop()
        if self.home.path.exists():
            with FileLock(self.home.lock_file):
                self.home.wipe()

    def status(self) -> ServerStatus | None:
        """The running server, asked just now; None when none runs."""
        running = self._running()
        ports = self.home.remembered_ports()
        if running is None or ports is None:
            return None
        record, jvm = running
        connection = self.connection()
        try:
            version, answers = probe(address(self.home, ports), timeout_s=2.0), True
        except GraphError:
            version, answers = record.version, False
        return ServerStatus(
            uri=connection.uri,
            browser_url=connection.browser_url or "",
            version=version,
            pid=jvm.pid,
            answers=answers,
            memory_bytes=jvm.memory_info().rss,
            data_bytes=self.home.data_bytes(),
            memory=record.memory,
            home=self.home.path,
            ephemeral=self.home.is_ephemeral,
        )

    def connection(self) -> Connection:
        """How to reach the server of this home, whether or not it runs now.

        Raises:
            ServerError: it has never been started.
        """
        ports = self.home.remembered_ports()
        if ports is None:
            raise ServerError(f"no server was ever started in {self.home.path}", hint="run `tem-graph server start`")
        place = address(self.home, ports)
        return Connection(
            place.uri, place.username, place.password, browser_url=f"http://{LOOPBACK}:{ports.http}/browser/"
        )

    def running_connection(self) -> Connection:
        """How to reach the server of this home, which runs.

        Raises:
            ServerError: it does not run; said before anybody connects, as another program may have its port by now.
        """
        connection = self.connection()
        if self._running() is None:
            raise ServerError(
                f"the local Neo4j of {self.home.path} is not running", hint="run `tem-graph server start`"
            )
        return connection

    def log_lines(self, which: Log, count: int, *, follow: bool = False) -> Iterator[str]:
        """The last `count` lines of a log; with `follow`, also those to come, until the server has stopped.

        Raises:
            ServerError: there is no such log.
        """
        file = {"neo4j": self.home.neo4j_log, "debug": self.home.debug_log, "console": self.home.console_log}[which]
        if not file.exists():
            raise ServerError(f"there is no log {file}", hint="has the server been started? `tem-graph server start`")
        begin = logs.size(file)
        yield from logs.tail(file, count)
        if follow:
            yield from logs.follow(file, begin, until=lambda: self._running() is None)

    def _jars(self, reporter: Reporter) -> tuple[list[Path], str]:
        """The locked jars, downloaded where they are not, and the version of Neo4j that they are."""
        # Imported here: whoever only asks where a running server is waits for neither httpx nor jgo.
        from tem_graph.server.jars import fetch_jars, locked_version, read_lock
        from tem_graph.server.maven import find_repository

        lock = read_lock()
        jars = fetch_jars(lock, self.cache / "jars", lambda: find_repository(self._maven_url), reporter)
        return jars, locked_version(lock)

    def _running(self) -> tuple[ProcessRecord, psutil.Process] | None:
        record = self.home.process()
        jvm = None if record is None else process.find(record.pid, record.created, self.home.argument)
        return None if record is None or jvm is None else (record, jvm)

    def _forget_stale_process(self, reporter: Reporter) -> None:
        record = self.home.process()
        if record is not None:
            reporter.say(f"the last server (process {record.pid}) ended without being stopped; Neo4j recovers its data")
            self.home.forget_process()


@contextmanager
def ephemeral_server(
    cache: Path, *, memory: Memory | None = None, maven_url: str | None = None, reporter: Reporter | None = None
) -> Iterator[Connection]:
    """A throwaway server for the length of a `with` block, gone even when this process is killed in it."""
    home = Path(tempfile.mkdtemp(prefix="tem-graph-"))
    server = LocalServer(home, cache, maven_url=maven_url)
    try:
        yield server.start(memory=memory, ephemeral=True, tie_to=os.getpid(), reporter=reporter)
    finally:
        server.stop(force=True)
        shutil.rmtree(home, ignore_errors=True)
