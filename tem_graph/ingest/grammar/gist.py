"""What a turn comes to where no clause says it: a name in one place, talk of a move or a job beside it.

"Moved!! Lund!! Pics soon", "We left Porto. Lund is so much quieter", "First shift as a nurse tonight". A mention
has a weight by its shape, talk of the speaker's own home or work near it has one too, and together they must
reach `ENOUGH`. Segments that wish, ask, report, deny or speak of others count for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold
from tem_graph.ingest.grammar.asked import asks
from tem_graph.ingest.grammar.bystanders import echoes, is_of_others, says_i, speaks_to_you
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.evidence import Mention, denies, is_void, near, pattern, speaks_of_others, talk
from tem_graph.ingest.grammar.frames import Reading, dated
from tem_graph.ingest.grammar.gist_places import home_mentions
from tem_graph.ingest.grammar.gist_titles import work_mentions
from tem_graph.ingest.grammar.lexicon import cues, words
from tem_graph.ingest.grammar.mood import is_announced_speech, is_fiction
from tem_graph.ingest.grammar.stretches import Stretch, stretches
from tem_graph.ingest.grammar.times import find_times
from tem_graph.ingest.grammar.words import Sentence, find

ENOUGH = 3.0
"""What shape and talk must weigh together. Weights were set by hand on the sets that the decision record names."""


# Said of a visit, but also of one who comes to stay, or whom others visit.
_OF_MOVERS = frozenset(
    (("for", "work"), ("for", "business"), ("visiting",), ("for", "a", "bit"), ("to", "visit"), ("couch",))
)


_TAGS = frozenset(("right", "correct", "yes", "no", "huh", "eh", "or", "yeah", "then", "was", "is", "it", "n't"))
"""What is left of a question behind the part that is asked: "Barista, right?"."""


@dataclass(frozen=True)
class _Topic:
    section: str
    mentions: Callable[[Stretch], Iterator[Mention]]
    talk: Mapping[str, float]
    """Weight of each list of gist.toml."""


_TOPICS = (
    _Topic("residence", home_mentions, {"arrived": 2.0, "here": 2.0, "home": 1.5, "today": 1.5}),
    _Topic("occupation", work_mentions, {"new": 2.0, "work": 1.5, "goes_on": 1.5}),
)


def read_gist(
    turn: Sequence[Sentence],
    question: Sequence[Sentence],
    stated: Sequence[Reading],
    speakers: frozenset[str] = frozenset(),
) -> Iterator[tuple[Reading, Clause]]:
    """At most one home and one job of the speaker, where none is `stated` already.

    `question` is what the other speaker said right before; `speakers` are folded names that are called, not named
    as a place: "Hi Sam, we moved".
    """
    parts = stretches(turn)
    known = {r.relation for r in stated if r.person is SPEAKER and r.kind is FactKind.VALUE}
    for topic in _TOPICS:
        if topic.section in known:
            continue
        settled = {r.object.text for r in stated if r.relation == topic.section and _stands(r)}
        of_nobody = {r.object.text for r in stated if r.relation == topic.section and r.person.role is Role.NOBODY}
        mention = _best(topic, parts, question, settled, speakers, of_nobody)
        if mention is not None:
            clause = _as_clause(mention)
            reading = dated(clause, SPEAKER, topic.section, mention.value, FactKind.VALUE, stative=True)
            yield reading, clause


def _stands(reading: Reading) -> bool:
    """Whether what a clause says of a value leaves nothing to add: it is over, or it is somebody's by name."""
    return reading.kind is FactKind.END or reading.person.role is Role.NAMED


def _best(
    topic: _Topic,
    parts: Sequence[Stretch],
    question: Sequence[Sentence],
    settled: Set[str],
    speakers: frozenset[str],
    of_nobody: Set[str],
) -> Mention | None:
    """The mention that weighs most; the later of two.

    What a clause says of a value (`settled`) stands, and so does a job that it gives to somebody (`of_nobody`)
    where the stretch does not speak of the speaker.
    """
    if topic.section == "residence" and any(_is_visit(part) for part in parts):
        return None
    is_here = topic.section == "residence" and any(pattern("residence", "here").search(p.text) for p in parts)
    asked = asks(question, topic.section)
    best: tuple[float, Mention] | None = None
    for part in parts:
        if is_void(part, topic.section) or _is_told_by_others(part.sentence) or is_of_others(parts, part):
            continue
        for mention in topic.mentions(part):
            is_called = any(fold(w.text) in speakers for w in mention.value.words)
            if is_called or mention.value.text in settled or _is_declined(part, parts):
                continue
            if (
                topic.section == "occupation"
                and mention.value.text in of_nobody
                and not (says_i(part) or speaks_to_you(part))
            ):
                continue
            if mention.weight < 3 and echoes(mention, question):
                continue
            if denies(part) and not mention.alone and mention.weight < 3:
                continue
            answers = mention.alone or (mention.weight >= 2 and asked > 0) or (asked < 0 and not says_i(part))
            weight = mention.weight + _around(topic, parts, part, asked if answers else 0.0)
            if is_here and mention.weight < 1:
                weight += 0.5
            if _is_asked(part) and not is_here:
                weight -= 3.0
            if weight >= ENOUGH and (best is None or weight >= best[0]):
                best = (weight, mention)
    return best[1] if best else None


def _is_visit(part: Stretch) -> bool:
    """Whether the stretch speaks of a trip, or of a stay with an end in sight."""
    lowers = part.text.split()
    stays = (find(lowers, *cue) for cue in cues("residence", "visits") if cue not in _OF_MOVERS)
    return pattern("residence", "visit").search(part.text) is not None or any(stays)


def _is_told_by_others(sentence: Sentence) -> bool:
    """Whether the sentence is a story, or what somebody else said."""
    return is_fiction([w.lower for w in sentence.words]) or is_announced_speech(sentence)


def _is_declined(part: Stretch, parts: Sequence[Stretch]) -> bool:
    """Whether what is mentioned was offered, and nothing near it says that it was taken."""
    if not pattern("veto", "offered").search(part.text):
        return False
    return not any(pattern("veto", "accepted").search(other.text) for other in near(parts, part))


def _is_asked(part: Stretch) -> bool:
    """Whether the stretch itself is what a question asks: its last, or one that opens with what asks."""
    if not part.sentence.question:
        return False
    lowers = [w.lower for w in part.sentence.words]
    if any(find(lowers, *cue) for cue in cues("clauses", "told_in_question")) or lowers[0] == "remember":
        return False
    asking = lowers[0] in words("clauses", "asking")
    rest = {w for w in lowers[part.stop :] if w[0].isalpha()}
    return asking or rest <= _TAGS


def _around(topic: _Topic, parts: Sequence[Stretch], here: Stretch, asked: float) -> float:
    """The weight of what is said around a mention, and of the question that it may answer."""
    if asked < 0 and here.number == 0:
        return asked
    if any(p.number < here.number and speaks_of_others(p) for p in parts):
        asked = 0.0
    weights = [asked if here.number <= 1 else 0.0]
    for part in near(parts, here):
        if is_void(part, topic.section):
            continue
        if not denies(part) or part is here:
            weights.extend(talk(part, topic.section, topic.talk))
        elif pattern(topic.section, "unchanged").search(part.text):
            weights.append(2.0)
    first, second = sorted([*weights, 0.0])[:-3:-1]
    return first + (0.5 if second else 0.0)


def _as_clause(mention: Mention) -> Clause:
    stretch = mention.stretch
    return Clause(
        sentence=stretch.sentence,
        group=None,
        key="gist",
        person=SPEAKER,
        subject=None,
        tail=(),
        first=stretch.first,
        stop=stretch.stop,
        times=tuple(t for t in find_times(stretch.sentence.words) if stretch.first <= t.first < stretch.stop),
        words=tuple(w.lower for w in stretch.words),
    )
