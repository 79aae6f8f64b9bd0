"""Every setting, from the environment and one optional file, in one frozen model.

A setting `x` is read from `TEM_GRAPH_X`, else from `tem-graph.toml` in the working folder (or the file
that `TEM_GRAPH_CONFIG` names), else from the default below. The connection is read from Neo4j's own
variables: `NEO4J_URI`, `NEO4J_USERNAME`, `NEO4J_PASSWORD`, `NEO4J_DATABASE`.
"""

from __future__ import annotations

import os
import tomllib
from datetime import UTC, tzinfo
from importlib import resources
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from tem_graph.domain.relation import Cardinality, RelationCatalog, RelationSchema
from tem_graph.errors import SettingsError


def _connection(name: str) -> AliasChoices:
    return AliasChoices(f"NEO4J_{name.upper()}", f"neo4j_{name}")


class Settings(BaseSettings):
    """All settings. Each field's description is its documentation (`tem-graph info --settings`)."""

    model_config = SettingsConfigDict(
        env_prefix="TEM_GRAPH_", frozen=True, extra="forbid", populate_by_name=True, validate_default=True
    )

    neo4j_uri: str | None = Field(
        None,
        validation_alias=_connection("uri"),
        description="Address of a Neo4j; unset: the local server that `tem-graph server start` runs.",
    )
    neo4j_username: str = Field("neo4j", validation_alias=_connection("username"), description="Neo4j user.")
    neo4j_password: SecretStr | None = Field(
        None, validation_alias=_connection("password"), description="Neo4j password; never printed."
    )
    neo4j_database: str | None = Field(
        None, validation_alias=_connection("database"), description="Database; unset: the user's home database."
    )
    connect_timeout_s: float = Field(10.0, gt=0, description="Seconds to wait for a connection to Neo4j.")

    server: str = Field("default", description="Which local Neo4j is meant, where several run side by side.")
    server_heap: str = Field("1g", description="Heap of a local Neo4j that is started, such as 512m or 2g.")
    server_pagecache: str = Field("256m", description="Page cache of a local Neo4j that is started.")
    maven_url: str | None = Field(
        None, description="Maven repository for the local Neo4j's jars; unset: the mirror in Maven's own settings."
    )

    memory: str = Field("default", min_length=1, description="The memory that a command speaks of by default.")
    user: str | None = Field(None, description="The person behind the speaker `user` in chat exports.")
    timezone: str = Field("UTC", description="Zone of dates and times that name none.")
    relations: Path | None = Field(None, description="A TOML file of your own relations, added to the built-in ones.")
    open_vocabulary: bool = Field(
        False, description="Take any relation that an extractor names, not only those of the relations file."
    )

    embedder: str = Field(
        "auto",
        description="`minilm` (ONNX, no torch), `hashing` (no model, for tests), a sentence-transformers name or "
        "folder, or `auto`: all-mpnet-base-v2 where the extra `embeddings` is installed, else `minilm`.",
    )
    embed_batch: int = Field(64, ge=1, description="Texts per embedding batch.")

    extractor: str = Field(
        "auto",
        pattern="^(auto|model|grammar|model\\+grammar|triples)$",
        description="`model`, `grammar`, `model+grammar`, `triples` (plain statements, open vocabulary), or `auto`: "
        "the model where one is set, else the grammar.",
    )
    passages: str = Field(
        "all",
        pattern="^(all|none)$",
        description="What hybrid memory keeps beside facts: `all` (events, notes, and the turns embedded), or `none`, "
        "which makes reading cheaper; `tem-graph reindex` adds them later.",
    )
    model_url: str | None = Field(
        None, description="Base address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1."
    )
    model: str | None = Field(None, description="Model name; unset: the first that the server lists.")
    model_key: SecretStr | None = Field(None, description="API key of that server; never printed.")
    model_timeout_s: float = Field(600.0, gt=0, description="Seconds to wait for one reply.")
    temperature: float = Field(0.0, ge=0, description="Sampling temperature (TEM, section 4.1: 0).")
    seed: int = Field(42, description="Sampling seed (TEM, section 4.1: 42).")
    extraction_max_tokens: int = Field(8192, ge=1, description="Output limit of an extraction (TEM, section 4.1).")
    answer_max_tokens: int = Field(512, ge=1, description="Output limit of an answer (TEM, section 4.1).")
    thinking: bool = Field(False, description="Let models that can think do so (TEM, section 4.1: off).")
    reasoning_effort: str | None = Field(
        None, pattern="^(minimal|low|medium|high)$", description="For models that take one, such as gpt-oss: low."
    )
    vllm_options: dict[str, Any] = Field(
        default_factory=dict,
        description='Engine options of vLLM in this process, as JSON: {"max_model_len": 8192, "dtype": "float32"}.',
    )
    concurrency: int = Field(4, ge=1, description="Sessions in flight at once, and so model calls.")

    router: str = Field(
        "rules",
        pattern="^(rules|rules\\+model)$",
        description="Who reads the operator out of a question: `rules`, or `rules+model`, which asks the model (one "
        "call more) where the rules cannot place the wording.",
    )

    limit: int = Field(15, ge=1, description="Facts in the evidence at most (TEM, section 3.3: 15).")
    exact_search_limit: int = Field(
        20_000, ge=0, description="Up to this many facts in a memory, search compares every one exactly."
    )

    home: Path = Field(
        default_factory=lambda: platformdirs.user_data_path("tem-graph"),
        description="Folder of the local Neo4j: its data, password and ports.",
    )
    cache: Path = Field(
        default_factory=lambda: platformdirs.user_cache_path("tem-graph"),
        description="Folder of downloads that can be made again: jars, models.",
    )

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError(f"{name!r} is not a time zone; write one such as Europe/Vienna or UTC") from error
        return name

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        path = Path(os.environ.get("TEM_GRAPH_CONFIG", "tem-graph.toml"))
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, path)

    @property
    def zone(self) -> tzinfo:
        return UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)

    def catalog(self) -> RelationCatalog:
        """The built-in relations with those of the `relations` file added or replaced by name."""
        return load_relations(self.relations)


def load_settings(**overrides: Any) -> Settings:
    """The settings in force. `overrides` win over environment and file; None values are ignored.

    Raises:
        SettingsError: names each setting that is wrong and why; secrets are not shown.
    """
    try:
        return Settings(**{k: v for k, v in overrides.items() if v is not None})
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)]
        raise SettingsError(
            "settings cannot be used: " + "; ".join(lines),
            hint="a setting x is TEM_GRAPH_X in the environment or x in tem-graph.toml; the connection is NEO4J_*",
        ) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"the settings file is not valid TOML: {error}") from error


class _RelationEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: str = Field(min_length=1)
    weight: float = Field(1.0, gt=0)
    cardinality: Cardinality = Cardinality.SINGLE
    opposite: str | None = None
    slots: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    phrasing: str | None = None
    description: str | None = None
    examples: tuple[str, ...] = ()


class _RelationFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    relation: list[_RelationEntry] = []


def load_relations(path: Path | None = None) -> RelationCatalog:
    """The built-in relations, with those of the TOML file at `path` added or replaced by name.

    Raises:
        SettingsError: the file is missing, not TOML, or an entry is wrong; names the entry and the field.
    """
    builtin = resources.files("tem_graph").joinpath("relations.toml").read_text(encoding="utf-8")
    relations = {r.key: r for r in _parse_relations(builtin, "built-in relations")}
    if path is not None:
        try:
            own = path.read_text(encoding="utf-8")
        except OSError as error:
            raise SettingsError(f"relations file {path} cannot be read: {error.strerror}") from error
        relations |= {r.key: r for r in _parse_relations(own, str(path))}
    return RelationCatalog(relations.values())


def _parse_relations(text: str, origin: str) -> list[RelationSchema]:
    try:
        entries = _RelationFile.model_validate(tomllib.loads(text)).relation
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{origin}: not valid TOML: {error}") from error
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)]
        raise SettingsError(f"{origin}: " + "; ".join(lines)) from None
    return [RelationSchema(**entry.model_dump()) for entry in entries]
