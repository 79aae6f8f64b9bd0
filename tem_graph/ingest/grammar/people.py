"""Whom a clause is about: the speaker, somebody with a name, or somebody that no fact can be filed under."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from tem_graph.ingest.grammar.lexicon import is_drink, words
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.words import Word


class Role(Enum):
    SPEAKER = auto()
    NAMED = auto()
    NOBODY = auto()
    """Somebody, but nobody that a fact can be filed under: "my brother", "she", "you"."""


@dataclass(frozen=True, slots=True)
class Person:
    role: Role
    name: str = ""


SPEAKER = Person(Role.SPEAKER)
NOBODY = Person(Role.NOBODY)

_NO_PERSON = frozenset(("DATE", "TIME", "LANGUAGE", "EVENT", "WORK_OF_ART", "PRODUCT", "NORP", "FAC"))


def named(phrase: Phrase) -> Person:
    """The person that a noun phrase names; "my sister Mia" is Mia, "my sister" is nobody."""
    items = phrase.words
    lowers = {w.lower for w in items}
    if not items:
        return NOBODY
    if items[-1].lower in words("people", "first"):
        return SPEAKER
    kin = bool(lowers & words("people", "kin"))
    if "'s" in lowers or phrase.determiner in {"the", "a", "an", "this", "that"} or (phrase.owner and not kin):
        return NOBODY
    if lowers & words("people", "third") or is_drink(phrase.text):
        return NOBODY
    run = _name(items)
    if len(run) == 1 and run[0].lower in words("people", "kin"):
        return NOBODY
    if not run or (run[-1] is not items[-1] and items[-1].is_noun):
        return NOBODY
    entities = {w.ent for w in run}
    if not kin and (entities & _NO_PERSON or ("ORG" in entities and len(run) > 1)):
        return NOBODY
    return Person(Role.NAMED, phrase.sentence.cut(run[0].i, run[-1].i + 1))


def described(phrase: Phrase, inside: list[Phrase]) -> tuple[Phrase, Person]:
    """The head phrase of a subject, whose phrases are `inside`, and the person it stands for."""
    lowers = [w.lower for w in phrase.words]
    if words("people", "first") & set(lowers) and not set(lowers) & {"who", "which", "that"}:
        return phrase, SPEAKER
    if " ".join(lowers) in words("people", "selves"):
        return phrase, SPEAKER
    core = next((p for p in inside if not p.prep), phrase)
    apposed = [p for p in inside if p is not core and not p.prep]
    if apposed and core.head.lower in words("people", "kin"):
        person = named(apposed[0])
        if person.role is Role.NAMED:
            return core, person
    return core, named(core)


def _name(items: tuple[Word, ...]) -> list[Word]:
    """The first run of words written like a name."""
    run: list[Word] = []
    for word in items:
        is_capital_alone = word.i == 0 and word.tag == "NN" and not word.ent  # "Life's been hard"
        if word.is_name and (word.is_noun or word.tag == "FW") and not is_capital_alone:
            run.append(word)
        elif run:
            break
    return run
