"""A turn as a row of segments: what is said in one breath about one thing, in the order of the text.

Clauses answer "who does what"; they lose what people say without a verb ("Kombucha. My new favourite, easily")
and what they spread over two sentences. A segment is a clause, or a run of words without a verb, with the drinks
that it names and the clauses it holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.drinks import drinks_in
from tem_graph.ingest.grammar.lexicon import words
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.words import Sentence, Word

POINTING = frozenset(("it", "that", "this", "which", "them", "they"))
"""Words that may stand for a drink named before."""
_BREAKS = frozenset((",", ";", ":", "-", "–", "—", "...", "(", ")", "/"))


@dataclass(frozen=True, slots=True)
class Segment:
    """Words `first` up to `stop` of a sentence."""

    sentence: Sentence
    number: int
    """The place of the sentence in its turn."""
    first: int
    stop: int
    clauses: tuple[Clause, ...]
    drinks: tuple[Phrase, ...]

    @property
    def words(self) -> tuple[Word, ...]:
        return self.sentence.words[self.first : self.stop]

    @property
    def lowers(self) -> list[str]:
        return [w.lower for w in self.words]

    @property
    def is_verbless(self) -> bool:
        return not self.clauses

    @property
    def is_first(self) -> bool:
        return self.first == 0


def segments(sentences: Sequence[Sentence], clauses: Sequence[Sequence[Clause]]) -> list[Segment]:
    """The segments of a turn in order, given the clauses of each of its sentences."""
    found: list[Segment] = []
    for number, (sentence, own) in enumerate(zip(sentences, clauses, strict=True)):
        verbal = [c for c in own if c.group is not None]
        edges = _edges(sentence, verbal)
        drinks = drinks_in(sentence, 0, len(sentence.words))
        for first, stop in itertools.pairwise(edges):
            inside = tuple(c for c in verbal if c.group is not None and first <= c.group.first < stop)
            held = tuple(d for d in drinks if first <= d.first < stop)
            found.append(Segment(sentence, number, first, stop, inside, held))
    return found


def _edges(sentence: Sentence, clauses: Sequence[Clause]) -> list[int]:
    """Where segments begin, and the end of the sentence."""
    items = sentence.words
    verbs = {i for c in clauses if c.group is not None for i in range(c.group.first, c.group.stop)}
    starts = {0}
    for clause in clauses:
        begin = clause.first
        if clause.group is None or clause.group.infinitive or not begin:
            continue
        if (
            items[begin].lower in words("preference", "joining")
            or items[begin - 1].lower in words("preference", "joining") | _BREAKS
        ):
            starts.add(begin)
    starts |= {i + 1 for i, w in enumerate(items[:-1]) if w.text in _BREAKS and not _is_inside(items, i)}
    starts |= {w.i for w in items[1:] if _runs_on(items, w.i)}
    edges = [*sorted(starts), len(items)]
    kept = [0]
    for at, following in itertools.pairwise(edges):
        # A run without a verb stands alone only if it names a drink, or stands between two that do.
        before, after = range(kept[-1], at), range(at, following)
        is_mute = not (verbs & set(before)) and not drinks_in(sentence, kept[-1], at)
        trails = (
            not (verbs & set(after)) and not drinks_in(sentence, at, following) and not _judges(items[at:following])
        )
        both_verbless = not (verbs & set(before)) and not (verbs & set(after))
        if not (is_mute or trails or (both_verbless and not _contrasts(items, at))):
            kept.append(at)
    return [*kept, len(items)]


def _contrasts(items: Sequence[Word], at: int) -> bool:
    """Whether two runs without a verb speak of two things: "Bye coffee, hello kvass"."""
    return items[at - 1].text == ","


def _runs_on(items: Sequence[Word], i: int) -> bool:
    """Whether a new statement begins without a pause: "never again coffee its all about tea"."""
    before, after = items[i - 1], items[i + 1] if i + 1 < len(items) else None
    if (
        items[i].lower not in {"its", "it"}
        or after is None
        or not (before.is_noun or before.is_time or before.tag == "RB")
    ):
        return False
    return after.lemma == "be" or (items[i].lower == "its" and not after.is_noun)


def _judges(run: Sequence[Word]) -> bool:
    """Whether a run without a verb says something of its own: "still my favourite drink"."""
    return bool({w.lower for w in run} & words("preference", "judging"))


def _is_inside(items: Sequence[Word], i: int) -> bool:
    return items[i].text in {"-", "/"} and items[i - 1].end == items[i].start
