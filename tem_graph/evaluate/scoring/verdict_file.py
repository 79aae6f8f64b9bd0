"""The verdicts of a run: `verdicts.jsonl`, one line a verdict, only ever appended to.

A verdict belongs to the text that was judged, not to a configuration: two configurations that give the same answer
to a question share it. Verdicts of several judges stand side by side and are never mixed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.append_only import AppendOnly, parse_line, whole_lines
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
    lines = enumerate(whole_lines(path.read_bytes()), start=1)
    return [parse_line(VerdictLine, line, path, number) for number, line in lines]


def appending(folder: Path) -> AppendOnly:
    """The file of the folder, to add verdicts to; nobody else writes to it meanwhile.

    Raises (on entering):
        EvaluationError: another process is judging this run.
    """
    return AppendOnly(
        folder / VERDICTS_FILE,
        folder / ".verdicts.lock",
        writer=f"judging {folder}",
        hint="let it end; if it is stopped, judging goes on where it was",
    )
