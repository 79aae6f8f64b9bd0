"""The public face: what it lists, what importing it loads, and that the two colours agree."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import tem_graph
from tem_graph.memory import AsyncTemporalMemory
from tem_graph.sync import TemporalMemory, public_methods

HEAVY = ("torch", "vllm", "neo4j", "spacy", "onnxruntime", "openai", "sentence_transformers", "transformers")


def loaded_by(code: str) -> set[str]:
    """The heavy packages that a fresh interpreter has loaded after running `code`."""
    report = f"{code}\nimport sys; print(*(n for n in {HEAVY!r} if n in sys.modules))"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


def test_the_public_list_is_sorted_and_complete() -> None:
    assert list(tem_graph.__all__) == sorted(tem_graph.__all__)
    assert set(tem_graph.__all__) == set(tem_graph._HOMES)
    assert len(set(tem_graph.__all__)) == len(tem_graph.__all__)
    assert set(tem_graph.__all__) <= set(dir(tem_graph))


@pytest.mark.parametrize("name", tem_graph.__all__)
def test_every_public_name_arrives_from_its_home(name: str) -> None:
    found = getattr(tem_graph, name)
    assert found is getattr(sys.modules[tem_graph._HOMES[name]], name)
    assert inspect.getdoc(found)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Memory'"):
        tem_graph.Memory  # noqa: B018


@pytest.mark.parametrize(
    "code",
    [
        "import tem_graph",
        "from tem_graph import Session, Settings, Turn",
        "import sys; sys.argv = ['tem-graph', '--help']\n"
        "from tem_graph.cli import main\ntry: main()\nexcept SystemExit: pass",
    ],
    ids=["import", "values", "help"],
)
def test_nothing_heavy_is_loaded_before_it_is_needed(code: str) -> None:
    assert loaded_by(code) == set()


def test_a_memory_loads_the_driver_and_no_model() -> None:
    assert loaded_by("from tem_graph import TemporalMemory; TemporalMemory") == {"neo4j"}


def parameters(method: object) -> Sequence[inspect.Parameter]:
    return list(inspect.signature(method).parameters.values())  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(public_methods()))
def test_the_sync_face_has_the_method_with_the_same_arguments(name: str) -> None:
    sync, wanted = getattr(TemporalMemory, name), getattr(AsyncTemporalMemory, name)
    assert parameters(sync) == parameters(wanted)
    assert inspect.getdoc(sync) == inspect.getdoc(wanted)
    assert not inspect.iscoroutinefunction(sync)


def test_the_faces_differ_only_in_how_they_open_and_close() -> None:
    def public(face: type) -> set[str]:
        return {name for name in dir(face) if not name.startswith("_")}

    assert public(TemporalMemory) - public(AsyncTemporalMemory) == {"open", "close", "id"}
    assert public(AsyncTemporalMemory) - public(TemporalMemory) == {"aclose"}


def test_the_python_page_names_every_method_and_no_other() -> None:
    page = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    methods = {name for name in dir(TemporalMemory) if not name.startswith("_")} - {"id"}
    assert {name for name in methods if not re.search(rf"\b{name}\(", page)} == set()
    assert set(re.findall(r"\bmemory\.(\w+)\(", page)) <= methods
