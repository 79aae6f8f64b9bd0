"""`tem-graph history`."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common, point, seen_from


@click.command(short_help="Show what held when, stint by stint.")
@click.argument("subject")
@click.argument("relation", required=False)
@click.option(
    "--policy",
    type=click.Choice(["effective", "source"]),
    default="effective",
    show_default=True,
    help="Order by effective dates, or by the order of telling alone.",
)
@seen_from
@common
def history(app: App, subject: str, relation: str | None, policy: str, on: str | None, known_after: str | None) -> None:
    """Show what held for SUBJECT, stint by stint: of one RELATION, or of all."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.tables import histories_table, print_table
    from tem_graph.temporal.order import OrderPolicy

    with app.open_existing() as memory:
        as_of = point(memory, on, known_after)
        groups = memory.history(subject, relation, as_of=as_of, policy=OrderPolicy(policy))
    document = {"memory": memory.id, "subject": subject, "history": [as_json.history(group) for group in groups]}
    app.show(document, lambda console: print_table(console, histories_table(groups)))
