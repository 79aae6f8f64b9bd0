"""The page on operators is complete, and its questions are read as it says."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from tem_graph.answer.ask import SURE
from tem_graph.answer.route import Known, KnownValue
from tem_graph.answer.rules import ENGLISH
from tem_graph.temporal.registry import OPERATORS
from tests.unit.strategies import CATALOG

PAGE = (Path(__file__).parents[2] / "docs" / "operators.md").read_text(encoding="utf-8")
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)}
VALUES = (("residence", "Lund"), ("residence", "Porto"), ("employer", "Acme"), ("employer", "Birch"))
KNOWN = Known({"Ana": ()}, CATALOG, date(2025, 1, 1), values=tuple(KnownValue("Ana", *value) for value in VALUES))


def test_every_operator_has_a_row_with_its_arguments() -> None:
    assert list(ROWS) == list(OPERATORS)
    for name, (answers, _, arguments) in ROWS.items():
        assert answers == OPERATORS[name].answers
        fields = OPERATORS[name].args.model_fields
        assert re.findall(r"`(\w+)`", arguments) == [field.alias or key for key, field in fields.items()]


@pytest.mark.parametrize("name", ROWS)
def test_the_question_of_a_row_is_read_as_its_operator(name: str) -> None:
    routed = ENGLISH.place(ROWS[name][1], KNOWN)
    assert routed is not None
    assert routed.call is not None
    assert routed.call.operator == name
    assert routed.confidence >= SURE
