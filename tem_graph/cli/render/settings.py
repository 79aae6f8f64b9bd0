"""The settings in force: each with its variable, its value and where that comes from. Secrets are never shown."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import metadata
from urllib.parse import urlsplit, urlunsplit

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo
from rich.console import Console

from tem_graph.cli.output import text
from tem_graph.cli.render.as_json import Json
from tem_graph.cli.render.tables import make_table, memories_table, print_table
from tem_graph.graph.store import MemoryInfo
from tem_graph.settings import Settings

HIDDEN = "********"


def setting_entries(settings: Settings) -> list[Json]:
    """Every setting, in the order in which they are defined."""
    return [
        {
            "name": name,
            "variable": variable_of(name, field),
            "value": shown(getattr(settings, name)),
            "from": _origin(name, field, settings),
            "description": field.description,
        }
        for name, field in Settings.model_fields.items()
    ]


def variable_of(name: str, field: FieldInfo) -> str:
    """The environment variable that a setting is read from."""
    alias = field.validation_alias
    return str(alias.choices[0]) if isinstance(alias, AliasChoices) else f"TEM_GRAPH_{name.upper()}"


def shown(value: object) -> object:
    """The value as JSON: secrets hidden, also those inside an address.

    >>> shown(SecretStr("x")), shown("http://me:pw@host/v1"), shown(3)
    ('********', 'http://********@host/v1', 3)
    """
    if isinstance(value, SecretStr):
        return HIDDEN
    if isinstance(value, str) and "://" in value and "@" in value:
        parts = urlsplit(value)
        host = parts.netloc.rpartition("@")[2]
        return urlunsplit(parts._replace(netloc=f"{HIDDEN}@{host}"))
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)


def _origin(name: str, field: FieldInfo, settings: Settings) -> str:
    if variable_of(name, field).lower() in {variable.lower() for variable in os.environ}:
        return "environment"
    return "given" if name in settings.model_fields_set else "default"


def draw_settings(console: Console, entries: Sequence[Json]) -> None:
    table = make_table("variable", "value", "from", "meaning")
    for entry in entries:
        value = "" if entry["value"] is None else entry["value"]
        table.add_row(
            text(entry["variable"], "bold"), text(value), text(entry["from"], "dim"), text(entry["description"])
        )
    print_table(console, table)


def summary(settings: Settings) -> Json:
    """What is configured, in a few words."""
    return {
        "version": metadata.version("tem-graph"),
        "neo4j": shown(settings.neo4j_uri) or f"local server {settings.server!r}",
        "database": settings.neo4j_database,
        "memory": settings.memory,
        "embedder": settings.embedder,
        "extractor": settings.extractor,
        "model": shown(settings.model_url),
        "timezone": settings.timezone,
    }


def draw_summary(console: Console, about: Mapping[str, object], memories: Sequence[MemoryInfo]) -> None:
    for key, value in about.items():
        console.print(text(key, "dim").append(": ").append_text(text("not set" if value is None else value)))
    print_table(console, memories_table(memories))
