"""A model behind any OpenAI-compatible HTTP endpoint; vLLM first.

Endpoints differ in what they take. Each difference that we know is one `_Concession`: when an endpoint
refuses a request, the matching concession is made, remembered for this client, logged once and listed in
`notes`. Nothing is given up silently, and nothing else is given up.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit, urlunsplit

from tem_graph.errors import ModelRefused, ModelUnavailable, SettingsError
from tem_graph.llm.completion import Model, NotTheirs, read_completion, read_models
from tem_graph.llm.structured import without_keywords
from tem_graph.ports import ChatMessage, ChatReply

if TYPE_CHECKING:
    from openai import AsyncOpenAI

_log = logging.getLogger(__name__)

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_MAX_RETRIES = 5
"""Retries of the SDK: 0.5 s doubled up to 8 s, with jitter, or what Retry-After says. A guess: about 20 s in all."""
_SHOWN = 300
"""Characters of an endpoint's complaint that go into a message."""


class OpenAIChat:
    """A chat model at `base_url`, such as `http://127.0.0.1:8000/v1`.

    `model` is asked for by name; without one, the first that `/v1/models` lists. `concurrency` bounds the
    calls in flight, retries included. A loopback address is reached directly, whatever proxy the
    environment names. One client serves several event loops, one after the other.

    `transport` replaces the network, for tests.

    Raises:
        SettingsError: the key holds what no HTTP header can carry.
    """

    def __init__(
        self,
        base_url: str,
        *,
        model: str | None = None,
        api_key: str | None = None,
        temperature: float = 0.0,
        seed: int = 42,
        thinking: bool = False,
        reasoning_effort: str | None = None,
        timeout_s: float = 600.0,
        concurrency: int = 4,
        max_retries: int = _MAX_RETRIES,
        transport: Any = None,
    ) -> None:
        self._base_url = base_url
        self._model = model
        self._api_key = _header_value(api_key) if api_key else None
        self._temperature = temperature
        self._seed = seed
        self._thinking = thinking
        self._reasoning_effort = reasoning_effort
        self._timeout_s = timeout_s
        self._concurrency = concurrency
        self._max_retries = max_retries
        self._transport = transport
        self._window: int | None = None
        self._described = False
        self._conceded: list[str] = []
        self._connection: tuple[asyncio.AbstractEventLoop, AsyncOpenAI, asyncio.Semaphore, asyncio.Lock] | None = None

    @property
    def name(self) -> str:
        """The model's name; before the first call and with none set, its address."""
        return self._model or f"model at {self.address}"

    @property
    def address(self) -> str:
        """The base address without user name and password."""
        parts = urlsplit(self._base_url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    @property
    def notes(self) -> tuple[str, ...]:
        """What this endpoint refused and is therefore no longer asked for, one sentence each."""
        return tuple(_CONCESSIONS[key] for key in self._conceded)

    async def describe(self) -> tuple[str, int | None]:
        """The model's name and its window in tokens, as the endpoint tells them; None where it tells no window.

        Raises:
            ModelUnavailable: nobody answers, or the endpoint lists no model and none is named.
        """
        _, client, _, lock = self._connect()
        async with lock:
            if not self._described:
                await self._describe(client)
        return self.name, self._window

    async def chat(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ChatReply:
        """The reply, decoded under `schema` where the endpoint can.

        Raises:
            ModelUnavailable: no answer after the retries; ModelRefused: key, model name or request refused.
        """
        _, client, semaphore, lock = self._connect()
        async with semaphore:
            async with lock:
                if not self._described:
                    await self._describe(client)
            return await self._complete(client, messages, max_tokens, schema)

    async def _complete(
        self, client: AsyncOpenAI, messages: Sequence[ChatMessage], max_tokens: int, schema: Mapping[str, object] | None
    ) -> ChatReply:
        from openai import BadRequestError, OpenAIError, UnprocessableEntityError

        tried: list[str] = []
        while True:
            try:
                answered = await client.chat.completions.with_raw_response.create(
                    **self._request(messages, max_tokens, schema, conceded=[*self._conceded, *tried])
                )
                break
            except (BadRequestError, UnprocessableEntityError) as error:
                concession = _concession(error, schema, [*self._conceded, *tried])
                if concession is None:
                    raise self._error(error) from error
                if concession == "json_schema":  # then it was not for its bounds
                    tried = [made for made in tried if made not in _BOUNDS]
                tried.append(concession)
            except OpenAIError as error:
                raise self._error(error) from error
        for concession in tried:
            if concession not in self._conceded:
                self._conceded.append(concession)
                _log.warning("%s: %s", self.address, _CONCESSIONS[concession])
        body = answered.http_response.text
        try:
            return read_completion(body)
        except NotTheirs as problem:
            raise self._no_model(problem, body, "a completion") from None

    def _request(
        self,
        messages: Sequence[ChatMessage],
        max_tokens: int,
        schema: Mapping[str, object] | None,
        *,
        conceded: Sequence[str],
    ) -> dict[str, Any]:
        request: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
        }
        if "temperature" not in conceded:
            request["temperature"] = self._temperature
        if "seed" not in conceded:
            request["seed"] = self._seed
        if not self._leaves_no_room(messages, max_tokens):
            request["max_completion_tokens" if "max_tokens" in conceded else "max_tokens"] = max_tokens
        if "chat_template_kwargs" not in conceded:
            request["extra_body"] = {"chat_template_kwargs": {"enable_thinking": self._thinking}}
        if self._reasoning_effort is not None and "reasoning_effort" not in conceded:
            request["reasoning_effort"] = self._reasoning_effort
        if schema is not None and "json_schema" not in conceded:
            taken = without_keywords(schema, [bound for bound in _BOUNDS if bound in conceded])
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": taken, "strict": True},
            }
        elif schema is not None and "json_object" not in conceded:
            request["response_format"] = {"type": "json_object"}
        return request

    def _leaves_no_room(self, messages: Sequence[ChatMessage], max_tokens: int) -> bool:
        """Whether prompt and limit together may exceed the window. vLLM refuses that outright, while a request
        without a limit gets the room that is left. Two characters a token is a cautious guess."""
        return self._window is not None and max_tokens + sum(len(m.content) for m in messages) // 2 > self._window

    async def _describe(self, client: AsyncOpenAI) -> None:
        """Learn the model's name, if none is set, and its window, if the endpoint tells (vLLM does)."""
        from openai import NotFoundError, OpenAIError, PermissionDeniedError

        models: list[Model] = []
        try:
            body = (await client.models.with_raw_response.list()).http_response.text
            models = read_models(body)
        except (NotFoundError, PermissionDeniedError) as error:
            if self._model is None:
                raise ModelUnavailable(
                    f"{self.address} does not list its models", hint="name one: set TEM_GRAPH_MODEL"
                ) from error
        except NotTheirs as problem:
            if self._model is None:
                raise self._no_model(problem, body, "a list of models") from None
        except OpenAIError as error:
            raise self._error(error) from error
        if self._model is None:
            if not models:
                raise ModelUnavailable(f"{self.address} lists no model", hint="load one, or set TEM_GRAPH_MODEL")
            self._model = models[0].id
        self._window = next((m.max_model_len for m in models if m.id == self._model), None)
        self._described = True

    def _connect(self) -> tuple[asyncio.AbstractEventLoop, AsyncOpenAI, asyncio.Semaphore, asyncio.Lock]:
        """The connection of the running loop. Sockets and locks belong to one loop: a new loop gets new ones."""
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        loop = asyncio.get_running_loop()
        if self._connection is None or self._connection[0] is not loop:
            is_loopback = urlsplit(self._base_url).hostname in _LOOPBACK
            network: dict[str, Any] = {"transport": self._transport} if self._transport is not None else {}
            client = AsyncOpenAI(
                base_url=self._base_url,
                # Local servers need no key, but the SDK wants one, and must not pick up one meant for another host.
                api_key=self._api_key or "none",
                timeout=self._timeout_s,
                max_retries=self._max_retries,
                http_client=DefaultAsyncHttpxClient(trust_env=not is_loopback, timeout=self._timeout_s, **network),
            )
            self._connection = (loop, client, asyncio.Semaphore(self._concurrency), asyncio.Lock())
        return self._connection

    def _error(self, error: Exception) -> ModelUnavailable:
        """The SDK's error in our words, with address and hint, without the key."""
        from openai import APIStatusError, APITimeoutError, AuthenticationError, NotFoundError, PermissionDeniedError

        self._mask(error)
        said = self._said(error)
        match error:
            case APITimeoutError():
                return ModelUnavailable(
                    f"the model at {self.address} did not answer within {self._timeout_s:g} s",
                    hint="raise TEM_GRAPH_MODEL_TIMEOUT_S, or lower TEM_GRAPH_CONCURRENCY",
                )
            case AuthenticationError() | PermissionDeniedError():
                return ModelRefused(
                    f"the model at {self.address} refused the API key ({error.status_code})",
                    hint="set TEM_GRAPH_MODEL_KEY to a key that this server knows",
                )
            case NotFoundError():
                return ModelRefused(
                    f"{self.address} has no model named {self._model!r}: {said}",
                    hint="set TEM_GRAPH_MODEL to one that it lists under /models; the address mostly ends in /v1",
                )
            case APIStatusError() if error.status_code == 429 or error.status_code >= 500:
                return ModelUnavailable(
                    f"the model at {self.address} is overloaded or failing ({error.status_code}): {said}",
                    hint="try again later, or lower TEM_GRAPH_CONCURRENCY",
                )
            case APIStatusError():
                return ModelRefused(
                    f"the model at {self.address} refused the request ({error.status_code}): {said}",
                    hint="a request over the model's window: serve it with a larger one, or lower the token limits",
                )
        return ModelUnavailable(
            f"no model answers at {self.address}: {said}",
            hint="start the server, or set TEM_GRAPH_MODEL_URL to its address",
        )

    def _no_model(self, problem: NotTheirs, body: str, wanted: str) -> ModelUnavailable:
        """Something answered with success, and it was no model: a web page, a proxy, another path of the server."""
        sent = self._shown(problem.said or body)
        has_version = urlsplit(self._base_url).path.rstrip("/").endswith("/v1")
        return ModelUnavailable(
            f"no model answers at {self.address}: it sent {f'{sent!r}' if sent else 'nothing'} in place of {wanted}"
            + ("" if has_version or problem.said else "; the address may lack its /v1"),
            hint="set TEM_GRAPH_MODEL_URL to the address of an OpenAI-compatible server; it mostly ends in /v1",
        )

    def _said(self, error: Exception) -> str:
        """What the endpoint or the network said, on one short line, without the key."""
        body = getattr(error, "body", None)
        message = body.get("message") if isinstance(body, dict) else None
        cause = error.__cause__
        return self._shown(str(message or (cause if cause and str(cause) else error)))

    def _shown(self, text: str) -> str:
        return " ".join(self._without_key(text).split())[:_SHOWN]

    def _without_key(self, text: str) -> str:
        secrets = (self._api_key, urlsplit(self._base_url).password)
        for secret in sorted(filter(None, secrets), key=len, reverse=True):
            text = text.replace(secret, "***")
        return text

    def _mask(self, error: BaseException) -> None:
        """Take the key out of the SDK's error and its causes, which a traceback shows beside ours."""
        link: BaseException | None = error
        while link is not None:
            link.args = tuple(self._without_key(a) if isinstance(a, str) else a for a in link.args)
            link = link.__cause__

    async def aclose(self) -> None:
        """Close the connections of the running loop. Calling it twice is harmless."""
        connection, self._connection = self._connection, None
        if connection is not None and connection[0] is asyncio.get_running_loop():
            await connection[1].close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


_BOUNDS = ("maxLength", "maxItems")
"""Keywords of a schema that strict endpoints may refuse: OpenAI documents `maxItems`, and no `maxLength`."""
_CONCESSIONS = {
    "maxLength": "refuses maxLength in a schema; only the token limit bounds a text",
    "maxItems": "refuses maxItems in a schema; only the token limit bounds a list",
    "json_schema": "refuses response_format json_schema; replies are asked for as json_object and validated here",
    "json_object": "refuses response_format json_object too; replies are free text and validated here",
    "chat_template_kwargs": "refuses chat_template_kwargs; thinking is left to the server",
    "max_tokens": "refuses max_tokens; the limit is sent as max_completion_tokens",
    "reasoning_effort": "refuses reasoning_effort; how long it reasons is left to the server",
    "temperature": "refuses the temperature; sampling is left to the server and may not repeat",
    "seed": "refuses the seed; sampling may not repeat",
}


def _concession(error: Any, schema: Mapping[str, object] | None, made: Sequence[str]) -> str | None:
    """What to leave out after a refusal; None when nothing known is left that it may be about. Pure.

    An endpoint that names the field (`param`, or the field's name in its message) decides. One that does
    not is first asked without the bounds of the schema, then without the schema, the field that most of them lack.
    """
    body = error.body if isinstance(error.body, dict) else {}
    named = f"{body.get('param') or ''} {body.get('message') or error}"
    for field in ("chat_template_kwargs", "reasoning_effort", "max_tokens", "temperature", "seed"):
        if field in named and field not in made and not _is_about_window(named):
            return field
    if schema is None or _is_about_window(named):
        return None
    written = json.dumps(schema) if "json_schema" not in made else ""
    bounds = [bound for bound in _BOUNDS if bound not in made and f'"{bound}"' in written]
    left = [*(bound for bound in bounds if bound in named), *bounds, "json_schema", "json_object"]
    return next((field for field in left if field not in made), None)


def _is_about_window(message: str) -> bool:
    return "context length" in message or "context_length" in message or "context size" in message


def _header_value(api_key: str) -> str:
    """The key without the line end that a file or a paste left on it.

    Raises:
        SettingsError: it holds another character that no HTTP header can carry; the key is not shown.
    """
    key = api_key.strip()
    if not (key.isascii() and key.isprintable()):
        raise SettingsError(
            "TEM_GRAPH_MODEL_KEY holds a character that no API key has",
            hint="copy the key again: letters, digits and ASCII signs, on one line",
        )
    return key
