"""What differs by model when it answers: window, answer limit, thinking. From `profiles.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from importlib import resources
from pathlib import PurePath

from pydantic import BaseModel, ConfigDict

LONG_ANSWERS = frozenset({"locomo", "longmemeval"})
"""Jobs with questions about whole conversations, whose answers may be longer (TEM, section 4.6)."""


@dataclass(frozen=True, slots=True)
class Profile:
    """How one model answers in one job."""

    window: int
    answer_max_tokens: int
    thinking: bool
    reasoning_effort: str | None

    def with_options(self, *, window: int | None = None, answer_max_tokens: int | None = None) -> Profile:
        """The profile with what the command line says put in its place."""
        return replace(
            self,
            window=window if window is not None else self.window,
            answer_max_tokens=answer_max_tokens if answer_max_tokens is not None else self.answer_max_tokens,
        )


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    match: tuple[str, ...] = ()
    window: int | None = None
    answer_tokens: int | None = None
    long_answer_tokens: int | None = None
    thinking: bool | None = None
    reasoning_effort: str | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    default: _Entry
    model: tuple[_Entry, ...] = ()


def profile_of(model: str, job: str) -> Profile:
    """The profile of a model, a hub name or a folder, in a job; the defaults for one that the file does not know.

    >>> profile_of("openai/gpt-oss-20b", "state-update").answer_max_tokens
    4096
    >>> profile_of("some/unknown", "locomo")
    Profile(window=32768, answer_max_tokens=1024, thinking=False, reasoning_effort=None)
    """
    file = _load()
    name = PurePath(model.rstrip("/")).name.lower()
    own = next((entry for entry in file.model if any(fnmatchcase(name, p.lower()) for p in entry.match)), _Entry())
    values = {**file.default.model_dump(exclude_none=True), **own.model_dump(exclude_none=True)}
    return Profile(
        window=values["window"],
        answer_max_tokens=values["long_answer_tokens" if job in LONG_ANSWERS else "answer_tokens"],
        thinking=values["thinking"],
        reasoning_effort=values.get("reasoning_effort"),
    )


@cache
def _load() -> _File:
    text = resources.files("tem_graph.evaluate").joinpath("profiles.toml").read_text(encoding="utf-8")
    return _File.model_validate(tomllib.loads(text))
