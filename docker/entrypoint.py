"""Runs `tem-graph` in a container: takes the login from the mounted secret and waits until Neo4j answers.

Compose starts a job only when Neo4j is healthy; under other orchestrators, or after a restart, nobody promises that.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tem_graph.errors import GraphUnavailable, TemGraphError
from tem_graph.graph.connection import Address
from tem_graph.graph.probe import probe

PATIENCE_S = 120.0
PAUSE_S = 3.0


def read_login(file: Path) -> tuple[str, str]:
    """User and password of a file that holds `user/password`, taken literally; one final newline is not part of it."""
    username, _, password = file.read_text(encoding="utf-8").removesuffix("\n").partition("/")
    return username, password


def wait_for(
    address: Address, *, ask: Callable[[Address], str] = probe, sleep: Callable[[float], None] = time.sleep
) -> bool:
    """Whether Neo4j answered a query within `PATIENCE_S`. Any other refusal is left to tem-graph, which explains it."""
    for attempt in range(int(PATIENCE_S / PAUSE_S)):
        try:
            ask(address)
        except GraphUnavailable:
            if attempt == 0:
                print(f"waiting for Neo4j at {address.uri}", file=sys.stderr)
            sleep(PAUSE_S)
        except TemGraphError:
            return False
        else:
            return True
    return False


def main() -> None:
    secret = os.environ.pop("NEO4J_AUTH_PATH", None)
    if secret is not None:
        os.environ["NEO4J_USERNAME"], os.environ["NEO4J_PASSWORD"] = read_login(Path(secret))
    if "NEO4J_URI" in os.environ:
        login = os.environ.get("NEO4J_USERNAME", "neo4j"), os.environ.get("NEO4J_PASSWORD", "")
        wait_for(Address(os.environ["NEO4J_URI"], *login, os.environ.get("NEO4J_DATABASE")))
    os.execvp("tem-graph", ["tem-graph", *sys.argv[1:]])


if __name__ == "__main__":
    main()
