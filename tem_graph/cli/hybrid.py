"""`tem-graph hybrid`: evidence from all that a memory holds, in one token budget."""

from __future__ import annotations

import click

from tem_graph.cli import output
from tem_graph.cli.app import App, common, point, seen_from


@click.command(short_help="Show the evidence for a question from facts and conversations.")
@click.argument("question")
@click.option("--budget", type=click.IntRange(min=1), default=1024, show_default=True, help="Tokens at most.")
@click.option("--marks/--no-marks", default=True, help="Tag the facts, or show the same lines untagged.")
@click.option("--tokenizer", metavar="PATH", help="tokenizer.json, folder or hub name to count with; else an estimate.")
@seen_from
@common
def hybrid(
    app: App, question: str, budget: int, marks: bool, tokenizer: str | None, on: str | None, known_after: str | None
) -> None:
    """Show the evidence for QUESTION from facts, events, notes and turns, in one token budget.

    Marked facts come first, then what was said, session by session. Long turns may be cut to the sentences that matter.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.embed.tokens import EstimateCounter, TokenizerCounter

    counter = TokenizerCounter(tokenizer) if tokenizer else EstimateCounter()
    with app.open_existing() as memory:
        seen = point(memory, on, known_after)
        evidence = memory.hybrid_evidence(question, budget_tokens=budget, marks=marks, as_of=seen, counter=counter)
    document = {"memory": memory.id, "question": question, **as_json.hybrid(evidence)}
    app.show(document, lambda _: output.write(evidence.text))
