"""Facts that somebody keeps by hand, from a CSV, JSON or JSON Lines file.

CSV has a header with the names of `FactInput`; the first four are required, the columns may stand in any order:

    subject,relation,object,source,date,index,effective,until,ended,slot
    Cozy Home Co.,ad budget,"$3,000/mo",call Feb 12,2026-02-12,,2026-02,,,

JSON Lines has an object of these fields on each line; JSON a list of them, or `{"facts": [...]}`. A column or field
that is not known is refused.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from tem_graph.domain.conversation import MAX_INDEX
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.readers.border import Id, Words, validated
from tem_graph.ingest.readers.document import STDIN_NAME, Record, decode, origin_of, read_bytes, read_document

FactFormat = Literal["auto", "csv", "json"]
REQUIRED = ("subject", "relation", "object", "source")
COLUMNS = (*REQUIRED, "date", "index", "effective", "until", "ended", "slot")
_YES = {"true", "yes", "y", "1"}
_NO = {"false", "no", "n", "0", ""}


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    subject: Words
    relation: Words
    object: str
    source: Id
    date: Words | None = None
    index: int | None = Field(None, ge=0, le=MAX_INDEX)
    effective: Words | None = None
    until: Words | None = None
    ended: bool = False
    slot: Words | None = None


def read_facts(path: Path | str, *, format: FactFormat = "auto") -> list[FactInput]:
    """The facts of a file, in its order. `-` is standard input. `json` is JSON as well as JSON Lines.

    Raises:
        InputError: names the file, the line and the column or field.
    """
    origin, _ = origin_of(path)
    return parse_facts(decode(read_bytes(path), origin), origin=origin, format=format)


def parse_facts(text: str, *, origin: str = STDIN_NAME, format: FactFormat = "auto") -> list[FactInput]:
    """The same of a text that is at hand already; `origin` is what errors call it."""
    if format not in get_args(FactFormat):
        raise InputError(
            f"there is no format {format!r} of facts", hint=f"use one of {', '.join(get_args(FactFormat))}"
        )
    if not text.strip():
        raise InputError(f"{origin} is empty: nothing to store", hint=f"a CSV begins with {','.join(COLUMNS)}")
    is_json = format == "json" or (format == "auto" and text.lstrip()[0] in "[{")
    facts = list(_from_json(text, origin) if is_json else _from_csv(text, origin))
    if not facts:
        raise InputError(f"{origin} holds no fact: nothing to store")
    return facts


def _from_json(text: str, origin: str) -> Iterator[FactInput]:
    document = read_document(text, origin)
    records = list(document.records)
    if not document.is_lines:
        (whole,) = records
        path: tuple[str, ...] = ()
        facts = whole.value
        if isinstance(facts, dict) and facts.keys() == {"facts"}:
            path, facts = ("facts",), facts["facts"]
        if isinstance(facts, list):
            records = [Record(fact, whole.place.at(*path, n)) for n, fact in enumerate(facts)]
    for number, record in enumerate(records, start=1):
        place = record.place.named(f"fact {number}")
        given = FactInput(**validated(_Entry, record.value, place).model_dump())
        if wrong := _wrong(given):
            field, problem = wrong
            raise place.error(problem, field)
        yield given


def _from_csv(text: str, origin: str) -> Iterator[FactInput]:
    rows = _rows(text, origin)
    _, header = next(rows)
    columns = [name.strip().lower() for name in header]
    _check_header(columns, f"{origin}, line 1")
    for line, row in rows:
        where = f"{origin}, line {line}"
        if len(row) > len(columns):
            raise InputError(
                f"{where}: has {len(row)} cells under {len(columns)} columns",
                hint="put a cell that holds a comma in double quotes",
            )
        cells = {name: cell.strip() for name, cell in zip(columns, row, strict=False)}
        given = _from_cells(cells, where)
        if wrong := _wrong(given):
            column, problem = wrong
            raise InputError(f"{where}: column {column} {problem}")
        yield given


def _rows(text: str, origin: str) -> Iterator[tuple[int, list[str]]]:
    """(the line on which it begins, cells) of each row that is not blank; a quoted cell may span lines."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield begins, row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{origin}, line {begins}: not valid CSV: {error}") from error


def _check_header(columns: list[str], where: str) -> None:
    hint = f"the header names {', '.join(REQUIRED)}, and any of {', '.join(COLUMNS[len(REQUIRED) :])}"
    for name in columns:
        if name not in COLUMNS:
            raise InputError(f"{where}: {name!r} is no column of facts", hint=hint)
        if columns.count(name) > 1:
            raise InputError(f"{where}: the column {name} occurs twice", hint=hint)
    for name in REQUIRED:
        if name not in columns:
            raise InputError(f"{where}: the column {name} is missing", hint=hint)


def _from_cells(cells: Mapping[str, str], where: str) -> FactInput:
    index, ended = cells.get("index", ""), cells.get("ended", "").lower()
    if index and not (index.isascii() and index.isdigit() and len(index) <= len(str(MAX_INDEX))):
        raise InputError(f"{where}: column index is {index[:40]!r}, which is no whole number from 0 to {MAX_INDEX}")
    if ended not in _YES | _NO:
        raise InputError(f"{where}: column ended is {ended!r}", hint="write true or false, or leave it empty")
    return FactInput(
        subject=cells["subject"],
        relation=cells.get("relation", ""),
        object=cells.get("object", ""),
        source=cells.get("source", ""),
        date=cells.get("date") or None,
        index=int(index) if index else None,
        effective=cells.get("effective") or None,
        until=cells.get("until") or None,
        ended=ended in _YES,
        slot=cells.get("slot") or None,
    )


def _wrong(given: FactInput) -> tuple[str, str] | None:
    """The first field that cannot be used, and why. An end may leave the object open; a value may not."""
    for field in REQUIRED:
        if not getattr(given, field).strip() and not (field == "object" and given.ended):
            return field, "is blank"
    for field in ("effective", "until"):
        if problem := _no_date(getattr(given, field), PartialDate.parse, "write YYYY, YYYY-MM or YYYY-MM-DD"):
            return field, problem
    if problem := _no_date(given.date, SessionDate.parse, "write an ISO 8601 date or time"):
        return "date", problem
    return None


def _no_date(text: object, parse: Callable[[str], object], hint: str) -> str | None:
    if not isinstance(text, str):
        return None
    try:
        parse(text)
    except InputError as error:
        return f"is {text!r}, which is no date ({error.__cause__}); {hint}"
    return None
