"""vLLM inside this process, for batches: many calls in flight become one batch of the engine.

The only module that imports vLLM, and only when the first call comes. The engine is not asynchronous, so it
lives in one thread of its own; calls that arrive while it works wait and form the next batch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tem_graph.domain.extraction import Usage
from tem_graph.errors import ModelError, ModelRefused, ModelUnavailable, SettingsError
from tem_graph.ports import ChatMessage, ChatReply

_log = logging.getLogger(__name__)

_GATHER_S = 0.02
"""Seconds to wait for more calls before a batch starts. A guess: nothing against the seconds that a batch takes."""


@dataclass(slots=True)
class _Call:
    messages: tuple[ChatMessage, ...]
    max_tokens: int
    schema: Mapping[str, object] | None
    reply: asyncio.Future[ChatReply]


class VllmChat:
    """A chat model in `model`, a folder or hub name, run by vLLM in this process.

    `engine` goes to `vllm.LLM` as it is (`dtype`, `max_model_len`, `gpu_memory_utilization`, …). At most
    `max_batch` calls form one batch; inside it vLLM schedules them continuously. Loading takes from seconds
    to minutes and happens with the first call.

    Raises (from `chat`):
        SettingsError: vLLM is not installed.
        ModelUnavailable: the engine could not be loaded, or failed. ModelRefused: this prompt fills the window.
    """

    def __init__(
        self,
        model: str,
        *,
        temperature: float = 0.0,
        seed: int = 42,
        thinking: bool = False,
        reasoning_effort: str | None = None,
        max_batch: int = 256,
        engine: Mapping[str, Any] | None = None,
    ) -> None:
        self._model = model
        self._temperature = temperature
        self._seed = seed
        self._template: dict[str, Any] = {"enable_thinking": thinking}
        if reasoning_effort is not None:
            self._template["reasoning_effort"] = reasoning_effort
        self._max_batch = max_batch
        self._engine = dict(engine or {})
        self._llm: Any = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="vllm")
        self._waiting: list[_Call] = []
        self._worker: asyncio.Task[None] | None = None

    @property
    def name(self) -> str:
        return self._model

    async def chat(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Mapping[str, object] | None = None,
    ) -> ChatReply:
        loop = asyncio.get_running_loop()
        call = _Call(tuple(messages), max_tokens, schema, loop.create_future())
        self._waiting.append(call)
        if self._worker is None or self._worker.done():
            self._worker = loop.create_task(self._work())
        return await call.reply

    async def _work(self) -> None:
        """Run batches until nobody waits. Every call of a batch ends with a reply or an error."""
        await asyncio.sleep(_GATHER_S)
        while self._waiting:
            batch, self._waiting = self._waiting[: self._max_batch], self._waiting[self._max_batch :]
            batch = [call for call in batch if not call.reply.done()]  # a cancelled caller waits no longer
            loop = asyncio.get_running_loop()
            try:
                results = await loop.run_in_executor(self._thread, self._run, batch)
            except asyncio.CancelledError:
                for call in batch:
                    call.reply.cancel()
                raise
            except Exception as error:
                results = [self._as_ours(error)] * len(batch)
            for call, result in zip(batch, results, strict=True):
                if call.reply.done():
                    continue
                if isinstance(result, Exception):
                    call.reply.set_exception(result)
                else:
                    call.reply.set_result(result)

    def _as_ours(self, error: Exception) -> Exception:
        if isinstance(error, SettingsError | ModelError):
            return error
        ours = ModelUnavailable(
            f"vLLM with {self._model} failed: {type(error).__name__}: {str(error)[:300]}",
            hint="check that the model fits the memory; engine options such as max_model_len make it smaller",
        )
        ours.__cause__ = error
        return ours

    def _run(self, batch: Sequence[_Call]) -> list[ChatReply | Exception]:
        """In the engine's thread: one reply, or the error of that call, per call of the batch, in order."""
        llm = self._load()
        rooms = [self._room(llm, call) for call in batch]
        runnable = [(call, room) for call, room in zip(batch, rooms, strict=True) if room > 0]
        outputs = iter(
            llm.chat(
                [[{"role": m.role, "content": m.content} for m in call.messages] for call, _ in runnable],
                sampling_params=[self._sampling(call, min(call.max_tokens, room)) for call, room in runnable],
                chat_template_kwargs=self._template,
                use_tqdm=False,
            )
            if runnable
            else ()
        )
        return [
            _reply(next(outputs))
            if room > 0
            else ModelRefused(
                f"the prompt is longer than the window of {self._model}",
                hint="raise max_model_len, memory allowing, or lower the token budget of a prompt",
            )
            for room in rooms
        ]

    def _load(self) -> Any:
        if self._llm is None:
            try:
                from vllm import LLM
            except ImportError as error:
                raise SettingsError(
                    "vLLM is not installed",
                    hint="pip install 'tem-graph[vllm]', or name a server with TEM_GRAPH_MODEL_URL",
                ) from error
            _log.info("loading %s into vLLM", self._model)
            self._llm = LLM(model=self._model, seed=self._seed, **self._engine)
        return self._llm

    def _room(self, llm: Any, call: _Call) -> int:
        """Tokens that the window leaves for the reply. One prompt over the window would fail its whole batch."""
        prompt = llm.get_tokenizer().apply_chat_template(
            [{"role": m.role, "content": m.content} for m in call.messages],
            tokenize=True,
            return_dict=False,
            add_generation_prompt=True,
            **self._template,
        )
        return int(llm.model_config.max_model_len) - len(prompt)

    def _sampling(self, call: _Call, max_tokens: int) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        return SamplingParams(
            temperature=self._temperature,
            seed=self._seed,
            max_tokens=max_tokens,
            # Releases before 0.12 ignore this without a word; replies are validated all the same.
            structured_outputs=StructuredOutputsParams(json=dict(call.schema)) if call.schema is not None else None,
        )

    async def aclose(self) -> None:
        """Stop taking calls and end the engine's process. Calling it twice is harmless."""
        if self._worker is not None and not self._worker.done():
            self._worker.cancel()
        engine, self._llm = self._llm, None
        if engine is not None:
            await asyncio.get_running_loop().run_in_executor(self._thread, _end, engine)
        self._thread.shutdown(wait=False, cancel_futures=True)


def _end(engine: Any) -> None:
    # `LLM` has no method to close it; without this its process lives until ours ends.
    core = getattr(getattr(engine, "llm_engine", None), "engine_core", None)
    if core is not None:
        core.shutdown()


def _reply(output: Any) -> ChatReply:
    completion = output.outputs[0]
    usage = Usage(1, len(output.prompt_token_ids or ()), len(completion.token_ids))
    return ChatReply(completion.text, completion.finish_reason or "stop", usage)
