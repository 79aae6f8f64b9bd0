"""Passages in the order in which they are worth their tokens: vector and words fused, neighbours, speaker, time. Pure.

Constants are measured: `docs/decisions/hybrid-evidence.md` says on what and how.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from tem_graph.domain.evidence import Passage, PassageKind, ScoredPassage
from tem_graph.retrieve.hybrid.when import When, nearness
from tem_graph.retrieve.hybrid.words import all_words, stem, terms

K1, B = 1.2, 0.75
"""BM25's usual constants."""
WORDS = 0.5
"""Weight of shared words beside the vector, both in standard deviations over the candidates."""
BEFORE, AFTER = 0.4, 0.25
"""What a turn takes over from the turn before it and from the one after."""
SPEAKER = 0.4
"""For a turn of the speaker whom the question names, where it names one only."""
TIME = 1.0
"""For a session on the days that the question names."""
DAYS_BEFORE, DAYS_AFTER = 7, 14
SAME = 0.85
"""The share of a passage's words that another line has, from which it is a near duplicate. A guess."""
FEW = 3
_TURN = PassageKind.TURN


@dataclass(frozen=True, slots=True)
class Ranking:
    """Passages best first, and how much each term of the question says about one."""

    passages: tuple[Passage, ...]
    weights: Mapping[str, float]

    def value(self, sentence: str) -> float:
        """How much of the question a sentence holds."""
        return sum(self.weights.get(term, 0.0) for term in frozenset(terms(sentence)))


def rank(question: str, found: Sequence[ScoredPassage], when: Sequence[When] = ()) -> Ranking:
    """The passages, best first, ties in the order of telling. `when` are the days that the question names."""
    found = without_repeats(found)
    passages = [hit.passage for hit in found]
    wanted, named = _asked(question, passages)
    weights, lexical = shared_words(wanted, [terms(passage.text) for passage in passages])
    similar = [hit.similarity if hit.similarity is not None else 0.0 for hit in found]
    fused = [near + WORDS * word for near, word in zip(_standard(similar), _standard(lexical), strict=True)]
    worth = _with_neighbours(passages, fused)
    for n, passage in enumerate(passages):
        worth[n] += SPEAKER * (named is not None and passage.speaker == named)
        worth[n] += TIME * nearness(passage.told_on, when, before_days=DAYS_BEFORE, after_days=DAYS_AFTER)
    order = sorted(range(len(passages)), key=lambda n: (-worth[n], passages[n].source_key, passages[n].id))
    return Ranking(tuple(passages[n] for n in order), weights)


def without_repeats(found: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The hits less the events and notes that only repeat a turn behind them, as events chosen without a model do."""
    turns = {(hit.passage.session, hit.passage.turns[0]): hit.passage for hit in found if hit.passage.kind is _TURN}
    return [
        hit
        for hit in found
        if hit.passage.kind is _TURN
        or not any(
            (turn := turns.get((hit.passage.session, at)))
            and repeats(words_of(hit.passage), frozenset(terms(turn.text)))
            for at in hit.passage.turns
        )
    ]


def repeats(words: frozenset[str], other: frozenset[str]) -> bool:
    """Whether `other` already says nearly all of `words`. Few words are repeated only by the same ones: "Thanks, Mel!"
    is in many a line."""
    return words == other if len(words) <= FEW else len(words & other) >= SAME * len(words)


def words_of(passage: Passage) -> frozenset[str]:
    """What the passage says, as words, without the name of its speaker."""
    return frozenset(terms(passage.text.removeprefix(f"{passage.speaker}: ")))


def shared_words(wanted: Sequence[str], documents: Sequence[Sequence[str]]) -> tuple[dict[str, float], list[float]]:
    """The weight of each wanted term (how few of the documents have it), and BM25 of each document.

    The full-text index scores over all memories of the database; this counts the candidates of one, so what others
    hold changes nothing.
    """
    counts = [Counter(document) for document in documents]
    average = fmean(len(document) for document in documents) if documents else 1.0
    weights: dict[str, float] = {}
    scores = [0.0] * len(documents)
    for term in wanted:
        having = sum(1 for count in counts if term in count)
        weights[term] = math.log(1 + (len(documents) - having + 0.5) / (having + 0.5))
        for n, count in enumerate(counts):
            if often := count[term]:
                length = 1 - B + B * len(documents[n]) / (average or 1.0)
                scores[n] += weights[term] * often * (K1 + 1) / (often + K1 * length)
    return weights, scores


def _asked(question: str, passages: Sequence[Passage]) -> tuple[list[str], str | None]:
    """The distinct terms that say what is asked, and the speaker asked about, where it is one only.

    Names of speakers stand before every turn: they say whose turn is meant, and nothing of what it says.
    """
    speakers = {passage.speaker for passage in passages if passage.speaker}
    words = set(all_words(question))
    named = [speaker for speaker in sorted(speakers) if words >= set(all_words(speaker)[:1]) != set()]
    names = {stem(word) for speaker in speakers for word in all_words(speaker)}
    asked = list(dict.fromkeys(terms(question)))
    return [term for term in asked if term not in names] or asked, named[0] if len(named) == 1 else None


def _with_neighbours(passages: Sequence[Passage], fused: Sequence[float]) -> list[float]:
    """Each turn's worth with a share of its neighbours': a question tells what its answer is about. An event or a
    note takes the same shares from the turns behind it."""
    turns = {(p.session, p.turns[0]): fused[n] for n, p in enumerate(passages) if p.kind is PassageKind.TURN}
    worth = []
    for passage, own in zip(passages, fused, strict=True):
        if passage.kind is PassageKind.TURN:
            at = passage.turns[0]
            around = BEFORE * turns.get((passage.session, at - 1), 0.0) + AFTER * turns.get(
                (passage.session, at + 1), 0.0
            )
        else:
            behind = [turns[passage.session, at] for at in passage.turns if (passage.session, at) in turns]
            around = (BEFORE + AFTER) * fmean(behind) if behind else 0.0
        worth.append(own + around)
    return worth


def _standard(values: Sequence[float]) -> list[float]:
    """The values in standard deviations from their mean; zeros where all are equal."""
    spread = pstdev(values) if values else 0.0
    if not spread:
        return [0.0] * len(values)
    middle = fmean(values)
    return [(value - middle) / spread for value in values]
