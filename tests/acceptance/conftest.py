"""The installed command line as its users have it: one process per command, on a real Neo4j."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tem_graph.server import Connection

SCRIPT = Path(sys.executable).with_name("tem-graph")
KEPT = ("PATH", "HOME", "TMPDIR", "TEM_GRAPH_HOME", "TEM_GRAPH_CACHE", "LANG", "PYTHONPATH")


@dataclass(frozen=True)
class Done:
    """A command that ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        return json.loads(self.out)


@dataclass(frozen=True)
class Cli:
    """Runs `tem-graph` in a folder and an environment of its own."""

    folder: Path
    environment: Mapping[str, str]

    def __call__(self, *arguments: str, given: str | None = None, **environment: str) -> Done:
        done = subprocess.run(
            [str(SCRIPT), *arguments],
            cwd=self.folder,
            env={**self.environment, **environment},
            input=given.encode() if given is not None else None,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            check=False,
            timeout=240,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [str(SCRIPT), *arguments],
            cwd=self.folder,
            env=dict(self.environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )


@pytest.fixture(scope="session")
def cli(neo4j_connection: Connection, tmp_path_factory: pytest.TempPathFactory) -> Cli:
    assert SCRIPT.exists(), "install the project: pip install -e ."
    environment = {name: os.environ[name] for name in KEPT if name in os.environ}
    environment |= {
        "NEO4J_URI": neo4j_connection.uri,
        "NEO4J_USERNAME": neo4j_connection.username,
        "NEO4J_PASSWORD": neo4j_connection.password,
        "TEM_GRAPH_EMBEDDER": "hashing",
        "TEM_GRAPH_EXTRACTOR": "grammar",
        "COLUMNS": "160",
    }
    return Cli(tmp_path_factory.mktemp("cli"), environment)
