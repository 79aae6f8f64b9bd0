"""The cases of tests/fixtures/reported.jsonl: each was a fault that users of such systems reported.

`tests_case("TS-05")` marks a test as the one that makes the case's right value hold, and hands it the case.
`tests/fixtures/reported_plan.toml` says of every other case where it is tested or what it waits for.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tem_graph.domain.conversation import Session
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.readers import parse_conversations
from tem_graph.sync import TemporalMemory
from tem_graph.temporal.result import to_expected

FIXTURES = Path(__file__).parents[1] / "fixtures"
Case = Mapping[str, Any]
CASES: dict[str, Case] = {
    case["id"]: case for case in map(json.loads, (FIXTURES / "reported.jsonl").read_text(encoding="utf-8").splitlines())
}
PLAN: dict[str, list[dict[str, Any]]] = tomllib.loads((FIXTURES / "reported_plan.toml").read_text(encoding="utf-8"))
MODULES = ("test_reported", "test_reported_reading", "test_reported_graph")

F = TypeVar("F", bound=Callable[..., Any])


def tests_case(*ids: str) -> Callable[[F], F]:
    """Runs the test once per case, with the case as `case`."""

    def mark(test: F) -> F:
        test.cases = ids  # type: ignore[attr-defined]
        return pytest.mark.parametrize("case", [CASES[id_] for id_ in ids], ids=ids)(test)

    return mark


tests_case.__test__ = False  # type: ignore[attr-defined]


def put(memory: TemporalMemory, case: Case, facts: str = "facts") -> None:
    """Adds the case's facts by hand; `index` is a position inside a session and orders nothing."""
    given = case["given"]
    dates = given.get("session_dates", {})
    for fact in given[facts]:
        memory.add_facts(
            [
                FactInput(
                    fact["subject"],
                    fact["relation"],
                    fact["object"],
                    fact["session"],
                    date=dates.get(fact["session"]),
                    effective=fact["effective_date"],
                )
            ]
        )


def sessions(case: Case) -> list[Session]:
    """The case's sessions, read as a file of sessions is read."""
    given = case["given"]
    lines = [json.dumps(session, ensure_ascii=False) for session in given.get("sessions", [given.get("session")])]
    (conversation,) = parse_conversations("\n".join(lines), origin=case["id"])
    return list(conversation.sessions)


def asked(memory: TemporalMemory, operator: str, subject: str, relation: str, **arguments: object) -> object:
    """The operator's value, or its status and reason where there is none."""
    result = memory.operator(operator, subject=subject, relation=relation, **arguments)
    expected = to_expected(result)
    return expected["value"] if expected["status"] == "ok" else expected.get("reason", expected)
