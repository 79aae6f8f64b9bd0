"""What the other speaker asked, where the answer may be no more than a name: "Where are you based?", "Lund!"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.ingest.grammar.evidence import shape
from tem_graph.ingest.grammar.lexicon import singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.words import Sentence

_OF_OTHERS = shape("questions", "of_others")
_UNREAL = shape("questions", "unreal")
_PAST = shape("questions", "past")
_TRAVELLING = shape("questions", "travelling")
_LIVING = shape("questions", "living")
_TOPIC_HOME = shape("questions", "topic_home")
_DOING = shape("questions", "doing")
_TOPIC_WORK = shape("questions", "topic_work")


_SHORT = 5
_ASKING = frozenset(("is", "does", "did", "has", "was"))


OF_OTHERS = -9.0
"""What a question about somebody else, or about a wish, makes of a bare name."""


def asks(question: Sequence[Sentence], relation: str) -> float:
    """How much of an answer a bare name would be: 2 where it was asked for, 1.5 where the talk is of it, else 0.

    `OF_OTHERS` where the question is about somebody else.
    """
    open_, topic = (_LIVING, _TOPIC_HOME) if relation == "residence" else (_DOING, _TOPIC_WORK)
    best = 0.0
    if any(_asks_of_somebody(sentence) for sentence in question[-2:]):
        return OF_OTHERS
    for lowers in _questions(question):
        if _OF_OTHERS.search(lowers.replace("they pay you", "")) or _UNREAL.search(lowers) or _is_of_then(lowers):
            return OF_OTHERS
        said = {singular(w) for w in lowers.split()}
        if said & (listed("people", "kin") | {"parent", "kid", "family", "guy", "folk"}) - {
            "boss",
            "landlord",
            "mate",
            "guy",
            "buddy",
            "pal",
        }:
            return OF_OTHERS
        best = max(best, 2.0 if open_.search(lowers) else 1.5 if topic.search(lowers) else 0.0)
    return best


def _is_of_then(lowers: str) -> bool:
    """Whether the question is after the past or a trip."""
    return bool(_PAST.search(lowers) or _TRAVELLING.search(lowers))


def asks_of_another(question: Sequence[Sentence], relation: str) -> bool:
    """Whether the question is after the home or job of somebody else; "How's your sister?" is after neither."""
    topic, word = (_TOPIC_HOME, "where") if relation == "residence" else (_TOPIC_WORK, "what")
    is_on_topic = any(topic.search(lowers) or word in lowers.split() for lowers in _questions(question))
    return is_on_topic and asks(question, relation) < 0


def _asks_of_somebody(sentence: Sentence) -> bool:
    """ "What does Tom do?", "Where did Lena move?", "Is Tom still a cook?"."""
    items = sentence.words
    opens = len(items) > 1 and items[0].lower in _ASKING and items[1].tag.startswith("NNP")
    if opens and not {"you", "your", "u"} & {w.lower for w in items}:
        return True
    runs = zip(items, items[1:], items[2:], strict=False)
    return any(
        a.lower in {"what", "where"} and b.lower in {"does", "did", "is", "'s", "has"} and c.tag.startswith("NNP")
        for a, b, c in runs
    ) and not {"you", "your", "u"} & {w.lower for w in items}


def _questions(question: Sequence[Sentence]) -> Iterator[str]:
    is_short = bool(question) and len(question[-1].words) <= _SHORT  # "Congrats on the job! What is it?"
    for sentence in question[-2:]:
        if sentence.question or is_short or sentence is question[-1]:
            yield " ".join(w.lower for w in sentence.words)
