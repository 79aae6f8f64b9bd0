"""`tem-graph search` and `tem-graph evidence`: what is nearest to a question, as a table or as a memory block."""

from __future__ import annotations

from typing import Any, Literal

import click

from tem_graph.cli import output
from tem_graph.cli.app import App, common, point, seen_from

_limit = click.option("-k", "--limit", type=click.IntRange(min=1), help="Facts at most; else the setting limit (15).")
_policy = click.option(
    "--policy",
    type=click.Choice(["effective", "source", "paper"]),
    default="effective",
    show_default=True,
    help="What orders a group: effective dates, source order alone, or TEM's bare rule.",
)
Policy = Literal["effective", "source", "paper"]


@click.command(short_help="Show the facts nearest to a question.")
@click.argument("question")
@_limit
@_policy
@click.option("--ids", is_flag=True, help="Show the id of each fact.")
@seen_from
@common
def search(
    app: App, question: str, limit: int | None, policy: Policy, ids: bool, on: str | None, known_after: str | None
) -> None:
    """Show the facts nearest to QUESTION, best first, each with its status.

    The score is cosine similarity times the weight of the relation: higher is better.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import facts_table, print_table

    with app.open_existing() as memory:
        hits = memory.search(question, limit, as_of=point(memory, on, known_after), policy=policy)
    document = {"memory": memory.id, "question": question, "facts": as_json.marked_facts(hits)}
    app.show(document, lambda console: print_table(console, facts_table(hits, scores=True, ids=ids)))


@click.command(short_help="Show the memory block for a question.")
@click.argument("question")
@_limit
@_policy
@click.option("--label", help="Tag of a historical fact; {successor} and {date} are filled in.")
@click.option("--marks/--no-marks", default=True, help="Tag the facts, or show the same ones untagged.")
@click.option(
    "--order", type=click.Choice(["oldest", "newest"]), default="oldest", show_default=True, help="Which comes first."
)
@click.option("--by-relation", is_flag=True, help="Gather the versions of each relation, as people write it by hand.")
@click.option("--legend/--no-legend", default=True, help="Say at the top what order and tags mean.")
@click.option("--rules", is_flag=True, help="Append how a model is to use the tags.")
@click.option("--effective-dates/--no-effective-dates", default=True, help="Show since when a fact holds.")
@click.option("--turns", is_flag=True, help="Show the turn of each fact beside its session.")
@click.option("--budget", "token_budget", type=click.IntRange(min=1), help="Tokens at most; low scores go first.")
@click.option("--tokenizer", metavar="PATH", help="tokenizer.json, folder or hub name to count with; else an estimate.")
@seen_from
@common
def evidence(
    app: App,
    question: str,
    limit: int | None,
    policy: Policy,
    tokenizer: str | None,
    on: str | None,
    known_after: str | None,
    **style: Any,
) -> None:
    """Show the memory block for QUESTION: marked facts, oldest to newest, ready for a prompt.

    Selecting never looks at the status, and marking never changes the content.
    """
    from tem_graph.cli.render import as_json
    from tem_graph.embed.tokens import EstimateCounter, TokenizerCounter
    from tem_graph.retrieve.block import BlockStyle, render_block

    if style["label"] is None:
        del style["label"]
    counter = TokenizerCounter(tokenizer) if tokenizer else EstimateCounter()
    with app.open_existing() as memory:
        hits = memory.search(question, limit, as_of=point(memory, on, known_after), policy=policy)
    block = render_block(hits, BlockStyle(**style), counter)
    document = {"memory": memory.id, "question": question, **as_json.block(block)}
    app.show(document, lambda _: output.write(block.text))
