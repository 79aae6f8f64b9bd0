"""The facts of one subject and relation as operators see them: stints in order, seen from a point.

A single-valued relation (or a slot) is one version group. A multi-valued relation is one group per object;
its view puts the stints of all groups side by side, ordered by when they began.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from tem_graph.domain.conversation import source_key
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.names import fold
from tem_graph.domain.relation import Cardinality, RelationSchema
from tem_graph.domain.time import AsOf, PartialDate, Period
from tem_graph.temporal.order import OrderPolicy, Place, Stint, Timeline, build_timeline, is_visible, place_of
from tem_graph.temporal.result import Moment, Result, ResultStatus, Span, Value

_ARTICLES = ("a ", "an ", "the ")


@dataclass(frozen=True, slots=True)
class Held:
    """One stint with the evidence for its two ends.

    `keys` are the values in the form in which they are compared, `objects` as first written. `start` is
    None for a value known only from its end; its `date` is None where no source is dated. `is_contested`
    when sources at one place contradict each other.
    """

    keys: frozenset[str]
    objects: tuple[str, ...]
    facts: tuple[Fact, ...]
    start: Moment | None
    end: Moment | None
    period: Period
    ended_by: tuple[Fact, ...]
    is_contested: bool
    place: Place

    @property
    def is_running(self) -> bool:
        return not self.ended_by

    @property
    def text(self) -> str:
        return " or ".join(self.objects)

    @property
    def span(self) -> Span:
        return Span(self.objects, self.start, self.end)


def select_facts(facts: Iterable[Fact], subject: str, relation: RelationSchema, slot: str | None) -> tuple[Fact, ...]:
    """The facts of one subject and relation (or slot) out of many, those of the opposite relation included.

    A multi-valued relation asked about without a slot takes its slots along: a favourite drink is liked.
    """
    key = fold(subject)
    about = (f for f in facts if (f.canonical_subject or f.subject_key) == key)
    if slot is not None:
        return tuple(f for f in about if f.relation.key == relation.key and f.slot == slot)
    with_slots = relation.cardinality is Cardinality.MULTI
    return tuple(f for f in about if relation.key in f.axis.split("|") and (with_slots or f.slot is None))


@dataclass(frozen=True)
class View:
    """The complete facts of one subject and relation, and the point they are seen from.

    `facts` hold every version, those of the opposite relation too (design, law 7). `is_subject_known` says
    whether the memory knows the subject at all, for the case that there are no facts. `sessions` are the
    memory's sessions in order; only `as_of_session` needs them, and only where sessions carry no explicit
    source index.
    """

    subject: str
    relation: RelationSchema
    facts: tuple[Fact, ...]
    as_of: AsOf
    policy: OrderPolicy = OrderPolicy.EFFECTIVE
    slot: str | None = None
    is_subject_known: bool = True
    sessions: tuple[Source, ...] = ()

    @property
    def today(self) -> date:
        """The day that open stints are counted up to."""
        return self.as_of.valid_at or self.as_of.today

    @property
    def topic(self) -> str:
        """How sentences speak of the group: "Ana's residence"."""
        return f"{self.subject}'s {f'favourite {self.slot}' if self.slot else self.relation.name.replace('_', ' ')}"

    @property
    def is_many(self) -> bool:
        """Whether several values may hold at once."""
        return any(f.per_object for f in self.facts)

    @cached_property
    def visible(self) -> tuple[Fact, ...]:
        return tuple(f for f in self.facts if is_visible(f, self.as_of))

    @cached_property
    def timelines(self) -> tuple[Timeline, ...]:
        """One per version group: the facts are of one memory and subject, so their topic tells groups apart."""
        groups: dict[tuple[str | None, ...], list[Fact]] = {}
        for fact in self.facts:
            groups.setdefault(fact.topic, []).append(fact)
        return tuple(build_timeline(facts, self.as_of, self.policy) for facts in groups.values())

    @cached_property
    def stints(self) -> tuple[Held, ...]:
        """Oldest first; where several values hold at once, by when they began."""
        held = (h for timeline in self.timelines for h in _held(timeline, self.relation))
        return tuple(sorted(held, key=lambda h: (h.place, h.objects)) if self.is_many else held)

    @cached_property
    def running(self) -> tuple[Held, ...]:
        """What holds now: at most one stint of a single-valued relation."""
        return tuple(h for h in self.stints if h.is_running)

    @cached_property
    def _ahead(self) -> tuple[Fact, ...]:
        facts = [f for timeline in self.timelines for f in timeline.planned]
        return tuple(sorted(facts, key=lambda f: (f.effective_place, f.id)))

    @property
    def planned(self) -> tuple[Fact, ...]:
        """Values from a day that is ahead of the point asked about, soonest first: plans, or known with hindsight."""
        return tuple(f for f in self._ahead if f.kind is FactKind.VALUE and f.relation.key == self.relation.key)

    def is_plan(self, fact: Fact) -> bool:
        """Whether a fact ahead of the point that is asked about was a plan there: stated for a day that has not come
        to this day, or told by then for a later one. What came after, and was told after, is hindsight.
        """
        if fact.valid_from is None:
            return False
        then = self.as_of.valid_at or self.as_of.today
        told = fact.source.day
        return fact.valid_from.day > self.as_of.today or (told is not None and told <= then)

    def planned_value(self, value: str) -> Fact | None:
        """The soonest telling of this value from a day that is ahead of the point asked about."""
        key = bare_value(fold(value))
        return next((f for f in self.planned if bare_value(f.object_key) == key), None)

    def planned_end(self, held: Held) -> Fact | None:
        """The soonest fact ahead that will end a running stint: an end, a successor, or the opposite."""
        rivals = (
            f
            for f in self._ahead
            if not (f.kind is FactKind.VALUE and f.relation.key == self.relation.key and f.object_key in held.keys)
            and (not f.per_object or f.object_key in held.keys)
            and (f.kind is FactKind.VALUE or not f.object_key or f.object_key in held.keys)
        )
        return next(rivals, None)

    def ends_untold(self, held: Held) -> tuple[Fact, ...]:
        """Ends told after a running value began, of another value that no stint holds: "lives in Rome", then "I left
        Milan". In a relation of one value Milan may have come in between, or before and been left out."""
        known = frozenset[str]().union(*(h.keys for h in self.stints))
        return tuple(
            end
            for timeline in self.timelines
            for state in timeline.states
            if state.place > held.place
            for end in state.ends
            if end.object_key and end.object_key not in known and not end.per_object
        )

    @property
    def has_dates(self) -> bool:
        return any(f.day for f in self.visible)

    def seen(self, *, valid_at: date | None = None, known_after: str | None = None, today: date | None = None) -> View:
        """The same facts from another point; what is not given stays."""
        return replace(
            self,
            as_of=AsOf(
                today=today or self.as_of.today,
                valid_at=valid_at or self.as_of.valid_at,
                known_after=known_after or self.as_of.known_after,
            ),
        )

    def of_value(self, value: str) -> tuple[int, ...]:
        """Positions of the stints that hold a value, compared folded; where no stint has it so, a leading
        article does not count ("the bakery" is "bakery")."""
        key = fold(value)
        exact = tuple(i for i, h in enumerate(self.stints) if key in h.keys)
        return exact or tuple(
            i for i, h in enumerate(self.stints) if bare_value(key) in {bare_value(k) for k in h.keys}
        )

    def session_key(self, index: int) -> str | None:
        """The source key of the session at a source index: the given one, else counted from 1 in order.
        None where there is no such session."""
        if any(f.source.index is not None for f in self.facts):
            return source_key(index, None, "")
        ordered = sorted({s.key for s in self.sessions})
        return ordered[index - 1] if 0 < index <= len(ordered) else None

    def answer(
        self,
        operator: str,
        status: ResultStatus,
        sentence: str,
        value: Value | None = None,
        evidence: Iterable[Held | Fact] = (),
        choices: tuple[str, ...] = (),
    ) -> Result:
        """A result whose facts are those of the given stints, each once, in the order of their stints."""
        facts: dict[str, Fact] = {}
        for item in evidence:
            for fact in item.facts if isinstance(item, Held) else (item,):
                facts.setdefault(fact.id, fact)
        return Result(operator, status, sentence, value, tuple(facts.values()), choices)

    def absence(self, operator: str) -> Result | None:
        """The result where nothing has ever held as seen from here, and why; None where something has."""
        if self.stints:
            return None
        if not any(f.relation.key == self.relation.key for f in self.facts):
            if not self.is_subject_known:
                return self.answer(operator, ResultStatus.NO_SUCH_SUBJECT, f"Nobody called {self.subject} is known.")
            return self.answer(operator, ResultStatus.NO_SUCH_RELATION, f"Nothing is known of {self.topic}.")
        if not self.visible and any(f.retraction is None for f in self.facts):
            return self.answer(operator, ResultStatus.NOT_YET, f"{self.topic} had not been told by then.")
        if self.planned and self.as_of.valid_at is not None:
            first = self.planned[0]
            return self.answer(operator, ResultStatus.NOT_YET, f"The first record of {self.topic} is of {first.day}.")
        if self.planned:
            first = self.planned[0]
            return self.answer(
                operator,
                ResultStatus.PLANNED,
                f"{first.object} is planned from {first.valid_from}.",
                first.object,
                self.planned,
            )
        return self.answer(
            operator, ResultStatus.NONE_KNOWN, f"No value of {self.topic} is known to have held.", None, self.visible
        )

    def missing(self, operator: str, value: str) -> Result:
        """The result for a value that no stint holds; says so where it is planned, or came later."""
        ahead = self.planned_value(value)
        if ahead is None:
            sentence = f"{self.topic} was never {value}."
            return self.answer(operator, ResultStatus.VALUE_NEVER_HELD, sentence, None, self.stints)
        if not self.is_plan(ahead):
            return self.answer(operator, ResultStatus.NOT_YET, f"{value} came later: {came(ahead)}.", None, (ahead,))
        sentence = f"{value} is planned from {ahead.valid_from}."
        return self.answer(operator, ResultStatus.PLANNED, sentence, ahead.object, (ahead,))


def bare_value(key: str) -> str:
    """A folded value without a leading article."""
    return next((key.removeprefix(a) for a in _ARTICLES if key.startswith(a)), key)


def came(fact: Fact) -> str:
    """When a value came: from its stated day, else by the telling."""
    return f"from {fact.valid_from}" if fact.valid_from else f"told on {fact.day}"


def stated_date(fact: Fact) -> PartialDate | None:
    """The date that places a fact, with its precision: the stated one, else the session's day."""
    return fact.valid_from or (PartialDate(fact.source.day) if fact.source.day else None)


def _held(timeline: Timeline, relation: RelationSchema) -> Iterable[Held]:
    previous: Stint | None = None
    for stint in timeline.stints:
        if held := _seen_as(stint, previous, relation, timeline.policy):
            yield held
        previous = stint


def _seen_as(stint: Stint, previous: Stint | None, relation: RelationSchema, policy: OrderPolicy) -> Held | None:
    """The stint as operators see it; None where it is one of the opposite relation."""
    facts, keys, objects = stint.facts, stint.values, stint.objects
    if facts[0].per_object:
        if relation.key not in stint.values:
            return None
        facts = tuple(f for f in stint.facts if f.relation.key == relation.key)
        keys, objects = frozenset({facts[0].object_key}), (facts[0].object,)
    is_known_from_end = stint.start is None and stint.facts == stint.ended_by
    began_with = () if is_known_from_end else facts
    if previous is not None and not any(f.day == stint.start for f in facts):
        began_with = previous.ended_by  # what is left of a conflict, once one side has ended
    start = _moment(began_with, stint.start)
    return Held(
        keys=keys,
        objects=objects,
        facts=facts,
        start=start,
        end=_moment(stint.ended_by, stint.end),
        period=stint.period,
        ended_by=stint.ended_by,
        is_contested=stint.is_conflict,
        place=place_of(facts[0], policy),
    )


def _moment(facts: tuple[Fact, ...], day: date | None) -> Moment | None:
    if not facts:
        return None
    fact = next((f for f in facts if f.day == day), facts[0])
    return Moment(stated_date(fact), fact.source.session)
