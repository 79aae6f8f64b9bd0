"""Whose tokens a budget is counted in: the answering model's where its tokenizer can be had, else the embedder's."""

from __future__ import annotations

from pathlib import Path

from tem_graph.embed.tokens import BertCounter, EstimateCounter, ServerTokenCounter, TokenizerCounter
from tem_graph.errors import BadReply, ModelUnavailable, SettingsError
from tem_graph.ports import TokenCounter
from tem_graph.settings import Settings


def make_counter(settings: Settings, *, tokenizer: str | None, has_model: bool) -> TokenCounter:
    """The counter, tried out. Its name goes into the spec.

    In this order: the tokenizer that was named; the model's own folder; the model's server (vLLM and llama.cpp
    count); the embedder's folder; BERT's word pieces, which the small embedders use; an estimate.

    Raises:
        SettingsError: the named tokenizer cannot be loaded.
    """
    if tokenizer is not None:
        return TokenizerCounter(tokenizer)
    if has_model and settings.model and (Path(settings.model).expanduser() / "tokenizer.json").is_file():
        return TokenizerCounter(settings.model)
    if has_model and settings.model_url is not None and settings.model_url.startswith("http"):
        counter = ServerTokenCounter(settings.model_url, model=settings.model)
        try:
            counter.count("one")
        except (BadReply, ModelUnavailable):
            counter.close()
        else:
            return counter
    if (Path(settings.embedder).expanduser() / "tokenizer.json").is_file():
        return TokenizerCounter(settings.embedder)
    try:
        return BertCounter()
    except SettingsError:
        return EstimateCounter()
