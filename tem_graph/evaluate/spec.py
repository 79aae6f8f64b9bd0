"""What a job is: everything that can change an answer, frozen, with an identity that names it.

How many calls are in flight, how often one is tried again, and where the files lie change nothing and stay out
of the identity. Two runs with one identity are the same run; a log is only ever continued by the same run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from importlib import metadata, resources
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import BaseModel, ConfigDict

from tem_graph.domain.relation import RelationCatalog

SPEC_VERSION = 2
"""Raised when a field changes its meaning, so that an old log is not continued under a new one."""

_NOT_IN_IDENTITY = {"data_name"}
_ANSWERS = ("answer", "domain", "embed", "evaluate", "graph", "ingest", "llm", "prompts", "retrieve", "temporal")
"""Parts of the package that can change an answer; command line, server and drawing cannot."""
_SCORES = {"scoring", "report"}
"""Parts of `evaluate` that only read logs."""


class ModelSpec(BaseModel):
    """The model that extracts and answers, and how it is sampled."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    temperature: float
    seed: int
    window: int
    """Tokens of prompt and answer together; full context is cut at it."""
    answer_max_tokens: int
    extraction_max_tokens: int
    thinking: bool = False
    reasoning_effort: str | None = None


class RetrievalSpec(BaseModel):
    """How evidence is found and cut."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    extractor: str
    embedder: str
    counter: str
    """Name of the tokenizer that counted every budget and length."""
    limit: int
    """Facts, or turns where no budget is set, at most (TEM, section 4.1: 15)."""
    rag_budget_tokens: int | None = None
    """Budget of the two RAG configurations; None: `limit` turns."""
    hybrid_budget_tokens: int = 1024
    policy: str = "effective"
    router: str = "rules"


class Spec(BaseModel):
    """One job, frozen. `identity` is the name that its log carries."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int = SPEC_VERSION
    job: str
    """`state-update`, `locomo`, `operators`, `factconsolidation`, `longmemeval`."""
    data_name: str
    data_sha256: str
    configs: tuple[str, ...]
    sample: int | None = None
    seed: int = 42
    categories: tuple[str, ...] = ()
    """Kinds of question that were asked for; empty: the job's usual ones."""
    groups: tuple[str, ...] = ()
    """Memories (personas, conversations) that were asked for; empty: all."""
    typed: bool = False
    no_model: bool = False
    prompts: tuple[str, ...] = ()
    """Labels of the prompts in use, `answer.v1@3f2a91c0`."""
    relations: str | None = None
    """The relations in force, built-in and own, `19 relations@3f2a91c0`; None in runs of before this was kept."""
    model: ModelSpec | None = None
    retrieval: RetrievalSpec
    code: str
    """Version of the package and digest of the source that can change an answer."""

    @property
    def identity(self) -> str:
        """SHA-256 in hex over every field that can change an answer."""
        return _digest(self.model_dump(mode="json", exclude=_NOT_IN_IDENTITY))

    @property
    def build(self) -> str:
        """The identity of the memories alone: runs that differ in questions or configurations share them."""
        model = self.model.model_dump(mode="json", exclude={"answer_max_tokens", "window"}) if self.model else None
        return _digest(
            {
                "data": self.data_sha256,
                "model": model if "model" in self.retrieval.extractor else None,
                "extractor": self.retrieval.extractor,
                "embedder": self.retrieval.embedder,
                "relations": self.relations,
                "code": self.code,
            }
        )

    def differences(self, other: Spec) -> list[str]:
        """The fields of the identity in which two specs differ, `model.name: 'a' and 'b'`."""
        ours, theirs = (_flat(s.model_dump(mode="json", exclude=_NOT_IN_IDENTITY)) for s in (self, other))
        return [
            f"{key}: {ours.get(key)!r} and {theirs.get(key)!r}"
            for key in sorted(ours.keys() | theirs.keys())
            if ours.get(key) != theirs.get(key)
        ]


def _digest(value: Mapping[str, Any]) -> str:
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, inner in value.items():
        flat |= _flat(inner, f"{prefix}{key}.") if isinstance(inner, Mapping) else {f"{prefix}{key}": inner}
    return flat


def relations_label(catalog: RelationCatalog) -> str:
    """`19 relations@3f2a91c0`: how many, and a digest of all that a relations file can say, order included."""
    entries = [asdict(relation) for relation in catalog]
    return f"{len(entries)} relations@{_digest({'relation': entries})[:8]}"


@cache
def code_revision() -> str:
    """`0.1.0+1f3a…`: the version, and a digest of every file that can change an answer (also from a wheel)."""
    digest = sha256()
    package = resources.files("tem_graph")
    for part in _ANSWERS:
        for name, content in _files(package.joinpath(part), part):
            digest.update(f"{name}\0".encode() + content + b"\0")
    return f"{metadata.version('tem-graph')}+{digest.hexdigest()[:12]}"


def _files(folder: Traversable, path: str) -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            if entry.name != "__pycache__" and entry.name not in _SCORES:
                found += _files(entry, f"{path}/{entry.name}")
        elif not entry.name.endswith(".pyc"):
            found.append((f"{path}/{entry.name}", entry.read_bytes()))
    return found
