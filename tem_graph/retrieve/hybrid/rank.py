"""Passages in the order in which they are worth their tokens. Pure.

A passage's worth adds up: how near its vector is and how many of the question's words it has, the same of the turns
around it and of its session as a whole, whether the question names its speaker, and whether it names its days. All
but the last two are in standard deviations over the candidates, so that none of them outweighs the rest by its scale.
The constants are measured: `docs/decisions/hybrid-evidence.md` says on what and how.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from tem_graph.domain.evidence import Passage, PassageKind, ScoredPassage
from tem_graph.retrieve.hybrid.lexical import shared_words, term_weights
from tem_graph.retrieve.hybrid.repeats import without_repeats
from tem_graph.retrieve.hybrid.when import When, nearness
from tem_graph.retrieve.hybrid.words import all_words, stem, terms

WORDS = 0.65
"""Weight of shared words beside the vector."""
AROUND = {-2: 0.2, -1: 0.3, 1: 0.3, 2: 0.2}
"""What a turn takes over from the turns before and after it: a question tells what its answer is about."""
SESSION, BEST_OF_SESSION = 0.4, 3
"""Weight of a session as a whole, by the sum of its best three passages."""
SPEAKER = 1.0
"""For a turn of the speaker whom the question names, where it names one only."""
TIME = 3.0
"""For a session on the days that the question names."""
EVENT = 1.0
"""For a session beside an event that the question names; less than for a date, since the event may be mistaken."""
DAYS_BEFORE, DAYS_AFTER = 7, 14
"""How long before its day a thing is planned, and after it told, at most."""
SAYING = 0.1
"""For any word that is no filler, when sentences are chosen. A guess; recall does not depend on it (0 to 0.3)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages best first, and how much each term of the question says about one."""

    passages: tuple[Passage, ...]
    weights: Mapping[str, float]

    def value(self, sentence: str) -> float:
        """How much of the question a sentence holds, and after that, how much it has to say."""
        return sum(self.weights.get(term, 0.0) + SAYING for term in frozenset(terms(sentence)))


def rank(
    question: str, found: Sequence[ScoredPassage], when: Sequence[When] = (), beside: Sequence[When] = ()
) -> Ranking:
    """The passages, best first, ties in the order of telling. `when` are the days that the question names, `beside`
    those of events that it names."""
    hits = sorted(without_repeats(found), key=lambda hit: (hit.passage.source_key, hit.passage.id))
    passages = [hit.passage for hit in hits]
    speakers = sorted({passage.speaker for passage in passages if passage.speaker})
    named = speaker_named(question, speakers)
    documents = [terms(passage.text) for passage in passages]
    weights = term_weights(asked(question, speakers), documents)
    near = _standard([hit.similarity if hit.similarity is not None else 0.0 for hit in hits])
    own = [n + WORDS * w for n, w in zip(near, _standard(shared_words(weights, documents)), strict=True)]
    worth = [
        alone + around + SESSION * whole + SPEAKER * (named is not None and passage.speaker == named)
        + TIME * nearness(passage.told_on, when, before_days=DAYS_BEFORE, after_days=DAYS_AFTER)
        + EVENT * nearness(passage.told_on, beside, before_days=DAYS_BEFORE, after_days=DAYS_AFTER)
        for passage, alone, around, whole in zip(
            passages, own, _around(passages, own), _sessions(passages, own), strict=True
        )
    ]  # fmt: skip
    order = sorted(range(len(passages)), key=lambda n: -worth[n])
    return Ranking(tuple(passages[n] for n in order), weights)


def asked(question: str, speakers: Sequence[str]) -> list[str]:
    """The distinct terms that say what is asked. Names of speakers stand before every turn: they say whose turn is
    meant, and nothing of what it says."""
    names = {stem(word) for speaker in speakers for word in all_words(speaker)}
    distinct = list(dict.fromkeys(terms(question)))
    return [term for term in distinct if term not in names] or distinct


def speaker_named(question: str, speakers: Sequence[str]) -> str | None:
    """The one speaker whose first name the question has; None where it has several or none.

    >>> speaker_named("What did Mia's brother tell her?", ["Ana Roth", "Mia Lund"])
    'Mia Lund'
    """
    words = frozenset(all_words(question))
    named = [speaker for speaker in speakers if (name := all_words(speaker)) and name[0] in words]
    return named[0] if len(named) == 1 else None


def _around(passages: Sequence[Passage], own: Sequence[float]) -> list[float]:
    """What each passage takes over from its neighbours; an event or a note from the turns behind it."""
    turns = {(p.session, p.turns[0]): worth for p, worth in zip(passages, own, strict=True) if _is_turn(p)}
    return [
        sum(share * turns.get((p.session, p.turns[0] + step), 0.0) for step, share in AROUND.items())
        if _is_turn(p)
        else sum(AROUND.values()) * fmean([turns.get((p.session, at), 0.0) for at in p.turns] or [0.0])
        for p in passages
    ]


def _sessions(passages: Sequence[Passage], own: Sequence[float]) -> list[float]:
    """The worth of each passage's session: the sum of its best, so that many good ones count more than one."""
    of_session: dict[str, list[float]] = {}
    for passage, worth in zip(passages, own, strict=True):
        of_session.setdefault(passage.session, []).append(worth)
    whole = {name: sum(sorted(worths, reverse=True)[:BEST_OF_SESSION]) for name, worths in of_session.items()}
    return _standard([whole[passage.session] for passage in passages])


def _is_turn(passage: Passage) -> bool:
    return passage.kind is PassageKind.TURN


def _standard(values: Sequence[float]) -> list[float]:
    """The values in standard deviations from their mean; zeros where all are equal."""
    spread = pstdev(values) if values else 0.0
    if not spread:
        return [0.0] * len(values)
    middle = fmean(values)
    return [(value - middle) / spread for value in values]
