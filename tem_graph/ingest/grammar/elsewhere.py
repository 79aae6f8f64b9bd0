"""Statements that what stands around them sets elsewhere: into another time, somebody's head, or a rumour.

A clause or a mention may say by itself that the speaker lives in a place, holds a job or prefers a drink; "when I was
seven", "in my next life", "it's a myth that", "I haven't." beside it say that today it is not so.
"""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import SPEAKER
from tem_graph.ingest.grammar.evidence import gist_words, pattern
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.lexicon import is_occupation, person_nouns, singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.words import Sentence, Word

_FIRST = frozenset(("i", "me", "we", "us", "my", "mine", "myself", "our", "ours"))
_OTHERS = frozenset(("he", "she", "him", "his", "her", "hers"))
_INTRODUCING = frozenset(("my", "our", "his", "her", "their", "the"))
_BREAKS = frozenset(("but", ";", "now", "nowadays", "today", "however", "instead", "whereas"))
"""Where a sentence comes to something else: "as a boy I hated it, but now I live in Lund"."""


def is_set_elsewhere(reading: Reading, told: Sequence[Sentence]) -> bool:
    """Whether a home, job or drink of the speaker's is none of today, by its own turn `told`."""
    is_state = reading.relation in {"residence", "occupation"} or reading.slot == "drink"
    if not is_state or reading.person is not SPEAKER or reading.kind is not FactKind.VALUE or reading.until:
        return False
    sentence = reading.object.sentence
    if reading.slot == "drink" and (_is_of_another(sentence, reading) or _is_refused(reading, told)):
        return True
    if reading.slot is None and _is_of_one_brought_in(sentence):
        return True
    if _is_asked_of_another(sentence):
        return True
    before, after, piece = _around(reading)
    behind = next((s for s in told if s.before is sentence), None)
    following = _text(behind.words) if behind is not None else ""
    if _is_imagined(before, after, following):
        return True
    lasts = pattern("elsewhere", "lasting")
    if lasts.search(piece) or lasts.search(following):
        return False
    is_fresh = pattern("elsewhere", "fresh").search(piece) is not None
    is_of_then = pattern("elsewhere", "then").search(piece) or pattern("elsewhere", "origin").search(before)
    if is_of_then and not is_fresh:
        return True
    return bool(pattern("elsewhere", "over").search(after) or pattern("elsewhere", "was").match(following))


def _around(reading: Reading) -> tuple[str, str, str]:
    """The words in front of the value, behind it, and the part of the sentence that it stands in."""
    sentence, value = reading.object.sentence, reading.object
    breaks = [w.i for w in sentence.words if w.lower in _BREAKS and not _excepts(sentence, w)]
    first = max((i + 1 for i in breaks if i < value.first), default=0)
    stop = min((i for i in breaks if i >= value.stop), default=len(sentence.words))
    in_front = sentence.words[first : value.first]
    piece = f"{_text(in_front)} {_text(sentence.words[value.stop : stop])}"
    return _text(in_front), _text(sentence.words[value.stop :]), piece


def _excepts(sentence: Sentence, word: Word) -> bool:
    """The "but" of "nothing but", "anything but"."""
    return word.lower == "but" and sentence.lowers(word.i - 1, word.i) in (["nothing"], ["anything"], ["all"])


def _text(words: Sequence[Word]) -> str:
    return " ".join(w.lower for w in words)


def _is_imagined(before: str, after: str, following: str) -> bool:
    """Whether it stands in a rumour, a dream, a plan without an end, or is taken back by the next words."""
    doubted = pattern("elsewhere", "rumour").search(before) or pattern("elsewhere", "imagined").search(before)
    undone = pattern("elsewhere", "denied").match(following) or pattern("elsewhere", "pending").search(after)
    return bool(doubted or undone)


def _is_of_another(sentence: Sentence, reading: Reading) -> bool:
    """Whether the whole sentence is about somebody else: "What keeps our drummer going? With him it's kvass"."""
    rest = [w for w in sentence.words if not reading.object.first <= w.i < reading.object.stop]
    lowers = [w.lower for w in rest]
    owners = {k for k in range(len(lowers)) if _owns_a_person(lowers, k)}
    if any(w in _FIRST and k not in owners for k, w in enumerate(lowers)):
        return False
    text = " ".join(lowers)
    is_owed = pattern("elsewhere", "owed").search(text) is not None
    return bool((owners and not is_owed) or _OTHERS & set(lowers) or pattern("elsewhere", "of_all").search(text))


def _is_of_one_brought_in(sentence: Sentence) -> bool:
    """ "There's a man on our floor. Lives alone, an organist", "Our goalie? Accountant by day."."""
    before = sentence.before
    if before is None or _FIRST & {w.lower for w in sentence.words}:
        return False
    if any(w.dep in {"nsubj", "nsubjpass"} for w in sentence.words):
        return False
    if pattern("elsewhere", "introduced").search(_text(before.words)):
        return True
    is_mute = before.question and not any(w.is_verb for w in before.words)
    return is_mute and before.words[0].lower in _INTRODUCING and not _names_a_thing(before)


def _is_asked_of_another(sentence: Sentence) -> bool:
    """ "What does the vet drink in the series? Bourbon.": the speaker's own question was about somebody else."""
    before = sentence.before
    if before is None or not before.question or _FIRST & {w.lower for w in sentence.words}:
        return False
    subjects = [w for w in before.words if w.dep in {"nsubj", "nsubjpass"}]
    others = person_nouns() | _OTHERS
    return any(singular(w.lower) in others or is_occupation(w.lower) for w in subjects)


def _names_a_thing(sentence: Sentence) -> bool:
    """Whether what is asked about is a home, a job or a drink: "My job? Accountant"."""
    things = gist_words("residence", "nouns") | gist_words("occupation", "posts") | listed("labels", "drinks")
    things |= listed("labels", "favourite") | listed("labels", "occupation") | listed("labels", "residence")
    return bool(things & {w.lower for w in sentence.words})


def _owns_a_person(lowers: Sequence[str], k: int) -> bool:
    """ "Our drummer", "my sister": the owner is no more than named."""
    if lowers[k] not in {"my", "our"}:
        return False
    near = lowers[k + 1 : k + 3]
    return any(singular(w) in listed("people", "kin") or is_occupation(w) for w in near)


def _is_refused(reading: Reading, told: Sequence[Sentence]) -> bool:
    """Whether the turn says of the same drink that the speaker does not have it: "I don't drink wine at all"."""
    name = reading.object.text.lower()
    return any(
        f" {name} " in f" {m[0]} " for s in told for m in pattern("elsewhere", "refused").finditer(_text(s.words))
    )
