"""A schema goes out, a validated reply comes in. Pure: nothing here talks to a model.

`ask` is the conversation around one structured reply, written as a generator: it yields the messages to
send, is sent the reply, and returns the parsed value or raises. `answer` drives it with a model. So the
repair rule can be tested without a model and used with any.

What is tolerated, because models do it and the meaning is certain: code fences, a thinking block and prose
around the JSON, a bare list in place of the wrapper object, extra fields, and slips of JSON itself (trailing
commas, single quotes, unquoted keys). What is never tolerated: an empty reply, a reply cut off by the token
limit, JSON that ends before its brackets close. Those are failures, not results without facts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import json_repair
from pydantic import BaseModel, ValidationError

from tem_graph.domain.extraction import Usage
from tem_graph.errors import BadReply, ModelError
from tem_graph.ports import ChatMessage, ChatModel, ChatReply

T = TypeVar("T")
M = TypeVar("M", bound=BaseModel)

REPAIRS = 1
"""Times that a model is asked again after an unusable reply."""
_QUOTED_BACK = 2_000
"""Characters of an unusable reply that go back with the complaint: enough to mend it, and no second flood."""
_THINKING = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_BRACKET = re.compile(r"[\[{]")
_OPENS_JSON = re.compile(r"""\{\s*["}]|\[\s*["\[\]{\-0-9tfnNI]""")
_ANY_BRACKET = re.compile(r"[\[\]{}]")
_MOST_DEEP = 100
"""Brackets open at once in a reply that is worth mending. What we ask for has four; a hundred is gone astray."""
_MOST_MENDED = 100_000
"""Characters of broken JSON that are mended: a few seconds' work, and several times what token limits let through."""
_TOO_DEEP = "the JSON is nested too deeply"
_THINKING_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)


class ReplyProblem(Exception):
    """Why a reply cannot be used, in words that both a model and a person understand.

    `resend` is whether showing the model its own reply helps it to mend it.
    """

    def __init__(self, message: str, *, resend: bool = True) -> None:
        super().__init__(message)
        self.resend = resend


@dataclass(frozen=True, slots=True)
class Answered(Generic[T]):
    """A usable reply: its value, what it cost with all attempts, and how often it had to be asked for again."""

    value: T
    usage: Usage
    repairs: int = 0


Flow = Generator[tuple[ChatMessage, ...], ChatReply, Answered[T]]


def ask(
    messages: Sequence[ChatMessage], parse: Callable[[ChatReply], T], *, about: str, repairs: int = REPAIRS
) -> Flow[T]:
    """The parsed reply to `messages`, asking again up to `repairs` times with the complaint. Pure.

    `about` names what the reply is about ("session 's1'") in the error.

    Raises:
        BadReply: the last reply was unusable too; says why, without the conversation. What it cost is in the error.
    """
    to_send = tuple(messages)
    usage = Usage()
    for attempt in range(repairs + 1):
        reply = yield to_send
        usage += reply.usage
        try:
            return Answered(parse(reply), usage, attempt)
        except ReplyProblem as problem:
            if attempt == repairs:
                error = BadReply(
                    f"{about}: {problem}",
                    hint="nothing of it was stored; try again, or set another model or a higher extraction_max_tokens",
                )
                add_usage(error, usage)
                raise error from None
            to_send = _complain(messages, reply, problem)
    raise AssertionError("unreachable: the last attempt returns or raises")


async def answer(
    model: ChatModel,
    flow: Flow[T],
    *,
    max_tokens: int,
    max_tokens_after_cut: int | None = None,
    schema: Mapping[str, object] | None = None,
) -> Answered[T]:
    """What `flow` returns when `model` gives the replies, each of `max_tokens` at most.

    Once a reply was cut off, further ones have `max_tokens_after_cut`, so that a cautious limit costs a call and no
    reply.

    Raises:
        BadReply: unusable, also after the repair attempts.
        ModelUnavailable: the model did not answer; what earlier attempts cost is in the error.
    """
    spent = Usage()
    to_send = next(flow)
    while True:
        try:
            reply = await model.chat(to_send, max_tokens=max_tokens, schema=schema)
        except ModelError as error:
            add_usage(error, spent)
            raise
        spent += reply.usage
        if reply.finish_reason == "length" and max_tokens_after_cut is not None:
            max_tokens = max_tokens_after_cut
        try:
            to_send = flow.send(reply)
        except StopIteration as stop:
            result: Answered[T] = stop.value
            return result


def add_usage(error: ModelError, usage: Usage) -> None:
    """Book what was spent before a failure into the failure."""
    error.calls += usage.calls
    error.prompt_tokens += usage.prompt_tokens
    error.output_tokens += usage.output_tokens


def _complain(messages: Sequence[ChatMessage], reply: ChatReply, problem: ReplyProblem) -> tuple[ChatMessage, ...]:
    complaint = f"Your last reply could not be used: {problem}. Reply again with the JSON object only."
    if problem.resend:
        return (*messages, ChatMessage("assistant", reply.text[:_QUOTED_BACK]), ChatMessage("user", complaint))
    # Roles must alternate for many chat templates, so the complaint joins the question it belongs to.
    *before, last = messages
    return (*before, ChatMessage(last.role, f"{last.content}\n\n{complaint}"))


def parse_reply(reply: ChatReply, model: type[M], *, wrapper: str | None = None) -> M:
    """The reply as a `model`. A bare list is read as the field `wrapper`, where one is named. Pure.

    Raises:
        ReplyProblem: empty, cut off, not JSON, or not of that model; names each field that is wrong.
    """
    data = read_json(reply, wrapper=wrapper)
    if isinstance(data, list) and wrapper is not None:
        data = {wrapper: data}
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise ReplyProblem(describe(error)) from None


def read_json(reply: ChatReply, *, wrapper: str | None = None) -> dict[str, Any] | list[Any]:
    """The JSON object (or list) in a reply. Of several, the last that holds `wrapper`, else the last object. Pure.

    >>> read_json(ChatReply('Sure: ```json {"facts": []} ``` Anything else?'), wrapper="facts")
    {'facts': []}

    Raises:
        ReplyProblem: the reply is empty, was cut off, or holds no JSON.
    """
    if reply.finish_reason == "length":
        raise ReplyProblem(f"reply cut off at {reply.usage.output_tokens} tokens", resend=False)
    text = without_thinking(reply.text).strip()
    if not text:
        unusual = "" if reply.finish_reason == "stop" else f" (finish reason {reply.finish_reason})"
        raise ReplyProblem(f"model returned empty content{unusual}", resend=False)
    whole, torn = _json_values(text)
    usable: list[dict[str, Any] | list[Any]] = [
        value for value in whole + torn if isinstance(value, dict) and wrapper in value
    ] or [value for value in whole if _is_answer(value)]
    found: dict[str, Any] | list[Any] = _encodable(usable[-1] if usable else _repaired(text))
    return found


def _encodable(value: Any) -> Any:
    """The value with `\\ufffd` for half a character: JSON escapes can spell one, and nothing can store it."""
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case list():
            return [_encodable(item) for item in value]
        case dict():
            return {_encodable(key): _encodable(item) for key, item in value.items()}
        case _:
            return value


def without_thinking(text: str) -> str:
    """The text after the thinking block. Some templates open the block in the prompt, so its start may lack."""
    text = _THINKING.sub("", text, count=1).lstrip()
    if text.lower().startswith("<think"):
        return ""  # it never came to an end
    end = _THINKING_END.search(text)
    return text[end.end() :] if end and not text.startswith(("{", "[", "`")) else text


def _json_values(text: str) -> tuple[list[Any], list[Any]]:
    """The JSON values that start at a bracket outside another one; apart, those that follow a broken one.

    The second list may hold parts of a torn whole, which must not pass for the whole.
    """
    decoder = json.JSONDecoder()
    whole: list[Any] = []
    torn: list[Any] = []
    into, position = whole, 0
    while match := _BRACKET.search(text, position):
        if not _OPENS_JSON.match(text, match.start()):  # an error of the decoder counts the lines before it, each time
            into, position = torn, match.end()
            continue
        try:
            value, position = decoder.raw_decode(text, match.start())
            into.append(value)
        except RecursionError:
            raise ReplyProblem(_TOO_DEEP, resend=False) from None
        except ValueError:
            # Every bracket inside a broken value is tried, and each reads on to where it breaks: depth times length.
            if into is whole and _deepest(text) > _MOST_DEEP:
                raise ReplyProblem(_TOO_DEEP, resend=False) from None
            into, position = torn, match.end()
    return whole, torn


def _deepest(text: str) -> int:
    """The most brackets that are open at once, those inside strings too: what stands in a torn string is anyone's."""
    depth = deepest = 0
    for bracket in _ANY_BRACKET.findall(text):
        depth = depth + 1 if bracket in "[{" else max(depth - 1, 0)
        deepest = max(deepest, depth)
    return deepest


def _is_answer(value: object) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and all(isinstance(item, dict) for item in value))


def _repaired(text: str) -> dict[str, Any] | list[Any]:
    start = _BRACKET.search(text)
    if start is None:
        raise ReplyProblem("the reply holds no JSON object")
    body = text[start.start() : max(text.rfind("}"), text.rfind("]")) + 1]
    if not _is_closed(body):
        raise ReplyProblem("the JSON ends before its brackets close", resend=False)
    if len(body) > _MOST_MENDED:
        raise ReplyProblem("the JSON is broken, and too long to mend", resend=False)
    value = json_repair.loads(body)
    if not isinstance(value, dict | list) or not _is_answer(value):
        raise ReplyProblem("the reply holds no JSON object")
    return value


def _is_closed(text: str) -> bool:
    """Whether every bracket outside double quotes is closed: mending must not make a whole of a torn reply."""
    depth = 0
    in_string = escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = in_string
        elif char == '"':
            in_string = not in_string
        elif not in_string:
            depth += (char in "{[") - (char in "}]")
    return bool(text) and depth == 0 and not in_string


def describe(error: ValidationError, *, within: str = "") -> str:
    """What is wrong with each field, as `facts[0].relation: Field required`; never the value itself."""
    return "; ".join(
        f"{within}{_path(e['loc'])}: {e['msg']}" for e in error.errors(include_input=False, include_url=False)
    )


def _path(location: tuple[int | str, ...]) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return path.removeprefix(".")


def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of `model` in the strict form: every property required, no others, references inlined.

    Property order is field order, which steers decoding: what comes first is written first. `maxItems` and `maxLength`
    stay, because they end what a model would repeat for ever; `minLength` goes, because it helps nobody and strict
    endpoints refuse it. `without_keywords` is for those that refuse more. Pure.
    """
    schema = model.model_json_schema()
    strict: dict[str, Any] = _strict(schema, schema.get("$defs", {}))
    return strict


def _strict(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
    kept = {k: v for k, v in node.items() if k not in {"$defs", "title", "default", "description", "minLength"}}
    if "properties" in node:  # the names below are field names, not keywords
        properties = {name: _strict(value, definitions) for name, value in node["properties"].items()}
        rest = {k: _strict(v, definitions) for k, v in kept.items() if k != "properties"}
        return rest | {"properties": properties, "required": list(properties), "additionalProperties": False}
    return {k: _strict(v, definitions) for k, v in kept.items()}


def without_keywords(schema: Mapping[str, object], keywords: Collection[str]) -> dict[str, Any]:
    """The schema less those keywords, at every depth; a field of such a name stays. Pure."""
    bare: dict[str, Any] = _without(schema, keywords)
    return bare


def _without(node: Any, keywords: Collection[str]) -> Any:
    if isinstance(node, list):
        return [_without(item, keywords) for item in node]
    if not isinstance(node, Mapping):
        return node
    return {
        key: {name: _without(field, keywords) for name, field in value.items()}
        if key == "properties"
        else _without(value, keywords)
        for key, value in node.items()
        if key not in keywords
    }
