"""Prompts do not change under a version that has been used."""

from __future__ import annotations

import pytest

from tem_graph.domain.conversation import Event, Note, Session, Turn
from tem_graph.domain.extraction import Extraction
from tem_graph.domain.time import SessionDate
from tem_graph.errors import SettingsError
from tem_graph.ingest.passages import believe
from tem_graph.ingest.reply import EventItem, NoteItem
from tem_graph.prompts.loader import LATEST, load_prompt
from tem_graph.settings import load_relations

PINNED = {
    "extract_facts.v1": "eb4cdb5b",
    "extract_memory.v1": "fdb1218e",
    "answer.v1": "c929eca7",
    "answer_hybrid.v1": "12866d49",
    "answer_evaluation.v1": "ad7fddba",
    "route.v1": "61530004",
    "judge.v1": "d671e6f4",
}
"""A changed prompt is a new version: add a file and a line, and leave these alone."""


@pytest.mark.parametrize("name", LATEST)
def test_prompts_are_pinned(name: str) -> None:
    prompt = load_prompt(name)
    assert prompt.hash == PINNED[prompt.id]
    assert prompt.label == f"{prompt.id}@{prompt.hash}"


def test_an_unknown_prompt_is_named() -> None:
    with pytest.raises(SettingsError, match="'poem'"):
        load_prompt("poem")
    with pytest.raises(SettingsError, match="version 99"):
        load_prompt("answer", 99)


def test_filling_needs_every_name_and_leaves_values_alone() -> None:
    prompt = load_prompt("extract_facts")
    with pytest.raises(KeyError):
        prompt.fill(relations="x")
    assert "$5 $relations" in prompt.fill(relations="$5 $relations", vocabulary="")


@pytest.mark.parametrize("name", ["extract_facts", "extract_memory"])
def test_examples_quote_their_turns_and_use_known_relations(name: str) -> None:
    catalog = load_relations()
    examples = load_prompt(name).examples
    assert any(not example["facts"] for example in examples)
    for example in examples:
        texts = {t["turn"]: t["text"] for t in example["turns"]}
        for fact in example["facts"]:
            assert next(iter(fact)) == "quote"
            assert fact["quote"] in texts[fact["turn"]]
            assert fact["object"] in fact["quote"]
            assert fact["relation"] in catalog


def test_the_events_and_notes_of_the_examples_are_believed() -> None:
    for example in load_prompt("extract_memory").examples:
        turns = tuple(Turn(t["turn"], t["speaker"], t["text"]) for t in example["turns"])
        events = [EventItem.model_validate(item) for item in example["events"]]
        notes = [NoteItem.model_validate(item) for item in example["notes"]]
        extraction = Extraction(
            "model",
            events=tuple(Event(e.summary, "s", e.when, tuple(e.participants), tuple(e.turns)) for e in events),
            notes=tuple(Note(n.text, "s", tuple(n.turns)) for n in notes),
        )
        believed = believe(Session("s", turns, SessionDate.parse("2024-06-01")), extraction)
        assert believed.rejected == ()
        if events:
            assert [e.summary for e in believed.events] == [e.summary for e in events]
            assert all(e.date for e in believed.events)
        assert [n.text for n in believed.notes] == [n.text for n in notes]
