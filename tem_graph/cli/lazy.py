"""A group whose commands are imported only when they are asked for, listed under headings."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click

Section = Mapping[str, str]
"""Command name → where it is, as `module:attribute`."""


class LazyGroup(click.Group):
    """A group over `sections`: heading → commands, in the order in which `--help` shows them."""

    def __init__(self, *args: Any, sections: Mapping[str, Section], **options: Any) -> None:
        super().__init__(*args, **options)
        self.sections = sections

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in self.sections.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for section in self.sections.values():
            if cmd_name in section:
                module, _, attribute = section[cmd_name].partition(":")
                command: click.Command = getattr(import_module(module), attribute)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` names. An unknown name is a usage error that offers the nearest ones."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            near = get_close_matches(args[0], self.list_commands(ctx), n=3)
            offer = f" Did you mean {' or '.join(near)}?" if near else ""
            raise click.UsageError(f"No such command {args[0]!r}.{offer}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        room = formatter.width - 6 - max(map(len, names))
        for heading, section in self.sections.items():
            rows = []
            for name in section:
                command = self.get_command(ctx, name)
                if command is not None and not command.hidden:
                    rows.append((name.ljust(max(map(len, names))), command.get_short_help_str(room)))
            with formatter.section(heading):
                formatter.write_dl(rows)
