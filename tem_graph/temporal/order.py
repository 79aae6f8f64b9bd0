"""The order of versions: places, states, stints.

A group's facts are put in order by *place*. Facts at one place form one *state*; a run of equal states is a
*stint*, so A→B→A is three stints and telling A twice in a row is one. Ingest order never matters here:
everything is derived from what the facts themselves say.

This module refuses to look at the wall clock or to drop a fact: what has not come yet is set apart, not lost.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import groupby

from tem_graph.domain.fact import Fact, FactKind
from tem_graph.domain.time import AsOf, Period

Place = tuple[str, str]
"""(effective day or "", source key): compared as strings, the same way in Python and in Neo4j."""


ANY_VALUE = ""
"""What an END without an object ends: whatever held. No value has an empty key."""


class OrderPolicy(StrEnum):
    """What decides the place of a fact in its group (design, law 4)."""

    EFFECTIVE = "effective"
    """By day in the world as soon as one fact of the group states one; otherwise as SOURCE."""
    SOURCE = "source"
    """By source index alone, as in TEM, section 3.2."""


@dataclass(frozen=True, slots=True)
class State:
    """What the facts at one place say: the values asserted there and the facts that end one."""

    place: Place
    facts: tuple[Fact, ...]
    ends: tuple[Fact, ...]

    @property
    def values(self) -> frozenset[str]:
        """Values that hold after this place; one that is told and ended at the same place does not."""
        return frozenset(f.value for f in self.facts if not any(ends_value(e, f.value) for e in self.ends))

    @property
    def day(self) -> date | None:
        return next((f.day for f in (*self.facts, *self.ends) if f.day), None)


@dataclass(frozen=True, slots=True)
class Stint:
    """One stay at one value (or at one conflict of several), with every telling of it as evidence.

    `start` is None for a value that is known only from its end ("I left Acme", never told before).
    `end` is None while the stint runs. Both are half-open days: a stint ends the day the next one begins.
    """

    values: frozenset[str]
    facts: tuple[Fact, ...]
    start: date | None
    end: date | None = None
    ended_by: tuple[Fact, ...] = ()

    @property
    def objects(self) -> tuple[str, ...]:
        """The values as first written, each once."""
        first_written: dict[str, str] = {}
        for fact in self.facts:
            first_written.setdefault(fact.value, fact.object)
        return tuple(first_written.values())

    @property
    def is_conflict(self) -> bool:
        return len(self.values) > 1

    @property
    def is_running(self) -> bool:
        return not self.ended_by

    @property
    def period(self) -> Period:
        return Period(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Timeline:
    """A version group in order, seen from one point: its stints, oldest first, and what is still to come."""

    policy: OrderPolicy
    states: tuple[State, ...]
    stints: tuple[Stint, ...]
    planned: tuple[Fact, ...]

    @property
    def running(self) -> Stint | None:
        """The stint that holds now; None where none is known (design, law 7)."""
        return self.stints[-1] if self.stints and self.stints[-1].is_running else None


def ended_value(end: Fact) -> str:
    """The value that an END fact ends: the one it names, or ANY_VALUE ("I have no job now")."""
    return end.value if end.object_key else ANY_VALUE


def ends_value(end: Fact, value: str) -> bool:
    """Whether this END fact ends that value."""
    return ended_value(end) in (value, ANY_VALUE)


def is_visible(fact: Fact, as_of: AsOf) -> bool:
    """Whether the fact counts at all: not retracted, and told by the session that the question stops at."""
    return fact.retraction is None and (as_of.known_after is None or fact.source.key <= as_of.known_after)


def has_come(fact: Fact, as_of: AsOf) -> bool:
    """Whether the fact's day has been reached.

    Without `valid_at` only a *stated* day can lie ahead: what was told has been told. With it, the day that
    places the fact must have come by then; a fact without any day counts as reached.
    """
    if as_of.valid_at is not None:
        return fact.day is None or fact.day <= as_of.valid_at
    return fact.valid_from is None or fact.valid_from.day <= as_of.today


def group_policy(facts: Iterable[Fact], requested: OrderPolicy = OrderPolicy.EFFECTIVE) -> OrderPolicy:
    """The policy a group goes by: EFFECTIVE needs at least one stated day among its facts (law 4)."""
    if requested is OrderPolicy.EFFECTIVE and any(f.valid_from for f in facts):
        return OrderPolicy.EFFECTIVE
    return OrderPolicy.SOURCE


def place_of(fact: Fact, policy: OrderPolicy) -> Place:
    """Where the fact stands in its group under a policy that `group_policy` has settled."""
    return fact.effective_place if policy is OrderPolicy.EFFECTIVE else fact.source_place


def build_timeline(facts: Iterable[Fact], as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> Timeline:
    """The timeline of one version group. Pure; the order of `facts` does not matter.

    Inside a place, facts sort by turn and id, for display only.

    A value that the group knows only from its end becomes a closed stint where nothing contradicts it: "I
    moved from Graz to Linz" as the first word about Ana's home is a stint in Graz, then one in Linz.
    """
    visible = [f for f in facts if is_visible(f, as_of)]
    settled = group_policy(visible, policy)
    reached = sorted((f for f in visible if has_come(f, as_of)), key=lambda f: _display_order(f, settled))
    planned = sorted((f for f in visible if not has_come(f, as_of)), key=lambda f: _display_order(f, settled))
    states = tuple(
        _state(place, tuple(at_place)) for place, at_place in groupby(reached, key=lambda f: place_of(f, settled))
    )
    return Timeline(settled, states, tuple(_stints(states)), tuple(planned))


def _display_order(fact: Fact, policy: OrderPolicy) -> tuple[Place, int, str]:
    turn = fact.provenance.turn if fact.provenance and fact.provenance.turn is not None else -1
    return place_of(fact, policy), turn, fact.id


def _state(place: Place, facts: tuple[Fact, ...]) -> State:
    return State(
        place,
        facts=tuple(f for f in facts if f.kind is FactKind.VALUE),
        ends=tuple(f for f in facts if f.kind is FactKind.END),
    )


def _stints(states: Iterable[State]) -> list[Stint]:
    stints: list[Stint] = []
    running: Stint | None = None
    for state in states:
        known_only_from_end = _ended_but_never_told(state, running, stints)
        values = state.values
        if running is None and known_only_from_end:
            stints.append(_closed(known_only_from_end, state.day))
        if values and running is not None and values == running.values:
            running = stints[-1] = _retold(running, state)
        elif values:
            holding = tuple(f for f in state.facts if f.value in values)
            if running is not None:
                stints[-1] = _ended(running, state.day, holding)
                if known_only_from_end:
                    stints.append(_closed(known_only_from_end, state.day))
            running = Stint(values, holding, state.day)
            stints.append(running)
        elif running is not None:
            remaining = frozenset(v for v in running.values if not any(ends_value(e, v) for e in state.ends))
            if remaining != running.values:
                stints[-1] = _ended(running, state.day, state.ends)
                running = None
                if remaining:
                    kept = tuple(f for f in stints[-1].facts if f.value in remaining)
                    running = Stint(remaining, kept, state.day)
                    stints.append(running)
    return stints


def _ended_but_never_told(state: State, running: Stint | None, stints: list[Stint]) -> tuple[Fact, ...]:
    """Ends that name a value which no stint holds: the only trace of a stay that nobody reported while it ran."""
    if not state.ends:  # as in most states; looking through the stints for each would be quadratic
        return ()
    told = {v for s in stints for v in s.values}
    return tuple(
        e
        for e in state.ends
        if e.object_key and e.value not in told and (running is None or e.value not in running.values)
    )


def _closed(ends: tuple[Fact, ...], day: date | None) -> Stint:
    return Stint(frozenset(e.value for e in ends), ends, None, day, ends)


def _ended(stint: Stint, day: date | None, by: tuple[Fact, ...]) -> Stint:
    return Stint(stint.values, stint.facts, stint.start, day, by)


def _retold(stint: Stint, state: State) -> Stint:
    return Stint(stint.values, (*stint.facts, *state.facts), stint.start)
