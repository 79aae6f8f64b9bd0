"""What a timeline shows and where: bars, marks, rows, axis."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.conversation import Provenance
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import AsOf, PartialDate, SessionDate
from tem_graph.memory import group_histories
from tem_graph.temporal.order import OrderPolicy
from tem_graph.timeline.axis import MOST_TICKS, day_axis, session_axis
from tem_graph.timeline.chart import Chart, Mark, build_chart
from tests.unit.strategies import CATALOG, TODAY, histories


def fact(object: str, session: str, day: str | None, *, relation: str = "residence", **given: object) -> Fact:
    subject = str(given.pop("subject", "Ana"))
    return Fact.create(
        CATALOG,
        memory="m",
        subject=subject,
        relation=relation,
        object=object,
        source=Source(session, SessionDate.parse(day) if day else None),
        provenance=Provenance("grammar", quote=f"{object}!", turn=0, speaker=subject),
        **given,  # type: ignore[arg-type]
    )


def chart_of(*facts: Fact, today: date = date(2024, 12, 1)) -> Chart:
    return build_chart(group_histories(facts, AsOf(today), OrderPolicy.EFFECTIVE), today)


A_B_A = (fact("Porto", "s1", "2023-01-01"), fact("Lund", "s2", "2023-07-01"), fact("Porto", "s3", "2024-01-01"))


def test_a_return_is_a_second_bar_in_the_row_of_its_value() -> None:
    (subject,) = chart_of(*A_B_A).subjects
    (lane,) = subject.lanes
    assert [b.label for b in lane.bars] == ["Porto", "Lund", "Porto"]
    assert [(r.label, len(r.bars)) for r in lane.rows] == [("Porto", 2), ("Lund", 1)]
    assert [b.mark for b in lane.bars] == [Mark.PAST, Mark.PAST, Mark.CURRENT]
    assert all(a.finish == b.begin for a, b in pairwise(lane.bars))
    assert lane.bars[0].until == "2023-07-01"
    assert lane.bars[0].ended_by[0].quote == "Lund!"


def test_telling_again_is_one_bar_with_two_sources() -> None:
    (subject,) = chart_of(fact("Porto", "s1", "2023-01-01"), fact("porto", "s2", "2023-05-01")).subjects
    (bar,) = subject.lanes[0].bars
    assert [t.session for t in bar.tellings] == ["s1", "s2"]
    assert subject.current == (("residence", "Porto", Mark.CURRENT),)


def test_stated_dates_keep_their_precision() -> None:
    stated = PartialDate.parse("2023-05", words="since May")
    (subject,) = chart_of(
        fact("Porto", "s1", "2023-01-01"), fact("Lund", "s2", "2023-07-01", valid_from=stated)
    ).subjects
    old, new = subject.lanes[0].bars
    assert (old.since, old.is_since_stated, old.until) == ("2023-01-01", False, "2023-05")
    assert (new.since, new.is_since_stated) == ("2023-05", True)
    assert new.tellings[0].words == "since May"


def test_what_is_planned_starts_in_the_future_and_what_conflicts_is_one_bar() -> None:
    later = PartialDate.parse("2025-03")
    (subject,) = chart_of(
        fact("Porto", "s1", "2024-01-01"),
        fact("Lund", "s2", "2024-02-01", valid_from=later),
        fact("nurse", "s3", "2024-03-01", relation="occupation"),
        fact("baker", "s3", "2024-03-01", relation="occupation"),
    ).subjects
    occupation, residence = subject.lanes
    assert [b.mark for b in occupation.bars] == [Mark.CONFLICTING]
    assert set(occupation.bars[0].label.split(" / ")) == {"nurse", "baker"}
    assert [b.mark for b in residence.bars] == [Mark.CURRENT, Mark.PLANNED]
    assert residence.bars[1].since == "2025-03"
    assert residence.bars[1].begin > residence.bars[0].finish


def test_liking_and_then_disliking_are_bars_in_two_lanes() -> None:
    (subject,) = chart_of(
        fact("tea", "s1", "2024-01-01", relation="likes"), fact("tea", "s2", "2024-06-01", relation="dislikes")
    ).subjects
    assert [(lane.relation, lane.bars[0].mark, lane.holds_many) for lane in subject.lanes] == [
        ("dislikes", Mark.CURRENT, True),
        ("likes", Mark.PAST, True),
    ]


def test_known_only_from_its_end() -> None:
    (subject,) = chart_of(fact("Acme", "s1", "2024-01-01", relation="employer", kind=FactKind.END)).subjects
    (bar,) = subject.lanes[0].bars
    assert (bar.mark, bar.start, bar.begin, bar.tellings) == (Mark.PAST, None, 0.0, ())
    assert bar.ended_by[0].session == "s1"


def test_an_unknown_beginning_claims_no_time_of_the_value_before() -> None:
    (subject,) = chart_of(
        fact("Acme", "s1", "2024-01-01", relation="employer"),
        fact("Acme", "s2", "2024-03-01", relation="employer", kind=FactKind.END),
        fact("Bright", "s3", "2024-08-01", relation="employer", kind=FactKind.END),
    ).subjects
    acme, bright = subject.lanes[0].bars
    assert bright.start is None
    assert bright.begin == acme.finish


def test_without_any_date_the_axis_is_of_sessions() -> None:
    chart = chart_of(fact("Porto", "s1", None), fact("Lund", "s2", None), fact("Porto", "s3", None))
    (subject,) = chart.subjects
    assert not chart.axis.is_dated
    assert chart.axis.sessions == ("s1", "s2", "s3")
    assert [(round(b.begin, 2), round(b.finish, 2)) for b in subject.lanes[0].bars] == [
        (0, 0.33),
        (0.33, 0.67),
        (0.67, 1),
    ]


def test_a_lane_without_dates_beside_dated_ones_keeps_its_order_only() -> None:
    (subject,) = chart_of(
        fact("Porto", "s1", "2024-01-01"),
        fact("nurse", "s2", None, relation="occupation"),
        fact("baker", "s3", None, relation="occupation"),
    ).subjects
    occupation, residence = subject.lanes
    assert (occupation.is_dated, residence.is_dated) == (False, True)
    assert [b.begin for b in occupation.bars] == [0.0, 0.5]


def test_nothing_known() -> None:
    assert chart_of().subjects == ()


def test_today_far_away_does_not_squeeze_the_history() -> None:
    axis = day_axis(date(2023, 1, 1), date(2023, 12, 1), date(2033, 1, 1))
    assert axis.today is None
    assert axis.open_end == 1.0
    assert axis.at(date(2023, 12, 1)) > 0.9
    near = day_axis(date(2023, 1, 1), date(2023, 12, 1), date(2024, 2, 1))
    assert near.today is not None
    assert near.today > near.at(date(2023, 12, 1))


@given(st.dates(), st.integers(0, 4_000_000), st.dates())
def test_any_axis_has_a_few_rising_ticks_inside_it(first: date, days: int, today: date) -> None:
    last = date.fromordinal(min(date.max.toordinal(), first.toordinal() + days))
    axis = day_axis(first, last, today)
    places = [tick.at for tick in axis.ticks]
    assert places == sorted(places)
    assert len(places) <= MOST_TICKS + 2
    assert all(0 <= place <= 1 for place in places)
    assert 0 <= axis.at(first) <= axis.at(last) <= 1


@given(st.integers(1, 400))
def test_session_axes_label_a_few(sessions: int) -> None:
    axis = session_axis([f"s{n}" for n in range(sessions)])
    assert 1 <= len(axis.ticks) <= MOST_TICKS


@given(histories("residence"), st.integers(-40, 60))
def test_every_stint_and_every_plan_is_a_bar_inside_the_axis(facts: list[Fact], shift: int) -> None:
    today = TODAY + timedelta(days=shift)
    groups = group_histories(facts, AsOf(today), OrderPolicy.EFFECTIVE)
    bars = [b for s in build_chart(groups, today).subjects for lane in s.lanes for b in lane.bars]
    assert len(bars) == sum(len(g.timeline.stints) + len(g.timeline.planned) for g in groups)
    assert all(0 <= b.begin <= b.finish <= 1 for b in bars)
    assert all(b.tellings or b.ended_by for b in bars)


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_ends_of_the_calendar(day: str) -> None:
    assert chart_of(fact("Porto", "s1", day)).subjects
