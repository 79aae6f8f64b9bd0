"""What every command gets: the common options, the memory it speaks of, and where to write."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

import click

from tem_graph.cli import output
from tem_graph.cli.failures import is_verbose, set_verbose
from tem_graph.errors import InputError, NotFound

if TYPE_CHECKING:
    from rich.console import Console

    from tem_graph.domain.time import AsOf
    from tem_graph.settings import Settings
    from tem_graph.sync import TemporalMemory

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

OpenMemory = Callable[[str, "Settings"], "TemporalMemory"]


def connect(memory: str, settings: Settings) -> TemporalMemory:
    """The memory over the configured Neo4j, not yet open."""
    from tem_graph.sync import TemporalMemory

    return TemporalMemory(memory, settings=settings)


@dataclass(frozen=True, slots=True)
class App:
    """One command's common options. `memory` is None where `--memory` was not given."""

    memory: str | None
    as_json: bool
    verbose: bool
    connect: OpenMemory = connect

    def settings(self, **overrides: object) -> Settings:
        from tem_graph.settings import load_settings

        return load_settings(memory=self.memory, **overrides)

    @contextmanager
    def open(self, settings: Settings | None = None) -> Iterator[TemporalMemory]:
        """The memory that the command speaks of, open for the length of a `with` block."""
        settings = settings or self.settings()
        with self.connect(settings.memory, settings) as memory:
            yield memory

    @contextmanager
    def open_existing(self, settings: Settings | None = None) -> Iterator[TemporalMemory]:
        """The same for a command that puts nothing in: the memory must be there, or its id is a slip.

        Raises:
            NotFound: nothing was ever put into it; the hint names memories of a similar name.
        """
        with self.open(settings) as memory:
            if not memory.exists():
                others = [m.id for m in memory.memories()]
                raise NotFound(f"there is no memory {memory.id!r}", hint=_other_memories(memory.id, others))
            yield memory

    def show(self, document: Mapping[str, object], render: Callable[[Console], None]) -> None:
        """The result to standard output: the document with `--json`, else what `render` draws."""
        if self.as_json:
            output.write_json(document)
        else:
            render(output.console(sys.stdout))

    def say(self, message: str) -> None:
        """A remark to standard error."""
        click.echo(output.clean(message), err=True)


def _other_memories(id_: str, others: Sequence[str]) -> str:
    """What to try instead of a memory that is not there.

    >>> _other_memories("ana", ["anna", "ben", "ana/chat-1"])
    "did you mean 'anna' or 'ana/chat-1'? Name it with --memory"
    """
    near = dict.fromkeys(get_close_matches(id_, others, n=3) + [o for o in others if o.startswith(f"{id_}/")])
    if near:
        return f"did you mean {' or '.join(map(repr, islice(near, 3)))}? Name it with --memory"
    if others:
        return "`tem-graph info` lists those that exist; name one with --memory"
    return "no memory exists yet; `tem-graph ingest` and `tem-graph facts add` make one"


def common(command: Callable[..., T]) -> Callable[..., T]:
    """Adds `--memory`, `--json` and `-v`, and hands the command an `App` in their place."""

    @click.option("-m", "--memory", metavar="ID", help="The memory to use; else the setting memory.")
    @click.option("--json", "as_json", is_flag=True, help="Write one JSON document to standard output.")
    @click.option("-v", "--verbose", is_flag=True, help="Say more; show the traceback of an error.")
    @functools.wraps(command)
    def with_app(*args: Any, memory: str | None, as_json: bool, verbose: bool, **options: Any) -> T:
        ctx = click.get_current_context()
        set_verbose(ctx, verbose)
        app = App(memory, as_json, is_verbose(ctx), ctx.obj or connect)
        return command(app, *args, **options)

    return with_app


def common_without_memory(command: Callable[..., T]) -> Callable[..., T]:
    """The same without `--memory`, for commands that speak of none."""
    with_app = common(command)
    params = getattr(with_app, "__click_params__", [])
    with_app.__click_params__ = [p for p in params if p.name != "memory"]  # type: ignore[attr-defined]

    @functools.wraps(with_app)
    def without_memory(*args: Any, **options: Any) -> T:
        return with_app(*args, memory=None, **options)

    return without_memory


def seen_from(command: F) -> F:
    """Adds `--on` and `--known-after`, the point that the command looks from."""
    command = click.option(
        "--known-after",
        metavar="SESSION",
        help="Only what was known after that session: its id, or its place from 1.",
    )(command)
    return click.option("--on", metavar="DATE", help="What held on that day (YYYY-MM-DD) instead of today.")(command)


def point(memory: TemporalMemory, on: str | None, known_after: str | None) -> AsOf | None:
    """The point that `--on` and `--known-after` name; None for the present.

    Raises:
        InputError: not a date. NotFound: no such session.
    """
    if on is None and known_after is None:
        return None
    valid_at = day(on, "--on") if on is not None else None
    try:
        found: AsOf = memory.as_of(valid_at=valid_at, known_after=known_after)
    except NotFound:
        if known_after is None or not known_after.isdecimal():
            raise
        found = memory.as_of(valid_at=valid_at, known_after=int(known_after))
    return found


def day(given: str, field: str) -> date:
    """The calendar day that the text names.

    Raises:
        InputError: it names none.
    """
    try:
        return date.fromisoformat(given)
    except ValueError as error:
        raise InputError(f"{field}: {given!r} is not a day ({error})", hint="write YYYY-MM-DD") from error
