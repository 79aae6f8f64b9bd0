"""Replies kept in a JSONL file and played again, so that a run can be repeated without the model.

One line per request: `{"key", "model", "text", "finish_reason", "prompt_tokens", "output_tokens"}`. The key
hashes everything that decides the reply, so a changed prompt, limit or schema is a different request and
never gets an old reply.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from tem_graph.domain.extraction import Usage
from tem_graph.errors import InputError, ModelError
from tem_graph.ports import ChatMessage, ChatModel, ChatReply


def request_key(messages: Sequence[ChatMessage], max_tokens: int, schema: Mapping[str, object] | None) -> str:
    """SHA-256, in hex, of one request. Pure; the order of the schema's keys counts, for it steers decoding."""
    content = [[[m.role, m.content] for m in messages], max_tokens, schema]
    return sha256(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


class ReplayChat:
    """Plays recorded replies. With `record_from`, asks that model for what is missing and appends its reply.

    The same request twice gets the same reply. Each reply is appended at once, so a killed run keeps what it
    had; a last line cut short by a crash is dropped.

    Raises (from `chat`):
        ModelError: no reply to this request is recorded and there is no model to ask.
    """

    def __init__(self, path: Path, *, record_from: ChatModel | None = None) -> None:
        self._path = path
        self._model = record_from
        complete, self._replies = _load(path)
        if complete is not None and record_from is not None:
            path.write_text(complete, encoding="utf-8")
        self._recorded_name = next((name for name, _ in self._replies.values()), "replay")

    @property
    def name(self) -> str:
        return self._model.name if self._model else self._recorded_name

    async def chat(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ChatReply:
        key = request_key(messages, max_tokens, schema)
        if key in self._replies:
            return self._replies[key][1]
        if self._model is None:
            raise ModelError(
                f"no reply to request {key[:12]} is recorded in {self._path.name}",
                hint="the prompt, schema or limit changed since the recording; record again with a model",
            )
        reply = await self._model.chat(messages, max_tokens=max_tokens, schema=schema)
        self._replies[key] = (self._model.name, reply)
        self._append(key, reply)
        return reply

    def _append(self, key: str, reply: ChatReply) -> None:
        line = {
            "key": key,
            "model": self.name,
            "text": reply.text,
            "finish_reason": reply.finish_reason,
            "prompt_tokens": reply.usage.prompt_tokens,
            "output_tokens": reply.usage.output_tokens,
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    async def aclose(self) -> None:
        if self._model is not None:
            await self._model.aclose()


def _load(path: Path) -> tuple[str | None, dict[str, tuple[str, ChatReply]]]:
    """The recorded replies by key; first the text to keep, where the last line was cut short."""
    if not path.exists():
        return None, {}
    text = path.read_text(encoding="utf-8")
    kept = text[: text.rfind("\n") + 1]
    replies: dict[str, tuple[str, ChatReply]] = {}
    # Not splitlines(): a reply may hold U+2028, which ends a line for Python but not for JSONL.
    for number, line in enumerate(kept.split("\n")[:-1], 1):
        try:
            entry = json.loads(line)
            usage = Usage(1, entry["prompt_tokens"], entry["output_tokens"])
            replies[entry["key"]] = (entry["model"], ChatReply(entry["text"], entry["finish_reason"], usage))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}, line {number}: not a recorded reply ({error})") from error
    return (kept if kept != text else None), replies
