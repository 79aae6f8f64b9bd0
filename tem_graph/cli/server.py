"""`tem-graph server …`: the local Neo4j from the command line. Results to stdout, everything else to stderr."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from tem_graph.server import LocalServer, Log

F = TypeVar("F", bound=Callable[..., Any])


def _which_server(command: F) -> F:
    """The options by which every command here says which server it means."""
    command = click.option("--json", "as_json", is_flag=True, help="Write JSON to stdout.")(command)
    command = click.option(
        "--home",
        type=click.Path(file_okay=False, path_type=Path),
        help="The server's own folder, instead of the one of its name.",
    )(command)
    return click.option("--name", help="Which local server, where several live side by side; `default` unless set.")(
        command
    )


@click.group("server")
def server_group() -> None:
    """Run a real Neo4j on this machine: loopback only, no Docker, no system Java."""


@server_group.command()
@_which_server
@click.option("--ephemeral", is_flag=True, help="A throwaway server: its folder goes when it stops.")
@click.option("--tie-to", type=int, metavar="PID", help="Stop the server when that process ends.")
@click.option("--heap", help="JVM heap, such as 512m or 2g; else the setting server_heap.")
@click.option("--pagecache", help="Page cache, such as 512m; else the setting server_pagecache.")
def start(
    name: str | None,
    home: Path | None,
    as_json: bool,
    ephemeral: bool,
    tie_to: int | None,
    heap: str | None,
    pagecache: str | None,
) -> None:
    """Start Neo4j, or say that it runs; returns when it answers queries.

    The first start downloads about 143 MB of jars, each checked against a committed hash.
    """
    from tem_graph.server import LocalServer, Memory, refuse_if_elsewhere
    from tem_graph.server.terminal import terminal_reporter
    from tem_graph.settings import load_settings

    if ephemeral and name is not None:
        raise click.UsageError("--ephemeral takes --home or a temporary folder, not --name")
    settings = load_settings(server=name, server_heap=heap, server_pagecache=pagecache)
    refuse_if_elsewhere(settings)
    memory = Memory(settings.server_heap, settings.server_pagecache)
    if ephemeral and home is None:
        home = Path(tempfile.mkdtemp(prefix="tem-graph-"))
    server = LocalServer.from_settings(settings, home=home)
    with terminal_reporter() as reporter:
        result = server.ensure_running(memory=memory, ephemeral=ephemeral, tie_to=tie_to, reporter=reporter)
    found = {
        "already_running": result.already_running,
        "version": result.version,
        "uri": result.connection.uri,
        "browser_url": result.connection.browser_url,
        "username": result.connection.username,
        "password_file": str(server.home.password_file),
        "pid": result.pid,
        "seconds": round(result.seconds, 2),
        "home": str(server.home.path),
    }
    headline = "runs already" if result.already_running else f"started in {result.seconds:.1f} s"
    _show(as_json, found, f"Neo4j {result.version} {headline}", skip=("already_running", "version", "seconds"))


@server_group.command()
@_which_server
@click.option("--force", is_flag=True, help="Kill the server where it does not end by itself.")
def stop(name: str | None, home: Path | None, as_json: bool, force: bool) -> None:
    """Stop Neo4j and wait until it has ended; a throwaway server's folder goes too."""
    server = _server(name, home)
    stopped = server.stop(force=force)
    found = {"stopped": stopped, "home": str(server.home.path)}
    _show(as_json, found, "stopped" if stopped else "no server was running", skip=("stopped",))


@server_group.command()
@_which_server
def status(name: str | None, home: Path | None, as_json: bool) -> None:
    """Show address, version, process, memory and data size of the server."""
    server = _server(name, home)
    state = server.status()
    if state is None:
        _show(as_json, {"running": False, "home": str(server.home.path)}, "no server is running", skip=("running",))
        return
    found = {"running": True, **asdict(state), "home": str(state.home), "password_file": str(server.home.password_file)}
    if not as_json:
        found |= {
            "memory": f"{state.memory_bytes / 1e6:.0f} MB "
            f"(heap {state.memory.heap}, page cache {state.memory.pagecache})",
            "data": f"{state.data_bytes / 1e6:.1f} MB",
        }
    headline = f"Neo4j {state.version} {'is running' if state.answers else 'is running but does not answer'}"
    _show(as_json, found, headline, skip=("running", "version", "answers", "memory_bytes", "data_bytes"))


@server_group.command()
@_which_server
@click.option("-n", "--lines", default=50, show_default=True, type=click.IntRange(min=0), help="How many lines.")
@click.option("--follow", "-f", is_flag=True, help="Go on with new lines until the server stops or Ctrl-C.")
@click.option(
    "--file",
    "which",
    type=click.Choice(["neo4j", "debug", "console"]),
    default="neo4j",
    show_default=True,
    help="Neo4j's own log, its detailed one, or what the JVM printed.",
)
def logs(name: str | None, home: Path | None, as_json: bool, lines: int, follow: bool, which: Log) -> None:
    """Show the end of a log."""
    server = _server(name, home)
    for line in server.log_lines(which, lines, follow=follow):
        click.echo(json.dumps({"line": line}, ensure_ascii=False) if as_json else line)


@server_group.command()
@_which_server
@click.option("--yes", is_flag=True, help="Do not ask.")
def reset(name: str | None, home: Path | None, as_json: bool, yes: bool) -> None:
    """Stop the server and wipe its data and logs; password and ports stay. Cannot be undone."""
    server = _server(name, home)
    if not yes:
        click.confirm(f"Wipe all data in {server.home.path}?", abort=True, err=True)
    server.reset()
    _show(as_json, {"reset": True, "home": str(server.home.path)}, "data and logs are wiped", skip=("reset",))


def _server(name: str | None, home: Path | None) -> LocalServer:
    from tem_graph.server import LocalServer
    from tem_graph.settings import load_settings

    return LocalServer.from_settings(load_settings(server=name), home=home)


def _show(as_json: bool, found: dict[str, Any], headline: str, *, skip: tuple[str, ...]) -> None:
    """One JSON object, or a headline and a line per value that is not in the headline already."""
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return
    click.echo(headline)
    shown = {key: value for key, value in found.items() if key not in skip}
    for key, value in shown.items():
        click.echo(f"  {key.replace('_', ' '):<14} {value}")
