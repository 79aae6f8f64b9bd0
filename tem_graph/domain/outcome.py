"""How the reading of one session ended."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from tem_graph.domain.extraction import Usage


class OutcomeStatus(StrEnum):
    STORED = "stored"
    REPLACED = "replaced"
    """Stored in place of an earlier text of the same session, whose facts were retracted on record."""
    UNCHANGED = "unchanged"
    """The same text was stored before; nothing was done."""
    CONFLICT = "conflict"
    """Another text is stored under this id; nothing was done. `--replace` would replace it."""
    FAILED = "failed"
    """The extractor or the database failed; nothing of the session is stored, and it can be tried again."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One session's outcome, stored with the memory and shown to whoever asks."""

    session: str
    status: OutcomeStatus
    extractor: str
    facts: int = 0
    rejected: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    reason: str | None = None
    """Why it failed or is in conflict, in one sentence."""
    digest: str | None = None
    at: datetime | None = None
    events: int = 0
    notes: int = 0

    @property
    def is_success(self) -> bool:
        return self.status in {OutcomeStatus.STORED, OutcomeStatus.REPLACED, OutcomeStatus.UNCHANGED}
