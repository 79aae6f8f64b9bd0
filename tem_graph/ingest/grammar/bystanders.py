"""Stretches and names that are about somebody else although they do not say so: what stands beside shows it.

"My sister, a nurse, got a raise", "Being a chef, my brother never cooks", "Congrats, officially a nurse!", and the
echo of what the other speaker has just told: "@I moved to Lund!", "Lund! How is it?".
"""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.domain.names import fold
from tem_graph.ingest.grammar.asked import asks_of_another
from tem_graph.ingest.grammar.clause import SPEAKER, Clause
from tem_graph.ingest.grammar.evidence import Mention, pattern, speaks_of_others
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.lexicon import person_nouns, singular
from tem_graph.ingest.grammar.stretches import Stretch, stretches
from tem_graph.ingest.grammar.words import Sentence

_OPENING = 4
"""A verb without a subject that begins before this word may answer a question: "No, happily working as a nurse"."""
_FIRST = frozenset(("i", "we", "me", "us", "myself", "ourselves"))
# With these a sentence without a verb comes back to the speaker.
_STARTING = frozenset(("still", "back", "here", "now", "finally", "home", "me", "meanwhile"))
_INTRODUCING = frozenset(("my", "our", "your", "his", "her", "their", "a", "an", "the", "this"))


def says_i(stretch: Stretch) -> bool:
    """Whether the speaker stands in it."""
    return bool((_FIRST | {"my", "our"}) & {w.lower for w in stretch.words})


def speaks_to_you(stretch: Stretch) -> bool:
    """Whether "you" stands for anybody of the speaker's kind: "As a nurse you see a lot"."""
    return "you" in {w.lower for w in stretch.words}


def is_of_others(parts: Sequence[Stretch], here: Stretch) -> bool:
    """Whether the rest of the sentence makes somebody else of whom a stretch without "I" speaks."""
    lowers = {w.lower for w in here.sentence.words}
    text = " ".join(w.lower for w in here.sentence.words)
    if pattern("veto", "congratulating").search(text) and not {"i", "we", "me", "us"} & lowers:
        return True
    if says_i(here):
        return False
    if pattern("veto", "advertised").search(text) and not (_FIRST | {"my", "got", "new"}) & lowers:
        return True
    k = next(i for i, part in enumerate(parts) if part is here)
    if k and _goes_on(parts[k - 1], here):
        return True
    before = parts[k - 1] if k and parts[k - 1].sentence is here.sentence else None
    after = parts[k + 1] if k + 1 < len(parts) and parts[k + 1].sentence is here.sentence else None
    if before is not None and ((_ends_in_a_person(before) and _adjoins(before, here)) or _tails(before, here)):
        return True
    if after is None:
        return False
    if pattern("veto", "unsure").fullmatch(after.text):
        return True
    if len(here.words) == 1 and here.first == 0 and after.words[0].lower == "you":
        return True  # "Maya, you have to see it"
    opens = here.words[0].lower in {"being", "as"}
    return opens and speaks_of_others(after) and not _FIRST & {w.lower for w in after.words}


def _tails(before: Stretch, here: Stretch) -> bool:
    """ "My brother is fine, still a cook": words without a verb behind what somebody else is or does."""
    is_mute = not any(w.is_verb for w in here.words)
    return is_mute and speaks_of_others(before) and not _FIRST & {w.lower for w in before.words}


def _goes_on(before: Stretch, here: Stretch) -> bool:
    """ "My cousin bought a flat! In Lund!": a sentence without a verb goes on with whom the one before was about."""
    is_next = here.number == before.number + 1 and not before.sentence.question and before.first == 0
    is_mute = not any(w.is_verb for w in here.sentence.words) and here.words[0].lower not in _STARTING
    is_own = bool(_FIRST & {w.lower for w in before.words})
    return is_next and is_mute and speaks_of_others(before) and not is_own


def is_done_by_another(stretch: Stretch) -> bool:
    """Whether a verb goes on with a person named before: "One of my friends, Tilda, settled in Lund"."""
    sentence = stretch.sentence
    verb = next((w for w in stretch.words if w.is_verb), None)
    if verb is None:
        return False
    governors = [verb, sentence.words[verb.head]] if verb.dep == "conj" else [verb]
    subjects = [c for g in governors for c in sentence.children(g.i, "nsubj", "nsubjpass")]
    said = {singular(w) for c in subjects[:1] for w in sentence.lowers(*sentence.subtree(c.i))}
    others = person_nouns() | {"he", "she", "they"}
    return bool(said & others) and not said & (_FIRST | {"family", "household"})


def is_left_to_others(reading: Reading, clause: Clause, told: Sequence[Sentence], asked: Sequence[Sentence]) -> bool:
    """Whether a reading of words without a subject is of somebody named beside them, or asked about."""
    if reading.person is not SPEAKER or reading.slot or reading.relation not in {"residence", "occupation"}:
        return False
    if is_answered_by_another(clause.sentence, told):
        return True
    is_open = clause.subject is None and (clause.group is None or clause.group.first < _OPENING)
    if is_open and clause.sentence is told[0] and asks_of_another(asked, reading.relation):
        return True
    parts = stretches(told)
    first = reading.object.first
    here = next((p for p in parts if p.sentence is reading.object.sentence and p.first <= first < p.stop), None)
    return here is not None and is_of_others(parts, here)


def is_answered_by_another(sentence: Sentence, told: Sequence[Sentence]) -> bool:
    """ "Guess who moved to Lund! My brother.": the next words name who it is."""
    if sentence.lowers(0, 2) != ["guess", "who"]:
        return False
    behind = next((s for s in told if s.before is sentence), None)
    if behind is None or behind.lowers(0, 1) == ["i"]:
        return False
    opening = behind.words[:3]
    others = person_nouns() | {"he", "she", "they"}
    return opening[0].tag.startswith("NNP") or any(singular(w.lower) in others for w in opening)


def _ends_in_a_person(stretch: Stretch) -> bool:
    """ "I met an old classmate", "my sister", but not the "buddy" who is spoken to."""
    last = stretch.words[-1]
    persons = person_nouns()
    lead = {w.lower for w in stretch.sentence.words[max(last.i - 3, stretch.first) : last.i]}
    return singular(last.lower) in persons and bool(lead & _INTRODUCING)


def _adjoins(before: Stretch, here: Stretch) -> bool:
    """Whether only a comma or a bracket stands between, and no subject of its own opens the stretch."""
    between = {w.text for w in here.sentence.words[before.stop : here.first]}
    opens = here.words[0]
    if any(w.is_verb for w in before.words) and any(w.is_verb for w in here.words):
        return False  # "I live with my sister, work as a nurse"
    return bool(between) and between <= {",", "(", "-", "–", "—"} and opens.lower not in {"it", "that", "this", "and"}


def echoes(mention: Mention, said: Sequence[Sentence]) -> bool:
    """Whether the turn before has told of the same name, as the other speaker's or somebody else's."""
    if says_i(mention.stretch):
        return False
    name = [fold(w.text) for w in mention.value.words]
    return any(_tells_of(sentence, name) for sentence in said if not sentence.question)


def _tells_of(sentence: Sentence, name: Sequence[str]) -> bool:
    folded = [fold(w.text) for w in sentence.words]
    lowers = {w.lower for w in sentence.words}
    if {"you", "your", "guess", "bet", "heard", "hear"} & lowers:
        return False
    told = any(folded[i : i + len(name)] == list(name) for i in range(len(folded)))
    others = {"he", "she", "they", "his", "her", "their"} | _FIRST | {"my", "our"}
    return told and bool(others & lowers)
