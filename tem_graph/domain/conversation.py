"""What goes in: sessions and their turns; and what is kept beside facts: events, notes, provenance."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from tem_graph.domain.time import SessionDate
from tem_graph.errors import InputError

MAX_INDEX = 10**12 - 1
MAX_ID_LENGTH = 512
_DIGITS = re.compile(r"[0-9]+")


def source_key(index: int | None, date: SessionDate | None, session_id: str) -> str:
    """The sort key of a session in its memory: an ASCII string, compared byte by byte, also by Neo4j.

    With an explicit source index the index is the key. Otherwise the key is (instant in UTC, id), so the
    order in which sessions arrive never matters (design, law 4). Digits inside an id count as numbers
    (`s2` before `s10`). A session without a date sorts before the dated ones: what was said at an unknown
    time must not replace what has a date.

    >>> source_key(7, None, "x")
    '000000000007'
    >>> source_key(None, None, "s2") < source_key(None, None, "s10")
    True
    """
    if index is not None:
        return f"{index:012d}"
    instant = date.instant.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") if date else "0000"
    natural = _DIGITS.sub(lambda run: run[0].zfill(12), session_id)
    return f"{instant}~{_ascii(natural)}~{_ascii(session_id)}"


def _ascii(text: str) -> str:
    return text.encode("unicode_escape").decode("ascii")


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `position` is its 0-based place in the session; `caption` describes a shared image."""

    position: int
    speaker: str
    text: str
    caption: str | None = None
    metadata: Mapping[str, object] = field(default_factory=dict, hash=False)

    @property
    def content(self) -> str:
        """What was said, with the caption of a shared image as part of it."""
        return f"{self.text} [shares {self.caption}]".strip() if self.caption else self.text

    @property
    def line(self) -> str:
        """Who said what, on one line: the form in which a turn is embedded, searched and shown as evidence."""
        return f"{self.speaker}: {' '.join(self.content.split())}"


@dataclass(frozen=True, slots=True)
class Session:
    """One sitting of a conversation, whole: it is stored with all its turns and facts, or not at all.

    `index` is the explicit source index (0 or more), given for every session of a memory or for none.

    Raises:
        InputError: no id, an id over 512 characters, a negative index, text that no encoding can hold.
    """

    id: str
    turns: tuple[Turn, ...]
    date: SessionDate | None = None
    index: int | None = None

    def __post_init__(self) -> None:
        if not self.id.strip():
            raise InputError("session id is empty", hint="give every session its own id")
        if len(self.id) > MAX_ID_LENGTH:
            raise InputError(f"session id has {len(self.id)} characters, at most {MAX_ID_LENGTH} are allowed")
        for text, what in (
            (self.id, "the id"),
            *((f"{t.speaker}{t.content}", f"turn {t.position}") for t in self.turns),
        ):
            try:
                text.encode()
            except UnicodeEncodeError as error:
                raise InputError(f"session {self.id!a}: {what} holds half a character") from error
        if self.index is not None and not 0 <= self.index <= MAX_INDEX:
            raise InputError(f"session {self.id!r}: index {self.index} is not between 0 and {MAX_INDEX}")

    @property
    def source_key(self) -> str:
        return source_key(self.index, self.date, self.id)

    @property
    def digest(self) -> str:
        """SHA-256, in hex, of everything that the session says; equal digests mean the same session."""
        content = {
            "index": self.index,
            "date": self.date.text if self.date else None,
            "turns": [[t.speaker, t.text, t.caption, _plain(t.metadata)] for t in self.turns],
        }
        return sha256(json.dumps(content, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def _plain(metadata: Mapping[str, object]) -> object:
    return json.loads(json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True, default=str))


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a fact came to be: who read it, from which words, with which prompt and model."""

    extractor: str
    """`model`, `grammar`, `model+grammar`, `by-hand`, or `correction`."""
    quote: str | None = None
    """The words of the turn that say so, verbatim."""
    turn: int | None = None
    """Position of the turn in its session."""
    speaker: str | None = None
    model: str | None = None
    prompt: str | None = None
    """Id and hash of the prompt file, `extract_facts@3f2a91c0`."""
    note: str | None = None
    """What a reader should know, such as a date in the reply that does not exist."""


@dataclass(frozen=True, slots=True)
class Retraction:
    """A fact was withdrawn by an explicit verb; the record itself stays."""

    at: datetime
    by: str
    why: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, in one dated sentence, with the turns behind it (TEM, section 3.5)."""

    summary: str
    session: str
    date: str | None = None
    """ISO day, month or year on which it happened, where the text or the session says; else None."""
    participants: tuple[str, ...] = ()
    turns: tuple[int, ...] = ()
    """Positions of the turns behind it, ascending."""
    extractor: str = "model"
    """`model`, or `extractive`: the words of a turn as said, chosen without a model."""


@dataclass(frozen=True, slots=True)
class Note:
    """Free text that fits no fact: a plan, a condition on behaviour, an opinion."""

    text: str
    session: str
    turns: tuple[int, ...] = ()
    extractor: str = "model"
