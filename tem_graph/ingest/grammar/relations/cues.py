"""The patterns of preference.cues, by group."""

from __future__ import annotations

import re
from functools import cache
from importlib import resources

from tem_graph.ingest.grammar.frames import logical_lines


@cache
def _cues() -> dict[str, tuple[re.Pattern[str], ...]]:
    """The patterns of preference.cues by group."""
    text = resources.files(__package__).joinpath("preference.cues").read_text(encoding="utf-8")
    names: dict[str, str] = {}
    groups: dict[str, list[re.Pattern[str]]] = {}
    for line in logical_lines(text):
        line = re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), line)
        head, _, rest = line.partition(" ")
        if head == "let":
            name, _, value = rest.partition("=")
            names[name.strip()] = value.strip()
        else:
            groups.setdefault(head, []).append(re.compile(rest.strip()))
    return {name: tuple(patterns) for name, patterns in groups.items()}


def says(group: str, text: str) -> bool:
    """Whether a cue of the group stands in a plain form."""
    return any(cue.search(text) for cue in _cues()[group])


def is_bare(text: str) -> bool:
    """Whether there is nothing but the drink, fillers, and words of habit or change."""
    return any(cue.fullmatch(text) for cue in _cues()["bare"])
