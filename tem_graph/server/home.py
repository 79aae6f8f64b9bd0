"""A server's home folder: what is in it, what is remembered in it, who may read it."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tem_graph.errors import ServerError
from tem_graph.server.config import initial_user, neo4j_conf
from tem_graph.server.model import Memory, Ports


@dataclass(frozen=True, slots=True)
class ProcessRecord:
    """Which process is the server. `created` is the process's own start time, so that a recycled pid is told apart."""

    pid: int
    created: float
    version: str
    memory: Memory


@dataclass(frozen=True, slots=True)
class Home:
    """The folder at `path`, and one property per thing in it."""

    path: Path

    @property
    def argument(self) -> str:
        """The word of the JVM's command line that tells it from every other process."""
        return f"--home-dir={self.path}"

    @property
    def conf(self) -> Path:
        return self.path / "conf"

    @property
    def data(self) -> Path:
        return self.path / "data"

    @property
    def logs(self) -> Path:
        return self.path / "logs"

    @property
    def console_log(self) -> Path:
        """What the JVM itself says: a refused flag, no memory, a stack trace before logging began."""
        return self.logs / "console.log"

    @property
    def neo4j_log(self) -> Path:
        return self.logs / "neo4j.log"

    @property
    def debug_log(self) -> Path:
        return self.logs / "debug.log"

    @property
    def password_file(self) -> Path:
        return self.path / "password"

    @property
    def lock_file(self) -> Path:
        return self.path / "server.lock"

    @property
    def _ports_file(self) -> Path:
        return self.path / "ports.json"

    @property
    def _process_file(self) -> Path:
        return self.path / "process.json"

    @property
    def _ephemeral_mark(self) -> Path:
        return self.path / "ephemeral"

    @property
    def is_ephemeral(self) -> bool:
        """Whether the whole folder goes when its server stops."""
        return self._ephemeral_mark.exists()

    @property
    def has_data(self) -> bool:
        return (self.data / "databases").exists()

    def create(self) -> None:
        """Makes the folder, closed to other users, where it does not exist. Retry: harmless."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        for folder in (self.conf, self.data, self.logs):
            folder.mkdir(exist_ok=True)

    def mark_ephemeral(self) -> None:
        """Says that the folder goes when its server stops.

        Raises:
            ServerError: the folder holds a server that was not throwaway; its data would be lost.
        """
        if self.has_data and not self.is_ephemeral:
            raise ServerError(
                f"{self.path} holds a lasting server", hint="name an empty folder for a throwaway one, or none at all"
            )
        self._ephemeral_mark.touch()

    def remembered_ports(self) -> Ports | None:
        fields = _read_json(self._ports_file)
        return None if fields is None else Ports(**fields)

    def remember_ports(self, ports: Ports) -> None:
        _write_atomically(self._ports_file, json.dumps(asdict(ports)))

    def process(self) -> ProcessRecord | None:
        """The process that the last start recorded, alive or not; None after a stop."""
        fields = _read_json(self._process_file)
        return None if fields is None else ProcessRecord(**fields | {"memory": Memory(**fields["memory"])})

    def record_process(self, record: ProcessRecord) -> None:
        _write_atomically(self._process_file, json.dumps(asdict(record)))

    def forget_process(self) -> None:
        self._process_file.unlink(missing_ok=True)

    def password(self) -> str:
        """The password, made at the first call of a fresh home and kept in a file that only its owner can read.

        Raises:
            ServerError: the data was made with a password and the file is gone.
        """
        if self.password_file.exists():
            return self.password_file.read_text(encoding="utf-8").rstrip("\n")
        if self.has_data:
            raise ServerError(
                f"the password file {self.password_file} is gone, and the data was made with that password",
                hint="put the file back, or wipe the data with `tem-graph server reset`",
            )
        password = secrets.token_urlsafe(24)
        _write_atomically(self.password_file, password + "\n")
        return password

    def configure(self, ports: Ports, memory: Memory) -> None:
        """Writes `neo4j.conf`, and the first user where there is no data yet."""
        _write_atomically(self.conf / "neo4j.conf", neo4j_conf(ports, memory))
        password = self.password()
        if not self.has_data:
            dbms = self.data / "dbms"
            dbms.mkdir(exist_ok=True)
            _write_atomically(dbms / "auth.ini", initial_user(password, secrets.token_bytes(32)))

    def data_bytes(self) -> int:
        """Size of the data folder in bytes; files that vanish while it is read count nothing."""
        return sum(_size(file) for file in self.data.rglob("*"))

    def wipe(self) -> None:
        """Removes data and logs. Password and ports stay, so that what was configured with them still works."""
        for folder in (self.data, self.logs):
            if folder.exists():
                shutil.rmtree(folder)

    def remove(self) -> None:
        """Removes the whole folder of a throwaway server.

        Raises:
            ServerError: it is not marked as one.
        """
        if not self.is_ephemeral:
            raise ServerError(f"{self.path} is not a throwaway server, so it is not removed")
        shutil.rmtree(self.path)


def _size(file: Path) -> int:
    try:
        return file.stat().st_size if file.is_file() else 0
    except FileNotFoundError:
        return 0


def _read_json(file: Path) -> dict[str, Any] | None:
    try:
        fields = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise ServerError(f"{file} is not JSON: {error}", hint="remove it; the next start writes it anew") from error
    return dict(fields)


def _write_atomically(file: Path, text: str) -> None:
    """Writes a file that only its owner may read, whole or not at all."""
    part = file.with_name(f".{file.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    part.replace(file)
