"""What the local server is asked for and what it answers: plain values, no I/O."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tem_graph.errors import SettingsError

USERNAME = "neo4j"
"""The one user of a fresh Neo4j Community server."""

LOOPBACK = "127.0.0.1"
"""The only address that a local server ever listens on."""

_SIZE = re.compile(r"[1-9][0-9]*[kmg]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Connection:
    """How to reach a running server. The password never takes part in `repr`."""

    uri: str
    username: str
    password: str = field(repr=False)
    database: str | None = None
    browser_url: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """How much the JVM may take, in Java's notation (`512m`, `1g`).

    `heap` holds running queries and transactions, `pagecache` the store's pages; the JVM itself and its network
    buffers come on top (about 0.3 GB). The defaults fit a laptop with 8 GB and a memory of some 100,000 facts.

    Raises:
        SettingsError: a size that Java would not understand.
    """

    heap: str = "1g"
    pagecache: str = "256m"

    def __post_init__(self) -> None:
        for name, size in (("heap", self.heap), ("pagecache", self.pagecache)):
            if not _SIZE.fullmatch(size):
                raise SettingsError(
                    f"{name} {size!r} is not a size", hint="write a whole number and k, m or g, such as 512m or 2g"
                )


@dataclass(frozen=True, slots=True)
class Ports:
    """The two doors of a server: Bolt for drivers, HTTP for Neo4j Browser."""

    bolt: int
    http: int


@dataclass(frozen=True, slots=True)
class Start:
    """What `ensure_running` did. `seconds` is from the call to the first answer over Bolt."""

    connection: Connection
    version: str
    pid: int
    already_running: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """A running server. Sizes are bytes; `answers` tells whether Bolt answered a query just now."""

    uri: str
    browser_url: str
    version: str
    pid: int
    answers: bool
    memory_bytes: int
    data_bytes: int
    memory: Memory
    home: Path
    ephemeral: bool


@dataclass(frozen=True, slots=True)
class Reporter:
    """Where a start tells what it does; silent unless told otherwise.

    `say` gets sentences, `download_begins` the bytes and files to come, `downloaded` each piece's bytes.
    """

    say: Callable[[str], None] = lambda message: None
    download_begins: Callable[[int, int], None] = lambda size, files: None
    downloaded: Callable[[int], None] = lambda size: None
