"""The reference of the command line, written from the commands themselves: `docs/cli.md`.

python -m tem_graph.cli.reference > docs/cli.md
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import click

from tem_graph.cli.failures import EXIT_CODES
from tem_graph.cli.root import cli

_HEAD = """\
# The command line

Written by `python -m tem_graph.cli.reference > docs/cli.md`; a test keeps it true.

Results go to standard output; progress, remarks and errors to standard error. Every command takes `--json` and then
writes one JSON document to standard output. Two things stay as they are:

- An error is the same with `--json`: the exit code, and on standard error the lines `Error: …` and `Hint: …`; standard
  output stays empty. A command that was done in part (code 9, and code 5 of `ingest`) writes its document, which says
  what was not done.
- What `export` writes is the export. Without `-o` it is all there is on standard output, and `--json` adds nothing;
  with `-o FILE` the export goes to FILE and the document says how many lines it has.

What files may look like stands in [input.md](input.md). Settings come from the environment or `tem-graph.toml`
(`tem-graph info --settings` lists them all); the connection from `NEO4J_URI`, `NEO4J_USERNAME`,
`NEO4J_PASSWORD` and `NEO4J_DATABASE`.
Colours are left out where `NO_COLOR` is set or the output is no terminal; a tag or a different line says the same.
"""


def render_reference() -> str:
    """The page as Markdown."""
    parts = [_HEAD, "## Exit codes\n", "| code | meaning |\n|---|---|"]
    parts[-1] += "".join(f"\n| {code} | {meaning} |" for code, meaning in EXIT_CODES)
    for heading, section in cli.sections.items():
        parts.append(f"\n## {heading}")
        for name in section:
            parts += [_command(path, command) for path, command in commands_below(name)]
    return "\n".join(parts) + "\n"


def commands_below(name: str) -> Iterator[tuple[str, click.Command]]:
    """(path, command) of the command of that name and of those below it: `server`, `server start`, …"""
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    yield name, command
    if isinstance(command, click.Group):
        for below, inner in sorted(command.commands.items()):
            yield f"{name} {below}", inner


def all_commands() -> list[tuple[str, click.Command]]:
    """Every command with its path."""
    return [pair for section in cli.sections.values() for name in section for pair in commands_below(name)]


def _command(path: str, command: click.Command) -> str:
    with click.Context(command, info_name=f"tem-graph {path}") as ctx:
        usage = command.get_usage(ctx).removeprefix("Usage: ")
        usage = " ".join(usage.split())
        options = [record for p in command.params if isinstance(p, click.Option) and (record := p.get_help_record(ctx))]
    text = inspect.cleandoc(command.help or "").replace("\b\n", "")
    lines = [f"\n### `tem-graph {path}`\n", f"    {usage}\n", text]
    if options:
        lines += ["", "| option | |", "|---|---|"]
        lines += [f"| `{_cell(names)}` | {_cell(help_)} |" for names, help_ in options]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    click.echo(render_reference(), nl=False)
