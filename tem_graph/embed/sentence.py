"""Any sentence-transformers model, by hub name or folder; by default the paper's all-mpnet-base-v2."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path, PurePath
from threading import Lock
from typing import Any, Literal

from tem_graph.embed.worker import WorkerEmbedder
from tem_graph.errors import ModelUnavailable, SettingsError

PAPER_MODEL = "sentence-transformers/all-mpnet-base-v2"
"""The embedder of TEM, section 4.1."""

_INSTALL = "pip install 'tem-graph[embeddings]'"


def sentence_transformers_is_installed() -> bool:
    """Whether the extra `embeddings` is there. Imports nothing."""
    return find_spec("sentence_transformers") is not None


class SentenceTransformerEmbedder(WorkerEmbedder):
    """Unit vectors of the model at `name_or_folder`, on the GPU where there is one.

    The model loads at the first text, or when its dimension is asked for (seconds). A model that the hub's
    cache or a folder holds is read without any network. `backend` is sentence-transformers' own choice;
    `onnx` and `openvino` need its extras of those names.
    """

    def __init__(
        self,
        name_or_folder: str = PAPER_MODEL,
        *,
        batch: int = 64,
        device: str | None = None,
        backend: Literal["torch", "onnx", "openvino"] = "torch",
    ) -> None:
        super().__init__(batch=batch)
        self._source = name_or_folder
        self._device = device
        self._backend = backend
        self._loading = Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """The last part of the hub name or folder, so that both ways to one model have one name."""
        return PurePath(self._source).name

    @property
    def dimension(self) -> int:
        model = self._model()
        # Renamed in sentence-transformers 6; the old name goes.
        size = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(size())

    def _encode(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = (
            self._model()
            .encode(texts, batch_size=len(texts), normalize_embeddings=True, show_progress_bar=False)
            .tolist()
        )
        return rows

    def _model(self) -> Any:
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise SettingsError(f"the embedder {self._source!r} needs sentence-transformers", hint=_INSTALL) from error

        def load(*, local_files_only: bool) -> Any:
            return SentenceTransformer(
                self._source, device=self._device, backend=self._backend, local_files_only=local_files_only
            )

        if Path(self._source).is_dir():
            return load(local_files_only=True)
        try:
            return load(local_files_only=True)
        except OSError:
            pass  # not in the hub's cache yet: fetch it
        try:
            return load(local_files_only=False)
        except OSError as error:
            raise ModelUnavailable(
                f"the model {self._source!r} is neither in the hub's cache nor to be fetched: {error}",
                hint="check the name and the network, or set TEM_GRAPH_EMBEDDER to a folder that holds the model",
            ) from error
