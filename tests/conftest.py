"""What every test gets: Hypothesis that repeats itself; in tests/unit no network; elsewhere one Neo4j for all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import disable_socket, enable_socket

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

pytest_plugins = ["tests.neo4j_fixture"]

# Tests decide everything themselves: somebody's settings, and above all somebody's Neo4j, must not matter.
_KEPT = ("TEM_GRAPH_TEST_", "TEM_GRAPH_CACHE", "TEM_GRAPH_HOME")
for _name in [n for n in os.environ if n.startswith(("NEO4J_", "TEM_GRAPH_")) and not n.startswith(_KEPT)]:
    del os.environ[_name]
os.environ["TEM_GRAPH_CONFIG"] = os.devnull
UNIT = Path(__file__).parent / "unit"


@pytest.fixture(autouse=True)
def _no_network_in_unit_tests(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    if UNIT not in request.path.parents:
        yield
        return
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()
