"""A memory as a file that people and agents keep: CLAUDE.md or AGENTS.md text. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.fact import Status
from tem_graph.retrieve.block import BlockStyle, fact_line, ordered

RULES = """\
- Do not delete decisions and values that have changed; add the new one below the old.
- Mark the old record `[historical: replaced by WHAT as of WHEN]`.
- The record in force has no tag and is the last of its group.
- About "now", use only records without a tag.
- About "why did we once …", look at the historical records."""

STYLE = BlockStyle(label="[historical: replaced by {successor} as of {date}]", by_relation=True, legend=False)


def render_memory_file(facts: Sequence[MarkedFact], *, title: str = "Project memory") -> str:
    """Markdown with the rules of a hand-kept memory and every fact that still counts, grouped by relation.

    Retracted facts are left out: the file is what an agent should believe.
    """
    shown = [fact for fact in facts if fact.status is not Status.RETRACTED]
    lines = [f"## {title} rules", RULES, "", f"## {title}", ""]
    lines += [fact_line(fact, STYLE) for fact in ordered(shown, STYLE)] or ["(nothing known)"]
    return "\n".join(lines) + "\n"
