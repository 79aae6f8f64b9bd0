"""Evidence that a turn speaks of the speaker's own home or work: patterns of gist.toml over stretches."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tem_graph.ingest.grammar.lexicon import is_occupation, singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.stretches import Stretch
from tem_graph.ingest.grammar.words import Word

# Kin of whom one speaks as part of one's own home or work.
OWN_CIRCLE = frozenset(
    (
        "landlord",
        "neighbour",
        "neighbor",
        "roommate",
        "flatmate",
        "housemate",
        "boss",
        "colleague",
        "coworker",
        "manager",
    )
)


_DEEDS = frozenset(
    ["live", "move", "relocate", "buy", "rent", "come", "go", "start", "quit", "become", "leave", "be", "work", "get"]
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name where it may be the speaker's home or work. `weight`: how much its shape alone says so."""

    stretch: Stretch
    value: Phrase
    weight: float
    alone: bool = False
    """Nothing else stands in its stretch: it may answer a question."""
    doubtful: bool = False
    """Written like a name, and nothing more says of what: only as an answer it counts."""
    told: Stretch | None = None
    """What says so, where it is not the stretch of the name itself."""


@cache
def _table() -> Mapping[str, Any]:
    text = resources.files("tem_graph.ingest.grammar").joinpath("gist.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def pattern(section: str, *names: str) -> re.Pattern[str]:
    """Any pattern of the named lists, as whole words."""
    return re.compile(r"(?<!\S)(?:" + "|".join(p for name in names for p in _table()[section][name]) + r")(?!\S)")


@cache
def gist_words(section: str, name: str) -> frozenset[str]:
    """One list of words of gist.toml."""
    return frozenset(str(_table()[section][name]).split())


@cache
def shape(section: str, name: str) -> re.Pattern[str]:
    """A pattern of `[shapes.*]`, which is kept there in pieces."""
    return re.compile("".join(_table()["shapes"][section][name]))


@cache
def _weights(section: str) -> tuple[tuple[re.Pattern[str], re.Pattern[str], float], ...]:
    rows = _table()["weights"][section]
    return tuple(
        (re.compile("".join(row.get("before", ()))), re.compile("".join(row.get("after", ()))), float(row["weight"]))
        for row in rows
    )


def weigh(section: str, before: str, after: str) -> float | None:
    """The weight of a name by the words on either side of it, of the first row that fits; None where none does."""
    fitting = (w for front, behind, w in _weights(section) if front.search(before) and behind.search(after))
    return next(fitting, None)


def is_void(stretch: Stretch, section: str) -> bool:
    """Whether a stretch wishes, supposes, reports, or speaks of somebody else.

    "They" are employers where the talk is of work.
    """
    said = pattern("veto", "idioms").sub("", stretch.text)
    if pattern("veto", "unreal", "reported").search(said):
        return True
    if _is_to_come(stretch) or pattern("veto", "you").search(stretch.text):
        return True
    is_owned = bool({"my", "our"} & {w.lower for w in stretch.words})  # "they dig up my street"
    they = section == "residence" and not is_owned and pattern("veto", "they").search(stretch.text) is not None
    return (they or speaks_of_others(stretch)) and not pattern("veto", "done_to_me").search(stretch.text)


def _is_to_come(stretch: Stretch) -> bool:
    """ "When I move to Bonn, I'll get a bike": a day that has not come."""
    opens = stretch.text.startswith(("when ", "once ", "until ", "as soon as "))
    return opens and bool({"will", "'ll"} & {w.lower for w in stretch.sentence.words})


def denies(stretch: Stretch) -> bool:
    said = pattern("veto", "idioms").sub("", stretch.text)
    return pattern("veto", "negated").search(said) is not None


def is_past(stretch: Stretch) -> bool:
    return pattern("veto", "past").search(stretch.text) is not None


def speaks_of_others(stretch: Stretch) -> bool:
    """Whether somebody else acts: "she moved", "my sister got a job"; "with my sister" is no such thing."""
    said = pattern("veto", "hearsay").sub("", stretch.text)
    if pattern("veto", "third").search(said) or _names_an_actor(stretch) or _is_owned_by_another(stretch):
        return True
    lowers = [w.lower for w in stretch.words]
    if {"i", "we", "me", "us"} & set(lowers):
        return False
    circle = next((w.i for w in stretch.words if _is_of_circle(stretch, w)), None)
    acts = circle is not None and any(w.lemma in _DEEDS for w in stretch.words if w.i > circle)
    if (
        circle is not None
        and acts
        and stretch.sentence.lowers(circle + 1, circle + 2)[:1] not in (["here"], ["in"], ["of"])
    ):
        return True
    kin = (
        listed("people", "kin")
        | {
            "parent",
            "kid",
            "child",
            "family",
            "grandparent",
            "relative",
            "in-law",
            "law",
            "guy",
            "woman",
            "man",
            "couple",
            "folk",
        }
    ) - OWN_CIRCLE
    kin -= {"ex"} if "-" in lowers else set()  # "ex-cook"
    own = {"parent", "kid", "child", "family"} if {"our", "the"} & set(lowers) else set()
    return any(singular(w.lower) in kin - own for w in stretch.words if not _is_governed(stretch, w.i))


def _is_of_circle(stretch: Stretch, word: Word) -> bool:
    """A neighbour or boss, but not "my Lund neighbours", who show where the speaker lives."""
    if singular(word.lower) not in OWN_CIRCLE or _is_governed(stretch, word.i):
        return False
    return word.i == stretch.first or not stretch.sentence.words[word.i - 1].tag.startswith("NNP")


def _names_an_actor(stretch: Stretch) -> bool:
    """Whether somebody else does what changes a home or a job: "Leo moved to Bern", "our baker moved"."""
    items = stretch.sentence.words
    strangers = gist_words("veto", "strangers") - {"family"}
    return any(
        w.dep in {"nsubj", "nsubjpass"}
        and (w.tag.startswith("NNP") or is_occupation(w.lower) or singular(w.lower) in strangers)
        and items[w.head].lemma in _DEEDS - {"be", "get", "come", "go", "start"}
        for w in stretch.words
    )


def _is_owned_by_another(stretch: Stretch) -> bool:
    """ "Save Petra's new address", "the tenants before us moved": somebody else's home, or somebody else who acts."""
    items = stretch.sentence.words
    for word in stretch.words:
        before = items[word.i - 1] if word.i else word
        is_person = before.tag.startswith("NNP") or singular(before.lower) in listed("people", "kin")
        if word.tag == "POS" and is_person:
            owned = {w.lower for w in items[word.i + 1 : word.i + 4]}
            if owned & (gist_words("residence", "nouns") | gist_words("occupation", "posts")):
                return True
    subject = next((w for w in stretch.words if w.dep in {"nsubj", "nsubjpass"}), None)
    opens = stretch.words[0].lower if stretch.words else ""
    is_strange = subject is not None and singular(subject.lower) in gist_words("veto", "strangers")
    return is_strange and opens in {"the", "a", "some", "those", "these"}


def _is_governed(stretch: Stretch, i: int) -> bool:
    """Whether the word stands behind a preposition: "with my sister"."""
    for word in reversed(stretch.sentence.words[max(stretch.first, i - 3) : i]):
        if word.lower in listed("nouns", "prepositions") or word.lower == "to":
            return True
        if not (word.tag in {"DT", "PRP$", "JJ", "NN"} or word.is_name):
            return False
    return False


def is_addressed(span: Phrase) -> bool:
    """ "Florence, we got the keys!": a name in front of a whole statement is more likely whom one speaks to."""
    items = span.sentence.words
    behind = [w.lower for w in items[span.stop : span.stop + 2]]
    in_front = [w.lower for w in items[max(span.first - 2, 0) : span.first]]
    is_greeted = in_front[1:] == [","] and in_front[0] in gist_words("residence", "greetings")
    opens = span.first == 0 and behind[:1] == [","]
    return is_greeted or (opens and behind[1:] in (["i"], ["we"], ["you"], ["are"], ["can"], ["my"]))


def talk(stretch: Stretch, section: str, weights: Mapping[str, float]) -> list[float]:
    """How much the stretch speaks of a home or job of the speaker: the weights of the lists that it meets."""
    return [w for name, w in weights.items() if pattern(section, name).search(stretch.text)]


def near(everything: Sequence[Stretch], stretch: Stretch) -> list[Stretch]:
    """The stretches of the sentence itself and of those next to it."""
    return [s for s in everything if abs(s.number - stretch.number) <= 1]
