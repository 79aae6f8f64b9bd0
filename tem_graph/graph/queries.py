"""Every statement that is sent to Neo4j, loaded from `cypher/` and checked once.

A file holds several queries. Each starts with a header, and the text in it is the whole truth:

    // name: list_sessions
    // A memory's sessions in source order.
    // params: $memory
    // returns: id, date
    // mode: read
    MATCH ...

A line `// include: status` is replaced by `cypher/fragments/status.cypher`; `// include: later key=source_key`
also puts `source_key` wherever the fragment says `{key}`. Values are always parameters, never text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Literal, LiteralString, cast

_PARAMETER = re.compile(r"\$([A-Za-z_]\w*)")
_INCLUDE = re.compile(r"^(?P<indent>[ \t]*)// include: (?P<name>\w+)(?P<values>(?: \w+=\w+)*)[ \t]*$", re.MULTILINE)
_HEADER = re.compile(r"^// name: ", re.MULTILINE)
FOLDERS = ("memories", "sessions", "facts", "search", "schema_state")


class QueryFileError(Exception):
    """A file in `cypher/` is wrong: a bug in tem-graph, never the caller's fault."""


@dataclass(frozen=True, slots=True)
class Query:
    """One named statement with what it takes, what it returns and whether it writes."""

    name: str
    purpose: str
    params: frozenset[str]
    returns: tuple[str, ...]
    mode: Literal["read", "write"]
    text: LiteralString


def cypher_folder() -> Traversable:
    """The folder `cypher/`: inside the package in a wheel, beside it in a checkout."""
    packaged = resources.files("tem_graph").joinpath("cypher")
    if packaged.is_dir():
        return packaged
    return Path(__file__).parents[2] / "cypher"


@cache
def load_queries() -> dict[str, Query]:
    """All queries by name.

    Raises:
        QueryFileError: a header line is missing, a name is taken twice, or a parameter is undeclared or unused.
    """
    queries: dict[str, Query] = {}
    for folder in FOLDERS:
        for file in sorted(cypher_folder().joinpath(folder).iterdir(), key=lambda f: f.name):
            if not file.name.endswith(".cypher"):
                continue
            for query in parse_queries(file.read_text(encoding="utf-8"), f"{folder}/{file.name}"):
                if query.name in queries:
                    raise QueryFileError(f"{folder}/{file.name}: the name {query.name} is taken")
                queries[query.name] = query
    return queries


def parse_queries(text: str, origin: str) -> list[Query]:
    """The queries of one file's text; `origin` names it in errors."""
    return [_parse(part, origin) for part in _HEADER.split(text)[1:]]


def _parse(part: str, origin: str) -> Query:
    lines = part.splitlines()
    name = lines[0].strip()
    header = [line.removeprefix("//").strip() for line in _leading_comments(lines[1:])]
    fields = {key: _field(header, key, f"{origin}: {name}") for key in ("params", "returns", "mode")}
    purpose = " ".join(line for line in header if not line.startswith(("params:", "returns:", "mode:")))
    if not purpose:
        raise QueryFileError(f"{origin}: {name} does not say what it is for")
    if fields["mode"] not in ("read", "write"):
        raise QueryFileError(f"{origin}: {name} has mode {fields['mode']!r}")
    body = expand_includes("\n".join(lines[1 + len(header) :])).strip()
    declared = frozenset(_PARAMETER.findall(fields["params"]))
    used = frozenset(_PARAMETER.findall(_without_comments(body)))
    if declared != used:
        undeclared, unused = sorted(used - declared), sorted(declared - used)
        raise QueryFileError(f"{origin}: {name} has undeclared parameters {undeclared} and unused ones {unused}")
    return Query(
        name=name,
        purpose=purpose,
        params=declared,
        returns=tuple(column.strip() for column in fields["returns"].split(",") if column.strip()),
        mode=cast(Literal["read", "write"], fields["mode"]),
        # The one place that vouches for query text: it comes from our own files and holds no values.
        text=body,
    )


def _leading_comments(lines: list[str]) -> list[str]:
    leading = []
    for line in lines:
        if not line.startswith("//") or _INCLUDE.match(line):
            break
        leading.append(line)
    return leading


def _field(header: list[str], key: str, origin: str) -> str:
    for line in header:
        if line.startswith(f"{key}:"):
            return line.removeprefix(f"{key}:").strip()
    raise QueryFileError(f"{origin} has no line '// {key}:'")


def _without_comments(body: str) -> str:
    return "\n".join(line.split("//")[0] for line in body.splitlines())


def expand_includes(text: str) -> str:
    """The text with every include line replaced by its fragment, indented alike."""

    def fragment(match: re.Match[str]) -> str:
        file = cypher_folder().joinpath("fragments", f"{match['name']}.cypher")
        body = expand_includes(file.read_text(encoding="utf-8").strip())
        for assignment in match["values"].split():
            key, value = assignment.split("=")
            body = body.replace("{" + key + "}", value)
        return "\n".join(match["indent"] + line for line in body.splitlines())

    return _INCLUDE.sub(fragment, text)


def schema_files() -> list[tuple[str, list[LiteralString]]]:
    """Migrations in order: (name, statements)."""
    files = [f for f in cypher_folder().joinpath("schema").iterdir() if f.name.endswith(".cypher")]
    return [
        (file.name.removesuffix(".cypher"), _statements(file.read_text(encoding="utf-8")))
        for file in sorted(files, key=lambda f: f.name)
    ]


def _statements(text: str) -> list[LiteralString]:
    bare = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    return [s.strip() for s in bare.split(";") if s.strip()]
