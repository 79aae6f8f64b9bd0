"""The demo as a page of a terminal, and as JSON."""

from __future__ import annotations

import shlex

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from tem_graph.cli.demonstration import MEMORY, SERVER, Asked, Demonstration, Place
from tem_graph.cli.output import clean, text
from tem_graph.cli.render import as_json
from tem_graph.cli.render.charts import draw_chart
from tem_graph.cli.render.outcomes import draw_reports, reports_document
from tem_graph.graph.queries import cypher_folder


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
                "evidence": as_json.block(one.block),
                **as_json.answer(one.answer),
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
    console.print()
    console.print(Rule(Text(words, style="bold"), align="left", characters="─" if _is_unicode(console) else "-"))
    console.print()


def _is_unicode(console: Console) -> bool:
    return console.encoding.lower().replace("-", "").startswith("utf")


def _draw_question(console: Console, asked: Asked) -> None:
    answer = asked.answer
    console.print(text(f"Q: {asked.question.question}", "bold"))
    console.print(Padding(Text(clean(asked.block.text), style="dim"), (0, 0, 0, 3)), soft_wrap=True)
    console.print(Text("A: ", style="bold green").append_text(Text(clean(answer.text), style="bold green")))
    how = f"the operator {answer.operator}, without a model" if answer.path == "operator" else answer.model or "nobody"
    console.print(Padding(text(f"answered by {how}, in {answer.seconds:.2f} s", "dim"), (0, 0, 0, 3)))
    console.print(Padding(text(asked.question.shows, "dim"), (0, 0, 1, 3)))


def _draw_browser(console: Console, shown: Demonstration, place: Place) -> None:
    lines = [f"address   {place.browser_url}" if place.browser_url else f"address   Neo4j Browser of {place.uri}"]
    if place.browser_url:
        lines.append(f"connect   {place.uri}")
    lines.append(f"user      {place.username}")
    if place.password_file:
        lines.append(f"password  cat {shlex.quote(place.password_file)}")
    for line in lines:
        console.print(Text(f"  {clean(line)}"), soft_wrap=True)
    console.print("\n  Paste this query:\n")
    console.print(Padding(Text(look_query(shown.memory), style="cyan"), (0, 0, 1, 4)), soft_wrap=True)
    memory = "" if shown.memory == "default" else f" -m {shlex.quote(shown.memory)}"
    server = f"TEM_GRAPH_SERVER={SERVER} TEM_GRAPH_EMBEDDER=minilm " if place.password_file else ""
    console.print(Text(f'  Go on:    {server}tem-graph ask{memory} "Where did Jonas work first?"'), soft_wrap=True)
    console.print(Text(f"  As a page: {server}tem-graph timeline{memory} --html timeline.html"), soft_wrap=True)
    if place.password_file:
        console.print(Text(f"  Stop it:  tem-graph server stop --name {SERVER}"), soft_wrap=True)
