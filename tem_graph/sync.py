"""TemporalMemory: the sync face, one thin class over a background event loop.

Its methods are made from the signatures of `AsyncTemporalMemory`, so the two cannot drift apart. It works from
every thread, and inside a running loop (a notebook) too, since its own loop runs elsewhere.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import threading
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from tem_graph.memory import AsyncTemporalMemory

T = TypeVar("T")


class _BackgroundLoop:
    """An event loop in a daemon thread. Interrupting a waiting caller cancels the work it waited for."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="tem-graph", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            # Ctrl-C lands in the caller's thread. The session that is being written is rolled back whole.
            future.cancel()
            self.run(asyncio.sleep(0))
            raise

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class TemporalMemory:
    """One memory. Use as a context manager, or call `open` and `close`.

    Takes what `AsyncTemporalMemory` takes, and has its methods without `await`.
    """

    def __init__(self, memory: str | None = None, **options: Any) -> None:
        self._memory = AsyncTemporalMemory(memory, **options)
        self._loop: _BackgroundLoop | None = None
        self._owner = True

    @property
    def id(self) -> str:
        return self._memory.id

    def open(self) -> Self:
        """Connects. Raises what entering an `AsyncTemporalMemory` raises."""
        loop = _BackgroundLoop()
        try:
            loop.run(self._memory.__aenter__())
        except BaseException:
            loop.close()
            raise
        self._loop = loop
        return self

    def close(self) -> None:
        """Disconnects. A memory made by `for_memory` leaves the shared connection open."""
        loop, self._loop = self._loop, None
        if loop is not None and self._owner:
            loop.run(self._memory.aclose())
            loop.close()

    def for_memory(self, memory: str) -> TemporalMemory:
        """Another memory over this one's connection. It needs no closing of its own."""
        other = TemporalMemory.__new__(TemporalMemory)
        other._memory, other._loop, other._owner = self._memory.for_memory(memory), self._loop, False
        return other

    def __enter__(self) -> Self:
        return self.open()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            return asyncio.run(work)  # not open: the coroutine says so, in the words of the async face
        return self._loop.run(work)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[..., Any]: ...


def _blocking(name: str, method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: TemporalMemory, *args: Any, **kwargs: Any) -> Any:
        return self._run(getattr(self._memory, name)(*args, **kwargs))

    return call


def _plain(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(self: TemporalMemory, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._memory, name)(*args, **kwargs)

    return call


def public_methods() -> dict[str, Callable[..., Any]]:
    """The methods of the async face that the sync face mirrors, by name."""
    return {
        name: method
        for name, method in inspect.getmembers(AsyncTemporalMemory, inspect.isfunction)
        if not name.startswith("_") and name not in {"aclose", "for_memory"}
    }


for _name, _method in public_methods().items():
    setattr(TemporalMemory, _name, (_blocking if inspect.iscoroutinefunction(_method) else _plain)(_name, _method))
