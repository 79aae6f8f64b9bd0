"""An embedder whose vectors are looked at before anybody relies on them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tem_graph.errors import ModelError
from tem_graph.ports import Embedder


class CheckedEmbedder:
    """`inner`, held to its word: one vector per text, of its own dimension, finite and not zero.

    Neo4j keeps a vector of another length and leaves it out of the index without a word; cosine to a zero or
    endless vector is no number. Either would be a fact that no search finds.
    """

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text, in order. Nothing is asked for no texts.

        Raises:
            ModelError: the embedder broke its word; says how.
        """
        if not texts:
            return []
        vectors = await self._inner.embed(texts)
        if len(vectors) != len(texts):
            raise ModelError(f"embedder {self.name} gave {len(vectors)} vectors for {len(texts)} texts")
        for vector in vectors:
            if len(vector) != self.dimension:
                raise ModelError(
                    f"embedder {self.name} gave {len(vector)} numbers where it says that it has {self.dimension}",
                    hint="choose another embedder (TEM_GRAPH_EMBEDDER)",
                )
            norm = math.hypot(*vector)
            if not math.isfinite(norm) or norm == 0.0:
                raise ModelError(f"embedder {self.name} gave a vector of length {norm}, which has no direction")
        return vectors
