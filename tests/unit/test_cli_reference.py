"""The command line as a whole: help for everything, light to import, documented, thin."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
import textwrap
from pathlib import Path

import click
import pytest

import tem_graph.errors
from tem_graph.cli.failures import EXIT_CODES
from tem_graph.cli.reference import all_commands, render_reference
from tem_graph.errors import TemGraphError

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"
COMMANDS = all_commands()
PATHS = [path for path, _ in COMMANDS]


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=PATHS)
def test_every_command_and_option_has_help(path: str, command: click.Command) -> None:
    assert command.help
    lacking = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert not lacking


def test_every_command_that_shows_something_takes_json() -> None:
    groups = {path for path, command in COMMANDS if isinstance(command, click.Group)} - {"facts", "subjects"}
    without = {path for path, command in COMMANDS if "as_json" not in {p.name for p in command.params}}
    assert without == groups


def test_the_page_is_what_the_commands_say() -> None:
    assert DOCS.read_text(encoding="utf-8") == render_reference(), (
        "run: python -m tem_graph.cli.reference > docs/cli.md"
    )


def test_the_page_lists_every_command() -> None:
    page = DOCS.read_text(encoding="utf-8")
    assert [path for path in PATHS if f"### `tem-graph {path}`" not in page] == []


def test_every_exit_code_of_an_error_is_documented() -> None:
    errors = [e for _, e in inspect.getmembers(tem_graph.errors, inspect.isclass) if issubclass(e, TemGraphError)]
    assert len(errors) > 10
    assert {e.exit_code for e in errors} <= {code for code, _ in EXIT_CODES}


def test_help_of_every_command_loads_nothing_heavy_and_is_quick() -> None:
    program = f"""
        import sys, time
        from tem_graph.cli.root import cli
        for path in {PATHS!r}:
            started = time.process_time()
            try:
                cli.main([*path.split(), "--help"], standalone_mode=False)
            except SystemExit:
                pass
            assert time.process_time() - started < 0.5, path
        heavy = "torch vllm spacy onnxruntime openai neo4j pydantic rich transformers jinja2".split()
        print([name for name in heavy if name in sys.modules], file=sys.stderr)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]"


@pytest.mark.parametrize(("path", "command"), COMMANDS, ids=PATHS)
def test_commands_only_translate(path: str, command: click.Command) -> None:
    """Fewer than thirty lines of code below the docstring."""
    function = inspect.unwrap(command.callback)  # type: ignore[arg-type]
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(tree, ast.FunctionDef)
    body = tree.body[1:]
    assert not body or body[-1].end_lineno - body[0].lineno < 30  # type: ignore[operator]
