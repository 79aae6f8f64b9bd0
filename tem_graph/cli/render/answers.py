"""Answers for people: what it is, how it was found, and what proves it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from tem_graph.answer.ask import Answer
from tem_graph.answer.wording import word
from tem_graph.cli.output import clean, text
from tem_graph.cli.render.tables import evidence_lines
from tem_graph.temporal.result import Result


def draw_answer(console: Console, answer: Answer) -> None:
    console.print(Text(clean(answer.text), style="bold"))
    _remark(console, _how(answer))
    if answer.note and answer.note != answer.text:
        _remark(console, answer.note)
    if answer.path == "operator":
        for line in evidence_lines(answer.facts):
            console.print(line, soft_wrap=True)
    elif answer.block is not None:
        console.print(Text(clean(answer.block.text)), soft_wrap=True)


def draw_result(console: Console, result: Result) -> None:
    console.print(text(word(result), "bold"))
    if result.sentence and result.sentence != word(result):
        _remark(console, result.sentence)
    if result.choices:
        _remark(console, f"choices: {', '.join(result.choices)}")
    for line in evidence_lines(result.facts):
        console.print(line, soft_wrap=True)


def _remark(console: Console, words: str) -> None:
    console.print(Text("  ").append_text(text(words, "dim")))


def _how(answer: Answer) -> str:
    took = f"{answer.seconds:.2f} s"
    match answer.path:
        case "operator":
            arguments = ", ".join(f"{key}={value}" for key, value in answer.arguments.items())
            return f"found by the operator {answer.operator}({arguments}), no model asked, {took}"
        case "model":
            tokens = answer.usage.prompt_tokens + answer.usage.output_tokens
            return f"answered by {answer.model} from the evidence below, {tokens} tokens, {took}"
        case "evidence":
            return f"nobody answered: this is the evidence, {took}"
