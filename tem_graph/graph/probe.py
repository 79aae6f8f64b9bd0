"""One question to a server that may still be starting: do you answer queries, and which version are you?"""

from __future__ import annotations

from neo4j import GraphDatabase, RoutingControl

from tem_graph.graph.connection import Address, translated_errors
from tem_graph.graph.queries import load_queries


def probe(address: Address, *, timeout_s: float = 5.0) -> str:
    """The version of the Neo4j at `address`, from a query over Bolt. Synchronous: its caller supervises a process.

    Raises:
        GraphUnavailable: no answer, or not yet.
        GraphRefused: wrong password, or no such database.
    """
    with (
        translated_errors(address),
        GraphDatabase.driver(
            address.uri,
            auth=(address.username, address.password),
            connection_timeout=timeout_s,
            connection_acquisition_timeout=timeout_s,
            max_transaction_retry_time=0.0,
        ) as driver,
    ):
        records, _, _ = driver.execute_query(
            load_queries()["server_components"].text, database_=address.database, routing_=RoutingControl.READ
        )
    return str(records[0]["version"])
