"""A command that is shown works when it is pasted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tem_graph.cli.invoked import pasteable


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The script beside the running Python, in the folder `.venv/bin` of the working folder; not on PATH."""
    folder = tmp_path / "my clone" / ".venv" / "bin"
    folder.mkdir(parents=True)
    script = folder / "tem-graph"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    monkeypatch.setattr("sys.executable", str(folder / "python"))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.chdir(tmp_path / "my clone")
    return script


def test_a_command_that_no_shell_finds_is_shown_with_its_path(
    script: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pasteable() == ".venv/bin/tem-graph"
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert pasteable() == f"'{script}'"


def test_a_command_on_the_path_is_shown_by_its_name(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(script.parent))
    assert pasteable() == "tem-graph"


def test_another_installation_on_the_path_is_not_taken_for_this_one(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "tem-graph"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pasteable() == ".venv/bin/tem-graph"
