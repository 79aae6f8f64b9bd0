"""Batching calls into vLLM, with the engine's place taken by a small double of it."""

from __future__ import annotations

import asyncio
import sys
import threading
from types import ModuleType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from tem_graph.errors import ModelRefused, ModelUnavailable, SettingsError
from tem_graph.llm.vllm_offline import VllmChat
from tem_graph.ports import ChatMessage, ChatModel

SCHEMA = {"type": "object"}


class Engine:
    """Answers a chat with its last message in capitals; a word is a token and the window holds 10."""

    made: ClassVar[list[Engine]] = []

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.batches: list[list[str]] = []
        self.sampling: list[Any] = []
        self.threads: set[int] = set()
        self.model_config = SimpleNamespace(max_model_len=10)
        self.llm_engine = SimpleNamespace(engine_core=SimpleNamespace(shutdown=lambda: self.ended.append(True)))
        self.ended: list[bool] = []
        self.fails = False
        Engine.made.append(self)

    def get_tokenizer(self) -> Any:
        return SimpleNamespace(
            apply_chat_template=lambda messages, **options: " ".join(m["content"] for m in messages).split()
        )

    def chat(self, conversations: Any, *, sampling_params: Any, chat_template_kwargs: Any, use_tqdm: bool) -> list[Any]:
        self.threads.add(threading.get_ident())
        self.sampling += sampling_params
        assert chat_template_kwargs == {"enable_thinking": False}
        if self.fails:
            raise RuntimeError("engine is dead")
        texts = [c[-1]["content"] for c in conversations]
        self.batches.append(texts)
        return [
            SimpleNamespace(
                prompt_token_ids=text.split(),
                outputs=[SimpleNamespace(text=text.upper(), token_ids=[1, 2], finish_reason="stop")],
            )
            for text in texts
        ]


@pytest.fixture(autouse=True)
def vllm(monkeypatch: pytest.MonkeyPatch) -> None:
    Engine.made = []
    package, sampling = ModuleType("vllm"), ModuleType("vllm.sampling_params")
    package.LLM = Engine  # type: ignore[attr-defined]
    package.SamplingParams = SimpleNamespace  # type: ignore[attr-defined]
    sampling.StructuredOutputsParams = SimpleNamespace  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "vllm", package)
    monkeypatch.setitem(sys.modules, "vllm.sampling_params", sampling)


def user(text: str) -> list[ChatMessage]:
    return [ChatMessage("user", text)]


async def test_calls_in_flight_become_one_batch_and_each_gets_its_own_reply() -> None:
    model = VllmChat("folder", seed=7, engine={"dtype": "float32"})
    assert isinstance(model, ChatModel)
    replies = await asyncio.gather(*(model.chat(user(f"text {n}"), max_tokens=4, schema=SCHEMA) for n in range(5)))
    (engine,) = Engine.made
    assert [r.text for r in replies] == [f"TEXT {n}" for n in range(5)]
    assert engine.batches == [[f"text {n}" for n in range(5)]]
    assert engine.options == {"model": "folder", "seed": 7, "dtype": "float32"}
    assert engine.sampling[0].structured_outputs.json == SCHEMA
    assert (engine.sampling[0].temperature, engine.sampling[0].seed, engine.sampling[0].max_tokens) == (0.0, 7, 4)
    assert (replies[0].usage.prompt_tokens, replies[0].usage.output_tokens) == (2, 2)
    assert threading.get_ident() not in engine.threads
    await model.aclose()
    await model.aclose()
    assert engine.ended == [True]


async def test_a_batch_has_its_limit_and_the_engine_is_loaded_once() -> None:
    model = VllmChat("folder", max_batch=2)
    await asyncio.gather(*(model.chat(user(f"t{n}"), max_tokens=4) for n in range(5)))
    await model.chat(user("later"), max_tokens=4)
    (engine,) = Engine.made
    assert [len(batch) for batch in engine.batches] == [2, 2, 1, 1]
    assert engine.sampling[0].structured_outputs is None
    await model.aclose()


async def test_a_prompt_over_the_window_fails_alone() -> None:
    model = VllmChat("folder")
    long, short = await asyncio.gather(
        model.chat(user("w " * 11), max_tokens=4), model.chat(user("one two"), max_tokens=20), return_exceptions=True
    )
    assert isinstance(long, ModelRefused)
    assert not isinstance(short, BaseException)
    assert short.text == "ONE TWO"
    assert Engine.made[0].sampling[0].max_tokens == 8
    await model.aclose()


async def test_a_dead_engine_fails_every_call_of_the_batch() -> None:
    model = VllmChat("folder")
    await model.chat(user("warm up"), max_tokens=4)
    Engine.made[0].fails = True
    results = await asyncio.gather(*(model.chat(user("x"), max_tokens=4) for _ in range(2)), return_exceptions=True)
    assert all(isinstance(r, ModelUnavailable) and "engine is dead" in r.message for r in results)
    await model.aclose()


async def test_without_vllm_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vllm", None)
    model = VllmChat("folder")
    with pytest.raises(SettingsError) as caught:
        await model.chat(user("x"), max_tokens=4)
    assert "tem-graph[vllm]" in (caught.value.hint or "")
    await model.aclose()
