"""The command line: it translates arguments to `TemporalMemory` calls and results to text, and nothing else.

Importing it loads click alone; each command imports what it needs when it runs.
"""

from __future__ import annotations


def main() -> None:
    """Runs `tem-graph` with the arguments of this process, and ends the process with its exit code."""
    import sys

    from tem_graph.cli.output import as_utf8, make_streams_safe
    from tem_graph.cli.root import cli

    make_streams_safe()
    cli(args=[as_utf8(argument) for argument in sys.argv[1:]], prog_name="tem-graph")
