"""`tem-graph`: the commands and where each of them is."""

from __future__ import annotations

from importlib import metadata
from typing import Any

import click

from tem_graph.cli.failures import EXIT_CODES, exit_codes, is_verbose, set_verbose
from tem_graph.cli.lazy import LazyGroup
from tem_graph.cli.waiting import outages_told

SECTIONS = {
    "Set up": {
        "demo": "tem_graph.cli.demo:demo",
        "server": "tem_graph.cli.server:server_group",
        "doctor": "tem_graph.cli.doctor:doctor",
        "info": "tem_graph.cli.info:info",
    },
    "Put in": {
        "ingest": "tem_graph.cli.ingest:ingest",
        "facts": "tem_graph.cli.facts:facts",
        "correct": "tem_graph.cli.amend:correct",
        "retract": "tem_graph.cli.amend:retract",
        "import": "tem_graph.cli.transfer:import_",
        "reindex": "tem_graph.cli.passages:reindex",
        "regroup": "tem_graph.cli.regroup:regroup",
    },
    "Ask": {
        "ask": "tem_graph.cli.ask:ask",
        "search": "tem_graph.cli.search:search",
        "evidence": "tem_graph.cli.search:evidence",
        "hybrid": "tem_graph.cli.hybrid:hybrid",
    },
    "Ask about time, exactly": {
        "history": "tem_graph.cli.history:history",
        "timeline": "tem_graph.cli.timeline:timeline",
        "as-of": "tem_graph.cli.operators:as_of",
        "when": "tem_graph.cli.operators:when",
        "count": "tem_graph.cli.operators:count",
        "operator": "tem_graph.cli.operators:operator",
    },
    "Look inside": {
        "subjects": "tem_graph.cli.subjects:subjects",
        "sessions": "tem_graph.cli.sessions:sessions",
        "rejected": "tem_graph.cli.sessions:rejected",
        "events": "tem_graph.cli.passages:events",
        "notes": "tem_graph.cli.passages:notes",
        "conflicts": "tem_graph.cli.amend:conflicts",
    },
    "Measure": {
        "evaluate": "tem_graph.cli.evaluate:evaluate",
    },
    "Take out": {
        "export": "tem_graph.cli.transfer:export",
        "forget": "tem_graph.cli.forget:forget",
    },
}


class Root(LazyGroup):
    """The whole command line, where every error becomes an exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        with exit_codes(ctx), outages_told(verbose=lambda: is_verbose(ctx)):
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Exit codes"):
            formatter.write_dl([(f"{code:>3}", meaning) for code, meaning in EXIT_CODES])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"tem-graph {metadata.version('tem-graph')}")
        ctx.exit()


@click.group(cls=Root, sections=SECTIONS, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-v", "--verbose", is_flag=True, help="Say more; show the traceback of an error.")
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Show the version."
)
@click.pass_context
def cli(ctx: click.Context, verbose: bool) -> None:
    """A temporal memory in Neo4j, in which *was* is never mistaken for *is*.

    `tem-graph demo` shows everything in one go. Results go to standard output, progress and remarks to standard
    error; every command takes --json. The connection is read from NEO4J_URI, NEO4J_USERNAME, NEO4J_PASSWORD and
    NEO4J_DATABASE; without NEO4J_URI it is the local Neo4j of `tem-graph server start`.
    """
    set_verbose(ctx, verbose)
