"""AttachSource: a believed candidate gets its session, its place, its dates and its provenance."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import SessionDate
from tem_graph.errors import InputError
from tem_graph.ingest.attach import attach_source
from tem_graph.settings import load_relations

CATALOG = load_relations()
NOW = datetime(2024, 6, 1, tzinfo=UTC)
DATE = SessionDate.parse("2024-03-14T21:30:00-04:00")
SESSION = Session("s1", (Turn(0, "Ana", "Hello."), Turn(1, "Mia", "I live in Ash.")), DATE, None)
EXTRACTION = Extraction("model", model="m-1", prompt="extract_facts@3f2a91c0")


def attached(*candidates: Candidate, session: Session = SESSION) -> tuple[Fact, ...]:
    return attach_source(candidates, session, EXTRACTION, CATALOG, memory="m", recorded_at=NOW)


HOME = Candidate("Mia", "residence", "Ash", turn=1, quote="I live in Ash.")


def home(**more: object) -> Candidate:
    return replace(HOME, **more)  # type: ignore[arg-type]


def test_source_and_provenance() -> None:
    (fact,) = attached(home())
    assert (fact.memory, fact.source, fact.recorded_at) == ("m", Source("s1", DATE, None), NOW)
    assert fact.provenance is not None
    provenance = fact.provenance
    assert (provenance.extractor, provenance.model, provenance.prompt) == ("model", "m-1", "extract_facts@3f2a91c0")
    assert (provenance.turn, provenance.speaker, provenance.quote) == (1, "Mia", "I live in Ash.")
    assert provenance.note is None


def test_the_source_index_is_the_sessions() -> None:
    (fact,) = attached(home(), session=Session("s1", SESSION.turns, DATE, 7))
    assert fact.source.index == 7


@pytest.mark.parametrize(
    ("since", "day"),
    [("today", "2024-03-14"), ("last month", "2024-02"), ("in 2019", "2019"), ("2021-06", "2021-06"), (" ", None)],
)
def test_words_are_read_from_the_sessions_own_day(since: str, day: str | None) -> None:
    (fact,) = attached(home(since=since))
    assert (str(fact.valid_from) if fact.valid_from else None) == day
    if fact.valid_from:
        assert fact.valid_from.words == since


@pytest.mark.parametrize(
    ("quote", "day"), [("I moved to Ash in June.", "2023-06"), ("I'm moving to Ash in June.", "2024-06")]
)
def test_a_month_lies_where_the_clause_looks(quote: str, day: str) -> None:
    (fact,) = attached(home(quote=quote, since="in June"))
    assert str(fact.valid_from) == day


def test_an_impossible_day_is_left_out_and_noted() -> None:
    (fact,) = attached(home(since="2023-02-30"))
    assert fact.valid_from is None
    assert fact.provenance is not None
    assert "2023-02-30" in (fact.provenance.note or "")


def test_a_session_without_a_date_reads_no_relative_day() -> None:
    (fact,) = attached(home(since="yesterday"), session=Session("s1", SESSION.turns))
    assert fact.valid_from is None
    assert fact.provenance is not None
    assert "yesterday" in (fact.provenance.note or "")


def test_the_day_of_an_end_is_since_when_it_no_longer_holds() -> None:
    (end,) = attached(home(kind=FactKind.END, until="2023-05"))
    assert (end.kind, str(end.valid_from), end.valid_to) == (FactKind.END, "2023-05", None)


def test_from_until_is_a_value_and_an_end() -> None:
    value, end = attached(home(since="2015", until="2018"))
    assert (value.kind, str(value.valid_from), end.kind, str(end.valid_from)) == (
        FactKind.VALUE, "2015", FactKind.END, "2018",
    )  # fmt: skip


def test_the_same_fact_counts_once_and_order_is_kept() -> None:
    facts = attached(home(), Candidate("Ana", "likes", "tea", 0), home(object="ASH"))
    assert [f.object for f in facts] == ["Ash", "tea"]


def test_ids_depend_on_nothing_but_what_was_said() -> None:
    (one,) = attached(home())
    (again,) = attach_source(
        [home(quote="other words")], SESSION, Extraction("grammar"), CATALOG, memory="m", recorded_at=NOW
    )
    (elsewhere,) = attach_source([home()], SESSION, EXTRACTION, CATALOG, memory="n", recorded_at=NOW)
    (later,) = attached(home(), session=Session("s1", SESSION.turns, SessionDate.parse("2024-04-01")))
    assert one.id == again.id
    assert len({one.id, elsewhere.id, later.id}) == 3


def test_half_a_character_is_refused_before_anything_is_read() -> None:
    with pytest.raises(InputError, match=r"session 's1': turn 0 holds half a character"):
        Session("s1", (Turn(0, "Ana", "a cat \ud83d"),))
