"""The word lists of lexicon.toml, read once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources

from tem_graph.ingest import english


@cache
def _sections() -> dict[str, dict[str, str | list[str]]]:
    text = resources.files("tem_graph.ingest.grammar").joinpath("lexicon.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def words(section: str, name: str) -> frozenset[str]:
    """The words of one list; a hyphen in the list stands for a blank or a hyphen in the text."""
    value = _sections()[section][name]
    items = value.split() if isinstance(value, str) else value
    return frozenset(items) | frozenset(item.replace("-", " ") for item in items)


@cache
def cues(section: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The word sequences of one list, each split into words."""
    return tuple(tuple(item.split()) for item in _sections()[section][name])


@cache
def person_nouns() -> frozenset[str]:
    """Nouns of people whom somebody else may be: "friend", "neighbour", and kin."""
    return english.PERSONS | words("people", "kin")


@cache
def slot_of(kind: str) -> str | None:
    """The slot that a favourite of this kind fills: "beverage" -> "drink"."""
    lower = kind.lower()
    return next((slot for slot in _sections()["slots"] if lower in words("slots", slot)), None)


@cache
def is_occupation(noun: str, *, agents: bool = False) -> bool:
    """Whether a noun by itself names an occupation ("nurse", not "fan").

    With `agents` any lowercase noun that is built like one counts ("escapement tuner"); that is for
    statements about what somebody is, where little else ends so.
    """
    lower = singular(noun.lower())
    if lower in words("occupation", "never"):
        return False
    if lower in words("occupation", "nouns") or lower.endswith(tuple(words("occupation", "endings"))):
        return True
    return agents and noun.islower() and len(lower) > 4 and lower.endswith(tuple(words("occupation", "agents")))


def is_drink(text: str) -> bool:
    """Whether a noun phrase names a drink, by its last words."""
    lower = text.lower().split(" with ")[0].replace("-", " ").split()
    nouns = words("drink", "nouns")
    ends = [" ".join(lower[-n:]) for n in (1, 2, 3) if len(lower) >= n]
    return any(end in nouns or singular(end) in nouns for end in ends)


def singular(noun: str) -> str:
    """A rough singular, enough to look a noun up: "lattes" -> "latte"."""
    for ending, stem in (("ies", "y"), ("sses", "ss"), ("shes", "sh"), ("ches", "ch"), ("oes", "o"), ("men", "man")):
        if noun.endswith(ending) and len(noun) > len(ending) + 1:
            return noun[: -len(ending)] + stem
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) and len(noun) > 3 else noun
