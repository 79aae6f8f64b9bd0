"""The arguments of an operator, by the names in a question: all of them used, and none left open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tem_graph.answer.route import Known
from tem_graph.answer.rules.intents import occurrence
from tem_graph.answer.rules.items import Item, asker_is_subject
from tem_graph.answer.rules.lexicon import Target
from tem_graph.answer.rules.mentions import ASPECTS, read_mention
from tem_graph.answer.rules.possible import NEIGHBOURS, OF_STINT, PAIRS
from tem_graph.answer.rules.reading import Clause, read_clause
from tem_graph.answer.rules.sentence import AUX, KINDS, kind_of_items
from tem_graph.domain.names import fold

_JOB = frozenset({"employer", "occupation"})
_WEAK = frozenset({"do", "does", "did", "done", "doing", "stay", "stays", "stayed", "staying"})
_OLD, _NEW = frozenset({"old", "out", "former"}), frozenset({"new", "in"})
"""Words beside a value that say which of two it is."""
_IT = frozenset({"it", "that", "which"})
_ARROW = re.compile(r"[-=]*>|→")
_LOOSE_NOUNS = frozenset({"place", "places", "base", "seat", "shop", "pad", "title", "position", "role"})
"""Nouns that say the relation only where no other does: "the third place among her employers"."""


class Names:
    """The arguments that the names in a question make."""

    def __init__(self, items: Sequence[Item], question: str, known: Known) -> None:
        if not asker_is_subject(items):
            items = _without_asker(items)
        self._items, self._known, self._question = items, known, question
        self._clause: Clause = read_clause(items, question, known, is_main=True)
        self._values = [n for n, i in enumerate(items) if i.value]
        self._people = [n for n, i in enumerate(items) if i.subjects]
        named, self._firmly_named = self._relations("noun"), self._relations("noun", besides=_LOOSE_NOUNS)
        self._named = named if len(named) < 2 else self._firmly_named
        self._acted = self._relations(*ASPECTS)
        self.is_strained = False
        """Whether a relation was told apart from others by where it stands."""

    def arguments(self, operator: str) -> dict[str, object] | None:
        """The arguments of the operator; None where the question leaves one open."""
        if operator in PAIRS:
            return self._pair()
        subject = self._clause.subject
        if subject is None:
            return None
        held = [self._held(subject, n) for n in self._values]
        if any(target is None for target in held):
            return None
        if operator == "during":
            return self._during(subject, held[0])
        relation = self._relation(held[0] if held else None) or self._relation_asked_for(held[0] if held else None)
        if relation is None or (len(held) == 2 and held[0] != held[1]):
            return None
        args = _group(subject, relation)
        if operator == "changed":
            return self._changed(args)
        if self._values:
            args["value"] = self._items[self._values[0]].value
        if operator in OF_STINT and not (operator in NEIGHBOURS and self._opens_with_first()):
            args |= occurrence(self._clause)
        return self._with_points(operator, args)

    def _with_points(self, operator: str, args: dict[str, object]) -> dict[str, object] | None:
        clause = self._clause
        if operator == "nth":
            number = next((clause.marks[m].number for m in ("from_end", "ordinal", "nth_time") if clause.has(m)), None)
            return None if number is None else args | {"n": -number if clause.has("from_the_end") else number}
        if clause.date is not None:
            if operator in {"as_of_date", "as_of"} and clause.date_lead not in {None, "by"} and not self._says("then"):
                return None  # but "a letter from May 2021: where did she live then"
            args |= {"until" if operator == "duration_total" else "date": str(clause.date)}
        if clause.session is not None:
            if clause.session_lead is not None:
                return None
            args |= {"known_after" if operator == "as_of" else "index": clause.session}
        return args

    def _changed(self, group: dict[str, object]) -> dict[str, object] | None:
        one, other = (self._items[n].value for n in self._values)
        is_old = self._first_is_old()
        if is_old is None:
            return None
        return group | ({"from": one, "to": other} if is_old else {"from": other, "to": one})

    def _first_is_old(self) -> bool | None:
        """Whether the first of two values is the old one: "after tea, coffee". None where words say nothing or both."""
        between = self._items[self._values[0] + 1 : self._values[1]]
        said = {self._by_after(between), self._by_to(between), self._by_way()} - {None}
        if said:
            return said.pop() if len(said) == 1 else None
        return self._by_next(between) or self._by_old_and_new()

    def _by_after(self, between: Sequence[Item]) -> bool | None:
        """ "Coffee right after tea", "after tea, coffee", but "tea, and right after it coffee"."""
        one, other = self._values
        if any(i.has("after") for i in between):
            return any(
                a.has("after") and {*a.keys[1:], *b.keys} & _IT for a, b in pairwise([*between, self._items[other]])
            )
        behind = self._items[other + 1 : other + 3]
        is_first = any(i.has("after") for i in self._items[max(one - 4, 0) : one])
        return is_first or any(a.has("after") and set(b.keys) & _IT for a, b in pairwise(behind)) or None

    def _by_to(self, between: Sequence[Item]) -> bool | None:
        """ "Tea -> coffee", "from one, tea, to another, coffee"."""
        one, other = (self._items[n] for n in self._values)
        leads = [k for i in between for k in i.keys if k in {"to", "into", "from"}]
        is_arrow = _ARROW.search(self._question[one.end : other.start]) is not None
        return is_arrow or leads[-1:] in (["to"], ["into"]) or None

    def _by_way(self) -> bool | None:
        match [read_mention(self._items, n, self._question).way for n in self._values]:
            case ["from", "to" | None] | [None, "to"]:
                return True
            case ["to", "from" | None] | [None, "from"]:
                return False
        return None

    def _by_next(self, between: Sequence[Item]) -> bool | None:
        """ "A nurse and then a teacher", "when tea stopped being her favourite, was coffee next"."""
        other = self._values[1]
        ends = any(i.has("stop", "left", "end") for i in self._items[:other])
        return any(i.has("next", "gives_way") for i in (*between, *(self._items[other:] if ends else ()))) or None

    def _by_old_and_new(self) -> bool | None:
        one, other = self._values
        behind = (self._items[one + 1 : min(one + 4, other)], self._items[other + 1 : other + 4])
        before = (self._items[max(n - 1, 0) : n] for n in self._values)
        around = [{k for i in (*b, *a) for k in i.keys} for b, a in zip(before, behind, strict=True)]
        olds, news = ([bool(keys & words) for keys in around] for words in (_OLD, _NEW))
        if olds[0] != olds[1]:
            return olds[0]
        return news[1] if news[0] != news[1] else None

    def _during(self, subject: str, held: Target | None) -> dict[str, object] | None:
        others = (self._named | self._acted) - {held}
        if len(others) > 1:
            # "Her home town in her time as an employee of Acme", "her career there: where did she live".
            home = Target("residence")
            others = {home} if kind_of_items(self._items) == "where" and home != held else self._named - {held}
        if held is None or len(others) != 1:
            return None
        stay = _group(subject, held) | {"value": self._items[self._values[0]].value}
        return _group(subject, others.pop()) | {"while": stay}

    def _pair(self) -> dict[str, object] | None:
        """Two stays, told one after the other, or sharing the person or the value."""
        first_told: dict[str, int] = {}
        for n in self._people:
            first_told.setdefault(self._items[n].subjects[0], n)
        people, values = list(first_told), list(self._values)
        marks = "".join("SV"[n in values] for n in sorted([*first_told.values(), *values]))
        if marks == "SVS" and not self._shares_the_stay():  # "before Bo met her": the second is no stay
            return None
        if len(people) == 1:
            people *= 2
        if len(values) == 1:
            values *= 2
        elif marks not in {"SVSV", "VSVS", "SVV", "VSV"}:
            return None
        if len(people) != 2 or len(values) != 2:
            return None
        stays = []
        for subject, at in zip(people, values, strict=True):
            held = self._held(subject, at)
            if held is None:
                return None
            stays.append(_group(subject, held) | {"value": self._items[at].value})
        return {"a": stays[0], "b": stays[1]}

    def _shares_the_stay(self) -> bool:
        """ "Ana lived in Lund and so did Bo", "… before Bo moved there", "Ana's time at Acme and Bo's"."""
        behind = self._items[self._values[0] + 1 :]
        keys = [k for i in behind for k in i.keys]
        ends_owned = any(i.has("possessive") for i in behind)
        as_well = any(one.subjects and set(other.keys) & AUX for one, other in pairwise(behind))  # "before Bo did"
        is_of = ("that", "of") in pairwise(keys)
        return ends_owned or as_well or is_of or "there" in keys or ("so" in keys and keys[-1] != "so")

    def _relation(self, held: Target | None) -> Target | None:
        """The relation in question: of the value, where one is named, with nothing else in sight that it may be."""
        said = self._named | self._acted
        if held is not None:
            others = {t for t in self._named - {held} if not (t.relation == "likes" and self._is_taste(held))}
            is_job = held.relation in _JOB and {t.relation for t in others} <= _JOB
            return held if not others or is_job else None
        if not self._firmly_named and len(self._acted) == 1:
            return next(iter(self._acted))  # "the second place she worked at"
        is_at_work = kind_of_items(self._items) in {"who", "where"} and Target("employer") in self._acted
        if {t.relation for t in self._named} == _JOB or (is_at_work and self._named == {Target("occupation")}):
            return Target("employer")  # "job moves between companies": a job may be either
        if not self._named and {t.relation for t in self._acted} == _JOB and self._says("occupation", "profession"):
            return Target("occupation")  # "how many spells of work by occupation"
        if len(self._named) == 1 and (
            self._acted <= self._named
            or {t.relation for t in said} <= _JOB
            or self._clause.relation in self._named
            or kind_of_items(self._items) == "what"
        ):
            return next(iter(self._named))  # "how often has she moved on to another company"
        if not said and self._clause.has_verb:
            return self._clause.relation  # "how many stays has she had"
        if not said and any(i.has("where") and {"city", "town"} & set(i.keys) for i in self._items):
            return Target("residence")
        return next(iter(said)) if len(said) == 1 else None

    def _relation_asked_for(self, held: Target | None) -> Target | None:
        """The same where words around the question name other relations: "payroll needs to know where she lives", "my
        mail to her work address came back"."""
        self.is_strained = True
        if held is not None:
            return held
        asks = next((n for n, i in enumerate(self._items) if i.has(*KINDS) and not i.has("noun")), 0)
        named = self._relations("noun", behind=asks)
        if not named and self._items[asks].has("where"):
            return Target("residence")
        said = named or self._named or self._relations(*ASPECTS, behind=asks)
        return next(iter(said)) if len(said) == 1 else None

    def _is_taste(self, held: Target) -> bool:
        return held.slot is not None or any(t == held and t.base for t in self._named)

    def _opens_with_first(self) -> bool:
        """ "First she was a nurse, and what came after that?": it tells the order, not which of several times."""
        said = [i for i in self._items if not (i.tags and set(i.tags) <= {"filler", "opening", "mark"})]
        return bool(said) and said[0].has("first") and "time" not in said[0].keys

    def _says(self, *words: str) -> bool:
        return any(set(i.keys) & set(words) for i in self._items)

    def _held(self, subject: str, at: int) -> Target | None:
        """The only relation in which the memory knows this value of the subject, else the only one that is said."""
        key = fold(self._items[at].value or "")
        of = {
            Target(v.relation, v.slot)
            for v in self._known.values
            if fold(v.object) == key and fold(v.subject) == fold(subject)
        }
        said = self._named or self._acted
        if len(of) > 1:
            of &= said
        return next(iter(of)) if len(of) == 1 else next(iter(said)) if not of and len(said) == 1 else None

    def _relations(self, *tags: str, besides: frozenset[str] = frozenset(), behind: int = 0) -> set[Target]:
        return {
            tag.target
            for item in self._items[behind:]
            if not besides.issuperset(item.keys)
            and not item.has("auxiliary")
            and not (len(item.keys) == 1 and item.keys[0] in _WEAK)
            for name in tags
            if (tag := item.tags.get(name)) is not None and tag.target is not None
        }


def _without_asker(items: Sequence[Item]) -> list[Item]:
    """The items without who asks and what they do: "where do [we find] Ana", "[I'd like] each step"."""
    kept: list[Item] = []
    acts = False
    for item in items:
        if item.has("who_is_asking"):
            acts = True
        elif acts and item.has("auxiliary") and len(item.keys) == 1:
            continue
        elif acts and item.has(*ASPECTS) and not item.has("noun"):
            acts = False
        else:
            acts = False
            kept.append(item)
    return kept


def _group(subject: str, relation: Target) -> dict[str, object]:
    slot: dict[str, object] = {"slot": relation.slot} if relation.slot else {}
    return {"subject": subject, "relation": relation.relation} | slot
