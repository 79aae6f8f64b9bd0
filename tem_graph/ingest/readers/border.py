"""What all readers share: validation by pydantic with our own words for what is wrong, and sessions made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from tem_graph.domain.conversation import MAX_ID_LENGTH, Session, Turn
from tem_graph.domain.time import SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.readers.document import Place

M = TypeVar("M", bound=BaseModel)
PYTHON_TO_JSON = {
    "str": "text", "dict": "an object", "list": "a list", "NoneType": "null", "bool": "true or false",
    "int": "a number", "float": "a number",
}  # fmt: skip
_MILLISECONDS = 1e11
"""Numbers beyond this are milliseconds: as seconds it lies in the year 5138. A guess, and a safe one."""
_NAMED = 3
"""Ids of empty sessions that a remark names; the others are counted."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Sessions that belong to one memory.

    `id` names the memory where the file does (LoCoMo's `sample_id`, a persona), else it is None and the memory is
    the caller's. `left_out` says in sentences what of the file is no session and no turn.
    """

    id: str | None
    sessions: tuple[Session, ...]
    left_out: tuple[str, ...] = ()


@dataclass(slots=True)
class LeftOut:
    """What a reader does not take over, counted while it reads, so that nothing is dropped in silence."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    """One and several of it → how many."""
    sessions: list[str] = field(default_factory=list)
    """Ids of sessions in which nobody said anything."""

    def add(self, one: str, several: str, count: int = 1) -> None:
        self.counts[one, several] += count

    def sentences(self) -> tuple[str, ...]:
        """
        >>> left_out = LeftOut(sessions=["s1"])
        >>> left_out.add(*BLANK_TURN)
        >>> left_out.sentences()
        ('1 turn without words', "1 session without words ('s1')")
        """
        found = [f"{n} {one if n == 1 else several}" for (one, several), n in sorted(self.counts.items()) if n]
        if self.sessions:
            count, named = len(self.sessions), ", ".join(repr(id_[:80]) for id_ in self.sessions[:_NAMED])
            more = ", …" if count > _NAMED else ""
            found.append(f"{count} session{'s' * (count > 1)} without words ({named}{more})")
        return tuple(found)


BLANK_TURN = ("turn without words", "turns without words")


def _not_blank(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "is blank")
    return text


def _short(text: str) -> str:
    if len(text) > MAX_ID_LENGTH:
        raise PydanticCustomError("long", "has more than {most} characters", {"most": MAX_ID_LENGTH})
    return text


def _number_as_text(value: object) -> object:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Words = Annotated[str, AfterValidator(_not_blank)]
"""Text with at least one character that shows."""
Id = Annotated[str, BeforeValidator(_number_as_text), AfterValidator(_not_blank), AfterValidator(_short)]
"""An id: text, or a whole number taken as text."""


def validated(model: type[M], value: object, place: Place) -> M:
    """The value as `model`.

    Raises:
        InputError: names the file, the line, the record, the first field that is wrong, and how many more are.
    """
    try:
        return model.model_validate(value)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_context=False)
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        raise place.error(_in_our_words(first) + more, *first["loc"], hint=_hint(model, first)) from None


def _in_our_words(error: ErrorDetails) -> str:
    given = type(error["input"]).__name__
    given = PYTHON_TO_JSON.get(given, given)
    match error["type"]:
        case "missing":
            return "is missing"
        case "extra_forbidden":
            return "is not a field of it"
        case "string_type":
            return f"must be text, not {given}"
        case "list_type" | "tuple_type":
            return f"must be a list, not {given}"
        case "dict_type" | "model_type" | "model_attributes_type":
            return f"must be an object, not {given}"
        case "int_type" | "int_parsing":
            return f"must be a whole number, not {given}"
        case "blank" | "long" | "textless":
            return error["msg"]
        case _:
            return f"cannot be used: {error['msg'][0].lower()}{error['msg'][1:]}"


def _hint(model: type[BaseModel], error: ErrorDetails) -> str | None:
    if error["type"] == "string_type" and error["loc"][-1] == "date" and isinstance(error["input"], int | float):
        return _date_hint(error["input"])
    if error["type"] != "extra_forbidden":
        return None
    known = ", ".join(f"`{name}`" for name in _fields(model, error["loc"][:-1]))
    return f"known fields there: {known}; a turn keeps anything else under `metadata`"


def _date_hint(number: float) -> str:
    example = "2024-03-02, 2024-03-02T09:30:00 or 2024-03-02T09:30:00+01:00"
    try:
        return f'write "{from_epoch(number, UTC).text}" if {number} counts from 1970; else like {example}'
    except (ValueError, OverflowError, OSError):
        return f"write {example}"


def from_epoch(number: float, zone: tzinfo) -> SessionDate:
    """The instant of a number of seconds (or milliseconds) since 1970, in `zone`.

    Raises:
        ValueError, OverflowError, OSError: no calendar has that instant.
    """
    seconds = number / 1000 if abs(number) > _MILLISECONDS else number
    return SessionDate(datetime.fromtimestamp(seconds, UTC).astimezone(zone))


def _fields(model: type[BaseModel], path: Iterable[str | int]) -> Iterable[str]:
    for step in path:
        if not isinstance(step, str) or step not in model.model_fields:
            continue
        inner: Any = model.model_fields[step].annotation
        model = next((a for a in getattr(inner, "__args__", ()) if isinstance(a, type)), model)
    return model.model_fields


def make_date(text: str | None, place: Place, zone: tzinfo, field: str = "date") -> SessionDate | None:
    """The date of a session.

    Raises:
        InputError: not ISO 8601, or no such day.
    """
    if text is None:
        return None
    try:
        return SessionDate.parse(text, zone=zone)
    except InputError as error:
        raise place.error(f"is no ISO 8601 date or time: {error.__cause__}", field, hint=error.hint) from error


def make_session(
    place: Place, id_: str, turns: Iterable[Turn], date: SessionDate | None = None, index: int | None = None
) -> Session:
    """The session, with its sort key tried out.

    Raises:
        InputError: what `Session` refuses, or an instant that UTC cannot hold.
    """
    try:
        session = Session(id_, tuple(turns), date, index)
        _ = session.source_key
    except InputError as error:
        raise place.error(error.message, hint=error.hint) from error
    except OverflowError as error:
        raise place.error("lies outside the years 1 to 9999 in UTC", "date") from error
    return session


def refuse_repeated(items: Iterable[tuple[str, Place]], field: str) -> None:
    """Nothing.

    Raises:
        InputError: two records have one id; names the lines of both.
    """
    seen: dict[str, Place] = {}
    for id_, place in items:
        if id_ in seen:
            raise place.error(f"repeats the id of line {seen[id_].line()}", field, hint="give every session its own id")
        seen[id_] = place


def refuse_mixed_indexes(sessions: Iterable[tuple[Session, Place]]) -> None:
    """Nothing.

    Raises:
        InputError: some sessions of one memory have a source index and some have none (design, law 4).
    """
    found = list(sessions)
    without = [place for session, place in found if session.index is None]
    if without and len(without) < len(found):
        raise without[0].error(
            "is missing while other sessions have one", "index", hint="give `index` to every session or to none"
        )
