"""The demo as a page of a terminal, and as JSON."""

from __future__ import annotations

import shlex

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from tem_graph.cli.demonstration import EMBEDDER, MEMORY, SERVER, Asked, Demonstration, Place
from tem_graph.cli.invoked import pasteable
from tem_graph.cli.output import clean, draws_unicode, text
from tem_graph.cli.render import as_json
from tem_graph.cli.render.charts import draw_chart
from tem_graph.cli.render.outcomes import draw_reports, reports_document
from tem_graph.domain.names import fold
from tem_graph.graph.queries import cypher_folder

_WIDTH = 100


def look_query(memory: str) -> str:
    """The Cypher that a person is invited to paste into Neo4j Browser, for that memory."""
    file = cypher_folder().joinpath("browser", "demo.cypher").read_text(encoding="utf-8")
    lines = (line for line in file.splitlines() if line and not line.startswith("//"))
    quoted = memory.replace("\\", "\\\\").replace("'", "\\'")
    return "\n".join(lines).replace(f"'{MEMORY}'", f"'{quoted}'")


def demo_document(shown: Demonstration, place: Place) -> as_json.Json:
    return {
        "memory": shown.memory,
        "ingest": reports_document(shown.reports),
        "history": [as_json.history(group) for group in shown.histories],
        "questions": [
            {
                "question": one.question.question,
                "expected": one.question.answer,
                "as_expected": is_as_expected(one),
                **as_json.answer(one.answer),
                "evidence": as_json.block(one.block),
            }
            for one in shown.asked
        ],
        "neo4j": {
            "uri": place.uri,
            "username": place.username,
            "browser_url": place.browser_url,
            "password_file": place.password_file,
            "query": look_query(shown.memory),
        },
        "seconds": round(shown.seconds, 3),
    }


def draw_demo(console: Console, shown: Demonstration, place: Place) -> None:
    """What went in, the timeline, the questions, and where to look further."""
    _heading(console, "1  Ten conversations, read into facts")
    draw_reports(console, shown.reports, quiet=False)
    _heading(console, "2  What held when")
    draw_chart(console, shown.chart)
    _heading(console, "3  Three questions")
    for asked in shown.asked:
        _draw_question(console, asked)
    _heading(console, "4  Look at the graph")
    _draw_browser(console, shown, place)


def _heading(console: Console, words: str) -> None:
    rule = Rule(Text(words, style="bold"), align="left", characters="─" if draws_unicode(console) else "-")
    console.print()
    console.print(rule, width=min(console.width, _WIDTH))
    console.print()


def _draw_question(console: Console, asked: Asked) -> None:
    answer = asked.answer
    console.print(text(f"Q: {asked.question.question}", "bold"))
    for line in asked.block.text.splitlines():
        _indented(console, line, "dim" if line.endswith("[historical]") or not line.startswith("- ") else "")
    console.print(Text(f"A: {clean(answer.text)}", style="bold green"))
    how = f"the operator {answer.operator}, without a model" if answer.path == "operator" else answer.model or "nobody"
    _indented(console, f"answered by {how}, in {answer.seconds:.2f} s", "dim")
    if not is_as_expected(asked):
        expected = asked.question.answer or "none known"
        _indented(console, f"expected: {expected}; the conversations were not read in full", "yellow")
    _indented(console, asked.question.shows, "dim")
    console.print()


def is_as_expected(asked: Asked) -> bool:
    """Whether the answer is the shipped one; where that is none, whether none was found."""
    expected, result = asked.question.answer, asked.answer.result
    if expected is not None:
        return fold(expected) in fold(asked.answer.text)
    return result is not None and not result.is_found


def _draw_browser(console: Console, shown: Demonstration, place: Place) -> None:
    _indented(console, f"address   {place.browser_url or 'Neo4j Browser, connected to ' + place.uri}")
    if place.browser_url:
        _indented(console, f"connect   {place.uri}")
    _indented(console, f"user      {place.username}")
    if place.password_file:
        _indented(console, f"password  cat {shlex.quote(place.password_file)}")
    console.print("\n   Paste this query:\n")
    for line in look_query(shown.memory).splitlines():
        _indented(console, f"  {line}", "cyan")
    environment = f"TEM_GRAPH_SERVER={SERVER} TEM_GRAPH_EMBEDDER={EMBEDDER} " if place.password_file else ""
    memory, command = shlex.quote(shown.memory), pasteable()
    console.print("\n   Go on:\n")
    _indented(console, f'  {environment}{command} ask -m {memory} "Where did Jonas live first?"', "cyan")
    _indented(console, f"  {environment}{command} timeline -m {memory} --html timeline.html", "cyan")
    if place.password_file:
        _indented(console, f"  {command} server stop --name {SERVER}", "cyan")


def _indented(console: Console, line: str, style: str = "") -> None:
    console.print(Text(f"   {clean(line)}", style=style), soft_wrap=True)
