"""Chat exports: messages with `role` and `content`, one session per conversation.

    [{"role": "user", "content": "…"}, …]                    one session, named after the file
    {"id": "c1", "created_at": "…", "messages": [...]}       one session; a list of these, or one a line, many
    [{"mapping": {...}, "current_node": "…", …}]             ChatGPT's `conversations.json`: the branch last shown

The speaker is the message's `name` where a `user` has one, else its role. `content` is text, null, or a list of
parts; what is no text (an image, a file) becomes the turn's caption. A time on a message, in ISO 8601 or seconds
since 1970, is kept in its metadata; the first one dates the session unless the conversation has its own. What says
nothing (an empty message, a tool call, an empty system node, a branch that was regenerated, a chat without a word) is
counted in `Conversation.left_out`. Other fields belong to the exporting program and are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.time import SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.readers.border import (
    Conversation,
    Id,
    LeftOut,
    Words,
    from_epoch,
    make_session,
    refuse_repeated,
    validated,
)
from tem_graph.ingest.readers.chatgpt import EMPTY_NODE, shown_branch
from tem_graph.ingest.readers.document import Document, Place, Record

_IDS = ("id", "conversation_id", "session_id", "thread_id")
_TIMES = ("timestamp", "created_at", "create_time", "date", "time")
_MACHINERY = {"tool_use", "tool_call", "tool_result", "function_call", "thinking", "reasoning", "redacted_thinking"}
_SHARED = {"image": "an image", "file": "a file", "audio": "a recording", "video": "a video"}
_TEXT = {"text", "input_text", "output_text"}
_EMPTY = ("empty message", "empty messages")
_CALL = (
    "message without words (a call of a tool or the like)",
    "messages without words (calls of tools and the like)",
)
_BRANCH = ("message of a branch that was not shown last", "messages of branches that were not shown last")


class _Message(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    role: Words
    name: Words | None = None
    content: object = None


class _File(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    messages: list[Any]


@dataclass(frozen=True, slots=True)
class _Chat:
    """One chat before its messages are looked at."""

    fields: dict[str, Any]
    messages: list[Record]
    place: Place
    branches_left: int = 0


def read(document: Document, zone: tzinfo, name: str | None = None) -> list[Conversation]:
    """One conversation with a session per chat of the file.

    Args:
        name: id of a session that the file gives none; default: the file's name. Several get a number behind it.

    Raises:
        InputError: names the file, the line, the session and the field.
    """
    chats = list(_chats(document))
    left_out = LeftOut()
    made = []
    for number, chat in enumerate(chats, start=1):
        id_ = _id_of(chat, name or document.stem, number if len(chats) > 1 else None)
        place = chat.place.named(f"session {id_[:80]!r}")
        made.append((id_, _session(id_, chat, place, zone, left_out), place))
    refuse_repeated(((id_, place) for id_, _, place in made), "id")
    sessions = tuple(session for _, session, _ in made if session is not None)
    return [Conversation(None, sessions, left_out.sentences())]


def _chats(document: Document) -> Iterator[_Chat]:
    first = document.records[0]
    if document.is_lines:
        if _is_message(first.value):
            yield _Chat({}, list(document.records), first.place)
        else:
            yield from (_chat(record) for record in document.records)
    elif not isinstance(first.value, list):
        yield _chat(first)
    elif not first.value:
        raise first.place.error("holds no message: nothing to store")
    else:
        items = [Record(item, first.place.at(n)) for n, item in enumerate(first.value)]
        if _is_message(first.value[0]):
            yield _Chat({}, items, first.place)
        else:
            yield from map(_chat, items)


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and "role" in value


def _chat(record: Record) -> _Chat:
    if isinstance(record.value, dict) and "mapping" in record.value:
        messages, others = shown_branch(record)
        return _Chat(record.value, messages, record.place, others)
    file = validated(_File, record.value, record.place)
    messages = [Record(m, record.place.at("messages", n)) for n, m in enumerate(file.messages)]
    return _Chat(file.model_extra or {}, messages, record.place)


def _id_of(chat: _Chat, name: str | None, number: int | None) -> str:
    for field in _IDS:
        if (given := chat.fields.get(field)) is not None:
            return validated(_Id, {field: given, "id": given}, chat.place).id
    if name is None:
        raise chat.place.error(
            "is missing", "id", hint='write {"id": "…", "messages": […]}, or give the session a name (`--session`)'
        )
    return f"{name}-{number}" if number else name


class _Id(BaseModel):
    id: Id


def _session(id_: str, chat: _Chat, place: Place, zone: tzinfo, left_out: LeftOut) -> Session | None:
    left_out.add(*_BRANCH, chat.branches_left)
    date = _time(chat.fields, place, zone)
    turns: list[Turn] = []
    for record in chat.messages:
        at = record.place.named(place.name or id_)
        message = validated(_Message, record.value, at)
        extra = message.model_extra or {}
        told = _time(extra, at, zone)
        date = date or told
        text, caption = _words(message.content, at)
        if not text.strip() and caption is None:
            left_out.add(*(_CALL if _is_machinery(message.content, extra) else _EMPTY))
            continue
        speaker = message.name if message.role == "user" and message.name else message.role
        metadata = {"time": told.text} if told else {}
        turns.append(Turn(len(turns), speaker, text, caption, metadata))
    if not turns:
        left_out.sessions.append(id_)
        return None
    return make_session(place, id_, turns, date)


def _words(content: object, place: Place) -> tuple[str, str | None]:
    """The text of a message, and what else it shares."""
    if content is None:
        return "", None
    if isinstance(content, str):
        return content, None
    if not isinstance(content, list):
        raise place.error("must be text, null or a list of parts", "content")
    texts: list[str] = []
    shared: list[str] = []
    for number, part in enumerate(content):
        if isinstance(part, str):
            texts.append(part)
        elif not isinstance(part, dict) or not isinstance(kind := part.get("type"), str):
            raise place.error("must be text or a part with a `type`", "content", number)
        elif isinstance(part.get("text"), str) and kind not in _MACHINERY:
            texts.append(part["text"])
        elif kind in _TEXT and part.get("text") is None:
            continue
        elif kind not in _MACHINERY:
            shared.append(_SHARED.get(kind.removeprefix("input_").split("_")[0], f"a part of type {kind}"))
    return "\n".join(text for text in texts if text), ", ".join(shared) or None


def _is_machinery(content: object, extra: dict[str, Any]) -> bool:
    if isinstance(content, list) and content:
        return all(isinstance(part, dict) and part.get("type") in _MACHINERY for part in content)
    return bool(extra.get("tool_calls") or extra.get("function_call") or extra.get(EMPTY_NODE))


def _time(fields: dict[str, Any], place: Place, zone: tzinfo) -> SessionDate | None:
    for field in _TIMES:
        given = fields.get(field)
        if given is None:
            continue
        try:
            if isinstance(given, str):
                return SessionDate.parse(given, zone=zone)
            if isinstance(given, int | float) and not isinstance(given, bool):
                return from_epoch(given, zone)
        except (InputError, ValueError, OverflowError, OSError) as error:
            raise place.error(f"is {given!r}, which is no time", field) from error
        raise place.error("must be an ISO 8601 time or seconds since 1970", field)
    return None
