"""The configurations by their names in the paper (TEM, sections 4.1 and 4.6), and what each of them needs. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from tem_graph.errors import EvaluationError


class Configuration(StrEnum):
    NAIVE_RAG = "naive-rag"
    """The turns nearest to the question, best first."""
    SESSION_RAG = "session-rag"
    """The same turns in session order."""
    FULL_CONTEXT = "full-context"
    """Every turn, cut at the model's window; the oldest go first."""
    OVERWRITE = "overwrite"
    """Facts, of each group only what holds: what is historical was forgotten before the search."""
    UNMARKED = "unmarked"
    """Facts in source order, without labels."""
    TEM_STATUS = "tem-status"
    """The same facts in the same order, historical ones labelled."""
    TEM_HYBRID_STATE = "tem-hybrid-state"
    """Labelled facts, events, notes and turns under one budget."""
    TEM_HYBRID_UNMARKED = "tem-hybrid-unmarked"
    """The same without labels."""
    TEM_OPERATORS = "tem-operators"
    """A temporal operator where one fits; else the model, from labelled evidence."""


RAG = frozenset({Configuration.NAIVE_RAG, Configuration.SESSION_RAG})
HYBRID = frozenset({Configuration.TEM_HYBRID_STATE, Configuration.TEM_HYBRID_UNMARKED})
FACTS = frozenset({Configuration.OVERWRITE, Configuration.UNMARKED, Configuration.TEM_STATUS})
OF_PAPER = tuple(c for c in Configuration if c not in HYBRID and c is not Configuration.TEM_OPERATORS)
_HYBRIDS = (Configuration.TEM_HYBRID_STATE, Configuration.TEM_HYBRID_UNMARKED)

DEFAULTS: dict[str, tuple[Configuration, ...]] = {
    "state-update": (*OF_PAPER, Configuration.TEM_OPERATORS),
    "locomo": (Configuration.SESSION_RAG, Configuration.FULL_CONTEXT, *_HYBRIDS),
    "longmemeval": (Configuration.SESSION_RAG, Configuration.FULL_CONTEXT, *_HYBRIDS),
    "factconsolidation": (Configuration.TEM_OPERATORS,),
    "operators": (Configuration.TEM_OPERATORS,),
}
"""What a job runs where nobody names any: the rows of the paper's tables, and the operators."""


def parse_configurations(job: str, names: str | None) -> tuple[Configuration, ...]:
    """The configurations of a comma-separated list, each once, in its order; the job's own without a list.

    Raises:
        EvaluationError: an unknown name, or one that this job cannot run.
    """
    if names is None:
        return DEFAULTS[job]
    found: dict[Configuration, None] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        try:
            found[Configuration(name)] = None
        except ValueError:
            raise EvaluationError(
                f"there is no configuration {name!r}", hint=f"use some of {', '.join(Configuration)}"
            ) from None
    if not found:
        raise EvaluationError("no configuration is named", hint=f"use some of {', '.join(Configuration)}")
    if job == "operators" and (unfit := [c for c in found if c in RAG | HYBRID or c is Configuration.FULL_CONTEXT]):
        raise EvaluationError(
            f"an operator set has no sessions, so {', '.join(unfit)} cannot be run on it",
            hint="use some of overwrite, unmarked, tem-status, tem-operators",
        )
    return tuple(found)


def need_graph(configs: Iterable[Configuration]) -> bool:
    """Whether sessions have to be stored at all."""
    return any(c is not Configuration.FULL_CONTEXT for c in configs)


def need_reading(configs: Iterable[Configuration]) -> bool:
    """Whether sessions have to be read into facts; plain turns need no extractor."""
    return any(c not in RAG and c is not Configuration.FULL_CONTEXT for c in configs)


def need_passages(configs: Iterable[Configuration]) -> list[Configuration]:
    """Those that search turns, events and notes, so that a memory of facts alone would leave them without evidence."""
    return [c for c in configs if c in RAG | HYBRID]
