"""Prompts do not change under a version that has been used."""

from __future__ import annotations

import pytest

from tem_graph.errors import SettingsError
from tem_graph.prompts.loader import LATEST, load_prompt
from tem_graph.settings import load_relations

PINNED = {"extract_facts.v1": "eb4cdb5b", "answer.v1": "c929eca7", "route.v1": "61530004", "judge.v1": "d671e6f4"}
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


def test_examples_quote_their_turns_and_use_known_relations() -> None:
    catalog = load_relations()
    examples = load_prompt("extract_facts").examples
    assert any(not example["facts"] for example in examples)
    for example in examples:
        texts = {t["turn"]: t["text"] for t in example["turns"]}
        for fact in example["facts"]:
            assert next(iter(fact)) == "quote"
            assert fact["quote"] in texts[fact["turn"]]
            assert fact["object"] in fact["quote"]
            assert fact["relation"] in catalog
