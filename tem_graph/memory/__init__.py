"""TemporalMemory: the whole service for one memory, and the only place where adapters are wired.

    with TemporalMemory("ana") as memory:
        memory.ingest(sessions)
        print(memory.evidence("Where did Ana live before Porto?"))

`AsyncTemporalMemory` is the same, awaited. Both speak of one memory; `for_memory` gives another one over the
same connection. Dates and times without an offset are read in the zone of the setting `timezone`.
"""

from __future__ import annotations

from tem_graph.memory.asking import Asking, Policy
from tem_graph.memory.changing import Changing
from tem_graph.memory.history import GroupHistory, group_histories
from tem_graph.memory.opened import find_address

__all__ = ["AsyncTemporalMemory", "GroupHistory", "Policy", "find_address", "group_histories"]


class AsyncTemporalMemory(Changing, Asking):
    """One memory, awaited. Use as an async context manager; it opens one connection and closes it.

    Args:
        memory: id of the memory; everything read and written belongs to it. Default: the setting `memory`.
        settings: all other choices; default: environment and file (`load_settings`).
        extractor, embedder, model, clock, counter, router: your own adapters in place of the configured ones.

    Raises (on entering):
        SettingsError: a setting is wrong, or an extra is not installed.
        GraphUnavailable, GraphRefused, SchemaMismatch: the database cannot be used; each says what to change.
    """
