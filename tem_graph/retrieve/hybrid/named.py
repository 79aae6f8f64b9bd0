"""Events that a question names instead of a date: "before the wedding", "when she moved to Lund". Pure.

What is named is looked for among the candidates themselves: a fact whose object is named, else an event, else a turn
that has the words. Its day becomes days around which the answer is sought. It orders candidates and leaves none out,
like a date (`when.py`); a name that many days answer to orders nothing. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from tem_graph.domain.evidence import Candidates, Passage, PassageKind
from tem_graph.domain.time import Period
from tem_graph.retrieve.hybrid.lexical import term_weights
from tem_graph.retrieve.hybrid.when import When
from tem_graph.retrieve.hybrid.words import all_words, stem, terms

BESIDE_DAYS = 7
"""How far before or after an event what is asked is first sought. Measured on the half that the weights were."""
NAMED = 0.75
"""Share of the words of a name, by weight, that whatever is meant must have."""
MOST_DAYS = 3
"""Days that may answer to one name; more are no event, but a habit. A guess."""


class Side(StrEnum):
    """Where an answer lies, seen from the event that is named."""

    BEFORE = "before"
    AT = "at"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Named:
    """An event as a question names it, in its own words."""

    side: Side
    words: str


_SIDES = {
    **dict.fromkeys(("before", "prior to", "until", "till", "by the time"), Side.BEFORE),
    **dict.fromkeys(("after", "since", "following"), Side.AFTER),
    **dict.fromkeys(("when", "while", "during", "at the time of"), Side.AT),
}
_NAMING = re.compile(
    rf"(?P<before>^|\w+\s+|[,;]\s*)\b(?P<how>{'|'.join(sorted(_SIDES, key=len, reverse=True))})\s+(?P<words>[^,;?.!]+)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"(?:when|did|do|does|is|are|was|were|has|have|had|will|would|can|could|should|might|shall|exactly)\b",
    re.IGNORECASE,
)
"""What stands behind a "when", or a "since", that asks itself."""
_NOT_BEHIND = frozenset(
    """
    named called look looks looked looking take takes took ever soon long who
    day days week weeks month months year years night hours
    """.split()  # noqa: SIM905
)
"""Words behind which "after", "before" or "since" names no event, or one beside it: "named after", "the day before"."""


def events_named(question: str) -> Iterator[Named]:
    """What the question names as an event, in its order.

    >>> list(events_named("Where did Ana live before she moved to Lund?"))
    [Named(side=<Side.BEFORE: 'before'>, words='she moved to Lund')]
    >>> list(events_named("When did Ana move to Lund?"))
    []
    """
    for match in _NAMING.finditer(question.strip()):
        how, words = match["how"].lower(), match["words"].strip()
        if match["before"].strip().lower() in _NOT_BEHIND or (how in {"when", "since"} and _ASKING.match(words)):
            continue
        yield Named(_SIDES[how], words)


def days_named(question: str, candidates: Candidates) -> tuple[When, ...]:
    """The days around the events that the question names, as far as the candidates know them; empty for most
    questions. Seeks by words and days alone, never by status."""
    passages = [hit.passage for hit in candidates.passages]
    names = _names(candidates)
    return tuple(
        When(_beside(day, named.side))
        for named in events_named(question)
        for day in _days(named, [term for term in terms(named.words) if term not in names], candidates, passages)
    )


def _days(named: Named, wanted: Sequence[str], candidates: Candidates, passages: Sequence[Passage]) -> list[date]:
    """The days of what has these words; none where nothing has them, or too many days."""
    if not wanted:
        return []
    found = set(_days_of_facts(wanted, candidates)) or _days_of_passages(wanted, passages)
    return sorted(found) if len(found) <= MOST_DAYS else []


def _days_of_facts(wanted: Sequence[str], candidates: Candidates) -> Iterator[date]:
    for marked in candidates.facts:
        fact = marked.fact
        named = frozenset(terms(fact.object))
        if named and named <= frozenset(wanted):
            day = fact.valid_from.day if fact.valid_from else fact.source.day
            if day is not None:
                yield day


def _days_of_passages(wanted: Sequence[str], passages: Sequence[Passage]) -> set[date]:
    documents = [frozenset(terms(passage.text)) for passage in passages]
    weights = term_weights(list(dict.fromkeys(wanted)), [tuple(document) for document in documents])
    whole = sum(weights.values())
    shares = [sum(weights[term] for term in weights if term in document) / whole for document in documents]
    best = max(shares, default=0.0)
    if best < NAMED:
        return set()
    meant = [passage for passage, share in zip(passages, shares, strict=True) if share == best]
    events = {passage.day for passage in meant if passage.kind is PassageKind.EVENT and passage.day}
    return events or {passage.told_on for passage in meant if passage.told_on}


def _names(candidates: Candidates) -> frozenset[str]:
    """Terms of the names of those who speak: they stand in every turn, and name no event."""
    speakers: Iterable[str] = {hit.passage.speaker for hit in candidates.passages if hit.passage.speaker}
    return frozenset(stem(word) for speaker in speakers for word in all_words(speaker))


def _beside(day: date, side: Side) -> Period:
    next_day, beside = day + timedelta(days=1), timedelta(days=BESIDE_DAYS)
    match side:
        case Side.BEFORE:
            return Period(day - beside, next_day)
        case Side.AFTER:
            return Period(day, next_day + beside)
        case Side.AT:
            return Period(day, next_day)
