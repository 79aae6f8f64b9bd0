"""Which language model answers: the configured server, vLLM in process, or none."""

from __future__ import annotations

from tem_graph.errors import SettingsError
from tem_graph.llm.openai_http import OpenAIChat
from tem_graph.ports import ChatModel
from tem_graph.settings import Settings

IN_PROCESS = "vllm:"


def make_model(settings: Settings) -> ChatModel | None:
    """The model that the settings name, or None where none is set. `model_url = "vllm:"` runs vLLM in this
    process, with the weights that `model` names.

    Raises:
        SettingsError: vLLM in process without the name of a model.
    """
    if settings.model_url is None:
        return None
    if settings.model_url == IN_PROCESS:
        if settings.model is None:
            raise SettingsError("vLLM in process needs a model", hint="set TEM_GRAPH_MODEL to a name or a folder")
        from tem_graph.llm.vllm_offline import VllmChat

        return VllmChat(
            settings.model,
            temperature=settings.temperature,
            seed=settings.seed,
            thinking=settings.thinking,
            reasoning_effort=settings.reasoning_effort,
            engine=settings.vllm_options,
        )
    return OpenAIChat(
        settings.model_url,
        model=settings.model,
        api_key=settings.model_key.get_secret_value() if settings.model_key else None,
        temperature=settings.temperature,
        seed=settings.seed,
        thinking=settings.thinking,
        reasoning_effort=settings.reasoning_effort,
        timeout_s=settings.model_timeout_s,
        concurrency=settings.concurrency,
    )
