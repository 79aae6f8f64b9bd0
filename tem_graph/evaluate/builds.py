"""What building the memories cost: one line per session that was read, beside the log of answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.errors import EvaluationError

BUILDS_FILE = "builds.jsonl"


class BuildLine(BaseModel):
    """The outcome of reading one session. A session that was read twice has two lines: both were paid for."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory: str
    group: str
    session: str
    status: OutcomeStatus
    extractor: str
    facts: int
    rejected: int
    calls: int
    prompt_tokens: int
    output_tokens: int
    seconds: float
    reason: str | None = None

    @classmethod
    def of(cls, memory: str, group: str, outcome: Outcome) -> BuildLine:
        return cls(
            memory=memory,
            group=group,
            session=outcome.session,
            status=outcome.status,
            extractor=outcome.extractor,
            facts=outcome.facts,
            rejected=outcome.rejected,
            calls=outcome.usage.calls,
            prompt_tokens=outcome.usage.prompt_tokens,
            output_tokens=outcome.usage.output_tokens,
            seconds=round(outcome.seconds, 3),
            reason=outcome.reason,
        )


def append_builds(folder: Path, lines: Iterable[BuildLine]) -> None:
    """Adds the lines. One by one, and each whole: a torn last line is ended first."""
    path = folder / BUILDS_FILE
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
        for line in lines:
            file.write(line.model_dump_json().encode() + b"\n")


def read_builds(folder: Path) -> list[BuildLine]:
    """The lines in order; none where no memory was built. Torn lines are left out.

    Raises:
        EvaluationError: the file cannot be read.
    """
    path = folder / BUILDS_FILE
    if not path.exists():
        return []
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EvaluationError(f"{path} cannot be read: {error.strerror}") from error
    lines = []
    for line in content.splitlines():
        try:
            lines.append(BuildLine.model_validate_json(line))
        except ValidationError:
            continue
    return lines
