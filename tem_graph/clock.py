"""The one module that reads the wall clock."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """Always the same instant: for tests, and for replaying a conversation on its own days."""

    instant: datetime

    def now(self) -> datetime:
        return self.instant
