"""The log of a job: a header line with the spec, then one line per sample and configuration, appended as it ends.

The file is `AppendOnly`: whatever ends the process, what was answered before stays. A sample that was tried again has
several lines: the last counts. Scoring reads logs, never writes them.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.append_only import AppendOnly, parse_line, whole_lines
from tem_graph.evaluate.spec import Spec

LOG_FILE = "log.jsonl"
SPEC_FILE = "spec.json"


class LogLine(BaseModel):
    """One sample under one configuration. Without scores: those are of another day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    config: str
    question: str
    kind: str = ""
    group: str = ""
    evidence: str = ""
    """The text that was handed to the model, or would have been."""
    evidence_turns: tuple[str, ...] = ()
    """Ids of the turns in the evidence, whole or with at least half of their tokens; LoCoMo: `dia_id`s."""
    raw_reply: str = ""
    """The model's reply as it came, thinking included."""
    answer: str = ""
    """What is scored; empty where nobody answered."""
    result: dict[str, Any] | None = None
    """Operator sets: the typed result in the form of `expected`."""
    path: Literal["operator", "model", "evidence"] | None = None
    """Who answered; `evidence`: nobody, the evidence alone was made. None after an error."""
    operator: str | None = None
    args: dict[str, Any] | None = None
    finish_reason: str | None = None
    """The model's own word: `stop`, or `length` where the answer limit cut the reply off."""
    calls: int = 0
    """Calls of the language model."""
    prompt_tokens: int = 0
    evidence_tokens: int | None = None
    """Tokens of `evidence`, by the tokenizer that the spec names."""
    output_tokens: int = 0
    seconds: float = 0.0
    error: str | None = None
    """`ModelRefused: …` where the sample failed; everything below it may be empty then."""
    retryable: bool = False
    """After an error: whether it was of the kind that passes (a server that was away)."""
    note: str | None = None
    metadata: dict[str, Any] = Field(default_factory=dict)
    """Fields of the question that the set has beyond the known ones."""

    @property
    def key(self) -> tuple[str, str]:
        return self.config, self.id

    @property
    def is_truncated(self) -> bool:
        """Whether the answer limit cut the reply off. Such an answer counts as wrong (TEM, section 4.6)."""
        return self.finish_reason == "length"

    @property
    def is_empty(self) -> bool:
        """Whether a model was asked and answered with nothing."""
        return self.path == "model" and not self.answer.strip()


class _Header(BaseModel):
    model_config = ConfigDict(extra="forbid")

    format: Literal["tem-graph/evaluation-log"] = "tem-graph/evaluation-log"
    identity: str
    spec: Spec


def read_log(folder: Path) -> tuple[Spec, list[LogLine]]:
    """The spec, and the last line of every sample and configuration, in the order of their first lines.

    Args:
        folder: the `--out` folder of a job, or the log itself.

    Raises:
        EvaluationError: there is no log, or a line before the last is damaged; names the line.
    """
    path = folder / LOG_FILE if folder.is_dir() else folder
    try:
        content = path.read_bytes()
    except OSError as error:
        raise EvaluationError(
            f"{path} cannot be read: {error.strerror}", hint="give the --out folder of an evaluation job"
        ) from error
    header, *lines = whole_lines(content) or [b""]
    spec = _parse_header(path, header)
    parsed = (parse_line(LogLine, line, path, number) for number, line in enumerate(lines, start=2))
    return spec, list({line.key: line for line in parsed}.values())


def _parse_header(path: Path, line: bytes) -> Spec:
    try:
        header = _Header.model_validate_json(line)
    except ValidationError:
        raise EvaluationError(
            f"{path} does not begin with the header of an evaluation log",
            hint="it is another file, or of another version of tem-graph; use a new --out folder",
        ) from None
    return header.spec


class LogWriter:
    """Appends to the log of a folder, which it holds alone. Use as a context manager.

    Raises (on entering):
        EvaluationError: the folder's log is of another run, with what differs; or another process writes to it.
    """

    def __init__(self, folder: Path, spec: Spec) -> None:
        self._folder = folder
        self._spec = spec
        self._file = AppendOnly(
            folder / LOG_FILE,
            folder / ".lock",
            writer=f"writing to {folder}",
            hint="let it end, or use another --out folder",
        )
        self.lines: dict[tuple[str, str], LogLine] = {}
        """The last line of every sample and configuration."""

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(self._file)
            self._continue_or_begin()
            stack.pop_all()
        return self

    def _continue_or_begin(self) -> None:
        if (self._folder / LOG_FILE).stat().st_size:
            earlier, lines = read_log(self._folder)
            self._refuse_other(self._folder, earlier)
            self.lines = {line.key: line for line in lines}
            return
        self._file.write(_Header(identity=self._spec.identity, spec=self._spec))
        text = self._spec.model_dump_json(indent=2)
        (self._folder / SPEC_FILE).write_text(f"{text}\n", encoding="utf-8")

    def _refuse_other(self, folder: Path, earlier: Spec) -> None:
        if earlier.identity == self._spec.identity:
            return
        differing = "; ".join(earlier.differences(self._spec))
        raise EvaluationError(
            f"{folder} holds another run, which differs in {differing} (there and here)",
            hint="use a new --out folder, or the same options as before; a log is only continued by its own run",
        )

    def append(self, lines: Iterable[LogLine]) -> None:
        """Writes the lines and keeps them in `lines`."""
        for line in lines:
            self._file.write(line)
            self.lines[line.key] = line

    def close(self) -> None:
        self._file.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
