"""Measures of single answers, against values worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.scoring.evidence_recall import evidence_recall
from tem_graph.evaluate.scoring.key_entity import is_hit, is_strict_hit
from tem_graph.evaluate.scoring.locomo_f1 import locomo_f1, token_f1, tokens
from tem_graph.evaluate.scoring.samples import score_samples
from tem_graph.evaluate.scoring.substring import is_exact, is_right
from tem_graph.evaluate.scoring.typed_result import same_result
from tem_graph.evaluate.scoring.verdict import Verdict, declines, without_judge
from tests.unit.scored import answered, question

# Key entities -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "hit", "strict"),
    [
        ("Ada lives in LYON.", True, True),
        ("Lyon; before that she lived in Porto", True, False),
        ("the city of lights of the Rhône", True, True),
        ("Porto", False, False),
        ("", False, False),
    ],
)
def test_key_entity(answer: str, hit: bool, strict: bool) -> None:
    names, others = ("Lyon", "City of Lights"), ("Porto",)
    assert is_hit(answer, names) is hit
    assert is_strict_hit(answer, names, others) is strict


def test_a_value_inside_the_name_is_not_named_beside_it() -> None:
    assert is_strict_hit("She drinks green tea", ["green tea"], ["tea"])
    assert not is_strict_hit("Green tea, and once tea", ["green tea"], ["tea"])
    assert is_hit("iced tea", ["tea"])
    assert not is_strict_hit("iced tea", ["tea"], ["iced tea"])


def test_an_empty_name_is_in_no_answer() -> None:
    assert not is_hit("anything", ["", "  "])
    assert is_strict_hit("Lyon", ["Lyon"], [""])


@given(st.text(), st.lists(st.text(min_size=1), max_size=3), st.lists(st.text(), max_size=3))
def test_a_strict_hit_is_a_hit(answer: str, names: list[str], others: list[str]) -> None:
    assert is_hit(answer, names) or not is_strict_hit(answer, names, others)


# LoCoMo's F1 --------------------------------------------------------------------------------------------------


def test_tokens_are_stemmed_and_articles_and_commas_go() -> None:
    assert tokens("The dogs, and a cat's running!") == ["dog", "cat", "run"]
    assert tokens("ran,swam") == ["ranswam"]
    assert tokens("dying skies") == ["die", "sky"], "NLTK's additions to Porter's rules"


@pytest.mark.parametrize(
    ("answer", "reference", "f1"),
    [
        ("7 May 2023", "7 May 2023", 1.0),
        ("May 7, 2023", "7 May 2023", 1.0),
        ("in May 2023", "7 May 2023", 2 * (2 / 3) * (2 / 3) / (4 / 3)),
        ("dog dog", "dog", 2 * 0.5 * 1 / 1.5),
        ("", "dog", 0.0),
        ("the", "a", 0.0),
        ("three", "3", 0.0),
    ],
)
def test_token_f1(answer: str, reference: str, f1: float) -> None:
    assert token_f1(answer, reference) == pytest.approx(f1)


def test_category_1_takes_the_best_part_for_each_gold_part() -> None:
    assert locomo_f1("running, pottery", "pottery, running", 1) == 1.0
    assert locomo_f1("pottery", "pottery, running", 1) == 0.5
    assert locomo_f1("she likes pottery, swimming", "pottery, running", 1) == pytest.approx(0.25)
    assert locomo_f1("pottery and running", "pottery, running", 1) == pytest.approx((2 / 3 + 2 / 3) / 2)
    assert locomo_f1("pottery", "pottery,", 1) == 0.5, "a comma at the end makes an empty gold part, as published"


def test_category_3_takes_the_reference_up_to_the_first_semicolon() -> None:
    assert locomo_f1("Yes", "Yes; she said so; twice", 3) == 1.0
    assert locomo_f1("Yes", "Yes; she said so", 4) < 1


def test_category_5_looks_for_two_phrases_only() -> None:
    assert locomo_f1("It is NOT MENTIONED there", "anything", 5) == 1.0
    assert locomo_f1("No information available", "", 5) == 1.0
    assert locomo_f1("The evidence does not say.", "", 5) == 0.0
    assert declines("The evidence does not say.")
    with pytest.raises(ValueError, match="category 6"):
        locomo_f1("a", "b", 6)


@given(st.text(), st.text(), st.sampled_from([1, 2, 3, 4, 5]))
def test_f1_is_a_share(answer: str, reference: str, category: int) -> None:
    assert 0 <= locomo_f1(answer, reference, category) <= 1


# The others ---------------------------------------------------------------------------------------------------


def test_evidence_recall_counts_each_gold_turn_once() -> None:
    assert evidence_recall(["D1:1", "D9:9"], ["D1:1", "D1:1", "D2:2", "D3:3"]) == pytest.approx(1 / 3)
    assert evidence_recall([], ["D1:1"]) == 0.0
    assert evidence_recall(["D1:1"], []) is None


def test_typed_results() -> None:
    assert same_result({"status": "conflict", "value": ["b", "A"]}, {"status": "conflict", "value": ["a", "B"]})
    assert not same_result({"status": "conflict", "value": ["a"]}, {"status": "conflict", "value": ["a", "b"]})
    assert same_result({"status": "none", "reason": "no_dates"}, {"status": "none", "reason": "no_dates"})
    assert not same_result({"status": "ok"}, {"status": "ok", "value": "x"})
    assert not same_result({"status": "conflict"}, {"status": "conflict", "value": ["a"]})
    moment = {"status": "ok", "value": {"date": "2020-01", "session": "s1"}}
    assert same_result(moment, {"status": "ok", "value": {"session": "S1", "date": "2020-01"}})


def test_substring_match_of_factconsolidation() -> None:
    assert is_right("It is the United States of America.", ["united states of America"])
    assert not is_exact("It is the United States of America.", ["united states of America"])
    assert is_exact("The United States of America!", ["united states of America"])


# By job -------------------------------------------------------------------------------------------------------


def test_each_job_has_its_measures() -> None:
    asked = question("q", expected={"status": "ok", "value": "Lyon"}, evidence=("D1:1",), metadata={"category": 4})
    line = answered("q", answer="Lyon", result={"status": "ok", "value": "lyon"}, evidence_turns=("D1:1",))

    def scores(job: str) -> dict[str, float | None]:
        (sample,) = score_samples(job, [line], [asked])
        return dict(sample.scores)

    assert scores("state-update") == {"key_entity_hit": 1, "strict_hit": 1}
    assert scores("operators") == {"typed_result": 1}
    assert scores("factconsolidation") == {"substring_match": 1, "exact_match": 1}
    assert scores("locomo") == {"locomo_f1": 1, "declined": None, "evidence_recall": 1}
    assert scores("longmemeval") == {"evidence_recall": 1}


def test_an_operator_question_answered_without_a_typed_result_is_wrong() -> None:
    asked = question("q", expected={"status": "ok", "value": "Lyon"})
    (sample,) = score_samples("operators", [answered("q", answer="Lyon")], [asked])
    assert sample.scores == {"typed_result": 0}


def test_where_nobody_was_there_to_answer_nothing_but_evidence_is_scored() -> None:
    asked = question("q", evidence=("D1:1", "D1:2"), metadata={"category": 4})
    line = answered("q", answer="", path="evidence", calls=0, evidence_turns=("D1:1",))
    (sample,) = score_samples("locomo", [line], [asked])
    assert sample.scores == {"evidence_recall": 0.5}
    other = answered("q2", answer="Lyon", path="operator", calls=0)
    samples = score_samples("locomo", [line, other], [asked, question("q2", metadata={"category": 4})])
    assert [s.scores["locomo_f1"] for s in samples] == [0, 1], "an unanswered one counts where others were answered"


def test_an_answer_to_an_unknown_question_is_refused() -> None:
    with pytest.raises(EvaluationError, match="'q9'"):
        score_samples("locomo", [answered("q9")], [question("q1")])


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"answer": ""}, Verdict.WRONG),
        ({"answer": "Lyon", "finish_reason": "length"}, Verdict.WRONG),
        ({"answer": "Lyon", "error": "ModelRefused: no"}, Verdict.WRONG),
        ({"answer": "Lyon"}, None),
    ],
)
def test_what_needs_no_judge(changes: dict[str, str], verdict: Verdict | None) -> None:
    assert without_judge(answered("q", **changes), question("q")) is verdict


def test_questions_without_an_answer_are_answered_right_by_declining() -> None:
    for asked in (question("q", "adversarial", "No"), question("q", metadata={"is_abstention": True})):
        assert without_judge(answered("q", answer="That is not mentioned."), asked) is Verdict.RIGHT
        assert without_judge(answered("q", answer="Lyon"), asked) is Verdict.WRONG
