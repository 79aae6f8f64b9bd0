"""`tem-graph doctor`."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from tem_graph.cli.app import App, common
from tem_graph.cli.failures import INCOMPLETE

if TYPE_CHECKING:
    from rich.console import Console

    from tem_graph.cli.checks import Check


@click.command(short_help="Check the installation; say what to fix.")
@common
def doctor(app: App) -> None:
    """Check Neo4j, schema, indexes, embedder, model, extras and disk; say of each that it is ok or what to do.

    Nothing is changed. Ends with exit code 9 if there is something to fix.
    """
    from tem_graph.cli.checks import run_checks

    async def check_all() -> list[Check]:
        return [check async for check in run_checks(app.settings())]

    checks = asyncio.run(check_all())
    is_ok = all(check.is_ok for check in checks)
    app.show({"ok": is_ok, "checks": [asdict(check) for check in checks]}, lambda console: _draw(console, checks))
    if not is_ok:
        click.get_current_context().exit(INCOMPLETE)


def _draw(console: Console, checks: list[Check]) -> None:
    from rich.text import Text

    from tem_graph.cli.output import text

    for check in checks:
        line = Text("ok   ", style="green") if check.is_ok else Text("FIX  ", style="bold red")
        line.append_text(text(check.name, "bold")).append(": ").append_text(text(check.found))
        console.print(line, soft_wrap=True)
        if not check.is_ok and check.fix:
            console.print(Text("     ").append_text(text(check.fix, "yellow")), soft_wrap=True)
