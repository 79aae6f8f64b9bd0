"""Where output goes: results to standard output, everything else to standard error, both safe for any encoding.

What people said is data: it is never read as markup, and control characters in it never reach a terminal.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

PIPED_WIDTH = 160
"""Columns of a table that nobody sees on a terminal, unless COLUMNS says otherwise."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def make_streams_safe() -> None:
    """Makes both streams write what their encoding lacks as `\\uXXXX`, where they would raise (LANG=C)."""
    for stream in (sys.stdout, sys.stderr):
        if not is_unicode(stream) and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def as_utf8(argument: str) -> str:
    """The argument as it was typed, where Python took its bytes for ASCII (LC_ALL=POSIX).

    >>> as_utf8("Zo\\udcc3\\udcab"), as_utf8("Zoë"), as_utf8("\\udcff") == "\\udcff"
    ('Zoë', 'Zoë', True)
    """
    try:
        return argument.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError:
        return argument


def is_unicode(stream: TextIO) -> bool:
    """Whether the stream can take every character."""
    return (getattr(stream, "encoding", None) or "ascii").lower().replace("-", "").startswith("utf")


def console(stream: TextIO) -> Console:
    """A rich console on that stream; as wide as the terminal, or `PIPED_WIDTH`."""
    from rich.console import Console

    width = None if stream.isatty() or "COLUMNS" in os.environ else PIPED_WIDTH
    return Console(file=stream, width=width, highlight=False, markup=False, emoji=False, soft_wrap=False)


def draws_unicode(screen: Console) -> bool:
    """Whether lines and arrows can be drawn there, or dashes must do."""
    return screen.encoding.lower().replace("-", "").startswith("utf")


def write(text: str) -> None:
    """Text to standard output as it is; on a terminal without control characters."""
    sys.stdout.write((clean(text) if sys.stdout.isatty() else text) + "\n")


def write_json(document: Mapping[str, object]) -> None:
    """One JSON document to standard output, in ASCII where the stream has nothing better."""
    indent = 2 if sys.stdout.isatty() else None
    sys.stdout.write(json.dumps(document, ensure_ascii=not is_unicode(sys.stdout), indent=indent) + "\n")


def clean(text: str) -> str:
    """The text without control characters, each shown as `\\xXX`; line breaks and tabs stay.

    >>> clean("red \\x1b[31m")
    'red \\\\x1b[31m'
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def one_line(text: str) -> str:
    """The text on one line, without control characters."""
    return clean(" ".join(text.split()))


@cache
def _text_class() -> type[Text]:
    from rich.text import Text

    return Text


def text(content: object, style: str = "") -> Text:
    """A piece of text for rich, on one line, in which nothing is markup."""
    return _text_class()(one_line(str(content)), style=style)
