"""The model router with scripted replies: what it accepts, repairs and refuses."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from tem_graph.answer.route import Known, Routed, Router
from tem_graph.answer.route_model import ModelRouter
from tem_graph.errors import BadReply
from tem_graph.llm.scripted import ScriptedChat
from tem_graph.temporal.registry import OPERATORS
from tests.unit.strategies import CATALOG

KNOWN = Known({"Ana": (), "Bo": ()}, CATALOG, date(2024, 6, 1), user="Ana")


def reply(operator: str, **fields: object) -> str:
    return json.dumps({"operator": operator, "subject": "ana", "relation": "residence"} | fields)


async def route(question: str, *replies: str) -> tuple[Routed | None, ScriptedChat]:
    model = ScriptedChat(replies)
    return await ModelRouter(model).route(question, KNOWN), model


async def place(question: str, *replies: str) -> tuple[str, dict[str, Any]]:
    routed, _ = await route(question, *replies)
    assert routed is not None
    assert routed.call is not None
    return routed.call.operator, routed.call.arguments


async def test_a_reply_becomes_a_checked_call() -> None:
    nothing = {"occurrence": None, "n": None, "date": None}
    placed = await place("Where did Ana live before Lund?", reply("before", value="Lund", **nothing))
    assert placed == ("before", {"subject": "Ana", "relation": "residence", "value": "Lund"})


async def test_it_is_a_router_and_says_what_it_cost() -> None:
    routed, model = await route("Where does Ana live?", reply("current"))
    assert isinstance(ModelRouter(model), Router)
    assert routed is not None
    assert routed.usage.calls == 1


async def test_the_operators_are_enumerated_in_schema_and_prompt() -> None:
    _, model = await route("Where does Ana live?", reply("current"))
    request = model.requests[0]
    assert request.schema is not None
    assert request.schema["properties"]["operator"]["enum"] == [*OPERATORS, "unknown"]  # type: ignore[index]
    assert all(f"- {name}: " in request.text for name in OPERATORS)
    assert "2024-06-01" in request.text


async def test_unknown_is_not_placed() -> None:
    routed, _ = await route("Why did Ana move?", reply("unknown"))
    assert routed is None


async def test_arguments_of_other_operators_are_left_out() -> None:
    _, arguments = await place("Where does Ana live?", reply("current", value="", n=1, date="2024"))
    assert arguments == {"subject": "Ana", "relation": "residence"}


async def test_two_stays_are_told_apart() -> None:
    other = {"other_relation": "employer", "other_value": "Acme"}
    _, overlap = await place("Did Ana live in Lund while at Acme?", reply("overlap", value="Lund", **other))
    assert overlap["b"] == {"subject": "Ana", "relation": "employer", "value": "Acme"}
    _, during = await place("Where did Ana live when at Acme?", reply("during", **other))
    assert during["while"]["value"] == "Acme"


async def test_a_value_that_the_question_does_not_name_is_asked_for_again() -> None:
    replies = (reply("before", value="Graz"), reply("before", value="Lund"))
    routed, model = await route("Where did Ana live before Lund?", *replies)
    assert routed is not None
    assert routed.usage.calls == 2
    assert "does not name 'Graz'" in model.requests[1].text


@pytest.mark.parametrize(
    "bad",
    [reply("newest"), reply("before"), reply("nth", n=None), reply("as_of_date", date="May"), "no JSON"],
)
async def test_what_no_operator_takes_is_an_error_and_never_another_operator(bad: str) -> None:
    with pytest.raises(BadReply, match="routing the question"):
        await route("Where did Ana live before Lund?", bad, bad)
