"""Opening and closing a memory: which adapters it works with, one connection for all memories of a process."""

from __future__ import annotations

import asyncio
import getpass
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from tem_graph.answer.chain import ChainFinder
from tem_graph.answer.route import Router
from tem_graph.clock import SystemClock
from tem_graph.domain.time import AsOf
from tem_graph.embed.checked import CheckedEmbedder
from tem_graph.embed.choose import make_embedder
from tem_graph.errors import InputError, SettingsError
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.schema import migrate
from tem_graph.graph.store import GraphReader
from tem_graph.llm.choose import make_model
from tem_graph.ports import ChatModel, Clock, Embedder, Extractor, TokenCounter
from tem_graph.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class Connection:
    """What is opened once and shared by every memory of a process."""

    graph: Graph
    reader: GraphReader
    embedder: Embedder
    chains: ChainFinder
    loop: asyncio.AbstractEventLoop


class Opened:
    """A memory with its adapters, open between `__aenter__` and `aclose`."""

    def __init__(
        self,
        memory: str | None = None,
        *,
        settings: Settings | None = None,
        address: Address | None = None,
        extractor: Extractor | None = None,
        embedder: Embedder | None = None,
        model: ChatModel | None = None,
        clock: Clock | None = None,
        counter: TokenCounter | None = None,
        router: Router | None = None,
    ) -> None:
        self._settings = settings or load_settings()
        self.id = memory if memory is not None else self._settings.memory
        if not self.id.strip():
            raise SettingsError("memory id is empty", hint="name the memory, for example after its user")
        self._address = address
        self._extractor = extractor
        self._embedder = embedder
        self._model = model
        self._clock: Clock = clock or SystemClock()
        self._counter = counter
        self._router = router
        self._catalog = self._settings.catalog()
        self._open: Connection | None = None
        self._borrowed = False

    async def __aenter__(self) -> Self:
        settings = self._settings
        embedder = CheckedEmbedder(self._embedder or make_embedder(settings))
        graph = Graph(self._address or find_address(settings), connect_timeout_s=settings.connect_timeout_s)
        try:
            await graph.check()
            await migrate(graph, embedder=embedder.name, dimension=embedder.dimension, now=self._clock.now())
        except BaseException:
            await graph.aclose()
            raise
        reader, loop = GraphReader(graph, self._catalog), asyncio.get_running_loop()
        self._open = Connection(graph, reader, embedder, ChainFinder(embedder), loop)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connection, unless it was borrowed from another memory (`for_memory`)."""
        connection, self._open = self._open, None
        if connection is None or self._borrowed:
            return
        if self._model is not None:
            await self._model.aclose()
        await connection.graph.aclose()

    def for_memory(self, memory: str, *, clock: Clock | None = None, extractor: Extractor | None = None) -> Self:
        """Another memory over this one's connection and adapters, those given excepted. It needs no closing of
        its own."""
        other = copy(self)
        other.id, other._borrowed = memory, True
        other._clock, other._extractor = clock or self._clock, extractor or self._extractor
        if not memory.strip():
            raise SettingsError("memory id is empty", hint="name the memory, for example after its user")
        return other

    def now(self) -> AsOf:
        """The present: today by the clock, in the setting `timezone`."""
        return AsOf(self._clock.now().astimezone(self._settings.zone).date())

    def _signed(self, by: str | None) -> str:
        """Who says so: as given, else the setting `user`, else the login name.

        Raises:
            InputError: nobody is named, and this process has no login name.
        """
        try:
            return by or self._settings.user or getpass.getuser()
        except (OSError, KeyError, ImportError) as error:
            raise InputError(
                "nobody is named who says so, and this process has no login name",
                hint="give `by`, or set TEM_GRAPH_USER",
            ) from error

    async def bookmarks(self) -> tuple[str, ...]:
        """Where this process has written to, for another one that must see it (`catch_up`): only a cluster, where a
        read may go to a server that lags behind, makes a difference."""
        return await self._connection.graph.bookmarks()

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """From now on this connection sees what another process had written when it gave these bookmarks."""
        await self._connection.graph.catch_up(bookmarks)

    @property
    def _connection(self) -> Connection:
        if self._open is None:
            raise SettingsError("the memory is not open", hint="use it in `async with` (or `with`, for TemporalMemory)")
        if self._open.loop is not asyncio.get_running_loop():
            raise SettingsError(
                "this AsyncTemporalMemory was opened in another event loop",
                hint="open one per asyncio.run, or use TemporalMemory, which works from every thread",
            )
        return self._open

    def _ready_model(self) -> ChatModel | None:
        if self._model is None:
            self._model = make_model(self._settings)
        return self._model


def find_address(settings: Settings) -> Address:
    """Where Neo4j is: the configured server, else the local one that `tem-graph server start` runs.

    Raises:
        SettingsError: NEO4J_URI without a password.
        ServerError: no local server is running.
    """
    if settings.neo4j_uri is None:
        from tem_graph.server import LocalServer, named_home

        local = LocalServer(named_home(settings.home, settings.server), settings.cache).running_connection()
        return Address(local.uri, local.username, local.password, local.database)
    if settings.neo4j_password is None:
        raise SettingsError("NEO4J_URI is set but NEO4J_PASSWORD is not", hint="set NEO4J_PASSWORD")
    return Address(
        settings.neo4j_uri,
        settings.neo4j_username,
        settings.neo4j_password.get_secret_value(),
        settings.neo4j_database,
    )
