"""Errors to exit codes and to two lines on standard error: the only place that does so."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

import click

from tem_graph.errors import TemGraphError

UNEXPECTED = 1
INCOMPLETE = 9
INTERRUPTED = 130

EXIT_CODES: tuple[tuple[int, str], ...] = (
    (0, "done"),
    (UNEXPECTED, "something unexpected; -v shows the traceback. Also a question that was answered with no"),
    (2, "wrong use: an option, a setting, or a file, fact or date that cannot be used"),
    (3, "Neo4j: unreachable, refused, or made for another embedder"),
    (4, "no such memory, session, subject or fact"),
    (5, "conflict with what is stored; nothing was changed"),
    (6, "the language model or the embedder failed"),
    (7, "the local Neo4j could not be started, stopped or found"),
    (8, "an evaluation's files or settings do not fit together"),
    (INCOMPLETE, "done in part: a session failed, or `doctor` found something to fix; the output says what"),
    (INTERRUPTED, "interrupted (Ctrl-C); whole sessions are kept"),
)
"""What each exit code means. Those of errors are their class's `exit_code`; a test holds the two together."""

_VERBOSE = "tem_graph.verbose"


def set_verbose(ctx: click.Context, verbose: bool) -> None:
    """Remembers `-v`, wherever on the command line it stood."""
    if verbose:
        ctx.meta[_VERBOSE] = True


def is_verbose(ctx: click.Context) -> bool:
    return bool(ctx.meta.get(_VERBOSE))


@contextmanager
def exit_codes(ctx: click.Context) -> Iterator[None]:
    """Ends the command with the exit code of the error that leaves the block; click's own errors pass through."""
    try:
        yield
    except TemGraphError as error:
        _explain(ctx, error.message, error.hint)
        ctx.exit(error.exit_code)
    except KeyboardInterrupt:
        click.echo("Interrupted.", err=True)
        ctx.exit(INTERRUPTED)
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno == errno.EPIPE:
            raise  # whoever read our output has gone; click ends quietly
        message = f"{type(error).__name__}: {error}".rstrip(": ")
        _explain(
            ctx, message, None if is_verbose(ctx) else "this was not expected; run again with -v for the traceback"
        )
        ctx.exit(UNEXPECTED)


def _explain(ctx: click.Context, message: str, hint: str | None) -> None:
    if is_verbose(ctx):
        traceback.print_exc(file=sys.stderr)
    click.echo(f"Error: {message}", err=True)
    if hint:
        click.echo(f"Hint: {hint}", err=True)
