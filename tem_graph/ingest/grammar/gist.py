"""What a turn comes to where no clause says it: a name in one place, talk of a move or a job beside it.

"Moved!! Lund!! Pics soon", "We left Porto. Lund is so much quieter", "First shift as a nurse tonight". A mention
has a weight by its shape, talk of the speaker's own home or work near it has one too, and together they must
reach `ENOUGH`. Segments that wish, ask, report, deny or speak of others count for nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold
from tem_graph.ingest.grammar.asked import asks
from tem_graph.ingest.grammar.bystanders import (
    echoes,
    is_answered_by_another,
    is_done_by_another,
    is_of_others,
    says_i,
    speaks_to_you,
)
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.evidence import Mention, denies, is_void, near, pattern, speaks_of_others, talk
from tem_graph.ingest.grammar.frames import Reading, dated
from tem_graph.ingest.grammar.gist_places import home_mentions
from tem_graph.ingest.grammar.gist_titles import work_mentions
from tem_graph.ingest.grammar.lexicon import cues, words
from tem_graph.ingest.grammar.mood import is_announced_speech, is_fiction
from tem_graph.ingest.grammar.pointers import guessed, is_pointed_at, is_visit, pointed_title
from tem_graph.ingest.grammar.stretches import Stretch, stretches
from tem_graph.ingest.grammar.times import find_times
from tem_graph.ingest.grammar.words import Sentence, find

_ON_TOPIC = 1.5
"""What `asks` gives to talk of the topic that asks for no name."""
_REACH = 40
"""Characters in front of a name that tell what it is named for."""
_FAR = 3
"""How many sentences off talk of a trip says nothing any more of a place."""
ENOUGH = 3.0
"""What shape and talk must weigh together. Weights were set by hand on the sets that the decision record names."""


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
        mention = _Turn(topic, parts, question, settled, of_nobody, speakers).best()
        if topic.section == "occupation":
            mention = pointed_title(parts) or guessed(parts) or mention
        if mention is not None:
            clause = _as_clause(mention)
            reading = dated(clause, SPEAKER, topic.section, mention.value, FactKind.VALUE, stative=True)
            yield reading, clause


def _stands(reading: Reading) -> bool:
    """Whether what a clause says of a value leaves nothing to add: it is over, or it is somebody's by name."""
    return reading.kind is FactKind.END or reading.person.role is Role.NAMED


@dataclass(frozen=True)
class _Turn:
    """A turn under one topic, with what its clauses and the turn before it say."""

    topic: _Topic
    parts: Sequence[Stretch]
    question: Sequence[Sentence]
    settled: Set[str]
    """Values of which a clause has said all there is."""
    of_nobody: Set[str]
    """Values that a clause gives to somebody: a job stays there unless the stretch speaks of the speaker."""
    speakers: frozenset[str]

    @property
    def is_of_home(self) -> bool:
        return self.topic.section == "residence"

    @cached_property
    def asked(self) -> float:
        return asks(self.question, self.topic.section)

    @cached_property
    def visits(self) -> frozenset[int]:
        """The sentences that speak of a trip."""
        return frozenset(part.number for part in self.parts if self.is_of_home and is_visit(part))

    def best(self) -> Mention | None:
        """The mention that weighs most, and enough; the later of two."""
        found: tuple[float, Mention] | None = None
        for part in self.parts:
            if _is_told_by_others(part.sentence) or is_of_others(self.parts, part):
                continue
            if is_answered_by_another(part.sentence, [p.sentence for p in self.parts]):
                continue
            for mention in self.topic.mentions(part):
                weight = self._weight(mention)
                if weight >= ENOUGH and (found is None or weight >= found[0]):
                    found = (weight, mention)
        return found[1] if found else None

    def _weight(self, mention: Mention) -> float:
        """What a mention weighs with all that is said around it; nothing where something speaks against it."""
        part = mention.stretch
        is_shown = self.is_of_home and is_pointed_at(self.parts, mention)
        is_away = any(abs(number - part.number) < _FAR for number in self.visits)
        if not is_shown and (is_away or is_void(part, self.topic.section)):
            return 0.0
        if self._is_spoken_for(mention) or self._is_home_of_another(part):
            return 0.0
        if is_shown:
            return max(mention.weight, ENOUGH)
        if _is_declined(part, self.parts):
            return 0.0
        if mention.doubtful and self.asked < _ON_TOPIC:
            return 0.0
        if mention.weight < ENOUGH and (echoes(mention, self.question) or _is_of_then(mention)):
            return 0.0
        if denies(part) and not mention.alone and (mention.weight < ENOUGH or _forbids(part)):
            return 0.0
        asked = self.asked
        answers = mention.alone or (mention.weight >= 2 and asked > 0) or (asked < 0 and not says_i(part))
        weight = mention.weight + _around(self.topic, self.parts, part, asked if answers else 0.0)
        return weight - ENOUGH if _is_asked(part) else weight

    def _is_home_of_another(self, part: Stretch) -> bool:
        """ "Petra left us. Just Nantes. She lives there now": the sentence behind says who lives there."""
        behind = (p for p in self.parts if part.number <= p.number <= part.number + 1)
        return self.is_of_home and any(pattern("residence", "theirs").search(p.text) for p in behind)

    def _is_spoken_for(self, mention: Mention) -> bool:
        """Whether it is somebody's name who is spoken to, or a value of which a clause says whose it is."""
        part, text = mention.stretch, mention.value.text
        if any(fold(w.text).strip(".") in self.speakers for w in mention.value.words) or text in self.settled:
            return True
        if text not in self.of_nobody:
            return False
        if self.is_of_home:
            return is_done_by_another(part)
        return not (says_i(part) or speaks_to_you(part) or _is_of_time(part))


def _is_of_time(part: Stretch) -> bool:
    """ "Another year done as a cook", "being a cook is no picnic": no person is the subject."""
    if part.words[0].tag == "VBG":
        return True
    subjects = [w for w in part.words if w.dep in {"nsubj", "nsubjpass"}]
    return bool(subjects) and all(w.ent == "DATE" or w.is_time or w.lower == "it" for w in subjects)


def _is_of_then(mention: Mention) -> bool:
    """ "My first contract, twenty years ago: cook", "my home country, Sweden": long past, or where one is from."""
    said = " ".join(w.lower for w in mention.stretch.sentence.words)
    before = " ".join(mention.value.sentence.lowers(0, mention.value.first)).rstrip(" ,:")
    is_origin = pattern("veto", "origins").search(before[-_REACH:]) is not None
    return is_origin or pattern("veto", "bygone").search(said) is not None


def _forbids(part: Stretch) -> bool:
    """ "Don't change my city to Lund"."""
    return part.text.removeprefix("please ").startswith(("do n't ", "do not "))


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
    before = lowers[: part.first + 3]
    if any(find(before, *cue) for cue in cues("clauses", "told_in_question")) or lowers[0] == "remember":
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
    stretch = mention.told or mention.stretch
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
