"""`tem-graph export | import`: a whole memory as a file, and back."""

from __future__ import annotations

from pathlib import Path

import click

from tem_graph.cli.app import App, common

FORMATS = ("jsonl", "claude-md", "agents-md")


@click.command(short_help="Write the memory out: JSON Lines or Markdown.")
@click.argument("format", type=click.Choice(FORMATS), default="jsonl")
@click.option(
    "-o", "--output", "path", type=click.Path(dir_okay=False, path_type=Path), help="Write to FILE, not to stdout."
)
@click.option("--force", is_flag=True, help="Overwrite FILE where it exists.")
@click.option("--embeddings", is_flag=True, help="With jsonl: put the embeddings in too, so that import makes none.")
@click.option("--title", default="Project memory", show_default=True, help="With claude-md and agents-md: the heading.")
@common
def export(app: App, format: str, path: Path | None, force: bool, embeddings: bool, title: str) -> None:
    """Write the memory out: everything as JSON Lines, or what counts as text for a CLAUDE.md or AGENTS.md.

    `import` reads the JSON Lines back without loss. The text carries the rules of a hand-kept memory: old values stay,
    tagged with what replaced them. Without -o the export is the only output, with --json too.
    """
    from tem_graph.cli.files import writing
    from tem_graph.retrieve.files import render_memory_file

    if embeddings and format != "jsonl":
        raise click.UsageError("--embeddings goes with jsonl only")
    with app.open_existing() as memory, writing(path, force=force) as stream:
        if format == "jsonl":
            lines = memory.export(stream, with_embeddings=embeddings)
        else:
            text = render_memory_file(memory.facts(), title=title)
            lines = text.count("\n")
            stream.write(text)
    if path is not None:
        document = {"memory": memory.id, "format": format, "file": str(path), "lines": lines}
        app.show(document, lambda console: console.print(f"{lines} lines written to {path}"))


@click.command("import", short_help="Read an export into an empty memory.")
@click.argument("file")
@common
def import_(app: App, file: str) -> None:
    """Read FILE (- is standard input), a JSON Lines export, into the memory, which must be empty.

    The file is checked as a whole before anything is stored.
    """
    from tem_graph.cli.files import reading

    with reading(file) as lines, app.open() as memory:
        done = memory.import_(lines)
    document = {"memory": memory.id, "counts": dict(done.counts), "embeddings": done.embeddings}
    counted = ", ".join(f"{count} {kind}" for kind, count in done.counts.items() if count)
    app.show(
        document, lambda console: console.print(f"imported into {memory.id}: {counted}; embeddings {done.embeddings}")
    )
