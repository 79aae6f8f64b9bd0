"""Clauses that stand in no verb group of their own: clefts put back in order, and what is added without a verb."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from tem_graph.ingest import english
from tem_graph.ingest.grammar.clause import NOBODY, SPEAKER, Clause, Person
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.lexicon import singular, words
from tem_graph.ingest.grammar.names import place
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.verbs import Negation, Tense
from tem_graph.ingest.grammar.words import find


def clefts(clauses: list[Clause]) -> list[Clause]:
    """ "Lund is where I live", "What I drink these days is chai": the clause with its missing phrase put back."""
    found: list[Clause] = []
    for before, after in pairwise(clauses):
        if after.key == "be":
            found.extend(_put_back(after, before, next(iter(after.tail), None), _asked_in_front(before)))
        is_pause = after.sentence.lowers(after.first - 1, after.first) == [","]
        if before.key == "be" and not (is_pause and before.tail):
            asked = set(after.sentence.lowers(after.first, after.first + 2)) & {"where", "what"}
            word = next(iter(asked), None)
            found.extend(_put_back(before, after, _meant(before.subject, word), word))
        if after.sentence.lowers(after.first, after.first + 1) == ["where"] and before.tail[-1:]:
            # "It's raining in Lund, where I live": the place is the one just named.
            found.extend(_put_back(before, after, before.tail[-1], "where"))
    return found


def shared(clauses: list[Clause]) -> list[Clause]:
    """ "I live and work in Lund": the first of two verbs with the phrases that both share."""
    found: list[Clause] = []
    for before, after in pairwise(clauses):
        if before.tail or before.group is None or after.group is None or not after.tail:
            continue
        between = before.sentence.lowers(before.group.stop, after.group.first)
        if between in (["and"], ["or"]):
            found.append(replace(before, tail=after.tail, stop=after.stop, times=after.times or before.times))
    return found


def _meant(phrase: Phrase | None, asked: str | None) -> Phrase | None:
    """What "that" in "that's where I live", "that's what I am now" points back to, in the same sentence."""
    if phrase is None or phrase.text.lower() not in {"that", "it"}:
        return phrase
    named_before = [p for p in reversed(phrases(phrase.sentence, 0, phrase.first)) if not p.negated]
    if asked == "where":
        return next((p for p in named_before if p.prep in {"in", "to", "at"} and place(p, ())), None)
    return next((p for p in named_before if p.determiner in {"a", "an"} and profession(p, ())), None)


def _asked_in_front(clause: Clause) -> str | None:
    """What a clause in front of "is" leaves open: "where I live", "the only thing I drink"."""
    opening = clause.words[:2]
    if "where" in opening or any(find(clause.words, "the", noun) for noun in ("place", "city", "town")):
        return "where"
    is_thing = "thing" in clause.words or find(clause.words, "the", "drink")
    return "what" if "what" in opening or is_thing else None


def _put_back(be: Clause, other: Clause, value: Phrase | None, asked: str | None) -> list[Clause]:
    if value is None or asked is None or be.unreal or other.person is not SPEAKER:
        return []
    phrase = replace(value, prep="in" if asked == "where" else "", after_comma=False)
    first, stop = min(be.first, other.first), max(be.stop, other.stop)
    return [replace(other, tail=(phrase, *other.tail), first=first, stop=stop, words=(*other.words, "<cleft>"))]


def verbless(clause: Clause) -> list[Clause]:
    """What is added without a verb: "I'm living in Lund and still a nurse at Acme"."""
    lowers = clause.sentence.lowers(0, len(clause.sentence.words))
    for k, phrase in enumerate(clause.tail):
        opener = phrase.first - 1 - (1 if lowers[phrase.first - 1] == phrase.prep else 0)
        follows_pause = lowers[opener - 1] in {",", "and", "but"} if opener > 0 else False
        if follows_pause and lowers[opener : phrase.first] == ["still", "in"]:
            return [_went_on(clause, opener, clause.tail[k:])]
        is_bare = not phrase.prep or phrase.conjoined
        is_title = is_bare and phrase.determiner in {"a", "an"}
        if k and is_title and lowers[phrase.first - 1] in {"still", "now", "again"}:
            tail = (replace(phrase, prep="", conjoined=False, after_comma=False), *clause.tail[k + 1 :])
            return [_went_on(clause, phrase.first - 1, tail)]
    return []


def _of_whom(clause: Clause) -> Person:
    """ "Work is work, still a cook": where the subject is a thing, what is added is about the speaker."""
    if clause.person is not NOBODY or clause.subject is None:
        return clause.person
    lowers = {singular(w.lower) for w in clause.subject.words}
    others = words("people", "kin") | words("people", "third") | {"your", "his", "her"}
    return NOBODY if lowers & (english.PERSONS | others) else SPEAKER


def _went_on(clause: Clause, opener: int, tail: tuple[Phrase, ...]) -> Clause:
    """What is added to a clause from the word at `opener` on, as if it began with "I am"."""
    return replace(
        clause,
        key="be",
        person=_of_whom(clause),
        tail=tail,
        first=opener,
        words=tuple(clause.sentence.lowers(opener, clause.stop)),
        tense=Tense.PRESENT,
        negation=Negation.NONE,
        progressive=False,
        effect=None,
    )
