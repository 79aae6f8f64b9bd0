"""Conversations from files: which form a file has, and the sessions in it, whole or with an error that names the place.

Nothing is dropped in silence: a missing speaker, a bad date, a wrong type or a repeated id is an `InputError`; what
says nothing (a turn without words, a session without turns) and what a published format holds beside conversations is
counted in `Conversation.left_out`.
"""

from __future__ import annotations

from datetime import UTC, tzinfo
from pathlib import Path
from typing import Literal, get_args

from tem_graph.domain.conversation import Session
from tem_graph.errors import InputError
from tem_graph.ingest.readers import chat, locomo, native, state_update
from tem_graph.ingest.readers.border import Conversation
from tem_graph.ingest.readers.document import (
    STDIN_NAME,
    Document,
    decode,
    origin_of,
    read_bytes,
    read_document,
)
from tem_graph.ingest.triples.fact_list import is_fact_list, parse_fact_list

__all__ = ["FORMATS", "Conversation", "Format", "parse_conversations", "read_conversations", "read_sessions"]

Format = Literal["auto", "sessions", "locomo", "state-update", "chat", "fact-list"]
FORMATS: tuple[str, ...] = get_args(Format)


def read_conversations(
    path: Path | str, *, zone: tzinfo = UTC, format: Format = "auto", session: str | None = None
) -> list[Conversation]:
    """The conversations of a file, each for a memory of its own, in the file's order. `-` is standard input.

    Args:
        zone: of dates and times that name none.
        session: id for a chat that has none of its own; default: the file's name.

    Raises:
        InputError: names the file, the line, the session and the field.
    """
    origin, stem = origin_of(path)
    return _from_text(decode(read_bytes(path), origin), origin, stem, zone, format, session)


def parse_conversations(
    text: str, *, origin: str = STDIN_NAME, zone: tzinfo = UTC, format: Format = "auto", session: str | None = None
) -> list[Conversation]:
    """The same of a text that is at hand already; `origin` is what errors call it."""
    return _from_text(text.removeprefix("\ufeff"), origin, None, zone, format, session)


def read_sessions(
    path: Path | str, *, zone: tzinfo = UTC, format: Format = "auto", session: str | None = None
) -> list[Session]:
    """The sessions of a file that holds one conversation, in the file's order.

    Raises:
        InputError: as `read_conversations`; or the file holds several conversations, which are several memories.
    """
    conversations = read_conversations(path, zone=zone, format=format, session=session)
    if len(conversations) > 1:
        names = ", ".join(str(c.id) for c in conversations[:3])
        raise InputError(
            f"{path} holds {len(conversations)} conversations ({names}, …), each a memory of its own",
            hint="read it with read_conversations, and put each into its own memory",
        )
    return list(conversations[0].sessions)


def _from_text(
    text: str, origin: str, stem: str | None, zone: tzinfo, format: Format, session: str | None
) -> list[Conversation]:
    if format == "fact-list" or (format == "auto" and is_fact_list(text)):
        sessions = tuple(parse_fact_list(text, origin=origin))
        if not sessions:
            raise InputError(f"{origin} holds no fact: nothing to store", hint="write each fact as '12. Text.'")
        return [Conversation(None, sessions)]
    return _read(read_document(text, origin, stem), zone, format, session)


def _read(document: Document, zone: tzinfo, format: Format, session: str | None) -> list[Conversation]:
    match detect(document) if format == "auto" else format:
        case "sessions":
            return native.read(document, zone)
        case "locomo":
            return locomo.read(document, zone)
        case "state-update":
            return state_update.read(document, zone)
        case "chat":
            return chat.read(document, zone, session)
        case other:
            raise InputError(f"there is no format {other!r}", hint=f"use one of {', '.join(FORMATS)}")


def detect(document: Document) -> Format:
    """The form of a file, from the fields of its first record.

    Raises:
        InputError: it has the fields of none.
    """
    first = document.records[0].value
    if isinstance(first, list):
        if not first:
            raise document.records[0].place.error("holds no session: nothing to store")
        first = first[0]
    fields = first.keys() if isinstance(first, dict) else set()
    for format, signs in _SIGNS:
        if signs & fields:
            return format
    raise document.records[0].place.error(
        "is not in a form that can be told by its fields",
        hint='a session is {"id": …, "turns": [{"speaker": …, "text": …}]}; say which form it is with '
        f"--format ({', '.join(FORMATS[1:])})",
    )


_SIGNS: tuple[tuple[Format, set[str]], ...] = (
    ("state-update", {"persona_id"}),
    ("locomo", {"conversation", "sample_id"}),
    ("chat", {"messages", "mapping", "role"}),
    ("sessions", {"sessions", "turns", "id"}),
)
"""Fields that only one form has, asked in this order."""
