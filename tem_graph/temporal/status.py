"""The status of a fact, computed from its whole version group and never stored (design, law 3).

The same rule stands in `cypher/facts/status.cypher`; a property test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tem_graph.domain.fact import Fact, FactKind, Status
from tem_graph.domain.time import AsOf
from tem_graph.temporal.order import (
    ANY_VALUE,
    OrderPolicy,
    Place,
    ended_value,
    group_policy,
    has_come,
    is_visible,
    place_of,
)


def mark_status(facts: Iterable[Fact], as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> dict[str, Status]:
    """Fact id → status for one complete version group. Pure; linear in the group.

    A fact is historical iff a fact with another value, or an end of its value, stands at a later place that
    has been reached. Telling the same value again does not make the first telling historical (law 6).
    Different values at one place that nothing later settles are conflicting (law 5). A fact told only after
    the session that the question stops at is UNKNOWN from there.
    """
    everything = list(facts)
    visible = [f for f in everything if is_visible(f, as_of)]
    settled = group_policy(visible, policy)
    reached = [f for f in visible if has_come(f, as_of)]
    law = _Superseding(reached, settled)

    statuses: dict[str, Status] = {}
    for fact in everything:
        if fact.retraction is not None:
            statuses[fact.id] = Status.RETRACTED
        elif not is_visible(fact, as_of):
            statuses[fact.id] = Status.UNKNOWN
        elif not has_come(fact, as_of):
            statuses[fact.id] = Status.PLANNED
        elif law.supersedes(fact):
            statuses[fact.id] = Status.HISTORICAL
        elif law.contradicts(fact):
            statuses[fact.id] = Status.CONFLICTING
        else:
            statuses[fact.id] = Status.CURRENT
    return statuses


def mark_status_as_paper(facts: Iterable[Fact]) -> dict[str, Status]:
    """Fact id → status by TEM's bare rule (section 3.2), for the facts of one `Fact.pair`.

    A version is historical if its source index is below the group's maximum; everything at the maximum is
    current, also where values differ there, and also if it only repeats. Ends and dates play no part.
    """
    told = [f for f in facts if f.retraction is None and f.kind is FactKind.VALUE]
    newest = max((f.source.key for f in told), default="")
    return {f.id: Status.HISTORICAL if f.source.key < newest else Status.CURRENT for f in told}


class _Superseding:
    """The few places of a group that decide the status of all its facts."""

    def __init__(self, reached: Sequence[Fact], policy: OrderPolicy) -> None:
        self._policy = policy
        self._newest_of: dict[str, Place] = {}
        self._newest_end_of: dict[str, Place] = {}
        self._told_at: dict[Place, set[str]] = {}
        self._ended_at: dict[Place, set[str]] = {}
        for fact in reached:
            place = place_of(fact, policy)
            if fact.kind is FactKind.VALUE:
                newest, at_place, value = self._newest_of, self._told_at, fact.value
            else:
                newest, at_place, value = self._newest_end_of, self._ended_at, ended_value(fact)
            newest[value] = max(place, newest.get(value, place))
            at_place.setdefault(place, set()).add(value)
        self._newest_values = sorted(self._newest_of.items(), key=lambda item: item[1], reverse=True)[:2]

    def supersedes(self, fact: Fact) -> bool:
        """Whether something at a later place makes this fact historical."""
        place = place_of(fact, self._policy)
        if fact.kind is FactKind.END:
            return any(newest > place for _, newest in self._newest_values)
        return self._is_past(fact.value, place)

    def contradicts(self, fact: Fact) -> bool:
        """Whether another value stands at the same place and nothing later has settled which one holds."""
        if fact.kind is FactKind.END:
            return False
        place = place_of(fact, self._policy)
        holding = {v for v in self._told_at[place] if not self._ended_at.get(place, set()) & {v, ANY_VALUE}}
        return fact.value in holding and any(not self._is_past(rival, place) for rival in holding - {fact.value})

    def _is_past(self, value: str, place: Place) -> bool:
        others = [newest for other, newest in self._newest_values if other != value]
        ends = [self._newest_end_of[v] for v in (value, ANY_VALUE) if v in self._newest_end_of]
        return any(later > place for later in (*others, *ends))
