"""`tem-graph ingest`: conversations from files into memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from tem_graph.cli.app import App, common
from tem_graph.cli.failures import INCOMPLETE
from tem_graph.errors import Conflict

if TYPE_CHECKING:
    from tem_graph.ingest.readers import Format

EXTRACTORS = ("auto", "model", "grammar", "model+grammar", "triples")


@click.command(short_help="Read conversations from files into facts.")
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format",
    type=click.Choice(["auto", "sessions", "locomo", "state-update", "chat", "fact-list"]),
    default="auto",
    show_default=True,
    help="Form of the files; auto tells it by their fields, and a numbered fact list by its heading.",
)
@click.option("--extractor", type=click.Choice(EXTRACTORS), help="Who reads; else the setting extractor.")
@click.option("--concurrency", type=click.IntRange(min=1), help="Sessions in flight at once; else the setting.")
@click.option("--replace", is_flag=True, help="Put a changed text in the place of the stored one, on record.")
@click.option("--resume", is_flag=True, help="Go on after a stop: say only how many sessions were stored already.")
@click.option("--user", metavar="NAME", help="The person behind the speaker `user` of chat exports.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N sessions of each conversation.")
@click.option("--conversation", metavar="ID", help="Only that conversation of a file that holds several.")
@common
def ingest(
    app: App,
    files: tuple[str, ...],
    format: Format,
    extractor: str | None,
    concurrency: int | None,
    replace: bool,
    resume: bool,
    user: str | None,
    limit: int | None,
    conversation: str | None,
) -> None:
    """Read the conversations in FILES (- is standard input) into facts.

    A conversation that has an id of its own (LoCoMo, personas) goes into the memory of that id; with --memory M it
    goes into M, or, where several are read, into M/ID. All others go into --memory. Running again is harmless: what
    is stored is recognised before any model is asked, and what failed is tried again.
    """
    from tem_graph.cli.ingesting import plan_ingest, run_ingest
    from tem_graph.cli.render.outcomes import draw_reports, reports_document

    settings = app.settings(extractor=extractor, concurrency=concurrency, user=user)
    plan = plan_ingest(
        files, settings, memory=app.memory, format=format, conversation=conversation, limit=limit, say=app.say
    )
    with app.open(settings) as memory:
        reports = run_ingest(memory, plan, replace=replace, verbose=app.verbose)
    app.show(reports_document(reports), lambda console: draw_reports(console, reports, quiet=resume))
    _end_as(reports)


def _end_as(reports: object) -> None:
    """Ends the process with the exit code of what did not succeed, if anything did not."""
    from tem_graph.cli.ingesting import Reports

    assert isinstance(reports, Reports)
    if reports.failed:
        click.get_current_context().exit(INCOMPLETE)
    if reports.conflicts:
        click.get_current_context().exit(Conflict.exit_code)
