"""One story, told to the command line from beginning to end: Ana moves, comes back, and is forgotten."""

from __future__ import annotations

import json
import signal
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.conftest import Cli

STORY = [
    ("s1", "2023-03-04", "I live in Porto and I work as a nurse."),
    ("s2", "2023-08-12", "I moved to Lisbon two weeks ago."),
    ("s3", "2024-06-08", "I moved back to Porto last week."),
]
ASCII = {"PYTHONIOENCODING": "ascii"}


@pytest.fixture(scope="module")
def story(cli: Cli) -> Path:
    lines = [
        {"id": id_, "date": date, "turns": [{"speaker": "Ana", "text": text}, {"speaker": "Ben", "text": "Oh, nice!"}]}
        for id_, date, text in STORY
    ]
    file = cli.folder / "story.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def memory(cli: Cli, story: Path) -> Iterator[str]:
    """A memory that has been told the story."""
    id_ = f"story-{uuid.uuid4().hex[:12]}"
    totals = cli("ingest", str(story), "-m", id_, "--json").json["totals"]
    assert totals["stored"] == 3
    assert totals["facts"] >= 4
    yield id_
    cli("forget", "memory", id_, "--yes")


# What goes in comes out ---------------------------------------------------------------------------------------


def test_reading_again_changes_nothing_and_says_so(cli: Cli, memory: str, story: Path) -> None:
    assert cli("ingest", str(story), "-m", memory, "--json").json["totals"]["unchanged"] == 3
    resumed = cli("ingest", str(story), "-m", memory, "--resume")
    assert resumed.code == 0
    assert "3 of 3 sessions were stored already" in resumed.out


def test_a_changed_session_is_a_conflict_until_it_replaces(cli: Cli, story: Path) -> None:
    id_ = f"changed-{uuid.uuid4().hex[:12]}"
    cli("ingest", str(story), "-m", id_)
    changed = cli.folder / "changed.jsonl"
    changed.write_text(story.read_text(encoding="utf-8").replace("Lisbon", "Braga"), encoding="utf-8")
    refused = cli("ingest", str(changed), "-m", id_)
    assert refused.code == 5
    assert "s2" in refused.out
    assert cli("ingest", str(changed), "-m", id_, "--replace", "--json").json["totals"]["replaced"] == 1
    objects = {
        f["object"]: f["status"] for f in cli("facts", "-m", id_, "--relation", "residence", "--json").json["facts"]
    }
    assert objects["Braga"] == "historical"
    assert objects["Lisbon"] == "retracted"
    assert cli("forget", "memory", id_, "--yes").code == 0


def test_asked_by_operator_with_its_evidence(cli: Cli, memory: str) -> None:
    answer = cli("ask", "Where does Ana live now?", "-m", memory, "--json").json
    assert (answer["answer"], answer["path"], answer["operator"]) == ("Porto", "operator", "current")
    assert any("Porto" in fact["quote"] for fact in answer["facts"])
    shown = cli("ask", "Where does Ana live now?", "-m", memory).out
    assert shown.startswith("Porto\n")
    assert "no model asked" in shown


def test_a_question_that_no_operator_fits_shows_its_evidence(cli: Cli, memory: str) -> None:
    answer = cli("ask", "What might Ana's favourite season be like?", "-m", memory, "--json").json
    if answer["path"] == "evidence":
        assert "No language model is set" in answer["answer"]
        assert answer["evidence"]["text"].startswith("<Memory>")
    else:
        assert answer["result"]["status"] != "found"


def test_history_timeline_and_operators_agree(cli: Cli, memory: str) -> None:
    (history,) = cli("history", "Ana", "residence", "-m", memory, "--json").json["history"]
    assert [stint["objects"] for stint in history["stints"]] == [["Porto"], ["Lisbon"], ["Porto"]]
    assert cli("count", "Ana", "residence", "-m", memory, "--json").json["answer"]["value"] == 3
    assert cli("as-of", "2023-12-01", "Ana", "residence", "-m", memory).out.startswith("Lisbon\n")
    when = cli("when", "Ana", "residence", "Lisbon", "-m", memory, "--json").json["answer"]
    assert when == {"status": "ok", "value": {"date": "2023-07-29", "session": "s2"}}
    before = cli("operator", "previous", "-a", "subject=Ana", "-a", "relation=residence", "-m", memory)
    assert before.out.startswith("Lisbon\n")
    drawn = cli("timeline", "Ana", "-m", memory).out
    assert "residence" in drawn
    assert "▶" in drawn


def test_known_after_an_earlier_session(cli: Cli, memory: str) -> None:
    facts = cli("facts", "-m", memory, "--relation", "residence", "--known-after", "s2", "--json").json["facts"]
    assert {f["object"] for f in facts if f["status"] == "current"} == {"Lisbon"}


def test_evidence_is_marked_and_takes_its_knobs(cli: Cli, memory: str) -> None:
    block = cli("evidence", "Where does Ana live?", "-m", memory).out
    assert "Lisbon" in block
    assert "[historical]" in block
    assert "[historical]" not in cli("evidence", "Where does Ana live?", "-m", memory, "--no-marks").out
    knobs = ("--label", "(replaced by {successor} as of {date})", "--rules", "-k", "3", "--by-relation")
    assert "(replaced by" in cli("evidence", "Where does Ana live?", "-m", memory, *knobs).out
    hits = cli("search", "Where does Ana live?", "-k", "2", "-m", memory, "--json").json["facts"]
    assert len(hits) == 2
    assert hits[0]["score"] >= hits[1]["score"]


def test_the_page_is_written(cli: Cli, memory: str) -> None:
    assert cli("timeline", "-m", memory, "--html", "timeline.html").out.strip() == "timeline.html"
    page = (cli.folder / "timeline.html").read_text(encoding="utf-8")
    assert "I moved to Lisbon two weeks ago" in page
    assert "<script" not in page


def test_sessions_rejected_conflicts_and_info(cli: Cli, memory: str) -> None:
    sessions = cli("sessions", "-m", memory, "--json").json["sessions"]
    assert [(s["id"], s["place"], s["outcome"]["status"]) for s in sessions] == [
        ("s1", 1, "stored"), ("s2", 2, "stored"), ("s3", 3, "stored"),
    ]  # fmt: skip
    turns = cli("sessions", "s2", "-m", memory, "--json").json["turns"]
    assert [t["text"] for t in turns] == [STORY[1][2], "Oh, nice!"]
    assert "rejected" in cli("rejected", "-m", memory, "--json").json
    assert cli("conflicts", "-m", memory, "--json").json["facts"] == []
    assert memory in {m["id"] for m in cli("info", "--json").json["memories"]}


def test_facts_by_hand_conflict_and_are_corrected_on_record(cli: Cli) -> None:
    id_ = f"hand-{uuid.uuid4().hex[:12]}"
    csv = (
        "subject,relation,object,source\n"
        'Cozy Home,ad budget,"$3,000",call Feb 12\nCozy Home,ad budget,"$4,500",call Oct 3\n'
        'Cozy Home,ad budget,"$5,400",call Oct 3\n'
    )
    assert cli("facts", "add", "--file", "-", "--format", "csv", "-m", id_, given=csv).code == 0
    conflicting = cli("conflicts", "-m", id_, "--json").json["facts"]
    assert {f["object"] for f in conflicting} == {"$4,500", "$5,400"}
    wrong = next(f["id"] for f in conflicting if f["object"] == "$5,400")
    assert cli("retract", wrong, "--why", "transposed digits", "--by", "Mira", "-m", id_).code == 0
    assert cli("conflicts", "-m", id_, "--json").json["facts"] == []
    (kept,) = (f for f in cli("facts", "-m", id_, "--json").json["facts"] if f["status"] == "retracted")
    assert (kept["retracted"]["by"], kept["retracted"]["why"]) == ("Mira", "transposed digits")
    right = next(f["id"] for f in conflicting if f["object"] == "$4,500")
    assert cli("correct", right, "$4,600", "--why", "misheard", "-m", id_).code == 0
    assert (
        cli("as-of", "2026-01-01", "Cozy Home", "ad budget", "-m", id_, "--json").json["answer"]["status"] != "conflict"
    )
    assert cli("forget", "memory", id_, "--yes").code == 0


def test_export_and_import_are_lossless(cli: Cli, memory: str) -> None:
    copy = f"{memory}-copy"
    assert cli("export", "-m", memory, "-o", "memory.jsonl").code == 0
    assert cli("export", "-m", memory, "-o", "memory.jsonl").code == 2
    assert cli("import", "memory.jsonl", "-m", copy).code == 0
    assert cli("import", "memory.jsonl", "-m", copy).code == 5
    first, second = (cli("export", "-m", id_).out.splitlines()[1:-1] for id_ in (memory, copy))
    assert first == second
    assert len(first) > 10
    text = cli("export", "claude-md", "-m", memory).out
    assert "[historical: replaced by Lisbon" in text
    assert cli("forget", "memory", copy, "--yes").code == 0


# What goes wrong is said ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("environment", "code", "words"),
    [
        ({"NEO4J_PASSWORD": "wrong"}, 3, "NEO4J_PASSWORD"),
        ({"NEO4J_URI": "bolt://127.0.0.1:1"}, 3, "NEO4J_URI"),
        ({"NEO4J_DATABASE": "nowhere"}, 3, "NEO4J_DATABASE"),
        ({"NEO4J_URI": "nonsense"}, 3, "NEO4J_URI"),
        ({"TEM_GRAPH_TIMEZONE": "Mars/Olympus"}, 2, "timezone"),
        ({"TEM_GRAPH_EXTRACTOR": "model"}, 2, "TEM_GRAPH_MODEL_URL"),
    ],
)
def test_wrong_settings_are_named(cli: Cli, story: Path, environment: dict[str, str], code: int, words: str) -> None:
    done = cli("ingest", str(story), "-m", "never-stored", **environment)
    assert done.code == code
    assert done.err.startswith("Error: ")
    assert words in done.err
    assert "Traceback" not in done.err
    assert done.out == ""


def test_bad_files_facts_and_names(cli: Cli, memory: str) -> None:
    bad = cli.folder / "bad.jsonl"
    bad.write_text('{"id": "s1", "turns": [{"speaker": "Ana", "text": "Hi"}]}\n{"id": "s2"', encoding="utf-8")
    wrong = cli("ingest", "bad.jsonl", "-m", memory)
    assert wrong.code == 2
    assert "bad.jsonl" in wrong.err
    assert "line 2" in wrong.err
    assert cli("ingest", "no-such-file.json").code == 2
    assert cli("history", "Nobody", "-m", memory).code == 4
    assert cli("forget", "session", "no-such", "-m", memory, "--yes").code == 4
    assert cli("forget", "memory", f"{memory}-no-such", "--yes").code == 4
    assert cli("retract", "no-such-fact", "--why", "x", "-m", memory).code == 4
    assert cli("sessions", "no-such", "-m", memory).code == 4
    assert cli("export", "-m", f"{memory}-no-such").code == 4
    mistyped = cli("facts", "-m", f"{memory}x", "--json")
    assert (mistyped.code, mistyped.out) == (4, "")
    assert f"did you mean '{memory}'" in mistyped.err


def test_doctor_says_what_to_fix(cli: Cli) -> None:
    healthy = cli("doctor")
    assert healthy.code == 0, healthy.out
    assert "ok   neo4j: version 5." in healthy.out
    ill = cli("doctor", "--json", NEO4J_URI="bolt://127.0.0.1:1", TEM_GRAPH_MODEL_URL="http://127.0.0.1:1/v1")
    assert ill.code == 9
    broken = {check["name"]: check["fix"] for check in json.loads(ill.out)["checks"] if not check["is_ok"]}
    assert broken.keys() == {"neo4j", "model"}
    assert all(broken.values())


def test_doctor_says_which_memory_hybrid_evidence_cannot_search(cli: Cli) -> None:
    id_ = f"earlier {uuid.uuid4().hex[:12]}"
    (cli.folder / "told.jsonl").write_text(
        json.dumps({"id": "s1", "turns": [{"speaker": "Ana", "text": "I live in Lund."}]}), encoding="utf-8"
    )
    assert cli("ingest", "told.jsonl", "-m", id_, TEM_GRAPH_PASSAGES="none").code == 0

    def check(**environment: str) -> dict[str, Any]:
        checks = json.loads(cli("doctor", "--json", **environment).out)["checks"]
        (found,) = (check for check in checks if check["name"] == "passages")
        assert isinstance(found, dict)
        return found

    found = check()
    if id_ in found["found"]:  # a shared server may have others that come first
        assert found["fix"] == f"tem-graph reindex --memory '{id_}'"
    assert not found["is_ok"]
    assert check(TEM_GRAPH_PASSAGES="none")["is_ok"]
    assert cli("reindex", "-m", id_).code == 0
    assert id_ not in check()["found"]
    assert cli("forget", "memory", id_, "--yes").code == 0


def test_every_script_survives_a_terminal_without_unicode(cli: Cli) -> None:
    id_ = f"unicode-{uuid.uuid4().hex[:12]}"
    names = ("نور", "قطة", "مومو 🐈‍⬛")
    assert cli("facts", "add", *names, "--source", "s1", "--date", "2024-01-01", "-m", id_).code == 0
    posix = {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for environment, command in (
        (ASCII, ("facts",)), (ASCII, ("timeline",)), (ASCII, ("evidence", names[0])), (ASCII, ("info",)),
        ({"LANG": "C", "LC_ALL": "C"}, ("facts",)), (posix, ("history", names[0])),
    ):  # fmt: skip
        done = cli(*command, "-m", id_, **environment)
        assert done.code == 0, done.err
        assert "\ufffd" not in done.out
        (fact,) = cli("facts", "--subject", names[0], "-m", id_, "--json", **environment).json["facts"]
        assert (fact["subject"], fact["relation"], fact["object"]) == names
    exported = cli("export", "-m", id_, **ASCII).out
    assert names[2] in exported
    assert cli("forget", "memory", id_, "--yes", **ASCII).code == 0


def test_no_colour_codes_where_nobody_sees_them(cli: Cli, memory: str) -> None:
    for environment in ({}, {"NO_COLOR": "1", "COLUMNS": "30"}):
        assert "\x1b" not in cli("timeline", "-m", memory, **environment).out


def test_ctrl_c_keeps_whole_sessions_and_the_same_command_goes_on(cli: Cli) -> None:
    id_ = f"stopped-{uuid.uuid4().hex[:12]}"
    many = 400
    lines = [
        {"id": f"s{n}", "turns": [{"speaker": "Ana", "text": f"I moved to Town{n}. I work as a nurse."}] * 5}
        for n in range(many)
    ]
    file = cli.folder / "many.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    running = cli.start("ingest", str(file), "-m", id_, "-v")
    assert running.stderr is not None
    assert b"stored" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130
    assert f"of {many} sessions are stored, each whole. Run the same command again to go on." in err.decode()
    stored = cli("sessions", "-m", id_, "--json").json["sessions"]
    assert 0 < len(stored) < many
    assert all(s["turns"] == 5 for s in stored)
    totals = cli("ingest", str(file), "-m", id_, "--resume", "--json").json["totals"]
    assert totals["unchanged"] == len(stored)
    assert totals["stored"] == many - len(stored)
    assert cli("forget", "memory", id_, "--yes").code == 0


def test_forgetting_a_session_and_a_subject(cli: Cli, story: Path) -> None:
    id_ = f"forget-{uuid.uuid4().hex[:12]}"
    cli("ingest", str(story), "-m", id_)
    planned = cli("forget", "session", "s3", "-m", id_, "--dry-run", "--json").json
    assert planned["removed"] is False
    assert cli("ask", "Where does Ana live now?", "-m", id_).out.startswith("Porto\n")
    assert cli("forget", "session", "s3", "-m", id_, "--yes", "--json").json["counts"] == planned["counts"]
    assert cli("ask", "Where does Ana live now?", "-m", id_).out.startswith("Lisbon\n")
    asked = cli("forget", "subject", "Ana", "-m", id_, given="n\n")
    assert asked.code == 1
    assert cli("forget", "subject", "Ana", "-m", id_, given="y\n").code == 0
    assert cli("facts", "-m", id_, "--json").json["facts"] == []
    assert cli("forget", "memory", id_, "--yes").code == 0
