"""What the core asks of the outside: a model, an embedder, an extractor, a clock. Nothing here does I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol, runtime_checkable

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Extraction, Usage


@dataclass(frozen=True, slots=True)
class ChatMessage:
    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class ChatReply:
    """One reply. `finish_reason` is `stop` or `length`; a reply cut off by `length` is never parsed."""

    text: str
    finish_reason: str = "stop"
    usage: Usage = field(default_factory=lambda: Usage(calls=1))


@runtime_checkable
class ChatModel(Protocol):
    """A language model that answers a chat. `name` is what a record calls it."""

    @property
    def name(self) -> str: ...

    async def chat(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ChatReply:
        """The reply at the configured temperature and seed; with `schema`, decoding is constrained to that
        JSON schema where the endpoint can. Callers validate the reply all the same.

        Raises:
            ModelUnavailable: no answer after the client's own retries.
        """
        ...

    async def aclose(self) -> None: ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into unit vectors. `name` and `dimension` are stored with the graph and must not change."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector of `dimension` floats per text, in order, in as few batches as possible.

        Text over the model's limit is cut at that limit; callers that need every word split it first.
        """
        ...


@runtime_checkable
class Extractor(Protocol):
    """Reads candidate facts out of a session. `name` says in the outcome who read."""

    @property
    def name(self) -> str: ...

    async def extract(self, session: Session) -> Extraction:
        """Candidates in text order.

        Raises:
            BadReply: the model's reply was unusable, also after one repair attempt.
            ModelUnavailable: the model did not answer.
        """
        ...


@runtime_checkable
class Clock(Protocol):
    """Where transaction time and "today" come from; injected, so that a replay can have its own day."""

    def now(self) -> datetime:
        """An aware time in UTC."""
        ...


@runtime_checkable
class TokenCounter(Protocol):
    """Counts tokens as the answering model does. `name` says which tokenizer counted."""

    @property
    def name(self) -> str: ...

    def count(self, text: str) -> int: ...
