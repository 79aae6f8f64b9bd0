"""Any function `(system, user) -> text`, sync or async, as a model: the way in for clients we do not know."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence

from tem_graph.domain.extraction import Usage
from tem_graph.errors import ModelError, ModelUnavailable
from tem_graph.ports import ChatMessage, ChatReply

ChatFunction = Callable[[str, str], str] | Callable[[str, str], Awaitable[str]]


class CallableChat:
    """A model behind `function(system, user)`. A sync function runs in a thread, so it never blocks the loop.

    Earlier turns of the chat (examples, a refused reply) are written into `user`, each under its role,
    because the function takes two texts only. It cannot constrain decoding and counts no tokens; the reply
    is validated like any other.
    """

    def __init__(self, function: ChatFunction, *, name: str | None = None) -> None:
        self._function = function
        self._name: str = name or str(getattr(function, "__name__", type(function).__name__))

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
        system, user = as_two_texts(messages)
        try:
            # Called in a thread either way: an async function only makes its coroutine there, and a lambda or
            # partial around one is only known by what it returns.
            answer: object = await asyncio.to_thread(self._function, system, user)
            text = await answer if inspect.isawaitable(answer) else answer
        except ModelError:
            raise
        except Exception as error:
            raise ModelUnavailable(
                f"the model function {self._name!r} raised {type(error).__name__}: {error}",
                hint="the function takes (system, user) and returns the reply as text",
            ) from error
        if not isinstance(text, str):
            raise ModelUnavailable(
                f"the model function {self._name!r} returned {type(text).__name__}, not text",
                hint="return the reply as a str",
            )
        return ChatReply(text, usage=Usage(calls=1))

    async def aclose(self) -> None:
        """Nothing is held open."""


def as_two_texts(messages: Sequence[ChatMessage]) -> tuple[str, str]:
    """The system text, and everything else as one text. Pure.

    >>> as_two_texts([ChatMessage("system", "Be brief."), ChatMessage("user", "Hi")])
    ('Be brief.', 'Hi')
    """
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    rest = [m for m in messages if m.role != "system"]
    if len(rest) == 1:
        return system, rest[0].content
    return system, "\n\n".join(f"{m.role}:\n{m.content}" for m in rest)
