"""The verdicts of a run: `verdicts.jsonl`, one line a verdict, only ever appended to.

A verdict belongs to the text that was judged, not to a configuration: two configurations that give the same answer
to a question share it. Verdicts of several judges stand side by side and are never mixed. A last line without its
newline is torn; it is not read, and cut off before the next is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, ValidationError

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.scoring.verdict import Grade, Verdict, judge_question
from tem_graph.prompts.loader import Prompt, load_prompt

VERDICTS_FILE = "verdicts.jsonl"


class VerdictLine(BaseModel):
    """One verdict. `id` and `config` say of which answer it was first asked; `asked` names the text."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    config: str
    judge: str
    prompt: str
    asked: str
    verdict: Verdict
    """As counted: the strictest of what the judge said."""
    said: Verdict | None = None
    factual: Grade | None = None
    temporal: Grade | None = None
    reason: str = ""
    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    error: str | None = None
    """Why there is no usable reply; such a case is unresolved."""


@dataclass(frozen=True, slots=True)
class Judge:
    """Who judged: verdicts of different judges are never mixed."""

    model: str
    prompt: str

    def __str__(self) -> str:
        return f"{self.model}, {self.prompt}"


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The verdicts of one judge, by the hash of what was asked."""

    judge: Judge
    lines: Mapping[str, VerdictLine]
    prompt: Prompt

    def of(self, line: LogLine, question: Question) -> VerdictLine | None:
        """The verdict on an answer; None if this judge has not been asked."""
        return self.lines.get(judge_question(line.answer, question, self.prompt).hash)


def read_verdicts(folder: Path, judge: Judge | None = None) -> Verdicts | None:
    """The verdicts of `judge`, else of the judge of the last line; None where nobody has judged.

    Raises:
        EvaluationError: a line before the last is damaged, or that judge has given no verdict here; names it.
    """
    lines = read_lines(folder)
    if not lines and judge is None:
        return None
    wanted = judge or Judge(lines[-1].judge, lines[-1].prompt)
    by_text = {line.asked: line for line in lines if Judge(line.judge, line.prompt) == wanted}
    if not by_text:
        there = sorted({str(Judge(line.judge, line.prompt)) for line in lines})
        raise EvaluationError(
            f"{folder} has no verdicts by {wanted}", hint=f"there are those by {'; '.join(there) or 'nobody'}"
        )
    return Verdicts(wanted, by_text, _prompt(wanted.prompt))


def _prompt(label: str) -> Prompt:
    name, _, version = label.partition("@")[0].rpartition(".v")
    prompt = load_prompt(name, int(version)) if version.isdigit() else None
    if prompt is None or prompt.label != label:
        raise EvaluationError(
            f"the verdicts were given under the prompt {label}, which this version of tem-graph does not have",
            hint="judge again, or score with the version that judged",
        )
    return prompt


def read_lines(folder: Path) -> list[VerdictLine]:
    """Every whole line, oldest first; none where nobody has judged.

    Raises:
        EvaluationError: a line before the last is damaged; names it.
    """
    path = folder / VERDICTS_FILE
    if not path.exists():
        return []
    content = path.read_bytes()
    lines = []
    for number, line in enumerate(content[: content.rfind(b"\n") + 1].splitlines(), start=1):
        try:
            lines.append(VerdictLine.model_validate_json(line))
        except ValidationError as error:
            raise EvaluationError(f"{path}, line {number}: {error.errors()[0]['msg']}") from None
    return lines


@contextmanager
def appending(folder: Path) -> Iterator[Callable[[VerdictLine], None]]:
    """A function that appends a verdict to the file of the folder, which nobody else writes to meanwhile.

    Raises:
        EvaluationError: another process is judging this run.
    """
    lock = FileLock(folder / ".verdicts.lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise EvaluationError(
            f"another process is judging {folder}", hint="let it end; if it is stopped, judging goes on where it was"
        ) from None
    try:
        with (folder / VERDICTS_FILE).open("a+b", buffering=0) as file:
            file.seek(0)
            file.truncate(file.read().rfind(b"\n") + 1)

            def write(line: VerdictLine) -> None:
                data = f"{line.model_dump_json()}\n".encode()
                while data:
                    data = data[file.write(data) :]

            yield write
    finally:
        lock.release()
