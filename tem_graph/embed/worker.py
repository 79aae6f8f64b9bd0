"""The async half that every local model shares: batches, one worker thread per model, order kept.

A model runs on one thread of its own. Its matrix products already use every core, most tokenizers cannot be
entered twice, and callers that wait hold no thread of the event loop's pool.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice


class WorkerEmbedder(ABC):
    """An `Embedder` whose subclass only turns one batch of texts into rows, synchronously."""

    def __init__(self, *, batch: int = 64) -> None:
        if batch < 1:
            raise ValueError(f"batch is {batch}; at least 1 text is needed")
        self._batch = batch
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed")

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def dimension(self) -> int: ...

    @abstractmethod
    def _encode(self, texts: list[str]) -> list[list[float]]:
        """One unit vector per text, in order. Called on the worker thread alone, at most `batch` texts."""

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector per text, in the order given; text over the model's limit is cut there.

        Safe to call from several tasks at once: their batches take turns.
        """
        loop = asyncio.get_running_loop()
        # Texts of like length share a batch, so little of it is padding.
        by_length = iter(sorted(range(len(texts)), key=lambda place: len(texts[place])))
        vectors: list[list[float]] = [[] for _ in texts]
        while places := list(islice(by_length, self._batch)):
            rows = await loop.run_in_executor(self._worker, self._encode, [texts[place] for place in places])
            for place, row in zip(places, rows, strict=True):
                vectors[place] = row
        return vectors
