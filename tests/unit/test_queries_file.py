"""The loader of `cypher/`: headers are the truth, parameters are declared and used, fragments are put in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tem_graph.graph import queries
from tem_graph.graph.queries import QueryFileError, expand_includes, load_queries, parse_queries, schema_files

HEADER = "// name: q\n// Says something.\n// params: $memory\n// returns: id\n// mode: read\n"
BODY = "MATCH (m:Memory {id: $memory}) RETURN m.id AS id\n"


def test_a_query_is_its_header_and_its_text() -> None:
    (query,) = parse_queries(HEADER + BODY, "x.cypher")
    assert (query.name, query.purpose, query.mode) == ("q", "Says something.", "read")
    assert (query.params, query.returns, query.text) == (frozenset({"memory"}), ("id",), BODY.strip())


def test_several_queries_stand_in_one_file() -> None:
    text = HEADER + BODY + "\n" + HEADER.replace("name: q", "name: r") + BODY
    assert [q.name for q in parse_queries(text, "x.cypher")] == ["q", "r"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADER.replace("// Says something.\n", "") + BODY, "does not say what it is for"),
        (HEADER.replace("// mode: read\n", "") + BODY, "has no line '// mode:'"),
        (HEADER.replace("// returns: id\n", "") + BODY, "has no line '// returns:'"),
        (HEADER.replace("mode: read", "mode: maybe") + BODY, "has mode 'maybe'"),
        (HEADER + BODY.replace("$memory", "$other"), r"undeclared parameters \['other'\] and unused ones \['memory'\]"),
        (HEADER + "// $memory\nRETURN 1 AS id", r"unused ones \['memory'\]"),
    ],
)
def test_a_wrong_file_is_a_bug_of_ours_and_named(text: str, complaint: str) -> None:
    with pytest.raises(QueryFileError, match=rf"x\.cypher: q .*{complaint}|{complaint}"):
        parse_queries(text, "x.cypher")


def test_fragments_are_put_in_with_their_values_and_indent() -> None:
    expanded = expand_includes("WHERE\n  // include: visible fact=later\nRETURN 1")
    assert expanded == "WHERE\n  later.retracted_at IS NULL AND later.source_key <= $known_after\nRETURN 1"


def test_a_name_that_is_taken_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in queries.FOLDERS:
        (tmp_path / folder).mkdir()
    (tmp_path / queries.FOLDERS[0] / "a.cypher").write_text(HEADER + BODY, encoding="utf-8")
    (tmp_path / queries.FOLDERS[1] / "b.cypher").write_text(HEADER + BODY, encoding="utf-8")
    monkeypatch.setattr(queries, "cypher_folder", lambda: tmp_path)
    with pytest.raises(QueryFileError, match=r"b\.cypher: the name q is taken"):
        load_queries.__wrapped__()


def test_every_query_of_ours_is_loaded_and_complete() -> None:
    for name, query in load_queries().items():
        assert query.name == name
        assert not re.search(r"// include:|\{(fact|key)\}", query.text), name
        assert query.purpose.endswith("."), name


def test_what_writes_says_so() -> None:
    writing = re.compile(r"^\s*(CREATE|MERGE|SET|DELETE|DETACH DELETE|REMOVE|DROP|FOREACH)\b", re.MULTILINE)
    for name, query in load_queries().items():
        assert (query.mode == "write") == bool(writing.search(query.text)), name


def test_every_folder_of_queries_is_read() -> None:
    folders = {f.name for f in queries.cypher_folder().iterdir() if f.is_dir()}
    assert folders - {"schema", "fragments", "browser"} == set(queries.FOLDERS)


def test_migrations_are_numbered_and_can_run_again() -> None:
    numbers = [int(name.split("_")[0]) for name, _ in schema_files()]
    assert numbers == list(range(1, len(numbers) + 1))
    for _, statements in schema_files():
        assert all("IF NOT EXISTS" in s or (s.startswith("DROP") and "IF EXISTS" in s) for s in statements)


@pytest.mark.parametrize(
    "fragment",
    sorted((Path(__file__).parents[2] / "cypher" / "fragments").glob("*.cypher")),
    ids=lambda path: path.stem,
)
def test_no_condition_of_status_can_be_split_into_a_union(fragment: Path) -> None:
    """An OR lets the planner read a whole group by two indexes and sort it: 20 s in a group of 100,000."""
    text = "\n".join(line for line in fragment.read_text().splitlines() if not line.lstrip().startswith("//"))
    assert " OR " not in text
