"""The list of temporal operators for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rich.console import Console

from tem_graph.cli.output import text
from tem_graph.cli.render.tables import make_table, print_table


def draw_operators(console: Console, schemas: Iterable[Mapping[str, Any]]) -> None:
    """Each operator with its arguments (those in brackets may be left out) and what it answers."""
    table = make_table("operator", "arguments", "answers")
    for schema in schemas:
        parameters = schema["parameters"]
        required = set(parameters.get("required", ()))
        names = (name if name in required else f"[{name}]" for name in parameters["properties"])
        table.add_row(text(schema["name"], "bold"), text(" ".join(names)), text(schema["description"]))
    print_table(console, table)
