"""The rules router on the wordings of route_cases.jsonl, and on how people type them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tem_graph.answer.route import Known, KnownValue, Routed, Router
from tem_graph.answer.rules import RulesRouter
from tem_graph.answer.rules.words import read_words, verb_forms
from tests.unit.strategies import CATALOG

CASES = [json.loads(line) for line in (Path(__file__).parent / "route_cases.jsonl").read_text("utf-8").splitlines()]
NAMES = ("Ana", "Mira Stone", "Bo", "林小雨", "Ravi", "User", "Cozy Home Co.")
SURE = 0.7
ROUTER = RulesRouter()


def known(*values: KnownValue, names: tuple[str, ...] = NAMES, user: str | None = "Ravi") -> Known:
    return Known(
        subjects=dict.fromkeys(names, ()),
        catalog=CATALOG,
        today=date(2024, 6, 1),
        relations=("residence", "employer", "ad budget"),
        values=values,
        user=user,
    )


KNOWN = known()


def place(question: str, of: Known = KNOWN) -> tuple[str | None, dict[str, object]]:
    """The operator and arguments that the router is sure of."""
    routed = ROUTER.place(question, of)
    if routed is None or routed.call is None or routed.confidence < SURE:
        return None, {}
    return routed.call.operator, routed.call.arguments


def folded(args: object) -> object:
    return json.loads(json.dumps(args).casefold())


@pytest.mark.parametrize("case", CASES, ids=lambda c: c["question"])
def test_a_wording_is_placed(case: dict[str, object]) -> None:
    assert place(str(case["question"])) == (case["operator"], case.get("args", {}))


@pytest.mark.parametrize(
    "typed",
    [str.lower, lambda q: q.rstrip("?."), lambda q: f"Please tell me: {q}", lambda q: f"  {q} ", lambda q: q.upper()],
    ids=["lower", "no-mark", "polite", "blanks", "upper"],
)
def test_the_way_it_is_typed_never_makes_another_question_of_it(typed: Callable[[str], str]) -> None:
    """At most one in fifty is not placed; what is placed is the same operator on the same value."""
    unplaced, sample = 0, [c for c in CASES[::4] if "The Hague" not in c["question"]]
    for case in sample:
        operator, args = place(typed(case["question"]))
        if operator is None:
            unplaced += case["operator"] is not None
            continue
        assert operator == case["operator"], case["question"]
        assert folded(args) == folded(case["args"])
    assert unplaced <= len(sample) / 50


def test_there_are_enough_wordings_of_every_operator() -> None:
    assert len(CASES) >= 400
    assert {c["operator"] for c in CASES} >= {"current", "before", "after", "during", "order", "overlap", None}


async def test_it_is_a_router() -> None:
    assert isinstance(ROUTER, Router)
    routed = await ROUTER.route("Where does Ana live?", KNOWN)
    assert isinstance(routed, Routed)
    assert routed.router == "rules"


def test_a_first_name_that_two_people_share_is_ambiguous() -> None:
    routed = ROUTER.place("Where does Bo live?", known(names=("Bo Lind", "Bo Falk")))
    assert routed is not None
    assert routed.is_ambiguous
    assert routed.choices == ("Bo Falk", "Bo Lind")


def test_a_full_name_wins_over_a_first_name() -> None:
    assert place("Where does Bo live?", known(names=("Bo", "Bo Lind")))[1]["subject"] == "Bo"
    assert place("Where does Bo Lind live?", known(names=("Bo", "Bo Lind")))[1]["subject"] == "Bo Lind"


def test_leaving_takes_its_relation_from_the_values_that_the_memory_knows() -> None:
    question = "When did Ana leave Acme?"
    assert place(question) == (None, {})
    operator, args = place(question, known(KnownValue("Ana", "employer", "Acme")))
    assert (operator, args["relation"], args["value"]) == ("ended", "employer", "Acme")


def test_a_known_value_is_given_back_in_its_stored_spelling() -> None:
    of = known(KnownValue("Ana", "employer", "Cedar & Sons Ltd."))
    assert place("when did ana join cedar & sons ltd.?", of)[1]["value"] == "Cedar & Sons Ltd."


def test_an_unknown_relation_is_never_sure() -> None:
    routed = ROUTER.place("What is Ana's shoe size?", KNOWN)
    assert routed is not None
    assert routed.call is not None
    assert routed.call.arguments["relation"] == "shoe size"
    assert routed.confidence < SURE


def test_without_a_user_the_speaker_is_the_subject_called_user_or_nobody() -> None:
    assert place("Where do I live?", known(names=("User",), user=None))[1]["subject"] == "User"
    assert place("Where do I live?", known(names=("Ana",), user=None)) == (None, {})


def test_a_stored_relation_is_asked_by_its_own_name() -> None:
    own = ("led_by", "assigned_to", "drink")
    of = Known({"Project Aster": (), "Alva": ()}, CATALOG, date(2024, 6, 1), relations=own)
    assert place("Who is Project Aster led by?", of)[1]["relation"] == "led_by"
    assert place("Where was Alva assigned to before Front desk?", of)[1]["value"] == "Front desk"
    assert place("What is Alva's favourite drink?", of)[1] == {"subject": "Alva", "relation": "drink"}


def test_words_keep_their_place_in_the_text() -> None:
    text = "Who's Ana's boss at Müller-Lüdenscheidt & Co.?"
    assert [text[w.start : w.end] for w in read_words(text)][:4] == ["Who", "'s", "Ana", "'s"]
    assert [w.key for w in read_words("What was it before $3,000/mo?")][-2] == "$3,000/mo"


@pytest.mark.parametrize(
    ("verb", "forms"),
    [("stop", {"stops", "stopping", "stopped"}), ("live", {"lives", "lived", "living"}), ("employ", {"employed"})],
)
def test_verbs_have_their_forms(verb: str, forms: set[str]) -> None:
    assert forms <= verb_forms(verb)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who did Ana work for before Birch?", ("before", "Ana", "Birch")),
        ("Did Birch ever employ Ana?", ("ever", "Ana", "Birch")),
        ("Did Ana ever work for Birch?", ("ever", "Ana", "Birch")),
        ("When did Birch become Ana's employer?", ("became", "Ana", "Birch")),
    ],
)
def test_a_value_that_is_a_subject_too_is_told_apart(question: str, expected: tuple[str, str, str]) -> None:
    of = known(KnownValue("Ana", "employer", "Birch"), names=("Ana", "Bo", "Birch"))
    operator, args = place(question, of)
    assert (operator, args["subject"], args["value"]) == expected


def test_two_people_in_one_clause_are_not_placed() -> None:
    of = known(KnownValue("Ana", "brother", "Bo"), names=("Ana", "Bo"))
    assert place("Did Ana ever live with Bo?", of) == (None, {})


def test_a_slot_is_told_by_the_value_that_the_memory_knows() -> None:
    of = known(KnownValue("Ana", "likes", "oolong", "drink"))
    assert place("When did Ana take to oolong?", of)[1]["slot"] == "drink"
    assert "slot" not in place("When did Ana take to oolong?")[1]


def test_spellings_of_one_name_are_one_person() -> None:
    assert place("Where does MIA live?", known(names=("Mia", "MIA", "mia"))) == (
        "current",
        {"subject": "Mia", "relation": "residence"},
    )


def test_small_words_are_no_place_unless_the_memory_knows_them() -> None:
    question = "Has Ana ever lived in elsewhereland?"
    assert place(question) == (None, {})
    assert place(question, known(KnownValue("Ana", "residence", "elsewhereland")))[1]["value"] == "elsewhereland"
    assert place(question.lower())[1]["value"] == "elsewhereland"


def test_moving_is_about_what_the_memory_knows_the_values_as() -> None:
    of = known(KnownValue("Ana", "employer", "Acme"), KnownValue("Ana", "employer", "Birch"))
    operator, args = place("Did Ana move from Acme to Birch?", of)
    assert (operator, args["relation"]) == ("changed", "employer")


@pytest.mark.parametrize(
    ("question", "first", "asks_whether"),
    [
        ("Did Ana move to Lund before she joined Acme?", "Lund", True),
        ("Did Ana move to Lund after she joined Acme?", "Acme", True),
        ("Had Ana already moved to Lund when she joined Acme?", "Lund", True),
        ("Did Ana move to Lund before or after she joined Acme?", "Lund", False),
        ("Which came first for Ana, Lund or Acme?", "Lund", False),
    ],
)
def test_whether_one_stay_came_first_wants_a_yes_or_no(question: str, first: str, asks_whether: bool) -> None:
    of = known(KnownValue("Ana", "residence", "Lund"), KnownValue("Ana", "employer", "Acme"))
    routed = RulesRouter().place(question, of)
    assert routed is not None
    assert routed.call is not None
    assert (routed.call.operator, routed.asks_whether) == ("order", asks_whether)
    assert routed.call.arguments["a"]["value"] == first  # type: ignore[index]
