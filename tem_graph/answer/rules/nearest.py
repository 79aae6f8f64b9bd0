"""A second reader for questions that no rule accounts for: the operator by the nearest phrasing, the rest by names.

Only the operator is a guess. People, values, days and sessions must be in the question, all of them used, and the
relation must be named or be the one that the memory knows the value in.
"""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.route import Known, Routed
from tem_graph.answer.rules.intents import occurrence
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import Target, lexicon_of
from tem_graph.answer.rules.masked import mask
from tem_graph.answer.rules.mentions import ASPECTS, read_mention
from tem_graph.answer.rules.phrasings import NO_OPERATOR, Phrasings, stored_phrasings
from tem_graph.answer.rules.reading import Clause, read_clause
from tem_graph.answer.rules.sentence import kind_of_items
from tem_graph.domain.names import fold
from tem_graph.temporal.registry import make_call

SURE_MARGIN = 2.4
"""Log odds per word from which a reading counts as sure. Calibrated by leaving one set of wordings out."""
_SURE, _UNSURE = 0.75, 0.5
_PER_UNKNOWN_WORD = 1.0
"""What each word that no phrasing has adds to the margin: "colleagues" may turn the question. Calibrated likewise."""
_JOB = frozenset({"employer", "occupation"})
_WEAK = frozenset({"do", "does", "did", "done", "doing", "stay", "stays", "stayed", "staying"})
_BARE = frozenset({
    "current", "previous", "first", "history", "distinct", "count_versions", "count_changes", "count_distinct", "since",
})  # fmt: skip
_OF_VALUE = frozenset({"before", "after", "became", "ended", "count_value", "ever", "still", "since", "duration"})
_WHICH = frozenset({"before", "after", "became", "ended", "duration"})
_PAIRS = frozenset({"overlap", "order"})
_OF_DAYS = frozenset({"became", "ended", "since"})
_OF_LENGTH = frozenset({"duration", "duration_total", "since"})
_OF_COUNT = frozenset({"count_value"})
_OF_KIND = {
    "when": _OF_DAYS,
    "since_when": _OF_DAYS,
    "until_when": frozenset({"ended"}),
    "how_long": _OF_LENGTH,
    "how_often": _OF_COUNT,
    "how_many": _OF_COUNT | _OF_LENGTH,
    "where": frozenset({"before", "after", "during"}),
}
"""What a question about one value may be, by its question word."""
_EVENTS = frozenset({"drink", "drinks", "drank", "drunk", "drinking", "do", "done", "doing"})
_FIRST = frozenset({"first", "before", "after", "earlier", "earliest", "sooner", "order", "later", "already"})
_NOT_MEANT = frozenset({"never", "between"})


class NearestPhrasing:
    """A `Router` without a model, to be asked after the rules."""

    name = "nearest phrasing"

    def __init__(self, phrasings: Phrasings | None = None) -> None:
        self._phrasings = phrasings

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator of the nearest phrasing; None where its arguments are not all in the question."""
        return self.place(question, known)

    def place(self, question: str, known: Known) -> Routed | None:
        """The same, without waiting: nothing here does I/O."""
        items = read_items(question, known, lexicon_of(known.catalog, known.relations), join=False)
        people = {i.subjects for i in items if i.subjects}
        if any(len(names) > 1 for names in people) or _is_out_of_reach(items):
            return None
        phrasings = self._phrasings or stored_phrasings()
        masked = mask(items)
        operator, margin = phrasings.nearest(masked, _possible(items))
        if operator == NO_OPERATOR:
            return None
        args = _Names(items, question, known).arguments(operator)
        if args is None:
            return None
        is_sure = margin >= SURE_MARGIN + _PER_UNKNOWN_WORD * phrasings.unknown_words(masked)
        reading = f"Nearest to phrasings of {operator}."
        return Routed(make_call(operator, args), _SURE if is_sure else _UNSURE, self.name, reading)


def _is_out_of_reach(items: Sequence[Item]) -> bool:
    """Whether the question is about a name that the memory does not know, somebody's unknown something, a plan, or
    one event."""
    for at, item in enumerate(items):
        is_unknown = item.is_word and not item.value
        if is_unknown and at > 0 and (item.is_capital or items[at - 1].has("possessive")):
            return True
        if item.has(*_NOT_MEANT) or (item.has("ago_far") and item.keys != ("if",)):
            return True
    keys = {k for i in items for k in i.keys}
    is_dated = any(i.date for i in items)
    is_event = any(i.has(*ASPECTS) and i.keys[0] in _EVENTS and len(i.keys) == 1 for i in items)
    goes_on = any(i.has("begin", "end") and i.keys[0].endswith("ing") for i in items)
    return (is_dated and is_event) or (goes_on and bool(keys & {"is", "are", "am"}))


def _possible(items: Sequence[Item]) -> frozenset[str]:
    """The operators that have a use for every value, day and session of the question, and miss none."""
    values, days = sum(i.value is not None for i in items), sum(i.date is not None for i in items)
    sessions = sum(i.session is not None for i in items)
    people = len({i.subjects or ("i",) for i in items if i.subjects or i.has("who_is_asking")})
    has_place = any(i.has("ordinal", "from_end", "nth_time") for i in items)
    match people, values, days, sessions:
        case 1, 0, 0, 0:
            return frozenset({"nth"}) if has_place else _BARE
        case 1, 1, 0, 0:
            of_value = _WHICH if has_place else _OF_VALUE | {"duration_total", "during"}
            return of_value & _OF_KIND.get(kind_of_items(items) or "", of_value)
        case 1, 2, 0, 0:
            return frozenset({"changed", *_PAIRS})
        case 1, 1, 1, 0:
            return frozenset({"duration_total"})
        case 1, 0, 1, 0:
            return frozenset({"as_of_date"})
        case 1, 0, 0, 1:
            return frozenset({"as_of_session"})
        case 1, 0, 1, 1:
            return frozenset({"as_of"})
        case 2, 1 | 2, 0, 0:
            return _PAIRS if {k for i in items for k in i.keys} & _FIRST else frozenset({"overlap"})
    return frozenset()


class _Names:
    """The arguments that the names in a question make."""

    def __init__(self, items: Sequence[Item], question: str, known: Known) -> None:
        self._items, self._known, self._question = items, known, question
        self._clause: Clause = read_clause(items, question, known, is_main=True)
        self._values = [n for n, i in enumerate(items) if i.value]
        self._people = [n for n, i in enumerate(items) if i.subjects]
        self._named = self._relations("noun")
        self._acted = self._relations(*ASPECTS)

    def arguments(self, operator: str) -> dict[str, object] | None:
        """The arguments of the operator; None where the question leaves one open."""
        if operator in _PAIRS:
            return self._pair()
        subject = self._clause.subject
        if subject is None:
            return None
        held = [self._held(subject, n) for n in self._values]
        if any(target is None for target in held):
            return None
        if operator == "during":
            return self._during(subject, held[0])
        relation = self._relation(held[0] if held else None)
        if relation is None or (len(held) == 2 and held[0] != held[1]):
            return None
        args = _group(subject, relation)
        if operator == "changed":
            return self._changed(args)
        if self._values:
            args["value"] = self._items[self._values[0]].value
        if operator in _WHICH:
            args |= occurrence(self._clause)
        return self._with_points(operator, args)

    def _with_points(self, operator: str, args: dict[str, object]) -> dict[str, object] | None:
        clause = self._clause
        if operator == "nth":
            number = next((clause.marks[m].number for m in ("from_end", "ordinal", "nth_time") if clause.has(m)), None)
            return None if number is None else args | {"n": -number if clause.has("from_the_end") else number}
        if clause.date is not None:
            if operator in {"as_of_date", "as_of"} and clause.date_lead not in {None, "by"}:
                return None
            args |= {"until" if operator == "duration_total" else "date": str(clause.date)}
        if clause.session is not None:
            if clause.session_lead is not None:
                return None
            args |= {"known_after" if operator == "as_of" else "index": clause.session}
        return args

    def _changed(self, group: dict[str, object]) -> dict[str, object] | None:
        one, other = (self._items[n].value for n in self._values)
        match [read_mention(self._items, n, self._question).way for n in self._values]:
            case ["from", "to" | None] | [None, "to"]:
                return group | {"from": one, "to": other}
            case ["to", "from" | None] | [None, "from"]:
                return group | {"from": other, "to": one}
        return None

    def _during(self, subject: str, held: Target | None) -> dict[str, object] | None:
        others = (self._named | self._acted) - {held}
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
        if marks == "SVS":  # "before Bo met her": the second is no stay
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

    def _relation(self, held: Target | None) -> Target | None:
        """The relation in question: of the value, where one is named, with nothing else in sight that it may be."""
        said = self._named | self._acted
        if held is not None:
            others = {t for t in self._named - {held} if not (t.relation == "likes" and self._is_taste(held))}
            is_job = held.relation in _JOB and {t.relation for t in others} <= _JOB
            return held if not others or is_job else None
        if len(self._named) == 1 and (self._acted <= self._named or {t.relation for t in said} <= _JOB):
            return next(iter(self._named))
        return next(iter(said)) if len(said) == 1 else None

    def _is_taste(self, held: Target) -> bool:
        return held.slot is not None or any(t == held and t.base for t in self._named)

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

    def _relations(self, *tags: str) -> set[Target]:
        return {
            tag.target
            for item in self._items
            if not item.has("auxiliary") and not (len(item.keys) == 1 and item.keys[0] in _WEAK)
            for name in tags
            if (tag := item.tags.get(name)) is not None and tag.target is not None
        }


def _group(subject: str, relation: Target) -> dict[str, object]:
    slot: dict[str, object] = {"slot": relation.slot} if relation.slot else {}
    return {"subject": subject, "relation": relation.relation} | slot
