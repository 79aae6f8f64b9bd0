"""Law 3, with its exceptions in laws 5 and 6, and the paper's bare rule."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.conversation import Retraction
from tem_graph.domain.fact import Fact, FactKind, Status
from tem_graph.domain.time import AsOf, PartialDate
from tem_graph.temporal.order import OrderPolicy, build_timeline
from tem_graph.temporal.status import mark_status, mark_status_as_paper
from tests.unit.strategies import TODAY, histories
from tests.unit.test_order import told

NOW = AsOf(TODAY)
points = st.builds(
    AsOf,
    st.just(TODAY),
    valid_at=st.none() | st.dates(date(2023, 12, 1), date(2024, 2, 20)),
    known_after=st.none() | st.integers(0, 9).map(lambda n: f"2024-01-{n + 1:02d}T23"),
)


def naive_status(fact: Fact, group: list[Fact], as_of: AsOf, policy: OrderPolicy) -> Status:
    """Law 3 read aloud, fact by fact, with nothing clever."""

    def visible(f: Fact) -> bool:
        return f.retraction is None and (as_of.known_after is None or f.source.key <= as_of.known_after)

    def come(f: Fact) -> bool:
        if as_of.valid_at:
            return f.day is None or f.day <= as_of.valid_at
        return f.valid_from is None or f.valid_from.day <= as_of.today

    effective = policy is OrderPolicy.EFFECTIVE and any(f.valid_from for f in group if visible(f))

    def place(f: Fact) -> tuple[str, str]:
        return (f.day.isoformat() if effective and f.day else "", f.source.key)

    def ends(e: Fact, f: Fact) -> bool:
        return e.kind is FactKind.END and (e.value == f.value or not e.object_key)

    def past(f: Fact) -> bool:
        later = [o for o in group if visible(o) and come(o) and place(o) > place(f)]
        if f.kind is FactKind.END:
            return any(o.kind is FactKind.VALUE for o in later)
        return any((o.kind is FactKind.VALUE and o.value != f.value) or ends(o, f) for o in later)

    if fact.retraction:
        return Status.RETRACTED
    if not visible(fact):
        return Status.UNKNOWN
    if not come(fact):
        return Status.PLANNED
    if past(fact):
        return Status.HISTORICAL
    here = [o for o in group if visible(o) and come(o) and place(o) == place(fact)]
    ended_here = [e for e in here if e.kind is FactKind.END]
    if fact.kind is FactKind.VALUE and not any(ends(e, fact) for e in ended_here):
        for rival in here:
            stands = rival.kind is FactKind.VALUE and not any(ends(e, rival) for e in ended_here)
            if stands and rival.value != fact.value and not past(rival):
                return Status.CONFLICTING
    return Status.CURRENT


@given(histories(), points, st.sampled_from(OrderPolicy))
def test_status_is_the_law_read_aloud(facts: list[Fact], as_of: AsOf, policy: OrderPolicy) -> None:
    assert mark_status(facts, as_of, policy) == {f.id: naive_status(f, facts, as_of, policy) for f in facts}


@given(histories("likes"), points)
def test_status_of_a_multi_valued_group_is_the_same_law(facts: list[Fact], as_of: AsOf) -> None:
    assert mark_status(facts, as_of) == {f.id: naive_status(f, facts, as_of, OrderPolicy.EFFECTIVE) for f in facts}


@given(histories())
def test_status_agrees_with_the_running_stint(facts: list[Fact]) -> None:
    running = build_timeline(facts, NOW).running
    marked = mark_status(facts, NOW)
    held = {f.value for f in facts if f.kind is FactKind.VALUE and marked[f.id] in {Status.CURRENT, Status.CONFLICTING}}
    assert (running.values if running else frozenset()) <= held


@given(histories())
def test_a_later_value_makes_every_other_value_historical(facts: list[Fact]) -> None:
    newest = told("Rome", 12, since="2024-01-20")
    past = [f for f in facts if f.valid_from is None or f.valid_from.day < TODAY]
    marked = mark_status([*past, newest], NOW)
    assert marked.pop(newest.id) is Status.CURRENT
    assert set(marked.values()) <= {Status.HISTORICAL}


def test_an_old_fact_stays_historical_when_the_newest_was_not_retrieved() -> None:
    old, middle, new = told("Lund", 1), told("Graz", 2), told("Linz", 3)
    marked = mark_status([old, middle, new], NOW)
    assert [marked[f.id] for f in (old, middle, new)] == [Status.HISTORICAL, Status.HISTORICAL, Status.CURRENT]


def test_restating_does_not_make_the_first_telling_historical_but_does_in_the_paper() -> None:
    first, again = told("Lund", 1), told("Lund", 2)
    assert set(mark_status([first, again], NOW).values()) == {Status.CURRENT}
    assert mark_status_as_paper([first, again])[first.id] is Status.HISTORICAL


def test_a_tie_is_conflicting_until_something_later_settles_it() -> None:
    lund, graz = told("Lund", 1), told("Graz", 1)
    assert set(mark_status([lund, graz], NOW).values()) == {Status.CONFLICTING}
    assert set(mark_status_as_paper([lund, graz]).values()) == {Status.CURRENT}
    settled = told("Graz", 2)
    marked = mark_status([lund, graz, settled], NOW)
    assert [marked[f.id] for f in (lund, graz, settled)] == [Status.HISTORICAL, Status.CURRENT, Status.CURRENT]


def test_an_end_makes_its_value_historical_and_no_other() -> None:
    acme, birch = told("Acme", 1, relation="employer"), told("Birch", 2, relation="employer")
    left = told("Acme", 3, relation="employer", kind=FactKind.END)
    marked = mark_status([acme, birch, left], NOW)
    assert marked[acme.id] is Status.HISTORICAL
    assert marked[birch.id] is Status.CURRENT


def test_the_opposite_relation_ends_the_same_object_only() -> None:
    likes = told("herring", 1, relation="likes")
    dislikes = told("herring", 2, relation="dislikes")
    marked = mark_status([likes, dislikes], NOW)
    assert (marked[likes.id], marked[dislikes.id]) == (Status.HISTORICAL, Status.CURRENT)


def test_a_plan_does_not_end_the_present() -> None:
    ravn, lund = told("Ravn", 1), told("Lund", 3, since="2024-09-01")
    assert mark_status([ravn, lund], AsOf(date(2024, 3, 2))) == {ravn.id: Status.CURRENT, lund.id: Status.PLANNED}
    assert mark_status([ravn, lund], AsOf(date(2024, 10, 1))) == {ravn.id: Status.HISTORICAL, lund.id: Status.CURRENT}


def test_a_retracted_fact_no_longer_counts() -> None:
    lund = told("Lund", 1)
    mistaken = replace(told("Graz", 2), retraction=Retraction(datetime(2024, 1, 1, tzinfo=UTC), "me", "misheard"))
    marked = mark_status([lund, mistaken], NOW)
    assert (marked[lund.id], marked[mistaken.id]) == (Status.CURRENT, Status.RETRACTED)


@pytest.mark.parametrize("valid_to", ["2023-01-15", "2022-12-01"])
def test_a_stated_end_told_afterwards_never_looks_current(valid_to: str) -> None:
    lived = replace(told("Graz", 2), valid_to=PartialDate.parse(valid_to))
    records = list(lived.expanded())
    assert [r.kind for r in records] == [FactKind.END]
    assert build_timeline([*records, told("Linz", 1)], NOW).running is not None
