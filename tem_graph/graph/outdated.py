"""What of a memory was stored by an earlier version or under other settings; changes nothing."""

from __future__ import annotations

from tem_graph.graph.connection import Graph


async def count_unsearchable(graph: Graph, memory: str) -> int:
    """The sessions of which a turn that says something is in no index; `reindex` completes them."""
    (row,) = await graph.read("count_sessions_to_index", memory=memory)
    return int(row["sessions"])


async def prompts_behind(graph: Graph, memory: str) -> dict[str, int]:
    """Label of a prompt → facts that a model read under it. Facts by hand and by a grammar have none."""
    rows = await graph.read("prompts_behind_facts", memory=memory)
    return dict(sorted((str(row["prompt"]), int(row["facts"])) for row in rows))
