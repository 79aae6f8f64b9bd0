"""What a person is told while the driver of Neo4j tries again: one line an outage, in place of one a retry."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

import click

_DRIVER = "neo4j"
_SAME_OUTAGE_S = 120.0
"""Silence after which a retry is a new outage; the driver pauses 38 s at most between two. A guess above that."""


class OneLine(logging.Handler):
    """Tells of an outage once. A retry after a deadlock or the like is over in a second and nobody's business."""

    def __init__(self, *, verbose: Callable[[], bool]) -> None:
        super().__init__(logging.WARNING)
        self._verbose = verbose
        self._last: float | None = None

    def emit(self, record: logging.LogRecord) -> None:
        arguments = record.args if isinstance(record.args, tuple) else ()
        error = next((argument for argument in arguments if isinstance(argument, Exception)), None)
        if error is not None and _is_outage(error):
            now, last = monotonic(), self._last
            self._last = now
            if last is None or now - last > _SAME_OUTAGE_S:
                click.echo(f"Neo4j does not answer; trying again for about {_patience_s():g} s …", err=True)
        if self._verbose() or error is None:
            click.echo(record.getMessage(), err=True)


def _is_outage(error: Exception) -> bool:
    # What a server says has a code; what the driver finds out for itself (no connection) has none.
    code = getattr(error, "code", None)
    return code is None or str(code).endswith("DatabaseUnavailable")


def _patience_s() -> float:
    from tem_graph.graph.connection import RETRY_S  # the driver is loaded: it has just complained

    return RETRY_S


@contextmanager
def outages_told(*, verbose: Callable[[], bool]) -> Iterator[None]:
    """Inside the block the driver's warnings go through `OneLine` and nowhere else."""
    driver = logging.getLogger(_DRIVER)
    handler, propagated = OneLine(verbose=verbose), driver.propagate
    driver.addHandler(handler)
    driver.propagate = False
    try:
        yield
    finally:
        driver.propagate = propagated
        driver.removeHandler(handler)
