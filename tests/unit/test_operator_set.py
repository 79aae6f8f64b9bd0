"""The operator set, its slow reference, and the held-out wording."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.operator_wording import HELD, READ, SOURCES, WRITERS, bare, entries_of, generate_wording, unanswered
from benchmarks.operators import generate
from benchmarks.timelines import PATTERNS
from tem_graph.temporal.registry import OPERATORS, make_call
from tests.reference import answer

FIXTURES = Path(__file__).parents[1] / "fixtures"
TODAY = "2025-06-30"


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    return list(generate(seed=42))


def test_the_set_is_large_enough_and_covers_every_operator_and_trap(rows: list[dict[str, Any]]) -> None:
    assert len(rows) >= 400
    assert len({row["timeline"] for row in rows}) >= 40
    asked = Counter(row["operator"] for row in rows)
    assert set(asked) == set(OPERATORS)
    assert min(asked.values()) >= 10
    assert {row["trap"] for row in rows} == {*PATTERNS, "two groups"}


def test_every_status_and_reason_is_expected_somewhere(rows: list[dict[str, Any]]) -> None:
    assert {row["expected"]["status"] for row in rows} >= {"ok", "none", "conflict"}
    assert {row["expected"].get("reason") for row in rows} >= {
        "unknown_subject",
        "unknown_relation",
        "no_earlier_version",
        "no_later_version",
        "value_never_held",
        "out_of_range",
        "before_first_record",
        "no_dates",
    }


def test_the_same_seed_gives_the_same_set(rows: list[dict[str, Any]]) -> None:
    assert list(generate(seed=42)) == rows
    assert list(generate(seed=43)) != rows


def test_questions_are_whole_and_arguments_are_those_of_the_operators(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        assert "{" not in row["question"]
        assert "#" not in row["question"]
        make_call(row["operator"], row["args"])


@pytest.mark.parametrize(
    ("file", "source", "per_operator"),
    [
        ("operator_wording.jsonl", "operators", 25),
        ("operator_wording_2.jsonl", "operators2", 12),
        ("operator_wording_3.jsonl", "operators3", 12),
        ("operator_wording_4.jsonl", "operators4", 12),
        ("operator_wording_5.jsonl", "operators5", 12),
        ("operator_wording_6.jsonl", "operators6", 12),
        ("operator_wording_5_held.jsonl", "operators5_held", 12),
        ("operator_wording_6_held.jsonl", "operators6_held", 12),
    ],
)
def test_the_held_out_wording_is_current_and_covers_every_operator(file: str, source: str, per_operator: int) -> None:
    kept = [json.loads(line) for line in (FIXTURES / file).read_text(encoding="utf-8").splitlines()]
    assert kept == list(generate_wording(42, source)), (
        f"run: python benchmarks/operators.py wording tests/fixtures/{file} --source {source}"
    )
    asked = Counter(row["operator"] for row in kept)
    assert set(asked) == set(OPERATORS)
    assert min(asked.values()) >= per_operator
    assert len(kept) >= 500
    for row in kept:
        make_call(row["operator"], row["args"])
        assert not set("{}#") & set(row["question"])
        for value in (row["args"].get(key) for key in ("subject", "value", "from", "to")):
            assert value is None or value.casefold() in row["question"].casefold()


@pytest.mark.parametrize("source", SOURCES)
def test_no_wording_is_used_for_two_operators(source: str) -> None:
    operators: dict[str, set[str]] = {}
    for operator, section, entry in entries_of(source):
        operators.setdefault(f"{section}: {entry.split(' #')[0].casefold()}", set()).add(operator)
    assert not {entry: names for entry, names in operators.items() if len(names) > 1}


@pytest.mark.parametrize("source", SOURCES[1:])
def test_every_source_has_the_same_sections(source: str) -> None:
    one, other = ({(operator, section) for operator, section, _ in entries_of(s)} for s in (SOURCES[0], source))
    assert one == other


@pytest.mark.parametrize("held", ["operators4", "operators5_held", "operators6_held"])
def test_what_was_read_shares_no_wording_with_what_is_held_out(held: str) -> None:
    read = {bare(entry) for source in READ for *_, entry in entries_of(source)}
    assert not read & {bare(entry) for *_, entry in entries_of(held)}


@pytest.mark.parametrize("source", HELD)
def test_what_a_stranger_words_as_somebody_before_can_be_left_out(source: str) -> None:
    whole, unread = list(generate_wording(42, source)), list(generate_wording(42, source, unread_only=True))
    assert 0.5 * len(whole) < len(unread) < len(whole)
    assert {row["operator"] for row in unread} == set(OPERATORS)


@pytest.mark.parametrize("source", [*WRITERS, *HELD])
def test_each_writer_asks_something_that_no_operator_answers(source: str) -> None:
    rows = unanswered(source)
    assert len({row["question"] for row in rows}) >= 80
    assert not any(set("{}#") & set(row["question"]) for row in rows)


def _facts(*told: tuple[str, int, str | None, str | None]) -> list[dict[str, Any]]:
    """(object, index, session day, effective day)"""
    return [
        {"subject": "Ana", "relation": "residence", "object": value, "session": f"s{n}", "index": n}
        | ({"date": day} if day else {})
        | ({"effective": since} if since else {})
        for value, n, day, since in told
    ]


RETURNED = _facts(("Porto", 1, "2020-01-01", None), ("Lund", 2, "2021-01-01", None), ("PORTO ", 3, "2022-01-01", None))
LATE = _facts(
    ("Graz", 1, "2020-01-01", None), ("Lund", 2, "2022-01-01", None), ("Porto", 3, "2023-01-01", "2021-01-01")
)
CONFLICT = _facts(("Porto", 1, "2020-01-01", None), ("Lund", 2, "2021-01-01", None), ("Graz", 2, "2021-01-01", None))


@pytest.mark.parametrize(
    ("facts", "operator", "args", "expected"),
    [
        (RETURNED, "current", {}, "PORTO "),
        (RETURNED, "previous", {}, "Lund"),
        (RETURNED, "count_versions", {}, 3),
        (RETURNED, "count_distinct", {}, 2),
        (RETURNED, "history", {}, ["Porto", "Lund", "PORTO "]),
        (RETURNED, "distinct", {}, ["Porto", "Lund"]),
        (RETURNED, "before", {"value": "porto"}, "Lund"),
        (RETURNED, "after", {"value": "porto", "occurrence": "first"}, "Lund"),
        (RETURNED, "duration", {"value": "Lund"}, 365),
        (RETURNED, "duration_total", {"value": "Porto", "until": "2022-01-11"}, 366 + 10),
        (RETURNED, "as_of_date", {"date": "2020-12-31"}, "Porto"),
        (RETURNED, "as_of_date", {"date": "2021-01-01"}, "Lund"),
        (RETURNED, "became", {"value": "Porto"}, {"date": "2022-01-01", "session": "s3"}),
        (RETURNED, "ended", {"value": "Porto", "occurrence": 1}, {"date": "2021-01-01", "session": "s2"}),
        (RETURNED, "still", {"value": "lund"}, False),
        (LATE, "current", {}, "Lund"),
        (LATE, "before", {"value": "Lund"}, "Porto"),
        (LATE, "as_of_session", {"index": 2}, "Lund"),
        (LATE, "as_of_date", {"date": "2021-06-01"}, "Porto"),
        (LATE, "as_of", {"date": "2021-06-01", "known_after": 2}, "Graz"),
    ],
)
def test_reference_by_hand(facts: list[dict[str, Any]], operator: str, args: dict[str, Any], expected: Any) -> None:
    asked = {"subject": "ANA", "relation": "residence", **args}
    assert answer(facts, operator, asked, TODAY) == {"status": "ok", "value": expected}


@pytest.mark.parametrize(
    ("facts", "operator", "args", "reason"),
    [
        (RETURNED, "current", {"subject": "Ben"}, "unknown_subject"),
        (RETURNED, "ever", {"relation": "employer", "value": "Acme"}, "unknown_relation"),
        (RETURNED, "before", {"value": "Porto", "occurrence": "first"}, "no_earlier_version"),
        (RETURNED, "after", {"value": "Porto"}, "no_later_version"),
        (RETURNED, "became", {"value": "Graz"}, "value_never_held"),
        (RETURNED, "nth", {"n": -4}, "out_of_range"),
        (RETURNED, "as_of_date", {"date": "2019-12-31"}, "before_first_record"),
        (_facts(("Porto", 1, None, None)), "since", {}, "no_dates"),
    ],
)
def test_reference_says_why_there_is_no_answer(
    facts: list[dict[str, Any]], operator: str, args: dict[str, Any], reason: str
) -> None:
    asked = {"subject": "Ana", "relation": "residence", **args}
    assert answer(facts, operator, asked, TODAY) == {"status": "none", "reason": reason}


def test_reference_reports_a_conflict_instead_of_picking() -> None:
    asked = {"subject": "Ana", "relation": "residence"}
    assert answer(CONFLICT, "current", asked, TODAY) == {"status": "conflict", "value": ["Graz", "Lund"]}
    assert answer(CONFLICT, "count_versions", asked, TODAY) == {"status": "ok", "value": 2}
