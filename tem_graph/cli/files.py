"""Files of whole memories: UTF-8 whatever the terminal is set to, and never half written."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tem_graph.errors import InputError


@contextmanager
def writing(path: Path | None, *, force: bool = False) -> Iterator[TextIO]:
    """A stream to write to: standard output, or a file that appears under its name only when it is complete.

    Raises:
        InputError: the file exists and `force` is not given, or it cannot be written.
    """
    if path is None:
        with _as_utf8(sys.stdout) as stream:
            yield stream
        return
    if path.exists() and not force:
        raise InputError(f"{path} exists", hint="name another file, or overwrite it with --force")
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        part.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}", hint="is there room, and such a folder?"
        ) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def reading(file: str) -> Iterator[TextIO]:
    """The lines of a UTF-8 file; `-` is standard input.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    try:
        if file == "-":
            with _as_utf8(sys.stdin) as stream:
                yield stream
        else:
            with Path(file).open(encoding="utf-8", newline="\n") as stream:
                yield stream
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}", hint="is the name right?") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text", hint="was it written by `tem-graph export`?") from error


@contextmanager
def _as_utf8(stream: TextIO) -> Iterator[TextIO]:
    """The same stream in UTF-8 for the length of a `with` block."""
    stream.flush() if stream.writable() else None
    wrapped = io.TextIOWrapper(stream.buffer, encoding="utf-8", newline="\n", write_through=True)
    try:
        yield wrapped
    finally:
        wrapped.detach()
