"""Evaluation jobs on a real Neo4j: a small state-update set from its text to its scores, also after `kill -9`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tem_graph.embed.cache import CachedEmbedder
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import EvaluationError, ModelUnavailable
from tem_graph.evaluate.builds import read_builds
from tem_graph.evaluate.configurations import Configuration
from tem_graph.evaluate.job import Adapters
from tem_graph.evaluate.log import LOG_FILE, LogLine, read_log
from tem_graph.evaluate.prepare import JobOptions
from tem_graph.evaluate.run import JobResult, run_job
from tem_graph.evaluate.scoring.score import score_run
from tem_graph.graph.connection import Address
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.settings import load_settings
from tests.integration.test_passages import Database

EVERYTHING = ",".join(Configuration)
MOVES = {"Ana": ("Rome", "Porto", "Oslo"), "Ben": ("Lima", "Quito", "Lima")}


def write_set(folder: Path, salt: str, moves: Mapping[str, Sequence[str]] = MOVES) -> Path:
    """Two people, three homes each. `salt` makes the set, and so its memories, this test's own."""
    folder.mkdir()
    sessions, questions = [], []
    for person, homes in moves.items():
        id_ = person.lower()
        for n, home in enumerate(homes, start=1):
            turns = [
                {"speaker": "Kim", "text": f"Hello {person}! {salt}"},
                {"speaker": person, "text": f"I moved to {home} last week."},
                {"speaker": person, "text": "The weather is lovely today."},
            ]
            session = {"persona_id": id_, "persona": person, "session_id": f"{id_}-s{n}", "session": n}
            sessions.append(session | {"date": f"2024-0{n}-10", "turns": turns})
        for n, (kind, text, key, others) in enumerate(
            [
                ("current", f"Where does {person} live now?", homes[2], set(homes) - {homes[2]}),
                ("previous_residence", f"Where did {person} live before moving to {homes[1]}?", homes[0], {homes[1]}),
                ("historical", f"What would {person} say about the weather?", "lovely", set()),
            ],
            start=1,
        ):
            question = {"id": f"{id_}-q{n}", "persona_id": id_, "persona": person, "relation": "residence"}
            gold = {"key_entity": key, "aliases": [], "other_values": sorted(others - {key})}
            questions.append(question | {"kind": kind, "question": text} | gold)
    for name, rows in (("sessions", sessions), ("questions", questions)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


@pytest.fixture
def small_set(tmp_path: Path, memory_id: str) -> Path:
    return write_set(tmp_path / "set", memory_id)


async def run(data: Path, folder: Path, address: Address, **options: object) -> JobResult:
    model = options.pop("chat", None)
    adapters = Adapters(address=address, embedder=HashingEmbedder(), model=model)  # type: ignore[arg-type]
    forget = bool(options.pop("forget", True))
    given = {"configs": EVERYTHING, "no_model": model is None, "extractor": "grammar"} | options
    return await run_job(
        JobOptions("state-update", data, **given),  # type: ignore[arg-type]
        load_settings(embedder="hashing"),
        folder,
        adapters=adapters,
        forget=forget,
    )


async def test_every_configuration_hands_over_its_evidence(small_set: Path, tmp_path: Path, migrated: Address) -> None:
    result = await run(small_set, tmp_path / "run", migrated)
    lines = {line.key: line for line in result.lines}
    assert len(lines) == 9 * 6
    assert [line.error for line in result.lines if line.error] == []

    operators = {key[1]: line.answer for key, line in lines.items() if key[0] == "tem-operators" and line.answer}
    assert operators == {"ana-q1": "Oslo", "ana-q2": "Rome", "ben-q1": "Lima", "ben-q2": "Lima"}
    assert {line.path for line in result.lines} == {"operator", "evidence"}

    def evidence(config: str) -> str:
        return lines[config, "ana-q1"].evidence

    assert evidence("unmarked") == evidence("tem-status").replace(" [historical]", "")
    assert evidence("tem-status").count("[historical]") == 2
    assert ("Oslo" in evidence("overwrite"), "Rome" in evidence("overwrite")) == (True, False)
    assert sorted(evidence("naive-rag").splitlines()) == sorted(evidence("session-rag").splitlines())
    assert evidence("session-rag").splitlines() == evidence("full-context").splitlines()
    assert lines["session-rag", "ana-q1"].evidence_turns[0] == "ana-s1:0"
    assert evidence("tem-hybrid-unmarked") == evidence("tem-hybrid-state").replace(" [historical]", "")
    assert all(line.evidence_tokens for line in result.lines)

    builds = read_builds(tmp_path / "run")
    assert {(b.session, b.status.value) for b in builds} == {
        (f"{p}-s{n}", "stored") for p in ("ana", "ben") for n in (1, 2, 3)
    }


async def test_memories_are_built_once_and_forgotten_on_demand(
    small_set: Path, tmp_path: Path, migrated: Address
) -> None:
    await run(small_set, tmp_path / "one", migrated, configs="tem-operators", forget=False)
    await run(small_set, tmp_path / "two", migrated, configs="tem-status", forget=True)
    assert read_builds(tmp_path / "two") == []
    await run(small_set, tmp_path / "three", migrated, configs="tem-status", forget=True)
    assert len(read_builds(tmp_path / "three")) == 6


def extracting(request: ChatRequest) -> str:
    """A model that extracts homes from the text and answers questions from the evidence's last fact."""
    if request.schema is not None:
        return '{"facts": [], "events": [], "notes": []}'
    return "Oslo."


async def test_a_model_that_dies_while_sessions_are_read_stops_the_job_and_loses_nothing(
    small_set: Path, tmp_path: Path, migrated: Address
) -> None:
    asked = 0

    def dying(request: ChatRequest) -> str | Exception:
        nonlocal asked
        asked += 1
        return extracting(request) if asked <= 2 else ModelUnavailable("connection refused")

    options = {"configs": "tem-status", "extractor": "model", "concurrency": 1, "forget": False}
    folder = tmp_path / "run"
    with pytest.raises(ModelUnavailable, match="connection refused") as stopped:
        await run(small_set, folder, migrated, chat=ScriptedChat(dying), **options)
    assert "same command" in str(stopped.value.hint)
    stored = [b.session for b in read_builds(folder) if b.status.value == "stored"]
    assert stored
    assert read_log(folder)[1] == []

    back = ScriptedChat(extracting)
    result = await run(small_set, folder, migrated, chat=back, **(options | {"forget": True}))
    assert [line.answer for line in result.lines] == ["Oslo."] * 6
    read_again = [b.session for b in read_builds(folder) if b.status.value == "stored"]
    assert sorted(read_again) == sorted({*read_again})
    assert sum(request.schema is not None for request in back.requests) == 6 - len(stored)


async def test_what_was_read_and_answered_before_a_kill_is_never_asked_again(
    tmp_path: Path, migrated: Address, memory_id: str
) -> None:
    """Case BM-09: four conversations, killed in the third; the last line of the log is cut short."""
    moves = MOVES | {"Cleo": ("Bonn", "Graz", "Bern"), "Dora": ("Lyon", "Metz", "Pau")}
    data = write_set(tmp_path / "set", memory_id, moves)
    options = {"configs": "tem-status,unmarked", "extractor": "model", "concurrency": 1, "forget": False}

    class Killed(BaseException):
        """As a signal: nothing of ours handles it."""

    answered = 0

    def killed(request: ChatRequest) -> str | Exception:
        nonlocal answered
        answered += request.schema is None
        if answered > 15:
            raise Killed
        return extracting(request)

    folder = tmp_path / "killed"
    with pytest.raises(BaseException) as caught:  # noqa: PT011  (a task group may wrap it)
        await run(data, folder, migrated, chat=ScriptedChat(killed, name="tiny"), **options)
    assert not isinstance(caught.value, Exception)
    log = folder / LOG_FILE
    whole_lines = read_log(folder)[1]
    log.write_bytes(log.read_bytes()[:-20])
    kept = read_log(folder)[1]
    assert len(kept) == len(whole_lines) - 1 >= 12

    back = ScriptedChat(extracting, name="tiny")
    resumed = await run(data, folder, migrated, chat=back, **options)
    assert not any(request.schema is not None for request in back.requests), "no conversation is read again"
    assert len(back.requests) == len(moves) * 6 - len(kept)
    assert list(resumed.lines[: len(kept)]) == kept

    undisturbed = tmp_path / "undisturbed"
    await run(data, undisturbed, migrated, chat=ScriptedChat(extracting, name="tiny"), **options)
    ours, theirs = score_run(folder), score_run(undisturbed)
    assert (ours.figures, ours.differences) == (theirs.figures, theirs.differences)

    with pytest.raises(EvaluationError, match=r"model\.name: 'tiny' and 'other'|model\.name: 'other' and 'tiny'"):
        await run(data, folder, migrated, chat=ScriptedChat(extracting, name="other"), **(options | {"forget": True}))


async def test_a_marker_stays_only_where_the_page_says(tmp_path: Path, migrated: Address, memory_id: str) -> None:
    """Case DE-03: said once, evaluated, forgotten; what the run keeps is its own record, and the page lists it."""
    marker = f"zq7marker{abs(hash(memory_id)):x}"
    data, folder = write_set(tmp_path / "set", marker), tmp_path / "run"
    cache = CachedEmbedder(HashingEmbedder(), tmp_path / "cache")
    (tmp_path / "cache").mkdir()
    await run_job(
        JobOptions("state-update", data, configs=EVERYTHING, no_model=True),
        load_settings(embedder="hashing"),
        folder,
        adapters=Adapters(address=migrated, embedder=cache),
        forget=True,
    )
    score_run(folder)
    found = Database(migrated).rows(
        "MATCH (n) WHERE any(key IN keys(n) WHERE toStringOrNull(n[key]) CONTAINS $marker) RETURN labels(n) AS labels",
        marker=marker,
    )
    assert found == []
    keeping = {path.name for path in folder.rglob("*") if path.is_file() and marker.encode() in path.read_bytes()}
    assert not any(marker.encode() in path.read_bytes() for path in (tmp_path / "cache").rglob("*") if path.is_file())
    page = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    listed = page.partition("## What stays")[2].partition("\n## ")[0]
    assert keeping
    assert all(f"`{name}`" in listed for name in keeping), keeping


def start(data: Path, folder: Path, address: Address) -> subprocess.Popen[bytes]:
    """The command itself, in a process of its own."""
    command = ["evaluate", "state-update", "--data", str(data), "--out", str(folder), "--configs", EVERYTHING]
    environment = os.environ | {
        "NEO4J_URI": address.uri,
        "NEO4J_USERNAME": address.username,
        "NEO4J_PASSWORD": address.password,
        "TEM_GRAPH_EMBEDDER": "hashing",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "tem_graph.cli", *command, "--no-model", "--concurrency", "1"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def answers(lines: list[LogLine]) -> dict[tuple[str, str], tuple[str, str]]:
    return {line.key: (line.answer, line.evidence) for line in lines}


async def test_killed_in_the_middle_a_job_goes_on_where_it_stopped(
    small_set: Path, tmp_path: Path, migrated: Address
) -> None:
    folder = tmp_path / "killed"
    process = start(small_set, folder, migrated)
    log = folder / LOG_FILE
    deadline = time.monotonic() + 300
    while not log.exists() or log.read_bytes().count(b"\n") < 8:
        assert process.poll() is None, process.stdout and process.stdout.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.kill()
    process.communicate()
    with log.open("ab") as file:
        file.write(b'{"id":"ana-q1","config":"tem-st')  # as a write that the kill cut in two
    before = read_log(folder)[1]
    assert 7 <= len(before) < 54

    process = start(small_set, folder, migrated)
    output, _ = process.communicate(timeout=300)
    assert process.returncode == 0, output.decode()
    assert f"54 answers, {len(before)} of them there already" in output.decode()
    after = read_log(folder)[1]
    assert after[: len(before)] == before
    for name in ("scores.json", "report.md", "report.html", "spec.json", "questions.jsonl"):
        assert (folder / name).is_file()

    whole = await run(small_set, tmp_path / "whole", migrated, extractor=None)
    assert answers(after) == answers(list(whole.lines))
