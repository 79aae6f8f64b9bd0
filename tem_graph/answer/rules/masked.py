"""A question with its names taken out: what is asked, without whom and what it is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

from tem_graph.answer.rules.items import Item, asker_is_subject, name_keys
from tem_graph.answer.rules.lexicon import english

SUBJECT, VALUE, DATE, SESSION, RELATION, PRONOUN, NUMBER = "S", "V", "D", "N", "R", "P", "#"
_LEADS = frozenset({"before", "after", "since", "until", "till", "by", "between", "from"})
_SAYS_NOTHING = frozenset({"filler", "opening", "mark", "possessive", "wh"})
_SAYS_LITTLE = frozenset({"auxiliary", "holds", "as_of", "?"})
"""Meanings that stand in most questions: beside another one they tell nothing."""
_ASPECTS = ("hold", "begin", "end")
_SHORT = 4
"""Letters of a piece of a word. A guess."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A question as its words, with one sign for each name ("when did S move to V"), and as what its phrases mean."""

    words: tuple[str, ...]
    meanings: tuple[str, ...]

    def features(self) -> frozenset[str]:
        """Words, meanings and pairs of neighbours of either; any two meanings; how many names; pieces of long words."""
        return frozenset(_features(self))


def mask(items: Sequence[Item]) -> Masked:
    """The masked form of a question's items, which are not joined. Pure."""
    words: list[str] = []
    meanings: list[str] = []
    is_asker = asker_is_subject(items)
    for item in items:
        said, meant = _masked(item) if is_asker or not item.has("who_is_asking") else (list(item.keys), [])
        words += [w for w in said if w not in {"?", "."}]
        meanings += meant
    return Masked(tuple(words), tuple(meanings))


def with_names(items: Sequence[Item], arguments: Mapping[str, object]) -> list[Item]:
    """The items with the names in an operator's arguments as one item each, where the memory does not know them."""
    named = list(items)
    for field, text in named_texts(arguments):
        keys = name_keys(text)
        for start in range(len(named)):
            end = start + 1
            while end < len(named) and sum(len(i.keys) for i in named[start:end]) < len(keys):
                end += 1
            run = named[start:end]
            if tuple(k for i in run for k in i.keys) == keys and all(i.is_word for i in run):
                name = {"subjects": (text,)} if field == "subject" else {"value": text}
                named[start:end] = [replace(run[0], keys=keys, end=run[-1].end, **name)]
                break
    return named


def named_texts(arguments: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """(field, text) of every person and value in the arguments of a call."""
    for field, given in arguments.items():
        if isinstance(given, Mapping):
            yield from named_texts(given)
        elif isinstance(given, str) and field in {"subject", "value", "from", "to"}:
            yield field, given


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
    parts = sorted({part for meaning in masked.meanings for part in meaning.split("+")} - _SAYS_LITTLE)
    yield from (f"both {one} {other}" for one, other in combinations(parts, 2))
    for sign in (SUBJECT, VALUE, DATE, SESSION):
        yield f"n {sign} {masked.words.count(sign)}"
