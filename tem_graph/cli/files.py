"""Standard streams and files of whole memories: UTF-8 whatever the terminal is set to, and never half written."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tem_graph.errors import InputError
from tem_graph.transfer.files import named_in_errors, utf8_lines, written_whole


@contextmanager
def writing(path: Path | None, *, force: bool = False) -> Iterator[TextIO]:
    """A stream to write to: standard output, or a file that appears under its name only when it is complete.

    Raises:
        InputError: the file exists and `force` is not given, or it cannot be written.
    """
    if path is not None and path.exists() and not force:
        raise InputError(f"{path} exists", hint="name another file, or overwrite it with --force")
    with _as_utf8(sys.stdout) if path is None else written_whole(path) as stream:
        yield stream


@contextmanager
def reading(file: str) -> Iterator[TextIO]:
    """The lines of a UTF-8 file; `-` is standard input.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    if file != "-":
        with utf8_lines(file) as stream:
            yield stream
    else:
        with named_in_errors(file), _as_utf8(sys.stdin) as stream:
            yield stream


@contextmanager
def _as_utf8(stream: TextIO) -> Iterator[TextIO]:
    """The same stream in UTF-8 for the length of a `with` block."""
    stream.flush() if stream.writable() else None
    wrapped = io.TextIOWrapper(stream.buffer, encoding="utf-8", newline="\n", write_through=True)
    try:
        yield wrapped
    finally:
        wrapped.detach()
