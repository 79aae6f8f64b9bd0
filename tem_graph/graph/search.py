"""What a question finds: facts by score, passages by vector and words. Indexes over all memories only propose.

Up to `exact_limit` facts (or turns) in a memory every one is compared, so a small memory is never starved by a large
one. Beyond, the vector index is asked for more until enough of its proposals are this memory's.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from tem_graph.domain.evidence import Candidates, MarkedFact, ScoredPassage
from tem_graph.domain.fact import FactKind
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf
from tem_graph.graph import records
from tem_graph.graph.connection import Graph
from tem_graph.graph.hybrid import full_text_query, passages_from

LATEST = "\uffff"
"""Sorts after every source key: nothing told so far is left out."""
NEVER = "9999-12-31"
OVERFETCH = 8
"""Candidates per wanted fact at first: relation weights reorder by up to 0.6, and other memories share the index."""
ENOUGH = 2
"""Own candidates per wanted fact at which the cut is trusted. A guess."""
WIDEN = 8
MOST_CANDIDATES = 8_000
"""Beyond this the index is slower than comparing one memory's facts. A guess."""
PASSAGES = 100
"""Turns by vector, and as many by words, that hybrid evidence is chosen from (docs/decisions/hybrid-evidence.md)."""


class Searcher:
    """Searches in the graph, one memory at a time. Facts come with the status that their whole group gives them."""

    def __init__(self, graph: Graph, catalog: RelationCatalog) -> None:
        self._graph = graph
        self._catalog = catalog
        self._weights = {relation.key: relation.weight for relation in catalog}

    async def facts(
        self, memory: str, embedding: Sequence[float], *, limit: int, as_of: AsOf, policy: str, exact_limit: int
    ) -> list[MarkedFact]:
        """The `limit` best facts by score, best first, ties by id. `policy` is effective, source or paper."""
        parameters = self._parameters(memory, embedding, limit, as_of, policy)
        candidates = limit * OVERFETCH
        while True:
            rows = await self._graph.read("search_facts", exact_limit=exact_limit, candidates=candidates, **parameters)
            if not rows and not await self._is_large(memory, exact_limit):
                return []
            if rows and self._is_settled(rows, limit):
                break
            if candidates >= MOST_CANDIDATES:
                if rows and rows[0]["found"] >= limit * ENOUGH:
                    break
                # Too few of the nearest are this memory's: compare its own facts, however many.
                rows = await self._graph.read("search_facts", exact_limit=sys.maxsize, candidates=1, **parameters)
                break
            candidates *= WIDEN
        return self._marked(rows)

    async def candidates(
        self,
        memory: str,
        embedding: Sequence[float],
        text: str,
        *,
        facts: int,
        passages: int,
        as_of: AsOf,
        policy: str,
        exact_limit: int,
    ) -> Candidates:
        """Facts best first and passages by similarity. One round trip, unless the memory is larger than
        `exact_limit` and the indexes proposed too little of it."""
        parameters = self._parameters(memory, embedding, facts, as_of, policy)
        words, limit = full_text_query(memory, text), exact_limit
        candidates = max(facts, passages) * OVERFETCH
        while True:
            rows = await self._graph.read(
                "hybrid_candidates",
                words=words,
                passages=passages,
                exact_limit=limit,
                candidates=candidates,
                **parameters,
            )
            if not rows:
                return Candidates((), ())
            found = passages_from(rows[0])
            if found.are_settled(passages) or limit == sys.maxsize:
                break
            # Compare the memory's own turns, however many, where the index does not reach them.
            candidates, limit = candidates * WIDEN, sys.maxsize if candidates >= MOST_CANDIDATES else limit
        fact_rows = rows[0]["facts"]
        if self._is_settled(fact_rows, facts) if fact_rows else not await self._is_large(memory, limit):
            return Candidates(tuple(self._marked(fact_rows)), found.passages)
        best = await self.facts(memory, embedding, limit=facts, as_of=as_of, policy=policy, exact_limit=exact_limit)
        return Candidates(tuple(best), found.passages)

    async def turns(
        self, memory: str, embedding: Sequence[float], limit: int, *, known_after: str | None, exact_limit: int
    ) -> list[ScoredPassage]:
        """The `limit` nearest turns, best first, ties by id."""
        candidates, exact = limit * OVERFETCH, exact_limit
        while True:
            rows = await self._graph.read(
                "nearest_turns",
                memory=memory,
                embedding=list(embedding),
                passages=limit,
                exact_limit=exact,
                candidates=candidates,
                known_after=known_after if known_after is not None else LATEST,
            )
            if not rows:
                return []
            found = passages_from(rows[0])
            if found.are_settled(limit) or exact == sys.maxsize:
                return list(found.passages)
            candidates, exact = candidates * WIDEN, sys.maxsize if candidates >= MOST_CANDIDATES else exact

    def _parameters(
        self, memory: str, embedding: Sequence[float], limit: int, as_of: AsOf, policy: str
    ) -> dict[str, object]:
        return {
            "memory": memory,
            "embedding": list(embedding),
            "limit": limit,
            "weights": self._weights,
            "kinds": [FactKind.VALUE.value] if policy == "paper" else [k.value for k in FactKind],
            **point(as_of, policy),
        }

    def _marked(self, rows: Sequence[records.Row]) -> list[MarkedFact]:
        return [records.marked_fact_from(row, self._catalog) for row in rows]

    async def _is_large(self, memory: str, exact_limit: int) -> bool:
        return any(row["facts"] > exact_limit for row in await self._graph.read("memory_by_id", memory=memory))

    def _is_settled(self, rows: Sequence[records.Row], limit: int) -> bool:
        """Whether these are the best: every fact was compared, or the last beats all that were not proposed."""
        found, floor = rows[0]["found"], rows[0]["floor"]
        if found is None:
            return True
        heaviest = max(self._weights.values(), default=1.0)
        beyond = floor * max(heaviest, 1.0)  # a relation that nobody weighed counts 1
        return bool(found >= limit * ENOUGH and rows[-1]["score"] >= beyond)


def point(as_of: AsOf, policy: str) -> Mapping[str, Any]:
    """The point a question is asked from, as the status fragment takes it."""
    return {
        "policy": policy,
        "known_after": as_of.known_after if as_of.known_after is not None else LATEST,
        "stated_by": (as_of.valid_at or as_of.today).isoformat(),
        "told_by": as_of.valid_at.isoformat() if as_of.valid_at else NEVER,
    }
