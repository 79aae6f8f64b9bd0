"""A file of JSON lines that is only ever appended to, by one process at a time.

Each line is written whole, so whatever ends the process, the lines before are whole; a last line without its newline
is a torn one: it is not read, and cut off before the next is written.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from tem_graph.errors import EvaluationError

Line = TypeVar("Line", bound=BaseModel)


def whole_lines(content: bytes) -> list[bytes]:
    """The lines of a file's content without the torn one at its end."""
    return content[: content.rfind(b"\n") + 1].splitlines()


def parse_line(model: type[Line], line: bytes, path: Path, number: int) -> Line:
    """One line of `path` as `model`.

    Raises:
        EvaluationError: it is damaged; names line and field.
    """
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise EvaluationError(f"{path}, line {number}: {where} {first['msg']}") from None


class AppendOnly:
    """The file at `path`, made where it is missing, held alone while it is open. Use as a context manager.

    Args:
        lock: the file that other processes see the writer by.
        writer: what another process is doing if it holds the file, for people: "writing to RUN".

    Raises (on entering):
        EvaluationError: another process holds it.
    """

    def __init__(self, path: Path, lock: Path, *, writer: str, hint: str) -> None:
        self._path = path
        self._lock = FileLock(lock)
        self._writer, self._hint = writer, hint
        self._file: int | None = None

    def __enter__(self) -> Self:
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise EvaluationError(f"another process is {self._writer}", hint=self._hint) from None
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            os.ftruncate(self._file, self._path.read_bytes().rfind(b"\n") + 1)
        except BaseException:
            self.close()
            raise
        return self

    def write(self, line: BaseModel) -> None:
        """Adds a line. It survives the process, though not the machine's power."""
        assert self._file is not None, f"{self._path} is not open"
        data = f"{line.model_dump_json()}\n".encode()
        while data:
            data = data[os.write(self._file, data) :]

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
