"""Records as lines and lines as records, with the checksum that tells a whole file from a cut or changed one. Pure."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256

from pydantic import BaseModel, ValidationError

from tem_graph.errors import InputError
from tem_graph.transfer.records import FORMAT, READABLE, RECORD, EndRecord, MemoryRecord, Record

_LINE_BREAKS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})
"""What JSON leaves bare although some programs end a line there. The rest below U+0020 is escaped by JSON."""


class LineWriter:
    """Lines of records, counted and hashed as they are made."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._hash = sha256()

    def line(self, record: Record) -> str:
        """One line with its line feed, whatever characters the record holds."""
        line = _encoded(record)
        self.counts[record.type] += 1
        self._hash.update(line.encode())
        return line

    def end(self) -> str:
        """The last line."""
        return _encoded(EndRecord(counts=dict(sorted(self.counts.items())), sha256=self._hash.hexdigest()))


def _encoded(record: BaseModel) -> str:
    # Only absent fields of the record itself are left out: a null inside a turn's metadata is the client's.
    fields = {name: value for name, value in record.model_dump(mode="json").items() if value is not None}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).translate(_LINE_BREAKS) + "\n"


def read_lines(lines: Iterable[str]) -> Iterator[tuple[int, Record]]:
    """(line number, record) of every line, the `end` last.

    Raises:
        InputError: a line is no record; the file does not begin with a `memory` of this format and version; it is
            cut, goes on after its end, or differs from what was exported.
    """
    counts: Counter[str] = Counter()
    digest = sha256()
    ended = False
    for number, raw in enumerate(lines, start=1):
        line = raw.rstrip("\r\n")
        if not line and ended:
            continue
        if ended:
            raise _damaged(f"line {number} stands after the end")
        record = parse_line(line, number)
        if number == 1:
            _check_head(record)
        elif isinstance(record, MemoryRecord):
            raise _damaged(f"line {number} begins a second memory")
        if isinstance(record, EndRecord):
            if record.counts != counts:
                raise _damaged(
                    f"line {number} counts {record.counts}, but the file holds {dict(sorted(counts.items()))}"
                )
            if record.sha256 != digest.hexdigest():
                raise _damaged("the text is not what was exported: the checksums differ")
            ended = True
        counts[record.type] += 1
        digest.update(line.encode() + b"\n")
        yield number, record
    if not ended:
        raise _damaged("the file is empty or cut: its last line is missing")


def parse_line(line: str, number: int) -> Record:
    """The record of a line.

    Raises:
        InputError: names the line and the field that is wrong.
    """
    try:
        return RECORD.validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(map(str, first["loc"])) or "the line"
        raise _damaged(f"line {number}: {field}: {first['msg']}") from None


def _check_head(record: Record) -> None:
    if not isinstance(record, MemoryRecord) or record.format != FORMAT:
        raise InputError(
            "this is no exported memory", hint="`tem-graph export` writes one; sessions are read by ingest"
        )
    if record.version not in READABLE:
        raise InputError(
            f"the export has format version {record.version}; this tem-graph reads {', '.join(map(str, READABLE))}",
            hint="update tem-graph: pip install -U tem-graph",
        )


def _damaged(what: str) -> InputError:
    return InputError(f"the exported memory is damaged: {what}", hint="export it again; nothing was imported")
