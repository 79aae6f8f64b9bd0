"""Reading log files from their end, without loading them whole."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

_POLL_S = 0.25
_FRAMES_PER_MESSAGE = 50


def tail(file: Path, count: int, *, since: int = 0) -> list[str]:
    """The last `count` lines of a file from byte `since` on; none where there is no file."""
    try:
        with file.open("rb") as stream:
            stream.seek(since)
            return [line.decode("utf-8", "replace").rstrip("\n") for line in deque(stream, maxlen=count)]
    except FileNotFoundError:
        return []


def messages(file: Path, count: int, *, since: int = 0) -> list[str]:
    """The last `count` lines from byte `since` on that tell something: without the frames of Java's stack traces."""
    lines = tail(file, _FRAMES_PER_MESSAGE * count, since=since)
    return [line for line in lines if not line.lstrip().startswith(("at ", "... "))][-count:]


def size(file: Path) -> int:
    """Bytes of a file; 0 where there is none."""
    return file.stat().st_size if file.exists() else 0


def follow(file: Path, position: int, *, until: Callable[[], bool]) -> Iterator[str]:
    """Lines as they are added, from byte `position` on, until `until()` holds; goes on after a rotation."""
    while True:
        ended = until()
        if size(file) < position:
            position = 0
        if size(file) > position:
            with file.open("rb") as stream:
                stream.seek(position)
                for line in stream:
                    if not line.endswith(b"\n") and not ended:
                        break
                    position += len(line)
                    yield line.decode("utf-8", "replace").rstrip(os.linesep)
        if ended:
            return
        time.sleep(_POLL_S)
