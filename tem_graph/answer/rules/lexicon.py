"""The phrases of `english.toml` and of a memory's own relations, in a form that can be looked up word by word."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from itertools import product
from typing import Any

from tem_graph.answer.rules.words import read_words, verb_forms
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.relation import RelationCatalog

_TIMES = frozenset(
    {"start", "beginning", "outset", "moment", "time", "minute", "present", "first", "any", "some", "session"}
)
_PART = re.compile(r"\(([^)]*)\)|([^()]+)")
_TOKEN = re.compile(r"(?:\([^)]*\)|[^()\s])+")
"""What stands between blanks; blanks inside brackets do not count."""


@dataclass(frozen=True, slots=True)
class Target:
    """The relation that a phrase speaks of, as the memory calls it."""

    relation: str
    slot: str | None = None
    base: str | None = field(default=None, compare=False)
    """The relation that this is an aspect of, by whatever name it is stored: a favourite drink is liked."""


@dataclass(frozen=True, slots=True)
class Tag:
    """What a phrase says: `before`, `noun`, `hold`, `when`, … with the relation or the number it carries."""

    name: str
    target: Target | None = None
    number: int | None = None
    is_filler: bool = False


Word = Iterable[str]
"""The forms of one word: "move", "moves", "moved"."""


@dataclass(eq=False)
class _Node:
    tags: list[Tag] = field(default_factory=list)
    next: dict[str, list[_Node]] = field(default_factory=dict)


class Lexicon:
    """Phrases to tags. `match` gives the longest phrase that starts at a word, with all that it can mean.

    A phrase with choices is kept as a graph that is walked on all its ways at once: spelled out, the phrases of
    `english.toml` would be hundreds of thousands.
    """

    def __init__(self) -> None:
        self._root = _Node()
        self.aspects: tuple[Target, ...] = ()
        """Relations that are an aspect of another one, as the memory calls them."""

    def add(self, parts: Iterable[Sequence[Sequence[Word]]], tag: Tag) -> None:
        """Enter a phrase: one part after the other, each a choice of runs of words; an empty run leaves it out."""
        ends = [self._root]
        for choices in parts:
            joint = _Node()
            after = [joint] if any(choices) else []
            for run in choices:
                if not run:
                    after += ends
                    continue
                starts = ends
                for word in run[:-1]:
                    starts = [_step(starts, word, _Node())]
                _step(starts, run[-1], joint)
            ends = after
        for node in ends:
            if node is not self._root and tag not in node.tags:
                node.tags.append(tag)

    def match(
        self, keys: Sequence[str], start: int, end: int, *, is_opening: bool = False
    ) -> tuple[int, tuple[Tag, ...]]:
        """(number of words, tags) of the longest phrase at `start`; (0, ()) where there is none.

        A "tail" is one only before `end`, where the question's words are over; an "opening" only where nothing
        was said yet. No phrase takes the "as" of "as of" away: "Where did she work as of session 2?".
        """
        found: tuple[int, tuple[Tag, ...]] = (0, ())
        nodes = [self._root]
        for length, key in enumerate(keys[start:], start=1):
            nodes = list(dict.fromkeys(following for node in nodes for following in node.next.get(key, ())))
            if not nodes:
                break
            if _begins_a_time(key, keys[start + length : start + length + 3]):
                continue
            out_of_place = {"opening"} if not is_opening else set()
            if start + length != end:
                out_of_place.add("tail")
            meant = dict.fromkeys(tag for node in nodes for tag in node.tags)
            tags = tuple(t for t in meant if t.name not in out_of_place)
            if tags:
                found = (length, tuple(t for t in tags if t.name == "opening") or tags)
        return found


def _step(starts: Iterable[_Node], word: Word, to: _Node) -> _Node:
    for form in word:
        for node in starts:
            node.next.setdefault(form, []).append(to)
    return to


def _begins_a_time(key: str, following: Sequence[str]) -> bool:
    """Whether a word belongs to what follows: "work [as of] session 2", "her job [at the start]"."""
    rest = [k for k in following if k not in {"the", "very"}][:1]
    return (key == "as" and rest == ["of"]) or (key == "at" and bool(rest) and rest[0] in _TIMES)


@cache
def english() -> Mapping[str, Any]:
    """The content of `english.toml`."""
    text = resources.files("tem_graph.answer.rules").joinpath("english.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _forms(verb: str) -> frozenset[str]:
    return verb_forms(verb, tuple(english()["verbs"].get(verb, ())))


def alternatives(phrase: str) -> Iterator[str]:
    """The phrases that "(a|b|) c" stands for.

    >>> list(alternatives("(for|) how long"))
    ['for how long', 'how long']
    """
    parts = [m[1].split("|") if m[1] is not None else [m[2]] for m in _PART.finditer(phrase)]
    for chosen in product(*parts):
        yield " ".join("".join(chosen).split())


def parts_of(phrase: str) -> list[list[str]]:
    """The choices of a phrase, part by part; a choice may be of several words or of none.

    >>> parts_of("(for|all of|) how long")
    [['for', 'all of', ''], ['how'], ['long']]
    """
    return [list(alternatives(part)) for part in _TOKEN.findall(phrase)]


def _spell(words: str) -> list[Word]:
    return [_forms(word[1:]) if word.startswith("~") else (word,) for word in words.split()]


def _add_phrases(lexicon: Lexicon, phrases: Iterable[str], tag: Tag) -> None:
    for phrase in phrases:
        lexicon.add([[_spell(choice) for choice in choices] for choices in parts_of(phrase)], tag)


@lru_cache(maxsize=16)
def lexicon_of(catalog: RelationCatalog, stored: tuple[str, ...]) -> Lexicon:
    """`build_lexicon`, kept for the next question: about any memory with these relations, and by any reader."""
    return build_lexicon(catalog, stored)


def build_lexicon(catalog: RelationCatalog, stored: Iterable[str]) -> Lexicon:
    """English, with the relations of a catalog and those that a memory has stored under names of its own."""
    phrases_of, lexicon = english(), Lexicon()
    in_use = {relation_key(name): name for name in stored}
    frames = [(frame, _target(frame, in_use)) for frame in phrases_of["relation"]]
    lexicon.aspects = tuple(target for _, target in frames if target.base)
    framed = {relation_key(target.relation) for _, target in frames}
    # Of two relations behind one word the first entered wins: a memory's own "position" is not an occupation.
    _add_own_relations(lexicon, catalog, in_use, framed)
    for frame, target in frames:
        for tag in ("noun", "hold", "begin", "end"):
            _add_phrases(lexicon, frame["nouns" if tag == "noun" else tag], Tag(tag, target))
    for group in ("kinds", "cues"):
        for name, phrases in phrases_of[group].items():
            _add_phrases(lexicon, phrases, Tag(name))
    for name, phrases in phrases_of["words"].items():
        _add_phrases(lexicon, phrases, Tag(name, is_filler=name in {"filler", "auxiliary", "opening"}))
    for word, number in phrases_of["ordinals"].items():
        spelled = (word, f"{number}{ {2: 'nd', 3: 'rd'}.get(number, 'th') }")
        for form in spelled:
            _add_phrases(lexicon, (form, f"{form} ever"), Tag("ordinal", number=number))
            _add_phrases(lexicon, _nth_time(form), Tag("nth_time", number=number))
            _add_phrases(lexicon, _nth_from_end(form), Tag("from_end", number=-number))
    for entry in phrases_of["from_end"]:
        _add_phrases(lexicon, entry["phrases"], Tag("from_end", number=entry["n"]))
    return lexicon


def _target(frame: Mapping[str, Any], in_use: Mapping[str, str]) -> Target:
    for name in frame.get("stored", ()):
        if relation_key(name) in in_use:
            return Target(in_use[relation_key(name)], base=frame["name"])
    return Target(frame["name"], frame.get("slot"), frame["name"] if "slot" in frame else None)


def _nth_time(ordinal: str) -> list[str]:
    return [
        f"(for|) the {ordinal} time (around|round|)",
        f"(for|on|during|) (the|her|his|their|my) {ordinal} (stay|stint|spell|go|stretch|occasion|stop)",
    ]


def _nth_from_end(ordinal: str) -> list[str]:
    return [f"{ordinal} (to|from) (the|) (last|end|latest)", f"{ordinal} (most recent|latest|newest|last)"]


def _add_own_relations(lexicon: Lexicon, catalog: RelationCatalog, in_use: Mapping[str, str], framed: set[str]) -> None:
    for schema in catalog:
        for slot in schema.slots:
            if slot != "drink":
                phrases = (f"(favourite|favorite|preferred|fave) {slot}", f"{slot} of choice")
                _add_phrases(lexicon, phrases, Tag("noun", Target(schema.name, slot)))
    own = {s.key: (s.name, s.aliases) for s in catalog if s.key not in framed}
    own |= {key: (name, ()) for key, name in in_use.items() if key not in framed and name not in catalog}
    for name, aliases in own.values():
        for spelled in (name, *aliases):
            keys = [w.key for w in read_words(relation_key(spelled))]
            if keys:
                lexicon.add([[[word]] for word in _inflected(keys)], Tag("noun", Target(name)))
                if keys[-1] in {"at", "in", "by", "to", "for", "with", "on", "from", "of"}:
                    lexicon.add([[[word]] for word in _inflected(keys)], Tag("hold", Target(name)))


def _inflected(keys: Sequence[str]) -> list[Word]:
    """The words of a relation's name, the last also in the plural: "ad budgets"."""
    *before, last = (fold(k) for k in keys)
    plural = last[:-1] + "ies" if last.endswith("y") and last[-2:-1] not in tuple("aeiou") else last + "s"
    return [*((k,) for k in before), (last, plural)]
