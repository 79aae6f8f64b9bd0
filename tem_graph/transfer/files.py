"""Files of whole memories: UTF-8 whatever the machine is set to, and never half written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import TextIO, TypeAlias

from tem_graph.errors import InputError

AnyPath: TypeAlias = str | PathLike[str]


@contextmanager
def written_whole(path: AnyPath) -> Iterator[TextIO]:
    """A stream to write to. The file appears under its name, in place of an older one, only when the block is through.

    Raises:
        InputError: it cannot be written.
    """
    file = Path(path)
    part = file.with_name(f"{file.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
        part.replace(file)
    except OSError as error:
        raise InputError(
            f"{file} cannot be written: {error.strerror}", hint="is there room, and such a folder?"
        ) from error
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def utf8_lines(path: AnyPath) -> Iterator[TextIO]:
    """The lines of a UTF-8 file.

    Raises:
        InputError: it cannot be read, or is not UTF-8.
    """
    with named_in_errors(path), Path(path).open(encoding="utf-8", newline="\n") as stream:
        yield stream


@contextmanager
def named_in_errors(name: AnyPath) -> Iterator[None]:
    """What goes wrong while reading is said of that name."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}", hint="is the name right?") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name} is not UTF-8 text", hint="was it written by `tem-graph export`?") from error
