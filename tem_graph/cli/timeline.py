"""`tem-graph timeline`: stints as bars, in the terminal or as a web page."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tem_graph.cli.app import App, common, point, seen_from


@click.command(short_help="Draw what held when, as bars or a web page.")
@click.argument("subject", required=False)
@click.option("--relation", help="Only this relation.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write one self-contained web page to FILE."
)
@click.option("--title", help="Title of the page; else the subject or the memory.")
@seen_from
@common
def timeline(
    app: App,
    subject: str | None,
    relation: str | None,
    page: Path | None,
    title: str | None,
    on: str | None,
    known_after: str | None,
) -> None:
    """Draw what held when, for SUBJECT or for everybody: a bar for each stint, on one time axis."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.charts import draw_chart, histories_of, write_page
    from tem_graph.timeline.chart import build_chart

    with app.open_existing() as memory:
        as_of = point(memory, on, known_after) or memory.now()
        histories = histories_of(memory, subject, relation, as_of)
    chart = build_chart(histories, as_of.valid_at or as_of.today)
    document: dict[str, object] = {"memory": memory.id, "history": [as_json.history(h) for h in histories]}
    if page is None:
        app.show(document, lambda console: draw_chart(console, chart))
        return
    write_page(page, chart, title or subject or memory.id, as_of.valid_at or as_of.today)
    app.show(document | {"page": str(page)}, lambda _: print(page, file=sys.stdout))
