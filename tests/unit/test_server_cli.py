"""`tem-graph server …` without a server: what it refuses, and what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tem_graph.cli.server import server_group
from tem_graph.errors import ServerError, SettingsError


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEM_GRAPH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("TEM_GRAPH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("NEO4J_URI", raising=False)
    monkeypatch.chdir(tmp_path)


def run(*arguments: str, answer: str | None = None) -> Result:
    return CliRunner().invoke(server_group, list(arguments), input=answer)


def test_with_neo4j_uri_nothing_starts_and_it_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "neo4j://elsewhere.example")
    result = run("start")
    assert isinstance(result.exception, SettingsError)
    assert "NEO4J_URI is set to neo4j://elsewhere.example" in result.exception.message
    assert not (tmp_path / "home").exists()


def test_a_wrong_size_is_refused_before_anything_happens(tmp_path: Path) -> None:
    result = run("start", "--heap", "much")
    assert isinstance(result.exception, SettingsError)
    assert not (tmp_path / "home").exists()


def test_a_throwaway_server_has_no_name() -> None:
    assert run("start", "--ephemeral", "--name", "demo").exit_code == 2


def test_status_of_nothing(tmp_path: Path) -> None:
    found = json.loads(run("status", "--json").stdout)
    assert found == {"running": False, "home": str(tmp_path / "home" / "servers" / "default")}
    assert run("status", "--name", "demo").stdout.startswith("no server is running")


def test_stop_of_nothing() -> None:
    assert json.loads(run("stop", "--json").stdout)["stopped"] is False


def test_a_home_of_ones_own(tmp_path: Path) -> None:
    found = json.loads(run("status", "--json", "--home", str(tmp_path / "mine")).stdout)
    assert found["home"] == str(tmp_path / "mine")


def test_logs_of_a_server_that_never_ran() -> None:
    result = run("logs")
    assert isinstance(result.exception, ServerError)
    assert "there is no log" in result.exception.message


def test_reset_asks_first(tmp_path: Path) -> None:
    data = tmp_path / "home" / "servers" / "default" / "data"
    data.mkdir(parents=True)
    refused = run("reset", answer="n\n")
    assert refused.exit_code == 1
    assert "Wipe all data in" in refused.stderr
    assert data.exists()
    assert run("reset", answer="y\n").exit_code == 0
    assert not data.exists()
    data.mkdir()
    assert json.loads(run("reset", "--yes", "--json").stdout)["reset"] is True
    assert not data.exists()
