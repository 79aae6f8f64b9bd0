"""`tem-graph info`: what there is, and every setting."""

from __future__ import annotations

import click

from tem_graph.cli.app import App, common


@click.command(short_help="Show the memories and the settings.")
@click.option("--settings", "all_settings", is_flag=True, help="List every setting: value, variable, meaning.")
@common
def info(app: App, all_settings: bool) -> None:
    """Show the memories of the database with their sizes, and what is configured; or all --settings."""
    from tem_graph.cli.render import as_json
    from tem_graph.cli.render.settings import draw_settings, draw_summary, setting_entries, summary

    settings = app.settings()
    if all_settings:
        entries = setting_entries(settings)
        app.show({"settings": entries}, lambda console: draw_settings(console, entries))
        return
    with app.open(settings) as memory:
        memories = memory.memories()
    about = summary(settings)
    document = {**about, "memories": [as_json.memory(m) for m in memories]}
    app.show(document, lambda console: draw_summary(console, about, memories))
