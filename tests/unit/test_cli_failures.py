"""Errors become exit codes and two lines on standard error; nothing else of them is seen without -v."""

from __future__ import annotations

import pytest

from tem_graph.errors import (
    BadReply,
    Conflict,
    GraphRefused,
    GraphUnavailable,
    InputError,
    NotFound,
    ServerError,
    SettingsError,
    TemGraphError,
    UnknownOperator,
)
from tests.unit.cli_fake import FakeMemory, failing, run


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SettingsError, 2), (InputError, 2), (UnknownOperator, 2), (GraphUnavailable, 3), (GraphRefused, 3),
        (NotFound, 4), (Conflict, 5), (BadReply, 6), (ServerError, 7),
    ],
)  # fmt: skip
def test_an_error_of_ours_has_its_code_a_message_and_a_hint(error: type[TemGraphError], code: int) -> None:
    result = run(failing(error("it went wrong", hint="turn it right")), "facts")
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr == "Error: it went wrong\nHint: turn it right\n"


def test_an_unexpected_error_is_one_line_and_points_to_verbose() -> None:
    result = run(failing(ZeroDivisionError("by zero")), "facts")
    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ZeroDivisionError: by zero\nHint: ")
    assert "-v" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("where", [("-v", "facts"), ("facts", "-v")])
def test_verbose_shows_the_traceback_wherever_it_stands(where: tuple[str, ...]) -> None:
    result = run(failing(InputError("no")), *where)
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert "Error: no" in result.stderr


def test_ctrl_c_is_130() -> None:
    result = run(failing(KeyboardInterrupt()), "facts")
    assert result.exit_code == 130
    assert result.stderr == "Interrupted.\n"


def test_a_mistyped_command_is_offered_the_right_one() -> None:
    result = run(FakeMemory(), "histroy")
    assert result.exit_code == 2
    assert "Did you mean history?" in result.stderr


def test_settings_that_cannot_be_used_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEM_GRAPH_CONCURRENCY", "many")
    result = run(FakeMemory(), "facts")
    assert result.exit_code == 2
    assert "concurrency" in result.stderr
