"""Embedders: unit vectors in the order asked, the same on every call, and a clear word when an extra is missing."""

from __future__ import annotations

import asyncio
import math
import sys
import threading
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.embed import choose, minilm
from tem_graph.embed.cache import CachedEmbedder
from tem_graph.embed.choose import make_embedder
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.embed.minilm import MiniLmEmbedder
from tem_graph.embed.sentence import SentenceTransformerEmbedder
from tem_graph.embed.worker import WorkerEmbedder
from tem_graph.errors import ModelUnavailable, SettingsError
from tem_graph.ports import Embedder
from tem_graph.settings import load_settings

REFERENCE = [0.04084, 0.00013, 0.04437, 0.02922, -0.01293, 0.05957]
"""How all-MiniLM-L6-v2 in float32 begins for "Ana lives in Lisbon.": sentence-transformers 6.2 on torch."""


def cosine(left: Sequence[float], right: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


class TestHashing:
    @given(st.lists(st.text(), max_size=5))
    def test_gives_one_unit_vector_per_text(self, texts: list[str]) -> None:
        vectors = asyncio.run(HashingEmbedder(64).embed(texts))
        assert [len(vector) for vector in vectors] == [64] * len(texts)
        assert all(math.isclose(math.hypot(*vector), 1.0) for vector in vectors)

    async def test_is_the_same_on_every_machine(self) -> None:
        (vector,) = await HashingEmbedder(8).embed(["Ana lives in Lisbon"])
        expected = [0.4126, 0.0458, 0.393, -0.1282, -0.2878, -0.208, 0.236, -0.6892]
        assert vector == pytest.approx(expected, abs=1e-3)

    async def test_folds_names_as_the_graph_does(self) -> None:
        written, folded = await HashingEmbedder().embed(["Frau  STRAUSS", "frau strauß"])
        assert written == folded

    @pytest.mark.parametrize(
        ("question", "near", "far"),
        [
            ("Where does Ana live?", "Ana lives in Lisbon", "Ivo works as a baker"),
            ("Wo wohnt Jürgen?", "Jürgen wohnt in Köln", "Ana trinkt Tee"),
            ("林小雨住在哪里", "林小雨住在上海", "陈大海喜欢茶"),
        ],
    )
    async def test_puts_like_spelling_closer(self, question: str, near: str, far: str) -> None:
        asked, first, second = await HashingEmbedder().embed([question, near, far])
        assert cosine(asked, first) > cosine(asked, second) + 0.1


class TestMiniLm:
    """The real model: the extra `minilm` is part of the development environment."""

    embedder = MiniLmEmbedder(batch=4)

    async def test_puts_like_meaning_closer(self) -> None:
        asked, near, far = await self.embedder.embed(
            ["Which city is her home?", "Ana resides in Lisbon.", "The stock market fell today."]
        )
        assert cosine(asked, near) > 0.3 > 0.1 > cosine(asked, far)

    async def test_agrees_with_sentence_transformers(self) -> None:
        (vector,) = await self.embedder.embed(["Ana lives in Lisbon."])
        assert len(vector) == self.embedder.dimension == 384
        assert math.isclose(math.hypot(*vector), 1.0, rel_tol=1e-5)
        assert vector[:6] == pytest.approx(REFERENCE, abs=0.006)

    async def test_does_not_depend_on_the_batch(self) -> None:
        texts = [f"{'word ' * length}end" for length in (1, 40, 3, 300, 0, 7)]
        together = await self.embedder.embed(texts)
        alone = [(await self.embedder.embed([text]))[0] for text in texts]
        assert all(cosine(a, b) > 0.99999 for a, b in zip(together, alone, strict=True))

    async def test_cuts_long_text_at_256_tokens(self) -> None:
        long, longer = await self.embedder.embed(["tea " * 300, "tea " * 300 + "moved to Lisbon"])
        assert cosine(long, longer) > 0.99999

    async def test_refuses_weights_of_another_hash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(minilm, "_MODEL_SHA256", "0" * 64)
        with pytest.raises(SettingsError, match=r"model\.onnx has SHA-256 8199be6f"):
            await MiniLmEmbedder().embed(["x"])

    async def test_names_the_extra_when_it_is_missing(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "onnxruntime", None)
        with pytest.raises(SettingsError) as caught:
            await MiniLmEmbedder().embed(["x"])
        assert "tem-graph[minilm]" in str(caught.value.hint)

    def test_vocabulary_has_no_duplicates(self) -> None:
        lines = resources.files("tem_graph.embed").joinpath("bert_uncased_vocab.txt").read_text("utf-8").split("\n")
        words = [line for line in lines if line]
        assert len(words) == len(set(words)) == 30_522


class Counting(WorkerEmbedder):
    """Records each batch and the thread that it ran on; the vector is the text's length, normalised."""

    name = "counting"
    dimension = 2

    def __init__(self, batch: int = 3) -> None:
        super().__init__(batch=batch)
        self.batches: list[list[str]] = []
        self.threads: set[str] = set()

    def _encode(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        self.threads.add(threading.current_thread().name)
        return [[length / math.hypot(length, 1), 1 / math.hypot(length, 1)] for length in map(len, texts)]


class TestWorker:
    async def test_keeps_the_order_asked_over_batches_by_length(self) -> None:
        embedder = Counting(batch=2)
        texts = ["ccc", "a", "dddd", "bb", "a"]
        vectors = await embedder.embed(texts)
        assert [round(v[0] / v[1]) for v in vectors] == [3, 1, 4, 2, 1]
        assert embedder.batches == [["a", "a"], ["bb", "ccc"], ["dddd"]]

    async def test_runs_tasks_in_turn_on_one_thread_of_its_own(self) -> None:
        embedder = Counting()
        await asyncio.gather(*(embedder.embed(["x" * n] * 4) for n in range(1, 9)))
        assert len(embedder.threads) == 1
        assert threading.current_thread().name not in embedder.threads
        assert sum(map(len, embedder.batches)) == 32

    async def test_no_text_is_no_batch(self) -> None:
        embedder = Counting()
        assert await embedder.embed([]) == []
        assert embedder.batches == []

    def test_fits_the_port(self) -> None:
        assert isinstance(Counting(), Embedder)


class TestCache:
    async def test_asks_for_each_text_once(self, tmp_path: Path) -> None:
        inner = Counting()
        first = await CachedEmbedder(inner, tmp_path).embed(["a", "bb", "a"])
        again = await CachedEmbedder(inner, tmp_path).embed(["bb", "ccc", "a"])
        assert inner.batches == [["a", "bb"], ["ccc"]]
        assert (again[0], again[2]) == (first[1], first[0])

    async def test_a_fresh_run_and_a_cached_one_are_equal(self, tmp_path: Path) -> None:
        embedder = CachedEmbedder(HashingEmbedder(), tmp_path)
        fresh = await embedder.embed(["Ana lives in Lisbon", "", "林小雨"])
        assert await embedder.embed(["Ana lives in Lisbon", "", "林小雨"]) == fresh
        (uncached,) = await HashingEmbedder().embed(["Ana lives in Lisbon"])
        assert fresh[0] == pytest.approx(uncached, abs=1e-7)

    async def test_models_do_not_share_vectors(self, tmp_path: Path) -> None:
        small, large = (CachedEmbedder(HashingEmbedder(size), tmp_path) for size in (8, 16))
        await small.embed(["a"])
        assert len((await large.embed(["a"]))[0]) == 16

    async def test_many_tasks_may_write_at_once(self, tmp_path: Path) -> None:
        embedders = [CachedEmbedder(HashingEmbedder(8), tmp_path) for _ in range(8)]
        results = await asyncio.gather(*(e.embed([f"text {n % 3}" for n in range(20)]) for e in embedders))
        assert all(result == results[0] for result in results)

    async def test_two_models_of_one_name_are_refused(self, tmp_path: Path) -> None:
        await CachedEmbedder(Counting(), tmp_path).embed(["a"])
        impostor = type("Impostor", (HashingEmbedder,), {"name": "counting"})(8)
        with pytest.raises(SettingsError, match="several sizes for the model 'counting'"):
            await CachedEmbedder(impostor, tmp_path).embed(["a", "new"])

    async def test_a_broken_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "vectors.sqlite3").write_text("not a database, but long enough to have a header " * 30)
        with pytest.raises(SettingsError, match=r"vectors\.sqlite3 cannot be used"):
            await CachedEmbedder(HashingEmbedder(), tmp_path).embed(["a"])


class TestChoose:
    @pytest.mark.parametrize(
        ("torch", "onnx", "expected"),
        [(True, True, "all-mpnet-base-v2"), (False, True, "all-MiniLM-L6-v2-int8")],
    )
    def test_auto_takes_the_best_installed(
        self, monkeypatch: pytest.MonkeyPatch, torch: bool, onnx: bool, expected: str
    ) -> None:
        monkeypatch.setattr(choose, "sentence_transformers_is_installed", lambda: torch)
        monkeypatch.setattr(choose, "minilm_is_installed", lambda: onnx)
        assert make_embedder(load_settings(embedder="auto")).name == expected

    @pytest.mark.parametrize(
        ("embedder", "extra"),
        [
            ("auto", "tem-graph[embeddings]"),
            ("minilm", "tem-graph[minilm]"),
            ("sentence-transformers/all-mpnet-base-v2", "tem-graph[embeddings]"),
        ],
    )
    def test_names_the_missing_extra(self, monkeypatch: pytest.MonkeyPatch, embedder: str, extra: str) -> None:
        monkeypatch.setattr(choose, "sentence_transformers_is_installed", lambda: False)
        monkeypatch.setattr(choose, "minilm_is_installed", lambda: False)
        with pytest.raises(SettingsError) as caught:
            make_embedder(load_settings(embedder=embedder))
        assert extra in str(caught.value.hint)

    @pytest.mark.parametrize("path", ["./models/gone", "/models/gone", "~/models/gone", "a/b/c"])
    def test_names_a_missing_folder(self, path: str) -> None:
        with pytest.raises(SettingsError, match=f"no folder '{path}'"):
            make_embedder(load_settings(embedder=path))

    def test_takes_a_folder_by_its_name(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(choose, "sentence_transformers_is_installed", lambda: True)
        embedder = make_embedder(load_settings(embedder=str(tmp_path)))
        assert isinstance(embedder, SentenceTransformerEmbedder)
        assert embedder.name == tmp_path.name

    async def test_hashing_can_be_cached_in_the_cache_folder(self, tmp_path: Path) -> None:
        embedder = make_embedder(load_settings(embedder="hashing", cache=tmp_path), cached=True)
        await embedder.embed(["a"])
        assert embedder.dimension == 256
        assert list(tmp_path.glob("embeddings/vectors.sqlite3"))


class FakeModel:
    """What sentence_transformers.SentenceTransformer is to us: a model in the hub's cache, on the hub, or nowhere."""

    where = "cache"
    tries: ClassVar[list[bool]] = []

    def __init__(self, source: str, *, device: str | None, backend: str, local_files_only: bool) -> None:
        self.tries.append(local_files_only)
        if self.where == "nowhere" or (self.where == "hub" and local_files_only):
            raise OSError(f"cannot find {source}")

    def get_sentence_embedding_dimension(self) -> int:
        return 2

    def encode(self, texts: list[str], *, batch_size: int, normalize_embeddings: bool, show_progress_bar: bool) -> Any:
        assert (batch_size, normalize_embeddings, show_progress_bar) == (len(texts), True, False)
        return np.array([[0.6, 0.8]] * len(texts), dtype=np.float32)


class TestSentenceTransformer:
    """The way to the model; the model itself needs torch."""

    @pytest.fixture(autouse=True)
    def fake_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        library = ModuleType("sentence_transformers")
        library.__dict__["SentenceTransformer"] = FakeModel
        monkeypatch.setitem(sys.modules, "sentence_transformers", library)
        monkeypatch.setattr(FakeModel, "tries", [])

    @pytest.mark.parametrize(("where", "tries"), [("cache", [True]), ("hub", [True, False])])
    async def test_asks_the_network_only_for_what_is_not_there(
        self, monkeypatch: pytest.MonkeyPatch, where: str, tries: list[bool]
    ) -> None:
        monkeypatch.setattr(FakeModel, "where", where)
        embedder = SentenceTransformerEmbedder("someone/model", batch=2)
        vectors = await embedder.embed(["a", "b", "c"])
        assert vectors == [pytest.approx([0.6, 0.8])] * 3
        assert (embedder.dimension, embedder.name, FakeModel.tries) == (2, "model", tries)

    async def test_a_folder_never_asks_the_network(self, tmp_path: Path) -> None:
        await SentenceTransformerEmbedder(str(tmp_path)).embed(["a"])
        assert FakeModel.tries == [True]

    async def test_a_model_that_is_nowhere_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(FakeModel, "where", "nowhere")
        with pytest.raises(ModelUnavailable, match="someone/model"):
            await SentenceTransformerEmbedder("someone/model").embed(["a"])


def test_a_missing_extra_shows_at_the_first_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SettingsError) as caught:
        asyncio.run(SentenceTransformerEmbedder().embed(["x"]))
    assert "tem-graph[embeddings]" in str(caught.value.hint)
