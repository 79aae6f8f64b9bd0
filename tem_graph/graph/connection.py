"""One driver per process, and every error of the driver turned into one of ours.

Work runs in managed transactions, so the driver itself retries deadlocks and lost leaders; a unit of work may
therefore run more than once and must be idempotent. Ours are: ids are deterministic and writes are MERGEs.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, TypeVar

from neo4j import (
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    RoutingControl,
)
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DatabaseUnavailable,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    TransientError,
)

from tem_graph.errors import GraphError, GraphRefused, GraphUnavailable
from tem_graph.graph.queries import load_queries

OLDEST_SERVER = (5, 23)
"""Scoped `CALL (x) { … }` came with Neo4j 5.23; all our statements use it."""

_SCHEMES = tuple(f"{kind}{safety}://" for kind in ("bolt", "neo4j") for safety in ("", "+s", "+ssc"))
"""Newer drivers also take http://, with fewer guarantees for transactions; we do not."""

RETRY_S = 60.0
"""How long a transaction is tried again after a transient error. A guess: twice what a local server takes to start."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a Neo4j is and who we are there. The password never takes part in `repr`."""

    uri: str
    username: str
    password: str
    database: str | None = None

    def __repr__(self) -> str:
        return f"Address({self.uri!r}, user={self.username!r}, database={self.database!r})"


class Transaction:
    """A running transaction that takes queries by name."""

    def __init__(self, tx: AsyncManagedTransaction) -> None:
        self._tx = tx

    async def run(self, name: str, /, **parameters: object) -> list[dict[str, Any]]:
        """All rows of the named query.

        Raises:
            TypeError: the parameters are not those that the query declares.
        """
        return await _rows(await self._tx.run(_statement(name, parameters), parameters))


class Graph:
    """An open connection to one database."""

    def __init__(self, address: Address, *, connect_timeout_s: float = 10.0) -> None:
        self.address = address
        if not address.uri.startswith(_SCHEMES):
            raise _wrong_address(address)
        with translated_errors(address):
            self._driver: AsyncDriver = AsyncGraphDatabase.driver(
                address.uri,
                auth=(address.username, address.password),
                connection_timeout=connect_timeout_s,
                connection_acquisition_timeout=max(60.0, connect_timeout_s),
                max_transaction_retry_time=RETRY_S,
                notifications_min_severity="OFF",
            )

    async def aclose(self) -> None:
        await self._driver.close()

    async def check(self) -> str:
        """The server's version, after making sure that it can be used.

        Raises:
            GraphUnavailable: nothing answers at the address.
            GraphRefused: wrong password, missing database, or a server older than 5.23.
        """
        with translated_errors(self.address):
            await self._driver.verify_connectivity()
        (row,) = await self.read("server_components")
        version = str(row["version"])
        if tuple(int(part) for part in version.split(".")[:2]) < OLDEST_SERVER:
            oldest = ".".join(map(str, OLDEST_SERVER))
            raise GraphRefused(
                f"Neo4j {version} at {self.address.uri} is too old: tem-graph needs {oldest} or newer",
                hint="set NEO4J_URI to a newer server (5.26 LTS is tested), or unset it for `tem-graph server start`",
            )
        return version

    async def read(self, name: str, /, **parameters: object) -> list[dict[str, Any]]:
        """Rows of one named query in a read transaction, routed to a reader where there are several."""
        return await self._run(_statement(name, parameters), parameters, RoutingControl.READ)

    async def write(self, name: str, /, **parameters: object) -> list[dict[str, Any]]:
        """Rows of one named query in a write transaction of its own."""
        return await self._run(_statement(name, parameters), parameters, RoutingControl.WRITE)

    async def read_with(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """The result of `work` in one read transaction. Retry: it may run more than once."""
        with translated_errors(self.address):
            async with self._session() as session:
                return await session.execute_read(lambda tx: work(Transaction(tx)))

    async def write_with(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """The result of `work` in one write transaction. Retry: it may run more than once."""
        with translated_errors(self.address):
            async with self._session() as session:
                return await session.execute_write(lambda tx: work(Transaction(tx)))

    async def run_schema(self, statement: LiteralString, **parameters: object) -> list[dict[str, Any]]:
        """Rows of a schema command, in a transaction of its own as Neo4j asks for."""
        return await self._run(statement, parameters, RoutingControl.WRITE)

    async def bookmarks(self) -> tuple[str, ...]:
        """Where this connection has written to, for another process that must see it (`catch_up`)."""
        return tuple(sorted(await self._driver.execute_query_bookmark_manager.get_bookmarks()))

    async def catch_up(self, bookmarks: Iterable[str]) -> None:
        """From now on this connection sees what those bookmarks stand for, on whichever server of a cluster."""
        await self._driver.execute_query_bookmark_manager.update_bookmarks((), tuple(bookmarks))

    def _session(self) -> AsyncSession:
        """A session that sees what any other one of this driver has written, also on another server of a cluster."""
        return self._driver.session(
            database=self.address.database, bookmark_manager=self._driver.execute_query_bookmark_manager
        )

    async def _run(
        self, statement: LiteralString, parameters: Mapping[str, object], routing: RoutingControl
    ) -> list[dict[str, Any]]:
        # Unlike a session, `execute_query` sends the statement along with the begin: one round trip less.
        with translated_errors(self.address):
            return await self._driver.execute_query(
                statement,
                dict(parameters),
                database_=self.address.database,
                routing_=routing,
                result_transformer_=_rows,
            )


def _statement(name: str, parameters: Mapping[str, object]) -> LiteralString:
    """The text of a named query.

    Raises:
        TypeError: the parameters are not those that the query declares.
    """
    query = load_queries()[name]
    if query.params != parameters.keys():
        raise TypeError(f"query {name} takes {sorted(query.params)}, not {sorted(parameters)}")
    return query.text


async def _rows(result: AsyncResult) -> list[dict[str, Any]]:
    return [dict(record) async for record in result]


def _wrong_address(address: Address, why: str = "") -> GraphRefused:
    return GraphRefused(
        f"NEO4J_URI {address.uri!r} cannot be used{why}",
        hint="write bolt://host:7687 for one server, neo4j://host:7687 for a cluster, neo4j+s:// for Aura",
    )


@contextmanager
def translated_errors(address: Address) -> Iterator[None]:
    """Turns the driver's errors into ours, decided by their class and code, never by their message.

    Raises:
        GraphUnavailable, GraphRefused, GraphError: each names the setting to change; the password is not shown.
    """
    try:
        yield
    except AuthError as error:
        raise GraphRefused(
            f"Neo4j at {address.uri} refused user {address.username!r}: wrong user name or password",
            hint="set NEO4J_USERNAME and NEO4J_PASSWORD; after several wrong tries the server waits a few seconds",
        ) from error
    except (ServiceUnavailable, SessionExpired, DatabaseUnavailable) as error:
        raise GraphUnavailable(
            f"Neo4j at {address.uri} does not answer",
            hint="is it running? `tem-graph server status` shows the local one; else check NEO4J_URI",
        ) from error
    except ConfigurationError as error:
        raise _wrong_address(address, f": {error}") from error
    except TransientError as error:
        raise GraphUnavailable(f"Neo4j at {address.uri} is busy: {error.code}", hint="try again") from error
    except ClientError as error:
        if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            raise GraphRefused(
                f"there is no database {address.database!r} at {address.uri}",
                hint="set NEO4J_DATABASE to one that exists, or unset it to use the user's home database",
            ) from error
        raise GraphError(f"Neo4j refused a statement: {error.code}: {error.message}") from error
    except (Neo4jError, DriverError) as error:
        raise GraphError(f"Neo4j failed: {error}") from error
