"""Replies of every bad kind: what is tolerated, what is refused, and what the repair asks."""

from __future__ import annotations

import json
from contextlib import suppress
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from tem_graph.domain.extraction import Usage
from tem_graph.errors import BadReply, ModelUnavailable
from tem_graph.llm.scripted import ScriptedChat
from tem_graph.llm.structured import ReplyProblem, answer, ask, parse_reply, read_json, strict_schema
from tem_graph.ports import ChatMessage, ChatReply

QUESTION = [ChatMessage("system", "Extract."), ChatMessage("user", "[0] Ana: I live in Ravn.")]
GOOD = '{"facts": [{"subject": "Ana"}]}'


class Item(BaseModel):
    subject: str


class Reply(BaseModel):
    facts: list[Item]


def parse(reply: ChatReply) -> Reply:
    return parse_reply(reply, Reply, wrapper="facts")


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Here are the facts I found:\n{GOOD}\nLet me know if you need more.",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```\nDone.",
        f'<think>Maybe {{"facts": [{{"subject": "Bob"}}]}}?</think>\n{GOOD}',
        f'It may be {{"facts": []}} or not. </think> {GOOD}',
        "<thinking>a } stray brace</thinking>" + GOOD,
        f'An example would be {{"facts": []}}. The answer is {GOOD}',
        f"The set {{a, b}} has [3] members. {GOOD}",
        '[{"subject": "Ana"}]',
        "{'facts': [{'subject': 'Ana'}]}",
        '{"facts": [{"subject": "Ana",},],}',
        '{facts: [{subject: "Ana"}]} // done',
        '\ufeff{"facts": [{"subject": "Ana", "mood": "good"}], "note": null}',
    ],
)
def test_reads_the_facts_whatever_surrounds_them(text: str) -> None:
    assert parse(ChatReply(text)) == Reply(facts=[Item(subject="Ana")])


@pytest.mark.parametrize("text", ['{"facts": []}', "[]", "```json\n[]\n```", '```json\n{"facts": []}\n```'])
def test_an_empty_list_is_a_real_answer(text: str) -> None:
    assert parse(ChatReply(text)).facts == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "model returned empty content"),
        ("  \n ", "model returned empty content"),
        ("<think>hm</think>", "model returned empty content"),
        ("<think>I wonder and wonder", "model returned empty content"),
        ("not json at all", "holds no JSON"),
        ('{"facts": [{"subject": "Ana"}', "ends before its brackets close"),
        ('{"facts": [{"subject": "Ana"}, {"subj', "ends before its brackets close"),
        ('{"facts": [{"subject": "An', "ends before its brackets close"),
        ('{"answer": 1}', "facts: Field required"),
        ('{"facts": [{"subject": "Ana"}, {}]}', r"facts\[1\].subject: Field required"),
    ],
)
def test_refuses_what_is_no_answer(text: str, complaint: str) -> None:
    with pytest.raises(ReplyProblem, match=complaint):
        parse(ChatReply(text))


def test_a_cut_off_reply_is_never_parsed_even_when_it_looks_whole() -> None:
    with pytest.raises(ReplyProblem, match="reply cut off at 512 tokens"):
        parse(ChatReply(GOOD, "length", Usage(1, 10, 512)))


def test_a_filtered_reply_says_so() -> None:
    with pytest.raises(ReplyProblem, match=r"empty content \(finish reason content_filter\)"):
        parse(ChatReply("", "content_filter"))


@given(st.integers(1, len(GOOD) - 1))
def test_no_beginning_of_a_reply_passes_for_a_whole(length: int) -> None:
    with pytest.raises(ReplyProblem):
        parse(ChatReply(GOOD[:length]))


@given(st.text(max_size=60))
def test_any_text_ends_in_a_value_or_a_problem(text: str) -> None:
    with suppress(ReplyProblem):
        assert isinstance(parse(ChatReply(text)), Reply)


def test_inner_fences_stay_as_they_are() -> None:
    inside = "run ```make test``` first, then ```json\n{}\n```"
    reply = read_json(ChatReply('{"facts":[{"subject":"run ```make test``` first, then ```json\\n{}\\n```"}]}'))
    assert reply == {"facts": [{"subject": inside}]}


async def test_asks_once_more_with_the_complaint() -> None:
    model = ScriptedChat(["no json", GOOD])
    answered = await answer(model, ask(QUESTION, parse, about="session 's1'"), max_tokens=100)
    assert answered.value.facts == [Item(subject="Ana")]
    assert answered.repairs == 1
    assert answered.usage.calls == 2
    *_, given_back, complaint = model.requests[1].messages
    assert (given_back.role, given_back.content) == ("assistant", "no json")
    assert complaint.role == "user"
    assert "holds no JSON" in complaint.content


async def test_a_complaint_about_an_empty_reply_keeps_the_roles_alternating() -> None:
    model = ScriptedChat(["", GOOD])
    await answer(model, ask(QUESTION, parse, about="session 's1'"), max_tokens=100)
    assert [m.role for m in model.requests[1].messages] == ["system", "user"]
    assert "model returned empty content" in model.requests[1].text


async def test_gives_up_after_one_repair_and_names_what_is_wrong_but_not_the_conversation() -> None:
    model = ScriptedChat(['{"facts": [{}]}'], repeat_last=True)
    with pytest.raises(BadReply) as caught:
        await answer(model, ask(QUESTION, parse, about="session 's1'"), max_tokens=100)
    assert len(model.requests) == 2
    assert "session 's1': facts[0].subject" in str(caught.value)
    assert "Ravn" not in str(caught.value)
    assert caught.value.calls == 2
    assert caught.value.output_tokens > 0


async def test_what_a_repair_cost_is_booked_when_the_model_then_fails() -> None:
    model = ScriptedChat([ChatReply("no", usage=Usage(1, 7, 3)), ModelUnavailable("gone")])
    with pytest.raises(ModelUnavailable) as caught:
        await answer(model, ask(QUESTION, parse, about="session 's1'"), max_tokens=100)
    assert (caught.value.calls, caught.value.prompt_tokens, caught.value.output_tokens) == (1, 7, 3)


def test_the_strict_schema_requires_everything_and_keeps_field_order() -> None:
    class Part(BaseModel):
        title: str = "x"
        size: int | None = None

    class Whole(BaseModel):
        parts: list[Part] = []
        default: bool = True

    schema = strict_schema(Whole)
    assert list(schema["properties"]) == schema["required"] == ["parts", "default"]
    part = schema["properties"]["parts"]["items"]
    assert part["required"] == ["title", "size"]
    assert part["additionalProperties"] is schema["additionalProperties"] is False
    assert "$defs" not in schema


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "[" * 20_000 + "]" * 20_000,
        '{"a":' * 20_000,
        "[1 " * 5_000 + "]" * 5_000,
        '{"facts": [{"x": 1} ' * 3_000,
        "[" + "{'a': 1}, " * 15_000 + "]",
    ],
)
def test_garbage_without_an_end_is_refused_in_no_time(text: str) -> None:
    started = perf_counter()
    with pytest.raises(ReplyProblem, match=r"nested too deeply|too long to mend"):
        read_json(ChatReply(text), wrapper="facts")
    assert perf_counter() - started < 5.0  # it took most of a minute


def test_brackets_in_the_strings_of_a_valid_reply_are_no_depth() -> None:
    facts = [{"quote": ":[ {" * 200, "nested": [[[1]]]}]
    assert read_json(ChatReply(json.dumps({"facts": facts})), wrapper="facts") == {"facts": facts}
