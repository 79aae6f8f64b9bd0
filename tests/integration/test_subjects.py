"""Merging subjects: explicit, visible, reversible, and never by likeness."""

from __future__ import annotations

import pytest

from tem_graph import FactInput, Status, TemporalMemory
from tem_graph.errors import Conflict, InputError, NotFound

TOLD = [
    FactInput("Robert Hale", "residence", "Bergen", "s1"),
    FactInput("Bobby", "residence", "Lund", "s2"),
    FactInput("Robert Hale", "residence", "Ravn", "s3"),
]


@pytest.fixture
def told(memory: TemporalMemory) -> TemporalMemory:
    memory.add_facts(TOLD)
    return memory


def stints(memory: TemporalMemory, subject: str) -> list[str]:
    result = memory.operator("history", subject=subject, relation="residence")
    return [span.objects[0] for span in result.value] if result.is_found else []


def test_names_that_look_alike_stay_apart(told: TemporalMemory) -> None:
    assert stints(told, "Bobby") == ["Lund"]
    assert stints(told, "Robert Hale") == ["Bergen", "Ravn"]


def test_a_merge_makes_one_history_that_both_names_ask_for(told: TemporalMemory) -> None:
    assert told.merge_subjects("Bobby", "Robert Hale", by="me", why="he said so") == 1
    assert stints(told, "Bobby") == stints(told, "robert HALE") == ["Bergen", "Lund", "Ravn"]
    assert told.ask("Where does Bobby live now?").text == "Ravn"
    lund = next(m for m in told.facts(subject="Bobby") if m.fact.object == "Lund")
    assert (lund.fact.subject, lund.status) == ("Bobby", Status.HISTORICAL)
    assert {s.name: s.merged_into for s in told.subjects()} == {"Bobby": "Robert Hale", "Robert Hale": None}


def test_what_is_told_after_a_merge_joins_it_and_a_split_takes_all_back(told: TemporalMemory) -> None:
    told.merge_subjects("Bobby", "Robert Hale", by="me", why="he said so")
    told.add_facts([FactInput("Bobby", "residence", "Oslo", "s4")])
    assert stints(told, "Robert Hale") == ["Bergen", "Lund", "Ravn", "Oslo"]
    assert told.split_subject("Bobby") == 2
    assert stints(told, "Bobby") == ["Lund", "Oslo"]
    assert stints(told, "Robert Hale") == ["Bergen", "Ravn"]


def test_a_chain_of_merges_ends_at_its_last_name(told: TemporalMemory) -> None:
    told.add_facts([FactInput("Rob", "residence", "Vik", "s5")])
    told.merge_subjects("Rob", "Bobby", by="me", why="nickname")
    told.merge_subjects("Bobby", "Robert Hale", by="me", why="nickname")
    assert stints(told, "Rob") == ["Bergen", "Lund", "Ravn", "Vik"]
    told.split_subject("Bobby")
    assert stints(told, "Rob") == stints(told, "Bobby") == ["Lund", "Vik"]
    assert stints(told, "Robert Hale") == ["Bergen", "Ravn"]


def test_an_unknown_name_becomes_an_alias(told: TemporalMemory) -> None:
    assert told.merge_subjects("Bob", "Robert Hale", by="me", why="nickname") == 0
    assert stints(told, "Bob") == ["Bergen", "Ravn"]
    told.forget_session("s2")
    assert {s.name for s in told.subjects()} == {"Bob", "Robert Hale"}
    told.split_subject("Bob")
    assert {s.name for s in told.subjects()} == {"Robert Hale"}


def test_what_cannot_be_merged_is_refused_and_changes_nothing(told: TemporalMemory) -> None:
    with pytest.raises(InputError, match="cannot be merged"):
        told.merge_subjects("Bobby", "BOBBY", by="me", why="x")
    with pytest.raises(NotFound, match="Nobody"):
        told.merge_subjects("Bobby", "Nobody", by="me", why="x")
    told.merge_subjects("Bobby", "Robert Hale", by="me", why="x")
    with pytest.raises(Conflict):
        told.merge_subjects("Robert Hale", "Bobby", by="me", why="x")
    with pytest.raises(Conflict):
        told.merge_subjects("Bobby", "Robert Hale", by="me", why="x")
    with pytest.raises(NotFound):
        told.split_subject("Robert Hale")
