"""What every test gets: Hypothesis that repeats itself; in tests/unit no network; elsewhere one Neo4j for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pytest_socket import disable_socket, enable_socket

settings.register_profile("default", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")

pytest_plugins = ["tests.neo4j_fixture"]
UNIT = Path(__file__).parent / "unit"


@pytest.fixture(autouse=True)
def _no_network_in_unit_tests(request: pytest.FixtureRequest):  # type: ignore[no-untyped-def]
    if UNIT not in request.path.parents:
        yield
        return
    disable_socket(allow_unix_socket=True)
    yield
    enable_socket()
