"""A question with its names taken out: what is asked, without whom and what it is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tem_graph.answer.rules.items import Item
from tem_graph.answer.rules.lexicon import english

SUBJECT, VALUE, DATE, SESSION, RELATION, PRONOUN, NUMBER = "S", "V", "D", "N", "R", "P", "#"
_LEADS = frozenset({"before", "after", "since", "until", "till", "by", "between", "from"})
_SAYS_NOTHING = frozenset({"filler", "opening", "mark", "possessive", "wh"})
_ASPECTS = ("hold", "begin", "end")
_SHORT = 4
"""Letters of a piece of a word. A guess."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A question as its words, with one sign for each name ("when did S move to V"), and as what its phrases mean."""

    words: tuple[str, ...]
    meanings: tuple[str, ...]

    def features(self) -> frozenset[str]:
        """Words, pairs of words, meanings, pairs of meanings, how many names of each sort, and pieces of long words."""
        return frozenset(_features(self))


def mask(items: Sequence[Item]) -> Masked:
    """The masked form of a question's items, which are not joined. Pure."""
    words: list[str] = []
    meanings: list[str] = []
    for item in items:
        said, meant = _masked(item)
        words += [w for w in said if w not in {"?", "."}]
        meanings += meant
    return Masked(tuple(words), tuple(meanings))


def _masked(item: Item) -> tuple[list[str], list[str]]:
    if item.subjects or item.has("who_is_asking"):
        return [SUBJECT], [SUBJECT]
    if item.date:
        return [*(k for k in item.keys[:1] if k in _LEADS), DATE], [DATE]
    if item.session is not None:
        return [*(k for k in item.keys if not _is_number(k)), SESSION], [SESSION]
    if item.value:
        return [VALUE], [VALUE]
    if item.has("ordinal", "nth_time", "from_end"):
        return [NUMBER if _is_number(k) else k for k in item.keys], sorted(item.tags)[:1]
    if item.has("pronoun"):
        return [PRONOUN], [PRONOUN]
    relations = [name for name in ("noun", *_ASPECTS) if name in item.tags and item.tags[name].target]
    if relations == ["noun"]:
        return [RELATION], [RELATION]
    if relations or item.is_word:
        return list(item.keys), ["+".join(relations) or "?"]
    meant = "+".join(sorted(item.tags.keys() - _SAYS_NOTHING))
    return list(item.keys), [meant] if meant else []


def _is_number(key: str) -> bool:
    return any(c.isdigit() for c in key) or key in english()["ordinals"]


def _features(masked: Masked) -> Iterator[str]:
    words, meanings = ["^", *masked.words, "$"], ["^", *masked.meanings, "$"]
    for word in masked.words:
        yield f"w {word}"
        if len(word) > _SHORT:
            yield from (f"c {f'<{word}>'[at : at + _SHORT]}" for at in range(len(word) - 1))
    for name, row in (("w", words), ("m", meanings)):
        yield from (f"{name}{name} {one} {other}" for one, other in pairwise(row))
    yield from (f"w_w {one} {other}" for one, other in zip(words, words[2:], strict=False))
    for meaning in masked.meanings:
        yield f"m {meaning}"
        yield from (f"p {part}" for part in meaning.split("+"))
    for sign in (SUBJECT, VALUE, DATE, SESSION):
        yield f"n {sign} {masked.words.count(sign)}"
