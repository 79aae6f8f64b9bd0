"""Vectors kept on disk by model and text, so that jobs and tests embed each text once.

What is stored is float32, and float32 is what comes back the first time too: a cached run and a fresh one
see equal vectors.
"""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path

from tem_graph.errors import SettingsError
from tem_graph.ports import Embedder

_TABLE = """
    CREATE TABLE IF NOT EXISTS vector (
        model TEXT NOT NULL, text_key BLOB NOT NULL, floats BLOB NOT NULL, PRIMARY KEY (model, text_key)
    ) WITHOUT ROWID
"""
_LOCK_TIMEOUT_S = 60.0


class CachedEmbedder:
    """`inner` with its vectors kept in `folder`/vectors.sqlite3 under the model's name and a hash of the text.

    Several processes may share a folder. The inner embedder sees only texts that are new, each once.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self._file = folder / "vectors.sqlite3"

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """One L2-normalised vector per text, in order.

        Raises:
            SettingsError: the cache file cannot be used, or holds another model under the same name.
        """
        keys = [_key(text) for text in texts]
        known = await asyncio.to_thread(self._read, set(keys))
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            vectors = await self._inner.embed(list(new.values()))
            made = {key: _pack(vector) for key, vector in zip(new, vectors, strict=True)}
            await asyncio.to_thread(self._write, made)
            known |= made
        if len({len(floats) for floats in known.values()}) > 1:
            raise SettingsError(
                f"{self._file} holds vectors of several sizes for the model {self.name!r}",
                hint="two models share this name: delete the file, and give each model a name of its own",
            )
        return [_unpack(known[key]) for key in keys]

    def _read(self, keys: set[bytes]) -> dict[bytes, bytes]:
        if not keys:
            return {}
        with self._database() as database:
            query = "SELECT floats FROM vector WHERE model = ? AND text_key = ?"
            rows = ((key, database.execute(query, (self.name, key)).fetchone()) for key in keys)
            return {key: row[0] for key, row in rows if row}

    def _write(self, made: dict[bytes, bytes]) -> None:
        with self._database() as database:
            rows = [(self.name, key, floats) for key, floats in made.items()]
            database.executemany("INSERT OR REPLACE INTO vector VALUES (?, ?, ?)", rows)

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        """One connection for one transaction: threads and processes share nothing but the file."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=_LOCK_TIMEOUT_S)) as database, database:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute(_TABLE)
                yield database
        except (sqlite3.Error, OSError) as error:
            raise SettingsError(
                f"the embedding cache {self._file} cannot be used: {error}",
                hint="it can be made again: delete the file, or give another folder",
            ) from error


def _key(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _pack(vector: Sequence[float]) -> bytes:
    floats = array("f", vector)
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tobytes()


def _unpack(stored: bytes) -> list[float]:
    floats = array("f")
    floats.frombytes(stored)
    if sys.byteorder == "big":
        floats.byteswap()
    return floats.tolist()
