"""What goes over the wire to an OpenAI-compatible endpoint, and what its refusals become."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any

import openai
import pytest

from tem_graph.domain.extraction import Usage
from tem_graph.errors import ModelRefused, ModelUnavailable, SettingsError
from tem_graph.llm.openai_http import OpenAIChat
from tem_graph.ports import ChatMessage, ChatModel

# The SDK brings its HTTP library along, and newer ones bring a successor: take the one that it uses.
httpx: Any = __import__(openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])

KEY = "sk-very-secret"
ASK = [ChatMessage("system", "Read."), ChatMessage("user", "先週、京都で茶道を始めました。")]
SCHEMA = {"type": "object", "properties": {"facts": {"type": "array"}}}


def completion(text: str | None = "{}", finish: str = "stop") -> dict[str, Any]:
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15},
    }


class Endpoint:
    """A server in memory: `answer(body)` gives (status, JSON); every chat request is kept."""

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], tuple[int, Any] | Awaitable[tuple[int, Any]]] = lambda body: (
            200,
            completion(),
        ),
        *,
        models: list[dict[str, Any]] | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.answer = answer
        self.models = models if models is not None else [{"id": "tiny"}, {"id": "other"}]
        self.headers = headers or {}
        self.bodies: list[dict[str, Any]] = []
        self.raw: list[bytes] = []
        self.lists = 0

    async def __call__(self, request: Any) -> Any:
        if request.url.path.endswith("/models"):
            self.lists += 1
            data = [{"object": "model", "created": 0, "owned_by": "x", **m} for m in self.models]
            return httpx.Response(200, json={"object": "list", "data": data})
        self.raw.append(request.content)
        self.bodies.append(json.loads(request.content))
        result = self.answer(self.bodies[-1])
        status, body = result if isinstance(result, tuple) else await result
        return httpx.Response(status, json=body, headers=self.headers)

    def chat(self, **options: Any) -> OpenAIChat:
        options.setdefault("api_key", KEY)
        options.setdefault("max_retries", 0)
        return OpenAIChat("http://user:pw@127.0.0.1:9/v1", transport=httpx.MockTransport(self), **options)


def refuses(field: str, message: str = "", status: int = 400) -> Callable[[dict[str, Any]], tuple[int, Any]]:
    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        if field in json.dumps(body):
            return status, {"error": {"message": message or f"unknown field {field}", "param": None}}
        return 200, completion()

    return answer


async def test_a_request_holds_the_settings_and_the_text_itself() -> None:
    endpoint = Endpoint()
    model = endpoint.chat(temperature=0.0, seed=7)
    assert isinstance(model, ChatModel)
    reply = await model.chat(ASK, max_tokens=50, schema=SCHEMA)
    body = endpoint.bodies[0]
    assert body["model"] == "tiny"
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.0, 7, 50)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert body["response_format"]["json_schema"] == {"name": "reply", "schema": SCHEMA, "strict": True}
    assert body["messages"][1] == {"role": "user", "content": ASK[1].content}
    assert "\\u" not in body["messages"][1]["content"]
    assert (reply.text, reply.usage.prompt_tokens, reply.usage.output_tokens, reply.usage.calls) == ("{}", 12, 3, 1)


async def test_the_model_is_the_first_that_the_server_lists_and_is_asked_for_once() -> None:
    endpoint = Endpoint()
    model = endpoint.chat()
    assert model.name == "model at http://127.0.0.1:9/v1"
    await asyncio.gather(*(model.chat(ASK, max_tokens=5) for _ in range(3)))
    assert (model.name, endpoint.lists) == ("tiny", 1)
    named = Endpoint().chat(model="other")
    await named.chat(ASK, max_tokens=5)
    assert named.name == "other"


async def test_the_window_and_the_effort_of_reasoning() -> None:
    endpoint = Endpoint()
    endpoint.models = [{"id": "tiny", "max_model_len": 4096}]
    model = endpoint.chat(reasoning_effort="low")
    assert await model.describe() == ("tiny", 4096)
    await model.chat(ASK, max_tokens=5)
    assert (endpoint.bodies[0]["reasoning_effort"], endpoint.lists) == ("low", 1)
    refusing = Endpoint(refuses("reasoning_effort"))
    model = refusing.chat(reasoning_effort="low")
    await model.chat(ASK, max_tokens=5)
    assert "reasoning_effort" not in refusing.bodies[-1]
    assert "how long it reasons" in model.notes[0]


async def test_no_content_is_an_empty_text() -> None:
    model = Endpoint(lambda body: (200, completion(None, "length"))).chat()
    reply = await model.chat(ASK, max_tokens=5)
    assert (reply.text, reply.finish_reason) == ("", "length")


async def test_never_more_calls_in_flight_than_allowed() -> None:
    flying = most = 0

    async def answer(body: dict[str, Any]) -> tuple[int, Any]:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        await asyncio.sleep(0.005)
        flying -= 1
        return 200, completion()

    model = Endpoint(answer).chat(concurrency=3)
    await asyncio.gather(*(model.chat(ASK, max_tokens=5) for _ in range(20)))
    assert most == 3


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_passing_failures_are_tried_again_and_pause_as_told(status: int) -> None:
    calls = 0

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        nonlocal calls
        calls += 1
        return (200, completion("late")) if calls == 3 else (status, {"error": {"message": "busy"}})

    endpoint = Endpoint(answer, headers={"retry-after-ms": "1"})
    assert (await endpoint.chat(max_retries=2).chat(ASK, max_tokens=5)).text == "late"


async def test_retries_that_never_help_end_in_an_error_with_address_and_hint() -> None:
    endpoint = Endpoint(lambda body: (503, {"error": {"message": f"loading, {KEY}"}}), headers={"retry-after-ms": "1"})
    with pytest.raises(ModelUnavailable) as caught:
        await endpoint.chat(max_retries=2).chat(ASK, max_tokens=5)
    assert len(endpoint.bodies) == 3
    assert caught.value.retryable
    assert "http://127.0.0.1:9/v1" in caught.value.message
    assert "503" in caught.value.message
    assert caught.value.hint
    assert KEY not in caught.value.message
    assert "pw" not in caught.value.message


@pytest.mark.parametrize(
    ("status", "says", "hint"),
    [
        (401, "refused the API key", "TEM_GRAPH_MODEL_KEY"),
        (404, "no model named", "TEM_GRAPH_MODEL"),
        (400, "no", "window"),
    ],
)
async def test_refusals_are_not_retryable(status: int, says: str, hint: str) -> None:
    model = Endpoint(lambda body: (status, {"error": {"message": f"no {KEY}"}})).chat()
    with pytest.raises(ModelRefused, match=says) as caught:
        await model.chat(ASK, max_tokens=5)
    assert not caught.value.retryable
    assert hint in (caught.value.hint or "")
    assert KEY not in caught.value.message


async def test_an_unreachable_server_is_named() -> None:
    async def down(request: Any) -> Any:
        raise httpx.ConnectError("connection refused", request=request)

    model = OpenAIChat("http://127.0.0.1:9/v1", max_retries=0, transport=httpx.MockTransport(down))
    with pytest.raises(ModelUnavailable, match=r"no model answers at http://127\.0\.0\.1:9/v1: .*refused"):
        await model.chat(ASK, max_tokens=5)


async def test_a_server_without_models_says_what_to_set() -> None:
    with pytest.raises(ModelUnavailable, match="lists no model"):
        await Endpoint(models=[]).chat().chat(ASK, max_tokens=5)


def answers(body: str, *, kind: str = "application/json", path: str = "/v1", model: str | None = "tiny") -> OpenAIChat:
    """A client of a server that answers everything with this body and status 200."""

    async def handle(request: Any) -> Any:
        return httpx.Response(200, content=body.encode(), headers={"content-type": kind})

    transport = httpx.MockTransport(handle)
    return OpenAIChat(f"http://127.0.0.1:9{path}", model=model, api_key=KEY, max_retries=0, transport=transport)


@pytest.mark.parametrize("kind", ["application/json", "text/html"])
@pytest.mark.parametrize("model", ["tiny", None])
@pytest.mark.parametrize(
    "body",
    [
        "<html>Login</html>", "", "[1,2]", "3", "null", "[" * 20_000, '{"choices": "x"}', '{"choices": [1]}',
        '{"choices": [{"message": null}]}', '{"choices": [{"message": {"content": 3}}]}',
    ],
)  # fmt: skip
async def test_success_without_a_completion_names_the_address_and_its_missing_version(
    kind: str, model: str | None, body: str
) -> None:
    with pytest.raises(ModelUnavailable, match=r"no model answers at http://127\.0\.0\.1:9/: it sent .*lack its /v1"):
        await answers(body, kind=kind, path="/", model=model).chat(ASK, max_tokens=5)
    with pytest.raises(ModelUnavailable) as caught:
        await answers(body, kind=kind, model=model).chat(ASK, max_tokens=5)
    assert "lack" not in caught.value.message
    assert "/v1" in (caught.value.hint or "")


async def test_an_error_that_comes_with_success_is_told_without_the_key() -> None:
    with pytest.raises(ModelUnavailable, match=r"it sent 'no credit for \*\*\*'") as caught:
        await answers(json.dumps({"error": {"message": f"no credit for {KEY}"}})).chat(ASK, max_tokens=5)
    assert KEY not in caught.value.message
    with pytest.raises(ModelUnavailable) as caught:
        await answers(f"<html>{KEY}</html>").chat(ASK, max_tokens=5)
    assert KEY not in caught.value.message


@pytest.mark.parametrize("status", [400, 401, 404, 500])
async def test_the_key_is_in_no_traceback_either(status: int) -> None:
    model = Endpoint(lambda body: (status, {"error": {"message": f"no {KEY}, no pw"}})).chat()
    with pytest.raises(ModelUnavailable) as caught:
        await model.chat(ASK, max_tokens=5)
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in shown
    assert "no pw" not in shown


async def test_what_counts_and_describes_a_reply_may_be_missing_or_odd() -> None:
    choice = {"message": {"content": [{"type": "text", "text": "a\ud83d"}, {"type": "x"}]}, "finish_reason": None}
    reply = await answers(json.dumps({"choices": [choice], "usage": {"prompt_tokens": "z"}})).chat(ASK, max_tokens=5)
    assert (reply.text, reply.finish_reason, reply.usage) == ("a\ufffd", "stop", Usage(calls=1))


async def test_a_key_from_a_file_keeps_no_line_end_and_a_broken_one_is_refused_unseen() -> None:
    seen = []

    async def handle(request: Any) -> Any:
        seen.append(request.headers["authorization"])
        return httpx.Response(200, json=completion())

    transport = httpx.MockTransport(handle)
    await OpenAIChat("http://127.0.0.1:9/v1", model="tiny", api_key=f"{KEY}\n", transport=transport).chat(
        ASK, max_tokens=5
    )
    assert seen[-1] == f"Bearer {KEY}"
    for broken in (f"{KEY}\nX: y", f"{KEY}ключ"):
        with pytest.raises(SettingsError, match="TEM_GRAPH_MODEL_KEY") as caught:
            OpenAIChat("http://127.0.0.1:9/v1", api_key=broken)
        assert KEY not in f"{caught.value} {caught.value.hint}"


async def test_an_endpoint_without_schemas_is_asked_for_json_once_and_for_all(caplog: pytest.LogCaptureFixture) -> None:
    endpoint = Endpoint(refuses("json_schema"))
    model = endpoint.chat()
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            await model.chat(ASK, max_tokens=5, schema=SCHEMA)
    kinds = [body["response_format"]["type"] for body in endpoint.bodies]
    assert kinds == ["json_schema", "json_object", "json_object"]
    assert len(model.notes) == len(caplog.records) == 1
    assert "json_schema" in model.notes[0]


BOUNDED = {
    "type": "object",
    "properties": {
        "maxItems": {"type": "string", "maxLength": 9},  # a field that has the name of a keyword
        "facts": {"type": "array", "maxItems": 4, "items": {"anyOf": [{"type": "string", "maxLength": 5}]}},
    },
}


@pytest.mark.parametrize(
    ("refused", "message", "left", "calls"),
    [
        ('"maxLength"', "In context=('properties', 'facts'), 'maxLength' is not permitted", '"maxItems": 4', 2),
        ('"maxItems": 4', "Invalid schema: 'maxItems' is not permitted.", '"maxLength": 5', 2),
        ('"maxLength"', "failed to parse grammar", '"maxItems": 4', 2),
        ('"maxItems": 4', "failed to parse grammar", '"maxItems": {', 3),
    ],
)
async def test_refused_bounds_of_a_schema_cost_the_bounds_and_not_the_schema(
    refused: str, message: str, left: str, calls: int
) -> None:
    endpoint = Endpoint(refuses(refused, message))
    model = endpoint.chat()
    for _ in range(2):
        await model.chat(ASK, max_tokens=5, schema=BOUNDED)
    sent = endpoint.bodies[-1]["response_format"]
    assert sent["type"] == "json_schema"
    assert refused not in json.dumps(sent)
    assert left in json.dumps(sent)
    assert len(endpoint.bodies) == calls + 1
    assert len(model.notes) == calls - 1


async def test_an_endpoint_without_schemas_is_not_said_to_refuse_bounds() -> None:
    endpoint = Endpoint(refuses("json_schema", "unsupported"))
    model = endpoint.chat()
    await model.chat(ASK, max_tokens=5, schema=BOUNDED)
    assert endpoint.bodies[-1]["response_format"] == {"type": "json_object"}
    assert [note.partition(";")[0] for note in model.notes] == ["refuses response_format json_schema"]


async def test_an_endpoint_without_any_format_is_asked_in_plain_text() -> None:
    endpoint = Endpoint(refuses("response_format", "unsupported"))
    model = endpoint.chat()
    await model.chat(ASK, max_tokens=5, schema=SCHEMA)
    assert "response_format" not in endpoint.bodies[-1]
    assert len(model.notes) == 2


@pytest.mark.parametrize("field", ["chat_template_kwargs", "temperature", "seed"])
async def test_a_refused_option_is_left_out_and_noted(field: str) -> None:
    endpoint = Endpoint(refuses(field, status=422))
    model = endpoint.chat()
    await model.chat(ASK, max_tokens=5, schema=SCHEMA)
    assert field not in endpoint.bodies[-1]
    assert "response_format" in endpoint.bodies[-1]
    assert field.partition("_")[0] in model.notes[0]


async def test_the_limit_goes_by_its_new_name_where_the_old_one_is_refused() -> None:
    endpoint = Endpoint(refuses("max_tokens", "use 'max_completion_tokens' instead of max_tokens"))
    await endpoint.chat().chat(ASK, max_tokens=5)
    assert endpoint.bodies[-1]["max_completion_tokens"] == 5


async def test_a_concession_that_does_not_help_is_not_remembered() -> None:
    endpoint = Endpoint(lambda body: (400, {"error": {"message": "bad day"}}))
    model = endpoint.chat()
    with pytest.raises(ModelRefused, match="bad day"):
        await model.chat(ASK, max_tokens=5, schema=SCHEMA)
    assert model.notes == ()


async def test_a_limit_beyond_the_window_is_left_to_the_server() -> None:
    endpoint = Endpoint(models=[{"id": "tiny", "max_model_len": 4096}])
    model = endpoint.chat()
    await model.chat(ASK, max_tokens=8192)
    await model.chat(ASK, max_tokens=512)
    assert "max_tokens" not in endpoint.bodies[0]
    assert endpoint.bodies[1]["max_tokens"] == 512


def test_one_client_serves_one_loop_after_the_other() -> None:
    model = Endpoint().chat()

    async def use() -> str:
        return (await model.chat(ASK, max_tokens=5)).text

    assert [asyncio.run(use()) for _ in range(2)] == ["{}", "{}"]


async def test_closing_twice_is_harmless() -> None:
    async with Endpoint().chat() as model:
        await model.chat(ASK, max_tokens=5)
        await model.aclose()
