"""Prompts as files: `name.vN.txt`, with examples beside it in `name.vN.examples.json`.

A released prompt never changes; a better one is the next version. So an id and a hash in the provenance of a
fact tell forever what was asked.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import resources
from string import Template
from typing import Any

from tem_graph.errors import SettingsError

LATEST: Mapping[str, int] = {
    "extract_facts": 1,
    "extract_memory": 1,
    "answer": 1,
    "answer_hybrid": 1,
    "answer_evaluation": 1,
    "route": 1,
    "judge": 1,
}
"""The version in use of each prompt."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """One version of one prompt. `hash` are the first 8 hex digits of the SHA-256 of text and examples."""

    id: str
    text: str
    hash: str
    examples: Sequence[Mapping[str, Any]] = ()

    @property
    def label(self) -> str:
        """What a record calls it, `extract_facts.v1@3f2a91c0`."""
        return f"{self.id}@{self.hash}"

    def fill(self, **values: str) -> str:
        """The text with every `$name` replaced. Values are not searched for names again.

        Raises:
            KeyError: a name of the text has no value.
        """
        return Template(self.text).substitute(values)


@cache
def load_prompt(name: str, version: int | None = None) -> Prompt:
    """The prompt `name`, in the version in use unless another is asked for.

    Raises:
        SettingsError: no such prompt or version.
    """
    number = version or LATEST.get(name)
    folder = resources.files(__package__)
    file = folder.joinpath(f"{name}.v{number}.txt")
    if number is None or not file.is_file():
        raise SettingsError(f"there is no prompt {name!r} in version {number}", hint=f"known: {', '.join(LATEST)}")
    text = file.read_text(encoding="utf-8")
    examples_file = folder.joinpath(f"{name}.v{number}.examples.json")
    examples = examples_file.read_text(encoding="utf-8") if examples_file.is_file() else ""
    digest = sha256(f"{text}\0{examples}".encode()).hexdigest()
    return Prompt(f"{name}.v{number}", text.strip(), digest[:8], tuple(json.loads(examples)) if examples else ())
