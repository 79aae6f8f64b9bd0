"""Token counters for the evidence budget: by tokenizer, by the model's server, or by estimate.

Counts are of the text alone, without the special tokens that a chat template adds around it.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from importlib import resources
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from tem_graph.errors import BadReply, ModelUnavailable, SettingsError

if TYPE_CHECKING:
    import httpx

_PIECES = re.compile(r"(?P<latin>[A-Za-z\u00c0-\u024f]+)|(?P<digits>\d+)|(?P<other>[^\s])")
_LETTERS_PER_TOKEN = 6
_DIGITS_PER_TOKEN = 2
_TIMEOUT_S = 30.0
_BERT_WORDS = "bert_uncased_vocab.txt"


class EstimateCounter:
    """Counts without any tokenizer: a Latin word is a token per six letters begun, digits one per two begun,
    any other character one.

    Meant to count too much rather than too little, so that a budget is kept: on 294 turns of LoCoMo it gives
    9,780 where BERT's uncased tokenizer counts 8,866. Scripts other than Latin come out higher still.
    """

    @property
    def name(self) -> str:
        return "estimate"

    def count(self, text: str) -> int:
        return sum(_estimate(piece) for piece in _PIECES.finditer(text))


def _estimate(piece: re.Match[str]) -> int:
    match piece.lastgroup:
        case "latin":
            return math.ceil(len(piece[0]) / _LETTERS_PER_TOKEN)
        case "digits":
            return math.ceil(len(piece[0]) / _DIGITS_PER_TOKEN)
        case _:
            return 1


class TokenizerCounter:
    """Counts with a Hugging Face tokenizer: a tokenizer.json, a folder that holds one, or a hub name.

    Raises:
        SettingsError: `tokenizers` is not installed, or there is no such tokenizer.
    """

    def __init__(self, source: str | Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise SettingsError("counting tokens needs tokenizers", hint="pip install 'tem-graph[minilm]'") from error
        path = Path(source).expanduser()
        file = path / "tokenizer.json" if path.is_dir() else path
        try:
            self._tokenizer: Any = (
                Tokenizer.from_file(str(file)) if file.is_file() else Tokenizer.from_pretrained(str(source))
            )
        except Exception as error:  # the library raises bare Exception
            raise SettingsError(
                f"no tokenizer at {str(source)!r}: {error}",
                hint="give a tokenizer.json, a folder that holds one, or the hub name of the answering model",
            ) from error
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._name = PurePath(file.parent if file.is_file() else source).name

    @property
    def name(self) -> str:
        return self._name

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


class BertCounter:
    """Counts with BERT's uncased word pieces, which all-MiniLM and all-mpnet-base-v2 use, too. No hub, no model.

    Raises:
        SettingsError: `tokenizers` is not installed.
    """

    def __init__(self) -> None:
        try:
            from tokenizers import BertWordPieceTokenizer
        except ImportError as error:
            raise SettingsError("counting tokens needs tokenizers", hint="pip install 'tem-graph[minilm]'") from error
        words = resources.files("tem_graph.embed").joinpath(_BERT_WORDS).read_text(encoding="utf-8").split("\n")
        vocabulary = {word: number for number, word in enumerate(words) if word}
        self._tokenizer: Any = BertWordPieceTokenizer(vocabulary, lowercase=True)

    @property
    def name(self) -> str:
        return "bert-base-uncased"

    def count(self, text: str) -> int:
        return len(self._tokenizer.encode(text, add_special_tokens=False).ids)


class ServerTokenCounter:
    """Counts with the model's own server: `POST /tokenize` of vLLM or llama.cpp beside the `/v1` address.

    One short request per new text; the last 4,096 counts are kept. The call blocks, so async code that
    counts much does it in a thread.
    """

    def __init__(self, base_url: str, *, model: str | None = None, client: httpx.Client | None = None) -> None:
        import httpx  # as long to import as the rest of this package; only this counter needs it

        self._url = base_url.rstrip("/").removesuffix("/v1") + "/tokenize"
        self._model = model
        self._client = client or httpx.Client(timeout=_TIMEOUT_S)
        self._count = lru_cache(maxsize=4096)(self._ask)

    @property
    def name(self) -> str:
        return self._model or "server"

    def count(self, text: str) -> int:
        """Tokens of `text`.

        Raises:
            ModelUnavailable: the server did not answer.
            BadReply: it has no `/tokenize`, or answered without a count.
        """
        return self._count(text) if text else 0

    def close(self) -> None:
        self._client.close()

    def _ask(self, text: str) -> int:
        import httpx

        # vLLM reads prompt and add_special_tokens, llama.cpp content and add_special; each ignores the other's.
        body: dict[str, object] = {"prompt": text, "content": text, "add_special_tokens": False, "add_special": False}
        if self._model:
            body["model"] = self._model
        try:
            reply = self._client.post(self._url, json=body)
            reply.raise_for_status()
            answer = reply.json()
            return int(answer["count"] if "count" in answer else len(answer["tokens"]))
        except httpx.HTTPStatusError as error:
            raise BadReply(
                f"{self._url} answered {error.response.status_code}",
                hint="only vLLM and llama.cpp servers count tokens; use a tokenizer file or the estimate",
            ) from error
        except httpx.HTTPError as error:
            raise ModelUnavailable(f"{self._url} did not answer: {error}", hint="check TEM_GRAPH_MODEL_URL") from error
        except (ValueError, KeyError, TypeError) as error:
            raise BadReply(f"{self._url} answered without a token count") from error
