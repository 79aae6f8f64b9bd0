"""The JVM as a process of its own: it outlives whoever started it, and only it is ever signalled."""

from __future__ import annotations

import atexit
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

from tem_graph.errors import ServerError
from tem_graph.server.model import LOOPBACK, Ports

FIRST_PORTS = Ports(bolt=17687, http=17474)
"""Where the search for free ports begins: Neo4j's own ports plus 10,000, out of the way of any other Neo4j and below
the range from which systems take ports for outgoing connections."""

PORTS_TRIED = 500

_CREATED_TOLERANCE_S = 0.5
"""A process's start time is whole clock ticks plus the boot time, and the latter is rounded."""

_children: list[subprocess.Popen[bytes]] = []
"""Processes that this one started and that may outlive it. Kept, so that none becomes a zombie when it ends."""


def spawn(command: Sequence[str], folder: Path, log: Path) -> psutil.Process:
    """A new process in a session of its own, with both outputs appended to `log`."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
    with log.open("ab") as stream:
        child = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
            creationflags=flags,
        )
    _children.append(child)
    return psutil.Process(child.pid)


def find(pid: int, created: float, argument: str) -> psutil.Process | None:
    """The living process of that pid, if it is the one that was started at `created` and not a recycled pid.

    A step of the system clock moves every start time, so `argument`, a word of its command line that no other
    process has, counts as proof too.
    """
    reap_children()
    try:
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        same = abs(process.create_time() - created) <= _CREATED_TOLERANCE_S or argument in process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return None  # a process that we may not look at is not one that we started
    return process if same else None


def reap_children() -> None:
    """Lets go of the servers started here that have ended."""
    _children[:] = [child for child in _children if child.poll() is None]


@atexit.register
def _let_go() -> None:
    """Tells Python that children which outlive this process are meant to: it would warn about each."""
    for child in _children:
        child.returncode = child.poll() or 0


def terminate(process: psutil.Process, timeout_s: float) -> None:
    """Asks the process to end and waits.

    Raises:
        ServerError: it is still there after `timeout_s`.
    """
    try:
        process.terminate()
        process.wait(timeout_s)
    except psutil.NoSuchProcess:
        pass
    except psutil.TimeoutExpired as error:
        raise ServerError(
            f"process {process.pid} did not end within {timeout_s:.0f} s",
            hint="wait and try again, or `tem-graph server stop --force`: committed data is safe",
        ) from error
    reap_children()


def kill(process: psutil.Process) -> None:
    """Ends the process at once, as a power cut would."""
    try:
        process.kill()
        process.wait(30)
    except psutil.NoSuchProcess:
        pass
    reap_children()


def is_free(port: int) -> bool:
    """Whether a server could listen on that port of the loopback address now."""
    with socket.socket() as probe:
        if os.name == "posix":  # as Java does; elsewhere the option would share the port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def free_ports(avoid: frozenset[int] = frozenset()) -> Ports:
    """Two ports that are free now.

    Raises:
        ServerError: none of the ports tried is free.
    """
    for offset in range(PORTS_TRIED):
        ports = Ports(FIRST_PORTS.bolt + offset, FIRST_PORTS.http + offset)
        if not avoid & {ports.bolt, ports.http} and is_free(ports.bolt) and is_free(ports.http):
            return ports
    raise ServerError(f"no free ports among {PORTS_TRIED} from {FIRST_PORTS.bolt} and {FIRST_PORTS.http} on")


def accepts(port: int) -> bool:
    """Whether something accepts connections on that port of the loopback address."""
    try:
        socket.create_connection((LOOPBACK, port), timeout=1.0).close()
    except OSError:
        return False
    return True
