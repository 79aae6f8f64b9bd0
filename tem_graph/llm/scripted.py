"""A model that plays given replies and remembers what it was asked: the double of every test."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tem_graph.domain.extraction import Usage
from tem_graph.errors import ModelError
from tem_graph.ports import ChatMessage, ChatReply


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call as a model receives it."""

    messages: tuple[ChatMessage, ...]
    max_tokens: int
    schema: Mapping[str, object] | None = None

    @property
    def text(self) -> str:
        """All messages as one text, for looking something up in it."""
        return "\n".join(message.content for message in self.messages)


class ScriptedChat:
    """Plays `replies` one by one; the last is repeated when `repeat_last`. An exception is raised in its place.

    A function `(request) -> reply` instead of a list answers by what it is asked. `requests` holds every
    call in order.

    Raises (from `chat`):
        ModelError: the script is over and nothing repeats; a test asked more often than it planned.
    """

    def __init__(
        self,
        replies: Iterable[ChatReply | str | Exception] | Callable[[ChatRequest], ChatReply | str | Exception],
        *,
        repeat_last: bool = False,
        name: str = "scripted",
    ) -> None:
        self._answer = replies if callable(replies) else None
        self._replies = [] if callable(replies) else list(replies)
        self._repeat_last = repeat_last
        self._name = name
        self.requests: list[ChatRequest] = []
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    async def chat(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ChatReply:
        request = ChatRequest(tuple(messages), max_tokens, schema)
        self.requests.append(request)
        reply = self._answer(request) if self._answer else self._next()
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            reply = ChatReply(reply)
        if reply.usage == Usage(calls=1):  # nothing counted: words stand in for tokens, so that sums can be tested
            reply = replace(reply, usage=Usage(1, len(request.text.split()), len(reply.text.split())))
        return reply

    def _next(self) -> ChatReply | str | Exception:
        if not self._replies:
            raise ModelError("the script has no reply left", hint="give one reply per call, or repeat_last=True")
        return self._replies[0] if self._repeat_last and len(self._replies) == 1 else self._replies.pop(0)

    async def aclose(self) -> None:
        self.closed = True
