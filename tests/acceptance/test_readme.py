"""What the README and `examples/` show works as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.acceptance.conftest import Cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PYTHON_PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def run(cli: Cli, code: list[str]) -> str:
    done = subprocess.run(
        [sys.executable, *code], env=dict(cli.environment), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.name for e in EXAMPLES])
def test_example_runs(example: Path, cli: Cli) -> None:
    assert run(cli, [str(example)]).strip()


def test_the_readmes_python_gives_the_answers_that_it_promises(cli: Cli) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    promised = [line.rsplit("# ", 1)[1] for line in code.splitlines() if line.startswith("    print") and "# " in line]
    printed = run(cli, ["-c", code.replace('"ana"', '"readme-python"')]).splitlines()
    assert printed[-2:] == promised[-2:]


def test_the_python_page_runs_and_prints_what_it_says(cli: Cli) -> None:
    code = "\n".join(re.findall(r"```python\n(.*?)```", PYTHON_PAGE, re.DOTALL))
    promised = [line.rsplit("  # ", 1)[1] for line in code.splitlines() if line.lstrip().startswith("print(")]
    file = cli.folder / "python-page.jsonl"
    code = re.sub(r'"(ana|ana-copy)"', r'"page-\1"', code).replace('"ana.jsonl"', repr(str(file)))
    assert run(cli, ["-c", code]).splitlines() == promised


def test_every_command_that_the_readme_names_exists(cli: Cli) -> None:
    named = {
        m
        for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
        for m in re.findall(r"tem-graph (\w[\w-]*)", block)
    }
    assert named
    for command in sorted(named):
        assert cli(command, "--help").code == 0, command
