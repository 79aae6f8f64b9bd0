"""From what a person asks for to a job: the data read, the sample chosen, the model known, the spec frozen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from tem_graph.embed.choose import make_embedder
from tem_graph.errors import EvaluationError, SettingsError
from tem_graph.evaluate.configurations import (
    Configuration,
    need_graph,
    need_passages,
    need_reading,
    parse_configurations,
)
from tem_graph.evaluate.counting import make_counter
from tem_graph.evaluate.datasets import DataSet, read_data
from tem_graph.evaluate.job import Adapters, Job
from tem_graph.evaluate.memory_respondent import NO_READER
from tem_graph.evaluate.profiles import LONG_ANSWERS, Profile, profile_of
from tem_graph.evaluate.reply import answer_prompt
from tem_graph.evaluate.sampling import choose_sample
from tem_graph.evaluate.spec import ModelSpec, RetrievalSpec, Spec, code_revision, relations_label
from tem_graph.llm.choose import IN_PROCESS, make_model
from tem_graph.llm.openai_http import OpenAIChat
from tem_graph.prompts.loader import LATEST, load_prompt
from tem_graph.settings import Settings

BUDGET = 1024
"""Tokens of evidence where a budget rules (TEM, section 4.6)."""
IN_FLIGHT_IN_PROCESS = 64
"""Calls at once for vLLM in this process, which schedules them itself; more only wait. A guess."""


@dataclass(frozen=True, slots=True)
class JobOptions:
    """What a person says; None: what the job, the profile or the settings say."""

    job: str
    data: Path
    configs: str | None = None
    sample: int | None = None
    seed: int = 42
    kinds: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    typed: bool = False
    no_model: bool = False
    model: str | None = None
    extractor: str | None = None
    tokenizer: str | None = None
    window: int | None = None
    answer_max_tokens: int | None = None
    budget: int | None = None
    policy: str = "effective"
    concurrency: int | None = None
    relations: Path | None = None
    """A file of own relations, added to the built-in ones; None: that of the settings."""


async def prepare(options: JobOptions, settings: Settings, adapters: Adapters | None = None) -> Job:
    """The job, ready to run. Reads the data and asks the model's server for its name and window; answers nothing.

    Raises:
        InputError, EvaluationError: the data or the options do not fit.
        SettingsError, ModelUnavailable: a model is needed and there is none, or it does not answer.
    """
    adapters = adapters or Adapters()
    configs = parse_configurations(options.job, options.configs)
    if settings.passages == "none" and (unfit := need_passages(configs)):
        raise EvaluationError(
            f"{', '.join(unfit)} cannot be run: with TEM_GRAPH_PASSAGES=none no turn is stored to be searched",
            hint="set TEM_GRAPH_PASSAGES=all, or leave these configurations out",
        )
    if options.relations is not None:
        settings = settings.model_copy(update={"relations": options.relations.absolute()})
    data = _narrowed(read_data(options.job, options.data, options.kinds), options)
    settings = _with_model(settings, options.model)
    model = None if options.no_model else await _model_spec(settings, options, adapters)
    if model is None and not options.no_model and any(c is not Configuration.TEM_OPERATORS for c in configs):
        raise SettingsError(
            "no language model is set",
            hint="name one with --model or TEM_GRAPH_MODEL_URL; --no-model assembles the evidence alone",
        )
    settings = _with_profile(settings, options, model)
    extractor = _extractor(options, settings, configs, data, has_model=model is not None)
    counter = adapters.counter or make_counter(settings, tokenizer=options.tokenizer, has_model=model is not None)
    budget = options.budget or BUDGET
    spec = Spec(
        job=options.job,
        data_name=data.name,
        data_sha256=data.sha256,
        configs=configs,
        sample=options.sample,
        seed=options.seed,
        categories=options.kinds,
        groups=options.groups,
        typed=options.typed,
        no_model=model is None,
        prompts=_prompts(extractor, has_model=model is not None),
        relations=relations_label(settings.catalog()),
        model=model,
        retrieval=RetrievalSpec(
            extractor=extractor,
            embedder=(adapters.embedder or make_embedder(settings)).name,
            counter=counter.name,
            limit=settings.limit,
            rag_budget_tokens=budget if options.job in LONG_ANSWERS or options.budget else None,
            hybrid_budget_tokens=budget,
            policy=options.policy,
            router=settings.router,
        ),
        code=code_revision(),
    )
    return Job(spec, data, settings, options.tokenizer, adapters)


def _narrowed(data: DataSet, options: JobOptions) -> DataSet:
    """The set with the chosen questions, and what they are asked of."""
    questions = list(data.questions)
    if options.groups:
        known = dict.fromkeys(q.group for q in questions)
        if unknown := [group for group in options.groups if group not in known]:
            raise EvaluationError(
                f"{data.name} has no questions about {', '.join(unknown)}",
                hint=f"it has {', '.join(list(known)[:12])}{' …' if len(known) > 12 else ''}",
            )
        questions = [q for q in questions if q.group in options.groups]
    if not questions:
        raise EvaluationError(f"{data.name} holds no question")
    chosen = choose_sample(questions, options.sample, options.seed)
    groups = {q.group for q in chosen}
    return replace(
        data,
        questions=tuple(chosen),
        conversations={g: c for g, c in data.conversations.items() if g in groups},
        facts={g: f for g, f in data.facts.items() if g in groups},
    )


def judge_settings(settings: Settings, judge: str) -> Settings:
    """The settings of the judge: its model, with the thinking and the effort of its profile.

    Raises:
        SettingsError: it is no address and no folder, and no server is set.
    """
    settings = _with_model(settings, judge)
    profile = profile_of(settings.model or judge, "locomo")
    return settings.model_copy(update={"thinking": profile.thinking, "reasoning_effort": profile.reasoning_effort})


def _with_model(settings: Settings, given: str | None) -> Settings:
    """The settings with `--model` in their place: an address (`#name` behind it names the model there), a folder
    with weights for vLLM in this process, or a name at the configured server."""
    if given is None:
        return settings
    if given.startswith(("http://", "https://")):
        url, _, name = given.partition("#")
        return settings.model_copy(update={"model_url": url, "model": name or None})
    if given.startswith(IN_PROCESS) or Path(given).expanduser().is_dir():
        return settings.model_copy(update={"model_url": IN_PROCESS, "model": given.removeprefix(IN_PROCESS)})
    if settings.model_url is None:
        raise SettingsError(
            f"--model {given} is no address and no folder, and no server is set where it could be",
            hint="give the address of an OpenAI-compatible server, set TEM_GRAPH_MODEL_URL, or write vllm:NAME",
        )
    return settings.model_copy(update={"model": given})


async def _model_spec(settings: Settings, options: JobOptions, adapters: Adapters) -> ModelSpec | None:
    model = adapters.model or make_model(settings)
    if model is None:
        return None
    window: int | None = None
    name = model.name
    if isinstance(model, OpenAIChat):
        try:
            name, window = await model.describe()
        finally:
            await model.aclose()
    profile = _profile(name, window, settings, options)
    return ModelSpec(
        # Of a folder or file the last part: where it lies changes no answer.
        name=PurePath(name).name if name.startswith(("/", "~", ".")) else name,
        temperature=settings.temperature,
        seed=settings.seed,
        window=profile.window,
        answer_max_tokens=profile.answer_max_tokens,
        extraction_max_tokens=settings.extraction_max_tokens,
        thinking=profile.thinking,
        reasoning_effort=profile.reasoning_effort,
    )


def _profile(name: str, served: int | None, settings: Settings, options: JobOptions) -> Profile:
    """The model's profile; a smaller window of the server, or of vLLM's options, is the window."""
    profile = profile_of(name, options.job)
    limits = [limit for limit in (served, settings.vllm_options.get("max_model_len")) if isinstance(limit, int)]
    profile = replace(profile, window=min([profile.window, *limits]))
    profile = profile.with_options(window=options.window, answer_max_tokens=options.answer_max_tokens)
    if profile.answer_max_tokens >= profile.window:
        raise EvaluationError(
            f"an answer limit of {profile.answer_max_tokens} tokens leaves nothing of a window of {profile.window}",
            hint="lower --answer-tokens, or serve the model with a larger window",
        )
    return profile


def _with_profile(settings: Settings, options: JobOptions, model: ModelSpec | None) -> Settings:
    update: dict[str, object] = {"open_vocabulary": settings.open_vocabulary or options.job == "factconsolidation"}
    if model is not None:
        update |= {
            "answer_max_tokens": model.answer_max_tokens,
            "thinking": model.thinking,
            "reasoning_effort": model.reasoning_effort or settings.reasoning_effort,
        }
        if settings.model_url == IN_PROCESS and options.window:
            update["vllm_options"] = settings.vllm_options | {"max_model_len": options.window}
    in_process = model is not None and settings.model_url == IN_PROCESS
    if options.concurrency or in_process:
        update["concurrency"] = options.concurrency or IN_FLIGHT_IN_PROCESS
    return settings.model_copy(update=update)


def _extractor(
    options: JobOptions, settings: Settings, configs: Sequence[Configuration], data: DataSet, *, has_model: bool
) -> str:
    """The name of who reads the sessions; resolved, so that the spec says what `auto` meant."""
    if options.job == "operators" or not need_graph(configs) or not need_reading(configs):
        return NO_READER
    wanted = options.extractor or data.extractor or (settings.extractor if has_model else "auto")
    if wanted == "auto":
        wanted = "model" if has_model else "grammar"
    if "model" in wanted and not has_model:
        raise SettingsError(f"extractor {wanted!r} needs a language model", hint="use --extractor grammar")
    return wanted


def _prompts(extractor: str, *, has_model: bool) -> tuple[str, ...]:
    """Labels of the prompts that the job may use."""
    extraction = [load_prompt(name).label for name in LATEST if name.startswith("extract") and "model" in extractor]
    return (*extraction, answer_prompt().label) if has_model else ()
