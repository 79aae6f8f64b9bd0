"""`tem-graph demo`."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common
from tem_graph.cli.failures import INCOMPLETE


@click.command(short_help="Set up and show everything in one go.")
@click.option("--fresh", is_flag=True, help="Forget the memory of the demo first, and read everything again.")
@common
def demo(app: App, fresh: bool) -> None:
    """Show everything in one go: ten conversations in, a timeline and three answers out.

    Starts a local Neo4j of its own, named demo, unless NEO4J_URI names one. Reads with the configured model, else with
    the grammar. The memory is called demo unless --memory says otherwise.
    """
    from tem_graph.cli.demonstration import demo_place, demonstrate
    from tem_graph.cli.render.demonstration import demo_document, draw_demo

    place = demo_place(app.settings(), app.memory)
    with app.open(place.settings) as memory:
        shown = demonstrate(memory, fresh=fresh, verbose=app.verbose)
    app.show(demo_document(shown, place), lambda console: draw_demo(console, shown, place))
    if shown.reports.failed:
        click.get_current_context().exit(INCOMPLETE)
