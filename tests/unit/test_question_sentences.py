"""Questions of several sentences, two values told apart, and what both classifiers say together."""

from __future__ import annotations

from datetime import date

import pytest

from tem_graph.answer.route import Known, KnownValue, Routed
from tem_graph.answer.rules import ENGLISH, NearestPhrasing
from tem_graph.answer.rules.frame import asking_sentence, without_frame
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import mask
from tem_graph.answer.rules.phrasings import NO_OPERATOR, Phrasings
from tem_graph.answer.rules.weights import INTERCEPT, Weights, read_weights, stored_weights, write_weights
from tests.unit.strategies import CATALOG

VALUES = (
    *(("residence", city) for city in ("Lund", "Graz")),
    *(("employer", firm) for firm in ("Acme", "Birch")),
    *(("occupation", job) for job in ("nurse", "plumber")),
)
KNOWN = Known(
    subjects={"Ana": (), "Bo": ()},
    catalog=CATALOG,
    today=date(2024, 6, 1),
    values=tuple(KnownValue(who, relation, value) for who in ("Ana", "Bo") for relation, value in VALUES),
)


def read(question: str) -> list[Item]:
    return read_items(question, KNOWN, lexicon_of(KNOWN.catalog, KNOWN.relations), join=False)


def sure(question: str) -> Routed | None:
    routed = ENGLISH.place(question, KNOWN)
    return routed if routed is not None and routed.call is not None and routed.confidence >= 0.7 else None


def said(items: list[Item]) -> str:
    return " ".join(key for item in items for key in item.keys)


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("I keep losing track. Which city is home for Ana?", "which city is home for ana ?"),
        ("When did Ana stop living in Lund? The power company needs the date.", "when did ana stop living in lund ?"),
        ("We have lunch tomorrow. Where does Ana live now?", "where does ana live now ?"),
        ("Ana moved again. Where is she now?", ""),
        ("Ana says that Bo moved. Does Bo live in Lund?", ""),
        ("Where does Ana live?", ""),
    ],
)
def test_the_sentence_that_asks_is_found_where_it_names_all_there_is_to_name(question: str, asks: str) -> None:
    assert said(asking_sentence(read(question))) == asks


def test_an_errand_in_front_is_no_part_of_the_question() -> None:
    assert said(without_frame(read("Before I book the room, where does Ana live?"))) == "where does ana live ?"
    assert said(without_frame(read("Before I met Ana, where did she live?"))).startswith("before i met ana")


@pytest.mark.parametrize(
    ("question", "operator", "args"),
    [
        ("I keep losing track. Which city is home for Ana right now?", "current", {"relation": "residence"}),
        ("Before I book the room, where does Ana live?", "current", {"relation": "residence"}),
        ("Payroll needs to know in what city Ana was resident in 2021.", "as_of_date", {"relation": "residence"}),
        ("What was Ana's job at the time, in May 2021?", "as_of_date", {"relation": "occupation"}),
        ("When was it that Ana first became a nurse?", "became", {"value": "nurse", "occurrence": "first"}),
        ("Which was the second place Ana worked at?", "nth", {"relation": "employer", "n": 2}),
        ("I don't want a firm counted twice. How many different employers has Ana had?", "count_distinct", {}),
        ("How many different entries does Ana have as employer?", "count_distinct", {"relation": "employer"}),
    ],
)
def test_what_stands_around_a_question_does_not_change_it(
    question: str, operator: str, args: dict[str, object]
) -> None:
    routed = sure(question)
    assert routed is not None
    assert routed.call is not None
    assert routed.call.operator == operator
    assert args.items() <= routed.call.arguments.items()


@pytest.mark.parametrize(
    "question",
    [
        "Did Ana go from Lund directly to Graz?",
        "Was Lund replaced directly by Graz as Ana's home?",
        "Is it true that Graz directly replaced Lund as Ana's home?",
        "Ana: residence change Lund -> Graz, yes or no?",
        "Did Graz come right after Lund as Ana's home?",
        "Ana had her home in Lund and right after it in Graz, is that how it changed?",
        "Was Graz the very next city that Ana lived in after Lund?",
    ],
)
def test_the_old_value_is_told_from_the_new_one(question: str) -> None:
    routed = NearestPhrasing().place(question, KNOWN)
    assert routed is not None
    assert routed.call is not None
    told = routed.call.arguments
    assert (routed.call.operator, told["from"], told["to"]) == ("changed", "Lund", "Graz")


@pytest.mark.parametrize(
    ("question", "wrong"),
    [
        ("No, not how long, I mean how many separate times Ana lived in Lund.", "duration"),
        ("Before any move took place, where did Ana live?", "previous"),
        ("Count returns twice. How many homes has Ana had?", "count_distinct"),
        ("Was Ana a nurse right before becoming a plumber?", "order"),
    ],
)
def test_another_operator_is_not_sure(question: str, wrong: str) -> None:
    routed = sure(question)
    assert routed is None or routed.call is None or routed.call.operator != wrong


@pytest.mark.parametrize(
    "question",
    [
        "Who replaced Ana at Acme?",
        "Which drink does Ana hate most?",
        "Does Ana's cousin still work for Acme?",
        "Have Ana's parents ever lived in Lund?",
        "Why has Ana moved so often?",
    ],
)
def test_what_no_operator_answers_is_not_sure(question: str) -> None:
    assert sure(question) is None


def test_a_word_that_may_be_no_value_does_not_become_one() -> None:
    routed = sure("Since when has Ana been working in the job she has now? It's for the insurance.")
    assert routed is not None
    assert routed.call is not None
    assert "value" not in routed.call.arguments


def test_weights_are_written_as_they_are_read() -> None:
    weights = {INTERCEPT: {"ever": 0.5, "still": -1.0}, "w | x": {"ever": 0.25}}
    assert read_weights(write_weights(weights).splitlines()) == weights
    assert write_weights({"w y": {}}) == ""


def test_the_lead_is_over_operators_that_the_shape_does_not_allow_too() -> None:
    masked = mask(read("Does Ana still live in Lund?"))
    near = NearestPhrasing(Phrasings([("still", masked), (NO_OPERATOR, masked)]), Weights({}))
    allowed = near._nearest(masked, frozenset({"still"}))
    near = NearestPhrasing(
        Phrasings([("still", masked), (NO_OPERATOR, masked), ("ever", masked)]), Weights({INTERCEPT: {"ever": 2.0}})
    )
    operator, lead = near._nearest(masked, frozenset({"still"}))
    assert allowed[1] >= 0
    assert operator in {"still", NO_OPERATOR}
    assert lead == pytest.approx(-6.0)


def test_every_operator_has_weights() -> None:
    scores = stored_weights().scores(mask(read("Does Ana still live in Lund?")))
    assert max(scores, key=lambda o: scores[o]) == "still"
    assert len(scores) == 27
