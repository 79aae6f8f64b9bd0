"""tem-graph: a temporal memory for agents, in which *was* is never mistaken for *is*.

    from tem_graph import TemporalMemory

Importing this package loads neither a model library nor the database driver; names arrive when first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tem_graph.domain.conversation import Session, Turn
    from tem_graph.domain.evidence import MarkedFact
    from tem_graph.domain.fact import Fact, FactKind, Source, Status
    from tem_graph.domain.outcome import Outcome, OutcomeStatus
    from tem_graph.domain.time import AsOf, PartialDate, SessionDate
    from tem_graph.errors import TemGraphError
    from tem_graph.ingest.by_hand import FactInput
    from tem_graph.ingest.pipeline import IngestReport
    from tem_graph.memory import AsyncTemporalMemory
    from tem_graph.retrieve.block import BlockStyle, MemoryBlock
    from tem_graph.retrieve.hybrid import HybridEvidence
    from tem_graph.settings import Settings, load_settings
    from tem_graph.sync import TemporalMemory

_HOMES = {
    "AsOf": "tem_graph.domain.time",
    "AsyncTemporalMemory": "tem_graph.memory",
    "BlockStyle": "tem_graph.retrieve.block",
    "Fact": "tem_graph.domain.fact",
    "FactInput": "tem_graph.ingest.by_hand",
    "FactKind": "tem_graph.domain.fact",
    "HybridEvidence": "tem_graph.retrieve.hybrid",
    "IngestReport": "tem_graph.ingest.pipeline",
    "MarkedFact": "tem_graph.domain.evidence",
    "MemoryBlock": "tem_graph.retrieve.block",
    "Outcome": "tem_graph.domain.outcome",
    "OutcomeStatus": "tem_graph.domain.outcome",
    "PartialDate": "tem_graph.domain.time",
    "Session": "tem_graph.domain.conversation",
    "SessionDate": "tem_graph.domain.time",
    "Settings": "tem_graph.settings",
    "Source": "tem_graph.domain.fact",
    "Status": "tem_graph.domain.fact",
    "TemGraphError": "tem_graph.errors",
    "TemporalMemory": "tem_graph.sync",
    "Turn": "tem_graph.domain.conversation",
    "load_settings": "tem_graph.settings",
}

__all__ = [
    "AsOf",
    "AsyncTemporalMemory",
    "BlockStyle",
    "Fact",
    "FactInput",
    "FactKind",
    "HybridEvidence",
    "IngestReport",
    "MarkedFact",
    "MemoryBlock",
    "Outcome",
    "OutcomeStatus",
    "PartialDate",
    "Session",
    "SessionDate",
    "Settings",
    "Source",
    "Status",
    "TemGraphError",
    "TemporalMemory",
    "Turn",
    "load_settings",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tem_graph' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*__all__, *globals()])
