"""The log of a job: identity, resume, torn lines, other runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.log import LOG_FILE, LogLine, LogWriter, read_log
from tem_graph.evaluate.questions import Question, read_questions, write_questions
from tem_graph.evaluate.spec import ModelSpec, RetrievalSpec, Spec, code_revision


def a_spec(**changes: object) -> Spec:
    given = {
        "job": "state-update",
        "data_name": "set",
        "data_sha256": "0" * 64,
        "configs": ("tem-operators", "tem-status"),
        "retrieval": RetrievalSpec(extractor="grammar", embedder="hashing", counter="estimate", limit=15),
        "code": "0.1.0+abc",
    }
    return Spec.model_validate(given | changes)


def a_line(id: str, config: str = "tem-status", **changes: object) -> LogLine:
    return LogLine.model_validate({"id": id, "config": config, "question": f"{id}?"} | changes)


def test_the_identity_is_of_what_can_change_an_answer() -> None:
    spec = a_spec()
    assert spec.identity == a_spec(data_name="elsewhere").identity
    model = ModelSpec(
        name="m", temperature=0.0, seed=42, window=32768, answer_max_tokens=512, extraction_max_tokens=8192
    )
    others = [
        a_spec(seed=7),
        a_spec(configs=("tem-status",)),
        a_spec(code="0.1.0+def"),
        a_spec(model=model),
        a_spec(relations="19 relations@3f2a91c0"),
    ]
    assert len({spec.identity, *(o.identity for o in others)}) == 6


def test_the_identity_of_a_known_spec_does_not_move() -> None:
    # A change here means that logs of earlier versions are not continued: raise SPEC_VERSION with it.
    assert a_spec().identity == "813d02196ea3c9fb9e1ed8342a1ba5c1e1db652d230d6e3d1fe09dcd5b6f0b1f"


def test_memories_are_shared_by_runs_that_differ_in_questions_only() -> None:
    assert a_spec().build == a_spec(seed=7, configs=("unmarked",), sample=3).build
    assert a_spec().build != a_spec(data_sha256="1" * 64).build
    assert a_spec().build != a_spec(relations="20 relations@3f2a91c0").build


def test_the_code_revision_names_the_version() -> None:
    version, _, digest = code_revision().partition("+")
    assert version
    assert len(digest) == 12


def test_a_log_is_continued(tmp_path: Path) -> None:
    with LogWriter(tmp_path, a_spec()) as log:
        log.append([a_line("q1", answer="Porto"), a_line("q2", error="BadReply: no")])
    with LogWriter(tmp_path, a_spec(data_name="moved")) as log:
        assert set(log.lines) == {("tem-status", "q1"), ("tem-status", "q2")}
        log.append([a_line("q2", answer="Lisbon")])
    spec, lines = read_log(tmp_path)
    assert spec == a_spec()
    assert [(line.id, line.answer, line.error) for line in lines] == [("q1", "Porto", None), ("q2", "Lisbon", None)]


@pytest.mark.parametrize("torn", [1, 7, 40])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, torn: int) -> None:
    with LogWriter(tmp_path, a_spec()) as log:
        log.append([a_line("q1"), a_line("q2")])
    path = tmp_path / LOG_FILE
    path.write_bytes(path.read_bytes()[:-torn])
    assert [line.id for line in read_log(tmp_path)[1]] == ["q1"]
    with LogWriter(tmp_path, a_spec()) as log:
        assert [line.id for line in log.lines.values()] == ["q1"]
        log.append([a_line("q2"), a_line("q3")])
    assert [line.id for line in read_log(tmp_path)[1]] == ["q1", "q2", "q3"]


def test_a_torn_header_begins_anew(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).write_bytes(b'{"format": "tem-gr')
    with LogWriter(tmp_path, a_spec()) as log:
        log.append([a_line("q1")])
    assert [line.id for line in read_log(tmp_path)[1]] == ["q1"]


def test_another_run_is_refused_and_nothing_changed(tmp_path: Path) -> None:
    with LogWriter(tmp_path, a_spec()) as log:
        log.append([a_line("q1")])
    before = (tmp_path / LOG_FILE).read_bytes()
    with (
        pytest.raises(EvaluationError, match=r"differs in seed: 42 and 7") as refused,
        LogWriter(tmp_path, a_spec(seed=7)),
    ):
        pass
    assert "new --out folder" in str(refused.value.hint)
    assert (tmp_path / LOG_FILE).read_bytes() == before


def test_two_processes_do_not_write_to_one_log(tmp_path: Path) -> None:
    with (
        LogWriter(tmp_path, a_spec()),
        pytest.raises(EvaluationError, match="another process"),
        LogWriter(tmp_path, a_spec()),
    ):
        pass


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    with LogWriter(tmp_path, a_spec()) as log:
        log.append([a_line("q1"), a_line("q2")])
    path = tmp_path / LOG_FILE
    path.write_bytes(path.read_bytes().replace(b'"id":"q1"', b'"id":1'))
    with pytest.raises(EvaluationError, match="line 2"):
        read_log(tmp_path)


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / LOG_FILE).write_text('{"id": "q1"}\n')
    with pytest.raises(EvaluationError, match="header"):
        read_log(tmp_path)


def test_questions_come_back_as_they_were_written(tmp_path: Path) -> None:
    questions = [
        Question("q1", "Where?", "current", "Porto", ("Oporto",), ("Lisbon",), group="p1", metadata={"x": [1, {}]}),
        Question("q2", "When?", "since", None, operator="since", args={"subject": "Ana"}, expected={"status": "none"}),
    ]
    write_questions(tmp_path, questions)
    assert read_questions(tmp_path) == questions
