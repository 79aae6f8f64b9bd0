"""The reply of a model that reads a session: its form for decoding, and its items read one by one.

A bad item does not cost the good ones beside it, and is named by its place. Decoding is bounded (see `Room`), so that
a small model that repeats itself comes to an end; reading is not, so nothing that a model did write is lost for its
length. Pure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from tem_graph.domain.extraction import Candidate, Rejection
from tem_graph.domain.fact import FactKind
from tem_graph.domain.relation import RelationCatalog
from tem_graph.ingest.room import Room
from tem_graph.llm.structured import ReplyProblem, describe, parse_reply, strict_schema
from tem_graph.ports import ChatReply

_NOTHING = {"", "null", "none", "n/a", "unknown"}

_MOST_CHARACTERS = {"name": 100, "value": 200, "text": 400}
"""Bounds of a text while decoding: of a name, a relation, a slot or date words; of an object; of a quote or a sentence.
Guesses, at several times the longest seen; a quote that is cut is still found in its turn. Far below 2,000, from where
llama.cpp's grammars refuse a repetition."""
_MOST_LISTED = 16
"""Turns and participants of one event while decoding. A guess."""


def _as_words(value: object) -> object:
    """Numbers are taken as written (34 → "34"); everything else is left to the type check."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return json.dumps(value) if is_number else value.strip() if isinstance(value, str) else value


def _or_none(value: object) -> object:
    return None if isinstance(value, str) and value.strip().lower() in _NOTHING else _as_words(value)


def _number_or_none(value: object) -> object:
    """A turn number that is none costs nothing: the quote still finds the turn."""
    digits = str(value).strip().strip("[]").removeprefix("turn ")
    return int(digits) if digits.isdecimal() and not isinstance(value, bool) else None


def _at_most(characters: str) -> Any:
    """A bound that decoding keeps to and validation does not ask for."""
    return Field(json_schema_extra={"maxLength": _MOST_CHARACTERS[characters]})


_Listed = Field(json_schema_extra={"maxItems": _MOST_LISTED})
_Name = Annotated[str, BeforeValidator(_as_words), Field(min_length=1), _at_most("name")]
_Value = Annotated[str, BeforeValidator(_as_words), _at_most("value")]
_Sentence = Annotated[str, BeforeValidator(_as_words), Field(min_length=1), _at_most("text")]
_Quote = Annotated[Annotated[str, _at_most("text")] | None, BeforeValidator(_or_none)]
_Optional = Annotated[Annotated[str, _at_most("name")] | None, BeforeValidator(_or_none)]


class FactItem(BaseModel):
    """One fact of a reply. The quote comes first: a model that has copied the words invents less after them.

    Unknown fields are ignored. A list, an object, null or an empty text where words are needed is refused.
    """

    model_config = ConfigDict(extra="ignore")

    quote: _Quote = None
    subject: _Name
    relation: _Name
    object: _Value
    kind: Literal["value", "end"] = "value"
    slot: _Optional = None
    since: _Optional = None
    until: _Optional = None
    turn: Annotated[int | None, BeforeValidator(_number_or_none)] = None

    @model_validator(mode="before")
    @classmethod
    def _other_names(cls, data: Any) -> Any:
        if isinstance(data, dict) and "since" not in data and "effective_date" in data:
            return {**data, "since": data["effective_date"]}
        return data

    @model_validator(mode="after")
    def _value_has_an_object(self) -> FactItem:
        if self.kind == "value" and not self.object:
            raise ValueError("object is empty; only an end may have none")
        return self

    def candidate(self) -> Candidate:
        return Candidate(
            subject=self.subject,
            relation=self.relation,
            object=self.object,
            turn=self.turn,
            quote=self.quote,
            kind=FactKind(self.kind),
            slot=self.slot,
            since=self.since,
            until=self.until,
        )


def _turn_numbers(value: object) -> object:
    """One number or a list of them, as written; what is none is left out."""
    values = value if isinstance(value, list) else [value]
    return sorted({n for v in values if isinstance(n := _number_or_none(v), int)})


def _name_list(value: object) -> object:
    """Names in a list, or in one text between commas."""
    values = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return list(dict.fromkeys(name for v in values if isinstance(v, str) and (name := v.strip())))


_Turns = Annotated[list[int], BeforeValidator(_turn_numbers), Field(min_length=1), _Listed]
_Names = Annotated[list[Annotated[str, _at_most("name")]], BeforeValidator(_name_list), _Listed]


class _PassageItem(BaseModel):
    model_config = ConfigDict(extra="ignore")

    turns: _Turns

    @model_validator(mode="before")
    @classmethod
    def _one_turn(cls, data: Any) -> Any:
        return (
            {**data, "turns": data["turn"]}
            if isinstance(data, dict) and "turns" not in data and "turn" in data
            else data
        )


class EventItem(_PassageItem):
    """One event of a reply. The turns come first, so that a model has chosen its source before it writes."""

    summary: _Sentence
    participants: _Names = []
    when: _Optional = None


class NoteItem(_PassageItem):
    """One note of a reply."""

    text: _Sentence


class Reply(BaseModel):
    """The whole reply. Items are read one by one afterwards. A reply to the prompt for facts has no other list."""

    model_config = ConfigDict(extra="ignore")

    facts: list[Any]
    events: list[Any] = []
    notes: list[Any] = []


class _StrictFactsReply(BaseModel):
    """The form that decoding is constrained to, for facts alone."""

    facts: list[FactItem]


class _StrictReply(BaseModel):
    """The same for facts, events and notes."""

    facts: list[FactItem]
    events: list[EventItem]
    notes: list[NoteItem]


@dataclass(frozen=True, slots=True)
class ReadItems:
    """The items of one reply: those that fit, and the others with what is wrong with them."""

    candidates: tuple[Candidate, ...]
    malformed: tuple[Rejection, ...]
    events: tuple[EventItem, ...] = ()
    notes: tuple[NoteItem, ...] = ()


ItemT = TypeVar("ItemT", bound=BaseModel)


def read_items(reply: ChatReply) -> ReadItems:
    """The items of one reply, good ones and refused ones apart. Pure.

    Raises:
        ReplyProblem: the reply is unusable, or holds items and not one that fits; names each `facts[i].field`.
    """
    lists = parse_reply(reply, Reply, wrapper="facts")
    facts, bad_facts = _fitting(lists.facts, FactItem, "facts", _shown)
    events, bad_events = _fitting(lists.events, EventItem, "events", lambda item: _shown_passage(item, "event"))
    notes, bad_notes = _fitting(lists.notes, NoteItem, "notes", lambda item: _shown_passage(item, "note"))
    malformed = (*bad_facts, *bad_events, *bad_notes)
    if malformed and not (facts or events or notes):
        raise ReplyProblem("; ".join(rejection.detail for rejection in malformed))
    return ReadItems(tuple(item.candidate() for item in facts), malformed, tuple(events), tuple(notes))


def _fitting(
    items: Sequence[object], form: type[ItemT], name: str, shown: Callable[[object], Candidate]
) -> tuple[list[ItemT], list[Rejection]]:
    fit: list[ItemT] = []
    malformed: list[Rejection] = []
    for place, item in enumerate(items):
        try:
            fit.append(form.model_validate(item))
        except ValidationError as error:
            detail = describe(error, within=f"{name}[{place}].").replace(f"{name}[{place}].:", f"{name}[{place}]:")
            malformed.append(Rejection(shown(item), "malformed", detail))
    return fit, malformed


def _shown(item: object) -> Candidate:
    """What can be shown of an item that is no fact."""
    shown = _as_texts(item if isinstance(item, dict) else {"object": item})
    return Candidate(
        shown.get("subject", ""), shown.get("relation", ""), shown.get("object", ""), None, shown.get("quote")
    )


def _shown_passage(item: object, kind: Literal["event", "note"]) -> Candidate:
    """What can be shown of an item that is no event or note."""
    shown = _as_texts(item if isinstance(item, dict) else {"text": item})
    return Candidate("", kind, shown.get("summary") or shown.get("text", ""))


def _as_texts(fields: dict[str, object]) -> dict[str, str]:
    return {
        k: v if isinstance(v, str) else json.dumps(v, ensure_ascii=False) for k, v in fields.items() if v is not None
    }


def reply_schema(catalog: RelationCatalog, room: Room, *, open_vocabulary: bool, passages: bool) -> dict[str, Any]:
    """The JSON schema of a reply, with events and notes or without, its lists no longer than `room`; in a closed
    vocabulary, `relation` is one of the catalog's names. Pure."""
    schema = strict_schema(_StrictReply if passages else _StrictFactsReply)
    for name, items in schema["properties"].items():
        items["maxItems"] = room.most(name)
    properties = schema["properties"]["facts"]["items"]["properties"]
    if not open_vocabulary:
        properties["relation"] = {"type": "string", "enum": [relation.name for relation in catalog]}
    return schema
