"""A JSON or JSON Lines file as records that know where they stand, so that an error can name file, line and field.

Bytes are read as UTF-8, with or without a byte order mark, gzipped or not; any line ending will do. Nothing is
guessed: text in another encoding, a cut file, a repeated key or a lone surrogate is refused.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tem_graph.errors import InputError

STDIN = "-"
STDIN_NAME = "standard input"

Path_ = tuple[str | int, ...]
_BLANKS = re.compile(r"[ \t\r\n]*")
_MAYBE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_MOST_DIGITS = 1_000
"""Digits of a whole number. Ids have 512 characters at most, an index 12 digits; Python itself ends at 4,300."""
_GZIP = b"\x1f\x8b"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: the text it was read from, the line on which that text begins, the path inside."""

    origin: str
    text: str
    first_line: int = 1
    path: Path_ = ()
    name: str | None = None
    """What people call the record: `session 's3'`."""

    def at(self, *steps: str | int, name: str | None = None) -> Place:
        return replace(self, path=self.path + steps, name=name or self.name)

    def named(self, name: str) -> Place:
        return replace(self, name=name)

    def line(self, field: Path_ = ()) -> int:
        """The line, from 1, of a field of this record, or of the innermost part of its path that exists."""
        return self.first_line + self.text.count("\n", 0, locate(self.text, self.path + field))

    def error(self, problem: str, *field: str | int, hint: str | None = None) -> InputError:
        """An error that reads `FILE, line 4: session 's3': turns[1].text is blank`."""
        parts = [f"{self.origin}, line {self.line(field)}"]
        if self.name:
            parts.append(self.name)
        return InputError(": ".join([*parts, f"{dotted(field)} {problem}".strip()]), hint=hint)


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value and where it stands."""

    value: object
    place: Place


@dataclass(frozen=True, slots=True)
class Document:
    """A file's records: the lines of JSON Lines, or the one value of a JSON file."""

    origin: str
    stem: str | None
    """The file's name without folder and endings; None for standard input."""
    records: tuple[Record, ...]
    is_lines: bool


def read_bytes(path: Path | str) -> bytes:
    """A file's bytes, or those of standard input for `-`.

    Raises:
        InputError: there is no such file, or it cannot be read.
    """
    if path == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", hint="check the path") from error


def origin_of(path: Path | str) -> tuple[str, str | None]:
    """What errors call the file, and its name without endings."""
    if path == STDIN:
        return STDIN_NAME, None
    name = Path(path).name
    return str(path), name.removesuffix(".gz").rsplit(".", 1)[0] or name


def decode(data: bytes, origin: str) -> str:
    """The text of a file.

    Raises:
        InputError: broken gzip, or not UTF-8; then it names the offset of the first wrong byte.
    """
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{origin}: the gzip data is damaged or cut: {error}") from error
    if data.startswith(_UTF16):
        raise InputError(f"{origin} is written in UTF-16", hint="save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{origin}, line {line}: byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8",
            hint="save the file as UTF-8",
        ) from error


def read_document(text: str, origin: str, stem: str | None = None) -> Document:
    """The records of a text: JSON Lines if its first line is a whole JSON value and more lines follow, else JSON.

    Raises:
        InputError: it is empty, or not valid JSON; names line and column.
    """
    first, _, rest = text.lstrip().partition("\n")
    if not first.strip():
        raise InputError(f"{origin} is empty: nothing to store", hint="give it at least one record")
    if rest.strip() and _is_json(first):
        return Document(origin, stem, tuple(_lines(text, origin)), is_lines=True)
    place = Place(origin, text)
    return Document(origin, stem, (Record(_parse(place), place),), is_lines=False)


def _lines(text: str, origin: str) -> list[Record]:
    records = []
    # Only the line feed ends a line: U+2028 and its like may stand inside a JSON text.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = Place(origin, line, number)
            records.append(Record(_parse(place), place))
    return records


def _is_json(line: str) -> bool:
    try:
        json.loads(line, parse_int=str)  # whether a number is too long is said where it is read
    except (ValueError, RecursionError):
        return False
    return True


def _parse(place: Place) -> object:
    try:
        value = json.loads(
            place.text,
            object_pairs_hook=_without_repeated_keys,
            parse_constant=_refuse_constant,
            parse_int=_parse_int,
        )
    except json.JSONDecodeError as error:
        line = place.first_line + error.lineno - 1
        raise InputError(f"{place.origin}, line {line}, column {error.colno}: not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise InputError(f"{place.origin}, line {place.first_line}: cannot be used: {reason}") from error
    if _MAYBE_SURROGATE.search(place.text):
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"{place.origin}, line {place.first_line}: holds half of a surrogate pair, which is no character",
                hint="write the character itself, or both halves of its pair",
            ) from error
    return value


def _without_repeated_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the field {key!r} occurs twice in one object")
        found[key] = value
    return found


def _parse_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits is too long (at most {_MOST_DIGITS}); write it as text")
    return int(digits)


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def dotted(path: Sequence[str | int]) -> str:
    """A path as programmers write it.

    >>> dotted(("turns", 1, "text"))
    'turns[1].text'
    """
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def locate(text: str, path: Path_) -> int:
    """The offset at which the value of `path` begins in a valid JSON text, or of as much of the path as exists.

    >>> locate('{"a": [1, 22]}', ("a", 1)), locate('{"a": [1, 22]}', ("a", 1, "b"))
    (10, 10)
    """
    here = _skip(text, 0)
    for step in path:
        child = _child(text, here, step)
        if child is None:
            break
        here = child
    return here


def _skip(text: str, position: int) -> int:
    match = _BLANKS.match(text, position)
    return match.end() if match else position


def _child(text: str, start: int, step: str | int) -> int | None:
    opening = text[start]
    if opening not in "[{":
        return None
    decoder = json.JSONDecoder()
    position, number = _skip(text, start + 1), 0
    while text[position] not in "]}":
        key: object = number
        if opening == "{":
            key, after = decoder.raw_decode(text, position)
            position = _skip(text, _skip(text, after) + 1)
        if key == step:
            return position
        _, after = decoder.raw_decode(text, position)
        position = _skip(text, after)
        if text[position] == ",":
            position = _skip(text, position + 1)
        number += 1
    return None
