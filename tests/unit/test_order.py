"""Laws 2 to 6: groups, places, stints."""

from __future__ import annotations

from datetime import date
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import AsOf, PartialDate, SessionDate
from tem_graph.temporal.order import OrderPolicy, build_timeline
from tests.unit.strategies import CATALOG, TODAY, histories

NOW = AsOf(TODAY)


def told(obj: str, session: int, *, since: str | None = None, kind: FactKind = FactKind.VALUE, **more: object) -> Fact:
    return Fact.create(
        CATALOG,
        memory="m",
        subject=str(more.get("subject", "Ana")),
        relation=str(more.get("relation", "residence")),
        object=obj,
        source=Source(f"s{session}", SessionDate.parse(f"2023-{session:02d}-01")),
        kind=kind,
        valid_from=PartialDate.parse(since) if since else None,
        slot=str(more["slot"]) if "slot" in more else None,
    )


def places(facts: list[Fact], as_of: AsOf = NOW, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> list[tuple[str, ...]]:
    return [stint.objects for stint in build_timeline(facts, as_of, policy).stints]


def test_a_return_to_an_old_value_is_a_stint_of_its_own() -> None:
    assert places([told("Lund", 1), told("Graz", 2), told("Lund", 3)]) == [("Lund",), ("Graz",), ("Lund",)]


def test_telling_again_extends_the_stint() -> None:
    timeline = build_timeline([told("Lund", 1), told("LUND", 2), told("Graz", 3)], NOW)
    assert [s.objects for s in timeline.stints] == [("Lund",), ("Graz",)]
    assert [f.source.session for f in timeline.stints[0].facts] == ["s1", "s2"]


def test_a_stint_ends_the_day_the_next_begins() -> None:
    first, second = build_timeline([told("Lund", 1), told("Graz", 2)], NOW).stints
    assert (first.start, first.end) == (date(2023, 1, 1), date(2023, 2, 1))
    assert second.period.contains(date(2023, 2, 1))
    assert not first.period.contains(date(2023, 2, 1))
    assert second.end is None
    assert second.is_running


def test_one_effective_date_turns_the_whole_group_to_effective_order() -> None:
    late_report = told("Oslo", 9, since="2022-05-01")
    facts = [told("Lund", 1), told("Graz", 3), late_report]
    assert places(facts) == [("Oslo",), ("Lund",), ("Graz",)]
    assert places(facts, policy=OrderPolicy.SOURCE) == [("Lund",), ("Graz",), ("Oslo",)]


def test_a_group_without_effective_dates_goes_by_source() -> None:
    assert build_timeline([told("Lund", 1)], NOW).policy is OrderPolicy.SOURCE


def test_different_values_at_one_place_are_one_conflicting_state() -> None:
    timeline = build_timeline([told("Lund", 1), told("Graz", 1)], NOW)
    assert timeline.running is not None
    assert timeline.running.is_conflict


def test_an_end_without_successor_leaves_nothing_running() -> None:
    timeline = build_timeline(
        [told("Acme", 1, relation="employer"), told("Acme", 2, relation="employer", kind=FactKind.END)], NOW
    )
    assert timeline.running is None
    assert timeline.stints[-1].end == date(2023, 2, 1)


def test_an_end_of_another_value_ends_nothing() -> None:
    facts = [told("Acme", 1), told("Birch", 2), told("Acme", 3, kind=FactKind.END)]
    running = build_timeline(facts, NOW).running
    assert running is not None
    assert running.objects == ("Birch",)


def test_a_value_known_only_from_its_end_comes_before_its_successor() -> None:
    assert places([told("Graz", 1, kind=FactKind.END), told("Linz", 1)]) == [("Graz",), ("Linz",)]
    assert places([told("Lund", 1), told("Graz", 2, kind=FactKind.END), told("Linz", 2)]) == [
        ("Lund",), ("Graz",), ("Linz",),
    ]  # fmt: skip


def test_a_day_that_has_not_come_is_planned() -> None:
    timeline = build_timeline([told("Ravn", 1), told("Lund", 2, since="2030-01-01")], NOW)
    assert timeline.running is not None
    assert timeline.running.objects == ("Ravn",)
    assert [f.object for f in timeline.planned] == ["Lund"]
    later = build_timeline([told("Ravn", 1), told("Lund", 2, since="2030-01-01")], AsOf(date(2030, 1, 1)))
    assert later.running is not None
    assert later.running.objects == ("Lund",)


def test_a_day_and_a_session_can_be_asked_for_together() -> None:
    facts = [told("Ash", 1), told("Cove", 5), told("Beck", 9, since="2023-03-01")]
    on_day = AsOf(TODAY, valid_at=date(2023, 4, 1))
    assert places(facts, on_day)[-1] == ("Beck",)
    as_known_then = AsOf(TODAY, valid_at=date(2023, 4, 1), known_after=facts[1].source.key)
    assert places(facts, as_known_then)[-1] == ("Ash",)


def test_names_are_folded_and_kept_as_written() -> None:
    one, other = told("x", 1, subject="Frau Strauß"), told("y", 2, subject="FRAU  STRAUSS")
    assert one.group == other.group
    assert one.subject == "Frau Strauß"
    assert told("x", 1, subject="林小雨").group != told("x", 1, subject="陈大海").group
    assert told("x", 1, subject="İpek").group == told("x", 1, subject="İPEK").group


def test_a_multi_valued_relation_has_a_group_per_object_shared_with_its_opposite() -> None:
    tea, coffee = told("tea", 1, relation="likes"), told("coffee", 1, relation="likes")
    assert tea.group != coffee.group
    assert told("tea", 2, relation="dislikes").group == tea.group
    drink = told("tea", 1, relation="likes", slot="drink")
    assert drink.group == told("coffee", 2, relation="likes", slot="Favourite drink").group
    assert drink.group != tea.group


def test_memory_ids_do_not_run_together() -> None:
    def group(memory: str, subject: str) -> str:
        return Fact.create(
            CATALOG, memory=memory, subject=subject, relation="residence", object="x", source=Source("s")
        ).group

    assert group("a:b", "c") != group("a", "b:c")


def test_equal_instants_with_different_offsets_are_ordered_by_instant_not_by_wall_clock() -> None:
    summer = Source("s1", SessionDate.parse("2023-10-29T02:30:00+02:00"))
    winter = Source("s2", SessionDate.parse("2023-10-29T02:30:00+01:00"))
    assert summer.key < winter.key
    same = Source("s1", SessionDate.parse("2023-10-29T00:30:00+00:00"))
    assert summer.key == same.key


@given(histories(), st.randoms())
def test_ingest_order_does_not_matter(facts: list[Fact], random: Random) -> None:
    shuffled = list(facts)
    random.shuffle(shuffled)
    assert build_timeline(shuffled, NOW) == build_timeline(facts, NOW)


@given(histories())
def test_ingesting_again_changes_nothing(facts: list[Fact]) -> None:
    again = {f.id: f for f in [*facts, *facts]}
    assert build_timeline(again.values(), NOW) == build_timeline(facts, NOW)


@given(histories())
def test_neighbouring_stints_differ_and_only_the_last_runs(facts: list[Fact]) -> None:
    stints = build_timeline(facts, NOW).stints
    assert all(s.ended_by for s in stints[:-1])
    for earlier, later in pairwise(stints):
        assert earlier.values != later.values or any(f.kind is FactKind.END for f in earlier.ended_by)


@given(histories())
def test_every_visible_fact_is_either_placed_or_planned(facts: list[Fact]) -> None:
    timeline = build_timeline(facts, NOW)
    placed = [f.id for s in timeline.states for f in (*s.facts, *s.ends)]
    assert sorted([*placed, *(f.id for f in timeline.planned)]) == sorted(f.id for f in facts)
