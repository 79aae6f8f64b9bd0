"""Events in a question: what names one, what is meant by it, and that it orders evidence and takes nothing out."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.evidence import Candidates, MarkedFact, Passage, PassageKind, ScoredPassage
from tem_graph.domain.fact import Fact, Source, Status
from tem_graph.domain.time import PartialDate, Period, SessionDate
from tem_graph.embed.tokens import EstimateCounter
from tem_graph.retrieve.hybrid import hybrid_evidence
from tem_graph.retrieve.hybrid.named import BESIDE_DAYS, MOST_DAYS, Side, days_named, events_named
from tem_graph.retrieve.hybrid.rank import rank
from tem_graph.settings import load_relations

CATALOG = load_relations()
WEDDING = date(2023, 6, 10)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Where did Ana live before she moved to Lund?", [(Side.BEFORE, "she moved to Lund")]),
        ("After the race, what did Ana eat?", [(Side.AFTER, "the race")]),
        ("What did Ana see during her trip to Rome?", [(Side.AT, "her trip to Rome")]),
        ("How did Ben feel when Ana won the cup?", [(Side.AT, "Ana won the cup")]),
        ("When Ana moved to Lund, who helped her?", [(Side.AT, "Ana moved to Lund")]),
        ("When did Ana move to Lund?", []),
        ("Since when does Ana live in Lund?", []),
        ("Who is the dog named after?", []),
        ("Who was the ship named after in the story?", []),
        ("What did Ana do the day before the wedding?", []),
        ("Where does Ana live?", []),
    ],
)
def test_an_event_is_named_behind_a_word_of_time(question: str, named: list[tuple[Side, str]]) -> None:
    assert [(event.side, event.words) for event in events_named(question)] == named


def passage(day: date, text: str, kind: PassageKind = PassageKind.TURN, told_on: date | None = None) -> ScoredPassage:
    session = (told_on or day).isoformat()
    speaker = "Ana" if kind is PassageKind.TURN else None
    text = f"Ana: {text}" if speaker else text
    found = Passage(kind, f"{kind} {session} {text}", text, session, session, day, (0,), speaker, told_on or day)
    return ScoredPassage(found, 0.5)


def fact(obj: str, told: str, since: str | None = None) -> MarkedFact:
    made = Fact.create(
        CATALOG,
        memory="m",
        subject="Ana",
        relation="residence",
        object=obj,
        source=Source("s", date=SessionDate.parse(told)),
        valid_from=PartialDate.parse(since) if since else None,
        recorded_at=datetime(2024, 1, 1, tzinfo=UTC),
    )
    return MarkedFact(made, Status.CURRENT)


TALK = [
    passage(date(2023, 5, 1), "The roses are in bloom."),
    passage(WEDDING, "The wedding of my sister was lovely!"),
    passage(date(2023, 8, 1), "We sail on the lake."),
]


def periods(question: str, *passages: ScoredPassage, facts: tuple[MarkedFact, ...] = ()) -> list[Period]:
    return [when.period for when in days_named(question, Candidates(facts, (*TALK, *passages)))]


def test_the_days_are_before_at_and_after_the_day_of_the_telling() -> None:
    next_day = date(2023, 6, 11)
    before, at, after = (periods(f"What did Ana do {how} the wedding?") for how in ("before", "during", "after"))
    assert (before[0].end, at, after[0].start) == (next_day, [Period(WEDDING, next_day)], WEDDING)
    assert before[0].start is not None
    assert after[0].end is not None
    assert (WEDDING - before[0].start).days == (after[0].end - next_day).days == BESIDE_DAYS


def test_the_day_of_an_event_wins_over_the_days_on_which_it_is_told() -> None:
    event = passage(date(2023, 6, 3), "The sister's wedding took place.", PassageKind.EVENT, told_on=WEDDING)
    assert periods("How was it at home during the wedding?", event) == [Period(date(2023, 6, 3), date(2023, 6, 4))]


@pytest.mark.parametrize(("since", "day"), [("2023-03-05", date(2023, 3, 5)), (None, date(2023, 4, 9))])
def test_a_fact_whose_object_is_named_gives_its_effective_day_else_that_of_its_telling(
    since: str | None, day: date
) -> None:
    talk = passage(date(2023, 9, 1), "I moved to Lund, as you know.")
    found = periods("What did Ana do after she moved to Lund?", talk, facts=(fact("Lund", "2023-04-09", since),))
    assert [period.start for period in found] == [day]


def test_what_is_not_known_or_is_a_habit_names_no_day() -> None:
    assert periods("What did Ana do before the funeral?") == []
    assert periods("What did Ana do before she left?") == []
    assert periods("What did Ana do after Ana?") == [], "the name of a speaker is no event"
    habit = [passage(date(2023, month, 2), "Off to the choir!") for month in range(1, MOST_DAYS + 2)]
    assert periods("What did Ana do after the choir?", *habit) == []
    assert len(periods("What did Ana do after the choir?", *habit[:MOST_DAYS])) == MOST_DAYS


def test_sessions_beside_the_event_come_first_and_none_is_left_out() -> None:
    talk = [
        passage(date(2022, 3, 1), "I baked a chocolate cake at dawn."),
        passage(WEDDING, "The wedding was lovely!"),
        passage(date(2023, 6, 12), "Buns with raisins: I baked them for hours."),
        passage(date(2023, 12, 1), "The rye bread that I baked went wrong."),
    ]
    candidates = Candidates((), tuple(talk))
    question = "What did Ana bake after the wedding?"
    first = [p.told_on for p in rank(question, talk, (), days_named(question, candidates)).passages if "bak" in p.text]
    assert first[0] == date(2023, 6, 12)
    text = hybrid_evidence(question, candidates, EstimateCounter()).text
    assert all(hit.passage.text.partition(": ")[2] in text for hit in talk)


@given(st.permutations([*TALK, passage(date(2023, 6, 3), "Wedding dress bought.", PassageKind.EVENT)]))
def test_the_order_of_the_candidates_changes_nothing(talk: list[ScoredPassage]) -> None:
    question = "What did Ana do before the wedding?"
    expected = days_named(question, Candidates((), tuple(sorted(talk, key=lambda hit: hit.passage.id))))
    assert days_named(question, Candidates((), tuple(talk))) == expected
