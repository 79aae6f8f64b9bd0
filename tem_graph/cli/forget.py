"""`tem-graph forget session | subject | memory`: what is removed for good, said before it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tem_graph.cli.app import App, common

if TYPE_CHECKING:
    from tem_graph.settings import Settings
    from tem_graph.sync import TemporalMemory

F = TypeVar("F", bound=Callable[..., Any])
Forgetting = Callable[..., Mapping[str, int]]


def _carefully(command: F) -> F:
    command = click.option("--yes", is_flag=True, help="Do not ask.")(command)
    return click.option("--dry-run", is_flag=True, help="Only say what would be removed.")(command)


@click.group(short_help="Remove a session, a subject or a memory for good.")
def forget() -> None:
    """Remove a session, a subject or a whole memory, for good. Everything else in tem-graph only adds."""


@forget.command()
@click.argument("session")
@_carefully
@common
def session(app: App, session: str, dry_run: bool, yes: bool) -> None:
    """Remove SESSION and all that came from it: turns, facts, events, notes, rejected candidates."""
    with app.open_existing() as memory:
        _forget(app, memory, f"session {session!r}", partial(memory.forget_session, session), dry_run, yes)


@forget.command()
@click.argument("subject")
@_carefully
@common
def subject(app: App, subject: str, dry_run: bool, yes: bool) -> None:
    """Remove SUBJECT, its facts, the events it took part in, the notes of what it said, and the rejected candidates
    about it. Turns that speak of it stay."""
    with app.open_existing() as memory:
        _forget(app, memory, f"subject {subject!r}", partial(memory.forget_subject, subject), dry_run, yes)


@forget.command("memory")
@click.argument("memory_id", metavar="MEMORY")
@_carefully
@common
def memory_(app: App, memory_id: str, dry_run: bool, yes: bool) -> None:
    """Remove MEMORY and everything in it."""
    if app.memory not in (None, memory_id):
        raise click.UsageError(f"--memory {app.memory} and MEMORY {memory_id} are two memories; name one")
    settings: Settings = app.settings().model_copy(update={"memory": memory_id})
    with app.open_existing(settings) as memory:
        _forget(app, memory, f"memory {memory_id!r}", memory.forget_memory, dry_run, yes)


def _forget(app: App, memory: TemporalMemory, what: str, verb: Forgetting, dry_run: bool, yes: bool) -> None:
    """Counts first, asks unless `yes`, then does it."""
    counts = verb(dry_run=True)
    found = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
    if not dry_run and not yes:
        app.say(f"{what} in memory {memory.id!r}: {found}")
        click.confirm("Remove it for good?", abort=True, err=True)
    if not dry_run:
        counts = verb()
    document = {"memory": memory.id, "removed": not dry_run, "counts": dict(counts)}
    app.show(document, lambda console: console.print(f"{what}: {found} {'would be ' if dry_run else ''}removed"))
