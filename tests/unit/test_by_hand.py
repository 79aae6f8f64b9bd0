"""Facts put in by hand: sources, order, dates, and errors that name the fact and the field."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.by_hand import FactInput, facts_by_hand
from tem_graph.settings import load_relations

CATALOG = load_relations()
NOW = datetime(2024, 6, 1, tzinfo=UTC)


def made(*inputs: FactInput, stored: dict[str, Source] | None = None, zone: object = UTC) -> tuple[Fact, ...]:
    return facts_by_hand(inputs, CATALOG, memory="m", recorded_at=NOW, zone=zone, stored=stored or {})  # type: ignore[arg-type]


def home(place: str, source: str = "s1", **more: object) -> FactInput:
    return FactInput("Ana", "residence", place, source, **more)  # type: ignore[arg-type]


def test_a_list_without_dates_is_in_the_order_it_is_written_in() -> None:
    facts = made(home("Ash", "call"), home("Beck", "letter"), home("Cove", "call"))
    assert [(f.source.session, f.source.index) for f in facts] == [("call", 1), ("letter", 2), ("call", 1)]
    assert {f.recorded_at for f in facts} == {NOW}
    assert {f.provenance.extractor for f in facts if f.provenance} == {"by-hand"}


def test_a_later_list_goes_on_where_the_stored_one_ended() -> None:
    stored = {"call": Source("call", None, 7), "letter": Source("letter", None, 2)}
    facts = made(home("Ash", "letter"), home("Beck", "visit"), stored=stored)
    assert [f.source.index for f in facts] == [2, 8]


def test_a_memory_that_orders_by_date_numbers_nothing() -> None:
    dated = Source("call", SessionDate.parse("2024-01-01"), None)
    old, new = made(home("Ash", "call"), home("Beck", "visit"), stored={"call": dated})
    assert old.source == dated
    assert new.source == Source("visit", None, None)


def test_dates_may_be_text_days_or_times() -> None:
    given = ("2024-03-02", date(2024, 3, 2), datetime(2024, 3, 2, 9, 30, tzinfo=UTC), "2024-03-02T09:30:00+02:00")
    facts = made(*(home(f"Town {n}", f"s{n}", date=value) for n, value in enumerate(given)))
    assert [str(f.source.date) for f in facts] == [
        "2024-03-02", "2024-03-02", "2024-03-02T09:30:00+00:00", "2024-03-02T09:30:00+02:00",
    ]  # fmt: skip
    (local,) = made(home("Ash", date="2024-03-02T09:30:00"), zone=ZoneInfo("Europe/Vienna"))
    assert str(local.source.date) == "2024-03-02T09:30:00+01:00"


def test_a_stated_period_is_a_value_and_its_end() -> None:
    value, end = made(home("Ash", date="2024-01-01", effective="2015", until="2018-05"))
    assert (value.kind, str(value.valid_from)) == (FactKind.VALUE, "2015")
    assert (end.kind, str(end.valid_from)) == (FactKind.END, "2018-05")
    (ended,) = made(home("Ash", ended=True, effective=PartialDate.parse("2020")))
    assert (ended.kind, str(ended.valid_from)) == (FactKind.END, "2020")


def test_names_are_resolved_and_the_same_fact_counts_once() -> None:
    facts = made(FactInput("Ana", "lives_in", "Ash", "s1"), FactInput(" ANA ", "Residence", "ASH", "s1"))
    assert [(f.subject, f.relation.name, f.object) for f in facts] == [("Ana", "residence", "Ash")]
    (drink,) = made(FactInput("Ana", "likes", "tea", "s1", slot="Favourite drink"))
    assert drink.slot == "drink"


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (FactInput("", "residence", "Ash", "s1"), "fact 2: subject is empty"),
        (FactInput("Ana", " ", "Ash", "s1"), "fact 2: relation is empty"),
        (FactInput("Ana", "residence", "", "s1"), "fact 2: object is empty"),
        (FactInput("Ana", "residence", "Ash", " "), "fact 2: source is empty"),
        (FactInput("Ana", "likes", "", "s1", ended=True), "fact 2: an end of 'likes' names no object"),
        (home("Ash", date="2023-02-30"), "fact 2: date: '2023-02-30'"),
        (home("Ash", effective="2023-02-30"), "fact 2: effective: '2023-02-30'"),
        (home("Ash", until="soon"), "fact 2: until: 'soon'"),
        (home(34), "fact 2: object is no text"),  # type: ignore[arg-type]
        (FactInput("Ana", "residence", "half \ud83d", "s1"), "fact 2: object holds half a character"),
    ],
)
def test_what_is_wrong_is_named(wrong: FactInput, named: str) -> None:
    with pytest.raises(InputError, match=named):
        made(home("Beck", "s0", date="2020-01-01"), wrong)
