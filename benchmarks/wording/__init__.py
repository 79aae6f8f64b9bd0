"""Wording as data: templates, values and questions of the generated sets, read from the files beside this one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

HERE = Path(__file__).parent
OTHER_SPEAKER = "@"
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_SENTENCE_START = re.compile(r"(?:^|[.!?] )$")

Template = tuple[str, ...]
"""The turns of one exchange; a turn that starts with `@` belongs to the other speaker."""


@cache
def load(name: str) -> dict[str, Any]:
    """The content of `<name>.toml`, read once; callers leave it as it is."""
    return tomllib.loads((HERE / f"{name}.toml").read_text(encoding="utf-8"))


def as_template(entry: str | Sequence[str]) -> Template:
    return (entry,) if isinstance(entry, str) else tuple(entry)


@dataclass(frozen=True, slots=True)
class Value:
    """A value as the texts write it, and other written forms of it."""

    name: str
    aliases: tuple[str, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


def with_article(noun: str) -> str:
    """The noun with its indefinite article.

    >>> with_article("nurse"), with_article("electrician"), with_article("user experience researcher")
    ('a nurse', 'an electrician', 'a user experience researcher')
    """
    starts_with_vowel_sound = noun[0].lower() in "aeio" or noun.startswith("X-ray")
    return f"{'an' if starts_with_vowel_sound else 'a'} {noun}"


def fill(text: str, words: Mapping[str, str]) -> str:
    """The text with its placeholders replaced; a word that opens a sentence gets a capital.

    Raises:
        KeyError: the text names a placeholder that `words` does not have.

    >>> fill("{new}, please! {A_job}.", {"new": "oolong tea", "job": "nurse"})
    'Oolong tea, please! A nurse.'
    """

    def replaced(match: re.Match[str]) -> str:
        name = match[1]
        word = with_article(words[name[2:]]) if name.lower().startswith("a_") else words[name.lower()]
        opens_sentence = _SENTENCE_START.search(text[: match.start()]) is not None
        return word[0].upper() + word[1:] if opens_sentence or name[0].isupper() else word

    return _PLACEHOLDER.sub(replaced, text)


@dataclass
class Deck:
    """Draws from a list in shuffled order, so that every entry is used before any is used again."""

    entries: Sequence[Any]
    rng: Random
    _left: list[Any] = field(default_factory=list)

    def draw(self) -> Any:
        if not self._left:
            self._left = list(self.entries)
            self.rng.shuffle(self._left)
        return self._left.pop()


class Voice:
    """One wording set with a deck per kind of template."""

    def __init__(self, name: str, rng: Random) -> None:
        self.name = name
        self._data = load(name)
        self._rng = rng
        self._decks: dict[tuple[str, ...], Deck] = {}

    def draw(self, *path: str) -> Template:
        """The next template of a section, such as ("change", "residence") or ("talk", "reply")."""
        if path not in self._decks:
            entries = self._data
            for key in path:
                entries = entries[key]
            self._decks[path] = Deck([as_template(e) for e in entries], self._rng)
        deck: Template = self._decks[path].draw()
        return deck

    def draw_distractor(self, relation: str) -> tuple[str, Template]:
        """(why it is no fact of the persona, template); every template of the relation before any repeats."""
        path = ("distractor", relation)
        if path not in self._decks:
            flat = [
                (why, as_template(e)) for why, entries in self._data["distractor"][relation].items() for e in entries
            ]
            self._decks[path] = Deck(flat, self._rng)
        drawn: tuple[str, Template] = self._decks[path].draw()
        return drawn


def templates(name: str) -> Iterator[tuple[tuple[str, ...], Template]]:
    """Every template of a wording set with the path of its section."""

    def walk(path: tuple[str, ...], node: Any) -> Iterator[tuple[tuple[str, ...], Template]]:
        if isinstance(node, dict):
            for key, child in node.items():
                yield from walk((*path, key), child)
        elif isinstance(node, list):
            for entry in node:
                yield path, as_template(entry)

    yield from walk((), load(name))
