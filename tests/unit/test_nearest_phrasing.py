"""The second reader: an operator by the nearest phrasing, with every name in the question used."""

from __future__ import annotations

from datetime import date
from importlib import resources

import pytest

from benchmarks.operator_phrasings import all_examples, as_lines
from tem_graph.answer.route import FirstOf, Known, KnownValue, Router
from tem_graph.answer.rules import NearestPhrasing, RulesRouter
from tem_graph.settings import load_relations
from tests.unit.strategies import CATALOG

NEAREST = NearestPhrasing()
VALUES = (("residence", "Lund"), ("residence", "Graz"), ("employer", "Acme"), ("employer", "Birch"))
KNOWN = Known(
    subjects={"Ana": (), "Bo": ()},
    catalog=CATALOG,
    today=date(2024, 6, 1),
    values=tuple(KnownValue("Ana", relation, value) for relation, value in VALUES),
)


@pytest.mark.parametrize(
    ("question", "operator", "args"),
    [
        ("Going in order, who was the third to last employer Ana had?", "nth", {"relation": "employer", "n": -3}),
        (
            "Ana's residence, state of knowledge after session 11",
            "as_of_session",
            {"relation": "residence", "index": 11},
        ),
        ("Ana worked for Acme, and where did she live in those days?", "during", {"relation": "residence"}),
        ("any direct job change of Ana from Birch to Acme?", "changed", {"from": "Birch", "to": "Acme"}),
    ],
)
def test_a_wording_without_a_rule_is_read_by_what_it_is_near_to(
    question: str, operator: str, args: dict[str, object]
) -> None:
    routed = NEAREST.place(question, KNOWN)
    assert routed is not None
    assert routed.call is not None
    assert routed.confidence >= 0.7
    assert routed.call.operator == operator
    assert args.items() <= routed.call.arguments.items()


@pytest.mark.parametrize(
    "question",
    [
        "Why did Ana move to Lund?",
        "When did Ana's brother move to Lund?",
        "When is Ana moving to Lund?",
        "Did Ana live in Lund before Bo met her?",
        "Did Ana ever live in Tampere?",
        "What did Ana drink on 3 May 2021?",
        "What is the weather in Lund?",
    ],
)
def test_what_no_operator_answers_is_not_answered_as_if_sure(question: str) -> None:
    routed = NEAREST.place(question, KNOWN)
    assert routed is None or routed.confidence < 0.7


async def test_it_is_asked_only_where_the_rules_place_nothing() -> None:
    both = FirstOf((RulesRouter(), NEAREST))
    assert isinstance(NEAREST, Router)
    by_rules = await both.route("Where does Ana live?", KNOWN)
    by_phrasing = await both.route("Ana worked for Acme, and where did she live in those days?", KNOWN)
    assert by_rules is not None
    assert by_phrasing is not None
    assert (by_rules.router, by_phrasing.router) == ("rules", "nearest phrasing")


@pytest.mark.slow
def test_the_stored_phrasings_are_those_of_the_wording() -> None:
    stored = resources.files("tem_graph.answer.rules").joinpath("phrasings.txt").read_text(encoding="utf-8")
    assert stored == as_lines(all_examples(load_relations())), "run: python benchmarks/operators.py phrasings"
