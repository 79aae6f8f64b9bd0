"""Scripts, replays and callables: models that are none."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tem_graph.domain.extraction import Usage
from tem_graph.errors import InputError, ModelError, ModelUnavailable
from tem_graph.llm.callable import CallableChat
from tem_graph.llm.replay import ReplayChat, request_key
from tem_graph.llm.scripted import ScriptedChat
from tem_graph.ports import ChatMessage, ChatModel, ChatReply

HELLO = [ChatMessage("system", "Be brief."), ChatMessage("user", "Grüß dich\u2028京都")]


async def test_a_script_plays_its_replies_in_order_and_remembers_the_requests() -> None:
    model = ScriptedChat(["one", ChatReply("two", "length"), ValueError("three")])
    assert (await model.chat(HELLO, max_tokens=5)).text == "one"
    assert (await model.chat(HELLO, max_tokens=6, schema={"type": "object"})).finish_reason == "length"
    with pytest.raises(ValueError, match="three"):
        await model.chat(HELLO, max_tokens=5)
    with pytest.raises(ModelError, match="no reply left"):
        await model.chat(HELLO, max_tokens=5)
    assert [r.max_tokens for r in model.requests] == [5, 6, 5, 5]
    assert model.requests[1].schema == {"type": "object"}


async def test_a_script_can_answer_by_what_it_is_asked() -> None:
    model = ScriptedChat(lambda request: request.messages[-1].content.upper())
    assert (await model.chat([ChatMessage("user", "hi")], max_tokens=5)).text == "HI"


@pytest.mark.parametrize(
    "model", [ScriptedChat(["x"]), ReplayChat(Path("missing.jsonl")), CallableChat(lambda s, u: u)]
)
async def test_each_is_a_chat_model(model: ChatModel) -> None:
    assert isinstance(model, ChatModel)
    await model.aclose()


async def test_a_recording_is_played_again_without_the_model(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    source = ScriptedChat([ChatReply("eins\u2028zwei", "stop", Usage(1, 11, 3))], name="tiny")
    recorder = ReplayChat(path, record_from=source)
    first = await recorder.chat(HELLO, max_tokens=5)
    assert await recorder.chat(HELLO, max_tokens=5) == first
    assert len(source.requests) == 1

    player = ReplayChat(path)
    assert player.name == "tiny"
    assert await player.chat(HELLO, max_tokens=5) == first
    with pytest.raises(ModelError, match="no reply to request"):
        await player.chat(HELLO, max_tokens=6)


async def test_a_line_cut_short_by_a_crash_is_dropped_and_asked_for_again(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    model = ScriptedChat(lambda request: request.messages[-1].content)
    for text in ("a", "b"):
        await ReplayChat(path, record_from=model).chat([ChatMessage("user", text)], max_tokens=5)
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    again = ReplayChat(path, record_from=model)
    for text in ("a", "b"):
        assert (await again.chat([ChatMessage("user", text)], max_tokens=5)).text == text
    assert [r.text for r in model.requests] == ["a", "b", "b"]
    assert (await ReplayChat(path).chat([ChatMessage("user", "b")], max_tokens=5)).text == "b"


def test_a_file_that_is_no_recording_is_named(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text('{"key": "k"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"replies\.jsonl, line 1"):
        ReplayChat(path)


def test_the_key_depends_on_all_that_decides_a_reply() -> None:
    keys = {
        request_key(HELLO, 5, None),
        request_key(HELLO[1:], 5, None),
        request_key(HELLO, 6, None),
        request_key(HELLO, 5, {"a": 1, "b": 2}),
        request_key(HELLO, 5, {"b": 2, "a": 1}),
    }
    assert len(keys) == 5


async def test_functions_of_every_colour_are_models() -> None:
    async def later(system: str, user: str) -> str:
        return f"{system}|{user}"

    def now(system: str, user: str) -> str:
        return f"{system}|{user}"

    messages = [ChatMessage("system", "s"), ChatMessage("user", "u")]
    for function in (later, now, partial(later), lambda s, u: later(s, u)):
        assert (await CallableChat(function).chat(messages, max_tokens=5)).text == "s|u"


async def test_a_function_that_fails_is_a_model_that_does_not_answer() -> None:
    def broken(system: str, user: str) -> str:
        raise ConnectionError("line is dead")

    with pytest.raises(ModelUnavailable, match="line is dead"):
        await CallableChat(broken).chat(HELLO, max_tokens=5)
    with pytest.raises(ModelUnavailable, match="returned NoneType"):
        await CallableChat(lambda s, u: None).chat(HELLO, max_tokens=5)  # type: ignore[arg-type,return-value]


async def test_earlier_turns_reach_a_function_under_their_roles() -> None:
    messages = [ChatMessage("user", "q"), ChatMessage("assistant", "a"), ChatMessage("user", "again")]
    reply = await CallableChat(lambda system, user: user).chat(messages, max_tokens=5)
    assert reply.text == "user:\nq\n\nassistant:\na\n\nuser:\nagain"
