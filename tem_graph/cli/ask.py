"""`tem-graph ask`."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common, point, seen_from


@click.command(short_help="Answer a question, and show how and from what.")
@click.argument("question")
@click.option("-k", "--limit", type=click.IntRange(min=1), help="Facts in the evidence; else the setting limit.")
@click.option("--hybrid", is_flag=True, help="Evidence from facts and conversations, as `tem-graph hybrid` shows it.")
@seen_from
@common
def ask(app: App, question: str, limit: int | None, hybrid: bool, on: str | None, known_after: str | None) -> None:
    """Answer QUESTION, and show how and from what.

    An operator answers where one fits (exactly, no model); else the configured model from the marked evidence; else the
    evidence is shown with the plain statement that no model is set.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.answers import draw_answer

    with app.open_existing() as memory:
        answer = memory.ask(question, limit, as_of=point(memory, on, known_after), hybrid=hybrid)
    document = {"memory": memory.id, "question": question, **as_json.answer(answer)}
    app.show(document, lambda console: draw_answer(console, answer))
