"""Whether a segment is a statement of the speaker's own: not wished, asked, over, or said of somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tem_graph.ingest import english
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.lexicon import singular, words
from tem_graph.ingest.grammar.mood import is_fiction
from tem_graph.ingest.grammar.passage import POINTING, Segment
from tem_graph.ingest.grammar.relations.cues import says
from tem_graph.ingest.grammar.relations.plain_form import plain
from tem_graph.ingest.grammar.verbs import Tense

_HUMANS = (words("people", "third") - POINTING - {"these", "those", "there"}) | {"you"}
_OWN = frozenset(("his", "her", "their", "your", "whose"))


@dataclass(frozen=True, slots=True)
class Stance:
    unreal: bool
    wished: bool
    """Unreal, and not only because a verb is an infinitive: "it turned out to be my favourite"."""
    asked: bool
    embedded: bool
    past: bool


def stance_of(segment: Segment) -> Stance:
    """What the clauses of a segment say about whether it is so."""
    sentence = segment.sentence
    if says("tells", plain(segment)) and not sentence.question:
        return Stance(unreal=False, wished=False, asked=False, embedded=False, past=False)
    is_told = not is_fiction(sentence.lowers(0, len(sentence.words)))
    return Stance(
        unreal=not is_told or any(c.unreal for c in segment.clauses),
        wished=not is_told or any(c.unreal and not _is_mere_infinitive(c) for c in segment.clauses),
        asked=not is_told or sentence.question,
        embedded=not is_told or any(c.embedded_unreal for c in segment.clauses),
        past=any(_is_past_state(c) for c in segment.clauses),
    )


def _is_mere_infinitive(clause: Clause) -> bool:
    return (
        clause.group is not None and clause.group.infinitive and not clause.embedded_unreal and not clause.group.unreal
    )


def _is_past_state(clause: Clause) -> bool:
    if clause.tense is not Tense.PAST or clause.group is None:
        return False
    is_adjective = clause.key.startswith("be ") and clause.key not in words("preference", "turns")
    return is_adjective or clause.group.head.lemma in words("preference", "states")


def is_for_another(segment: Segment) -> bool:
    lowers = segment.lowers
    return any(
        before == "for"
        and (
            after.lower in words("people", "kin") | _OWN | {"him", "them", "you"}
            or (after.is_name and after.ent == "PERSON")
        )
        for before, after in zip(lowers, segment.words[1:], strict=False)
    )


def is_about_another(segment: Segment, text: str) -> bool:
    if says("excluded", text):
        return True
    if says("others", text) and not says("own", text) and not {"me", "us"} & set(segment.lowers):
        return True
    if segment.is_verbless:
        return False
    clause = segment.clauses[0]
    if clause.person is SPEAKER:
        return False
    if clause.subject is None:
        return clause.person.role is Role.NAMED
    named = {i for d in segment.drinks for i in range(d.first, d.stop)}
    subject = [w for w in clause.subject.words if w.i not in named]
    lowers = {singular(w.lower) for w in subject} - words("preference", "intensifiers")
    is_person = bool(lowers & (english.PERSONS | words("people", "kin"))) or bool(
        {w.lower for w in (*subject[:1], *subject[-1:])} & _HUMANS
    )
    is_mine = lowers & (words("people", "ours") | words("preference", "impersonal"))
    is_name = clause.person.role is Role.NAMED and clause.subject.head.tag == "NNP" and subject and not is_mine
    if is_person or is_name:
        return not ({"me", "us"} & set(segment.lowers) or says("own", text))
    is_drink = len(subject) < len(clause.subject.words) or (
        clause.group is not None and clause.group.first - 1 in named
    )
    return not (is_drink or is_mine or not lowers or {"me", "us"} & set(segment.lowers) or says("own", text))


def goes_on_about_another(segments: Sequence[Segment], k: int) -> bool:
    """Whether what a segment says of a drink is said of the person who drinks in the one before.

    "My sister went off coffee. Tea all the way now", "She gave up coffee, it's all kombucha now".
    """
    segment = segments[k]
    before = segments[k - 1] if k else None
    if before is None or not before.drinks or before.is_verbless:
        return False
    if {"i", "we", "me", "us", "my", "mine", "our"} & set(segment.lowers):
        return False
    clause = before.clauses[0]
    if clause.person is SPEAKER or clause.subject is None or {"me", "us"} & set(before.lowers):
        return False
    words_of = {singular(w.lower) for w in clause.subject.words}
    is_person = bool(words_of & (english.PERSONS | words("people", "kin") | {"he", "she", "they"}))
    return is_person or clause.person.role is Role.NAMED


def is_disowned(segments: Sequence[Segment], k: int) -> bool:
    """Whether what comes next takes it back: "They talked me into kvass. I wouldn't order it again"."""
    named = {d.text.lower() for d in segments[k].drinks}
    for segment in segments[k + 1 :]:
        if not {d.text.lower() for d in segment.drinks} <= named or segment.number - segments[k].number > 2:
            return False
        if says("disowned", plain(segment)):
            return True
    return False


def is_question(asked: Sequence[Segment]) -> bool:
    """Whether a turn ends in a question; of "Favourite drink?" the reader makes a label, so the text is asked."""
    if not asked:
        return False
    opening = asked[-1].sentence.words[0].lower
    return asked[-1].sentence.source.rstrip().endswith("?") or opening in words("clauses", "asking") | {
        "whats",
        "still",
    }


def asks_of_another(asked: Sequence[Segment]) -> bool:
    """Whether a question is about somebody else: "What does your sister drink?"."""
    if not is_question(asked):
        return False
    last = [w for s in asked if s.number == asked[-1].number for w in s.words]
    others = english.PERSONS | words("people", "kin") | {"he", "she", "they", "him", "them"}
    return any(singular(w.lower) in others or (w.ent == "PERSON" and w.i > 0) for w in last)
