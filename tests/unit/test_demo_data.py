"""The shipped demo can be loaded, is in order, and holds what its three questions are about."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from tem_graph.demo import load_questions, load_sessions


def test_ten_sessions_of_two_people_over_two_years() -> None:
    sessions = load_sessions()
    assert len(sessions) == len({s.id for s in sessions}) == 10
    assert {turn.speaker for s in sessions for turn in s.turns} == {"Maya", "Jonas"}
    assert all(6 <= len(s.turns) <= 12 for s in sessions)
    dates = [s.date for s in sessions if s.date]
    assert len(dates) == 10
    assert all(d.has_time for d in dates)
    assert all(earlier.instant < later.instant for earlier, later in pairwise(dates))
    assert timedelta(days=700) < dates[-1].instant - dates[0].instant < timedelta(days=800)


def test_sessions_sort_by_their_source_key() -> None:
    keys = [s.source_key for s in load_sessions()]
    assert keys == sorted(keys)


def test_turns_are_numbered_in_order() -> None:
    for session in load_sessions():
        assert [turn.position for turn in session.turns] == list(range(len(session.turns)))


def test_three_questions_whose_answers_are_told() -> None:
    text = " ".join(turn.text for s in load_sessions() for turn in s.turns)
    questions = load_questions()
    assert [q.answer for q in questions] == ["Porto", "Lisbon", None]
    assert all(q.answer in text for q in questions if q.answer)
    assert all(q.question.endswith("?") and q.shows.endswith(".") for q in questions)
