"""Commands on a memory without a database: what they ask of it, and what they write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tem_graph.cli.output import clean
from tem_graph.domain.outcome import OutcomeStatus
from tem_graph.domain.time import AsOf
from tem_graph.errors import GraphUnavailable, NotFound
from tem_graph.graph.store import MemoryInfo
from tem_graph.retrieve.hybrid import HybridEvidence
from tem_graph.temporal.result import Result, ResultStatus
from tests.unit.cli_fake import FakeMemory, make_fact, marked, reading, run


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NEO4J_URI", "NEO4J_PASSWORD", "TEM_GRAPH_MEMORY", "TEM_GRAPH_MODEL_URL", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def sessions_file(path: Path, *ids: str) -> str:
    lines = [{"id": id_, "turns": [{"speaker": "Ana", "text": "I live in Porto."}]} for id_ in ids]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


def personas_file(path: Path, *ids: str) -> str:
    """Personas, each a memory of its own."""
    turns = [{"speaker": "Ana", "text": "I live in Porto."}]
    lines = [{"persona_id": id_, "session_id": f"{id_}-1", "session": 1, "turns": turns} for id_ in ids]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return str(path)


# Facts ------------------------------------------------------------------------------------------------------


def test_facts_as_a_table_and_as_json() -> None:
    memory = FakeMemory(facts=lambda **_: marked(make_fact("Porto")))
    table = run(memory, "facts").stdout
    assert all(words in table for words in ("Ana", "residence", "Porto", "current", "session 2024-01-01"))
    document = json.loads(run(memory, "facts", "--json", "-m", "mine").stdout)
    assert document["memory"] == "mine"
    (fact,) = document["facts"]
    assert (fact["object"], fact["status"], fact["quote"]) == ("Porto", "current", "I live in Porto.")


def test_names_are_data_in_tables() -> None:
    evil = make_fact("[bold red]Porto[/] \x1b[31m\nsecond line")
    shown = run(FakeMemory(facts=lambda **_: marked(evil)), "facts").stdout
    assert "[bold red]Porto[/] \\x1b[31m second line" in shown
    assert "\x1b" not in shown


def test_narrow_terminals_get_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    shown = run(FakeMemory(facts=lambda **_: marked(make_fact("Porto"))), "facts").stdout
    assert "object: Porto\n" in shown


def test_one_fact_by_options_and_many_from_standard_input() -> None:
    memory = FakeMemory(add_facts=len)
    arguments = (
        "facts",
        "add",
        "Ana",
        "residence",
        "Lund",
        "--source",
        "call",
        "--effective",
        "2024-03",
        "--index",
        "3",
    )
    assert run(memory, *arguments).exit_code == 0
    (given,) = memory.asked[0][1][0]
    assert (given.object, given.source, given.effective, given.index, given.ended) == (
        "Lund",
        "call",
        "2024-03",
        3,
        False,
    )
    csv = "subject,relation,object,source\nAna,residence,Porto,a\nAna,residence,Lund,b\n"
    done = run(memory, "facts", "add", "--file", "-", "--format", "csv", "--json", answer=csv)
    assert json.loads(done.stdout)["added"] == 2


@pytest.mark.parametrize(
    "arguments",
    [("Ana", "residence", "Lund"), ("Ana", "residence", "--source", "x"), ("Ana", "--file", "x.csv"), ()],
)
def test_half_a_fact_is_a_usage_error(arguments: tuple[str, ...]) -> None:
    result = run(FakeMemory(), "facts", "add", *arguments)
    assert result.exit_code == 2
    assert "--file" in result.stderr


# A memory that is not there -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        "facts", "ask Q", "search Q", "evidence Q", "hybrid Q", "history Ana", "timeline", "as-of 2024 Ana residence",
        "when Ana residence", "count Ana residence", "operator current -a subject=Ana -a relation=residence",
        "subjects", "sessions", "sessions s1", "rejected", "events", "notes", "conflicts", "export", "reindex",
        "regroup", "correct id Porto --why x", "retract id --why x", "forget session s1 --yes",
        "forget subject Ana --yes", "subjects split Ana", "subjects merge Ana Bo --why x",
    ],
)  # fmt: skip
def test_a_mistyped_memory_is_an_error_and_not_an_empty_one(command: str) -> None:
    listed = [MemoryInfo(id_, None, 1, 1, None) for id_ in ("mimes", "mine", "other")]
    memory = FakeMemory(memories=lambda: listed)
    memory.is_there = False
    done = run(memory, *command.split(), "-m", "mien")
    assert (done.exit_code, done.stdout) == (4, "")
    assert "there is no memory 'mien'" in done.stderr
    assert "did you mean 'mine' or 'mimes'?" in done.stderr


def test_what_puts_something_in_makes_its_memory() -> None:
    memory = FakeMemory(add_facts=len)
    memory.is_there = False
    assert run(memory, "facts", "add", "Ana", "residence", "Lund", "--source", "call", "-m", "new").exit_code == 0


# Points in time ---------------------------------------------------------------------------------------------


def test_known_after_takes_a_session_id_and_else_a_place() -> None:
    def as_of(*, valid_at: Any, known_after: str | int) -> AsOf:
        if known_after == 3:
            return AsOf(valid_at, valid_at, "key")
        raise NotFound("no such session")

    memory = FakeMemory(as_of=as_of, facts=lambda **_: [])
    assert run(memory, "facts", "--known-after", "3", "--on", "2024-02-01").exit_code == 0
    assert memory.asked[-1][2]["as_of"].known_after == "key"
    assert run(memory, "facts", "--known-after", "x").exit_code == 4


def test_a_day_that_does_not_exist_is_refused() -> None:
    result = run(FakeMemory(), "facts", "--on", "2023-02-30")
    assert result.exit_code == 2
    assert "--on: '2023-02-30' is not a day" in result.stderr


# Operators --------------------------------------------------------------------------------------------------


def answering(value: str = "Porto") -> FakeMemory:
    def operator(name: str, **_: object) -> Result:
        return Result(name, ResultStatus.FOUND, "It is so.", value, (make_fact(value),))

    return FakeMemory(operator=operator)


@pytest.mark.parametrize(
    ("arguments", "name", "expected"),
    [
        (("as-of", "2024-02", "Ana", "residence"), "as_of_date", {"date": "2024-02"}),
        (("when", "Ana", "residence"), "since", {}),
        (("when", "Ana", "residence", "Lund"), "became", {"value": "Lund", "occurrence": "last"}),
        (("when", "Ana", "residence", "Lund", "--which", "2", "--ended"), "ended", {"value": "Lund", "occurrence": 2}),
        (("count", "Ana", "residence"), "count_versions", {}),
        (("count", "Ana", "residence", "--of", "values"), "count_distinct", {}),
        (("count", "Ana", "residence", "Lund"), "count_value", {"value": "Lund"}),
        (("operator", "nth", "-a", "subject=Ana", "-a", "relation=residence", "-a", "n=-1"), "nth", {"n": "-1"}),
    ],
)
def test_time_commands_ask_the_operator_that_they_mean(
    arguments: tuple[str, ...], name: str, expected: dict[str, object]
) -> None:
    memory = answering()
    document = json.loads(run(memory, *arguments, "--json").stdout)
    assert document["operator"] == name
    assert document["answer"] == {"status": "ok", "value": "Porto"}
    ((_, _, options),) = memory.asked
    assert options == {"as_of": None, "subject": "Ana", "relation": "residence", **expected}


def test_an_operator_that_does_not_exist_is_said_before_connecting() -> None:
    memory = FakeMemory()
    result = run(memory, "operator", "curent", "-a", "subject=Ana")
    assert result.exit_code == 2
    assert "current" in result.stderr
    assert memory.settings is None


def test_operators_are_listed() -> None:
    names = {o["name"] for o in json.loads(run(FakeMemory(), "operator", "--json").stdout)["operators"]}
    assert {"current", "during", "order"} <= names


# Ingest -----------------------------------------------------------------------------------------------------


def test_ingest_ends_with_a_table_and_totals(tmp_path: Path) -> None:
    memory, _ = reading()
    result = run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1", "s2"))
    assert result.exit_code == 0
    assert "2 sessions in 0.5 s" in result.stdout
    assert "read by fake" in result.stdout


@pytest.mark.parametrize(("status", "code"), [(OutcomeStatus.FAILED, 9), (OutcomeStatus.CONFLICT, 5)])
def test_what_did_not_succeed_is_listed_with_its_reason(tmp_path: Path, status: OutcomeStatus, code: int) -> None:
    memory, _ = reading(status)
    result = run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1"))
    assert result.exit_code == code
    assert "because of the test" in result.stdout
    document = json.loads(run(memory, "ingest", str(tmp_path / "a.jsonl"), "--json").stdout)
    assert document["totals"][status.value] == 1


def test_resume_says_only_how_many_were_stored(tmp_path: Path) -> None:
    memory, _ = reading(OutcomeStatus.UNCHANGED)
    result = run(memory, "ingest", "--resume", sessions_file(tmp_path / "a.jsonl", "s1", "s2"))
    assert result.exit_code == 0
    assert "2 of 2 sessions were stored already; 0 were read" in result.stdout
    assert "unchanged" not in result.stdout


def test_conversations_with_an_id_are_memories_of_their_own(tmp_path: Path) -> None:
    file = personas_file(tmp_path / "p.jsonl", "ana", "ben")
    memory, _ = reading()
    assert set(json.loads(run(memory, "ingest", file, "--json").stdout)["memories"]) == {"ana", "ben"}
    both = json.loads(run(memory, "ingest", file, "--json", "-m", "study").stdout)
    assert set(both["memories"]) == {"study/ana", "study/ben"}
    one = json.loads(run(memory, "ingest", file, "--json", "-m", "study", "--conversation", "ben").stdout)
    assert set(one["memories"]) == {"study"}
    unknown = run(memory, "ingest", file, "--conversation", "cleo")
    assert unknown.exit_code == 2
    assert "there are ana, ben" in unknown.stderr


def test_limit_takes_the_first_sessions(tmp_path: Path) -> None:
    memory, seen = reading()
    run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1", "s2", "s3"), "--limit", "2")
    assert seen == {"0": ["s1", "s2"]}


def test_nothing_is_opened_when_one_file_is_bad(tmp_path: Path) -> None:
    memory, _ = reading()
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "s1", "turns": [{"speaker": "Ana"}]}\n', encoding="utf-8")
    result = run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1"), str(bad))
    assert result.exit_code == 2
    assert "bad.jsonl" in result.stderr
    assert "text" in result.stderr
    assert memory.settings is None


def test_ctrl_c_says_what_is_stored_and_how_to_go_on(tmp_path: Path) -> None:
    memory, _ = reading()
    told = memory.verbs["ingest"]

    def interrupted(sessions: list[Any], **options: Any) -> None:
        told(sessions[:1], **options)
        raise KeyboardInterrupt

    memory.verbs["ingest"] = interrupted
    result = run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1", "s2", "s3"))
    assert result.exit_code == 130
    assert "1 of 3 sessions are stored" in result.stderr
    assert "Run the same command again" in result.stderr


def test_a_database_that_has_gone_ends_with_3_and_says_what_is_stored(tmp_path: Path) -> None:
    memory, _ = reading()
    told = memory.verbs["ingest"]

    def gone(sessions: list[Any], **options: Any) -> None:
        told(sessions[:1], **options)
        raise GraphUnavailable("Neo4j does not answer")

    memory.verbs["ingest"] = gone
    result = run(memory, "ingest", sessions_file(tmp_path / "a.jsonl", "s1", "s2"))
    assert result.exit_code == 3
    assert "1 of 2 sessions are stored" in result.stderr


def test_what_is_left_out_of_a_file_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    memory, seen = reading()
    chat, empty = tmp_path / "chat.json", tmp_path / "empty.json"
    chat.write_text('[{"role": "user", "content": "Hi."}, {"role": "user", "content": ""}]', encoding="utf-8")
    empty.write_text('{"messages": []}', encoding="utf-8")
    result = run(memory, "ingest", str(chat), str(empty))
    assert result.exit_code == 0
    assert seen == {"0": ["chat"]}
    assert "chat.json: left out: 1 empty message\n" in result.stderr
    assert "empty.json: left out: 1 session without words ('empty')\n" in result.stderr
    nothing = run(memory, "ingest", str(empty))
    assert nothing.exit_code == 2
    assert "nothing to store" in nothing.stderr


# Forgetting and amending ------------------------------------------------------------------------------------


def forgetting() -> FakeMemory:
    return FakeMemory(forget_subject=lambda subject, dry_run=False: {"subjects": 1, "facts": 3, "rejections": 0})


def done_for_good(memory: FakeMemory) -> bool:
    return any(not options.get("dry_run") for _, _, options in memory.asked)


def test_forgetting_asks_first_and_no_means_no() -> None:
    memory = forgetting()
    result = run(memory, "forget", "subject", "Ana", answer="n\n")
    assert result.exit_code == 1
    assert "1 subjects, 3 facts" in result.stderr
    assert not done_for_good(memory)


def test_forgetting_with_a_yes() -> None:
    for arguments, answer in ((("--yes",), None), ((), "y\n")):
        memory = forgetting()
        result = run(memory, "forget", "subject", "Ana", "--json", *arguments, answer=answer)
        assert json.loads(result.stdout)["removed"] is True
        assert done_for_good(memory)


def test_a_dry_run_changes_nothing() -> None:
    memory = forgetting()
    assert "would be removed" in run(memory, "forget", "subject", "Ana", "--dry-run").stdout
    assert not done_for_good(memory)


def test_two_names_for_one_memory_are_refused() -> None:
    assert run(FakeMemory(), "forget", "memory", "a", "-m", "b", "--yes").exit_code == 2


def test_retract_says_who_and_why() -> None:
    memory = FakeMemory(retract=lambda *ids, by, why: ids)
    result = run(memory, "retract", "f1", "f2", "--by", "Mira", "--why", "misheard", "--json")
    assert json.loads(result.stdout)["retracted"] == ["f1", "f2"]
    assert memory.asked[0][2] == {"by": "Mira", "why": "misheard"}
    assert run(memory, "retract", "f1").exit_code == 2


# Timeline, export, settings ---------------------------------------------------------------------------------


def test_timeline_in_the_terminal_and_as_a_page(tmp_path: Path) -> None:
    memory = FakeMemory(facts=lambda **_: marked(make_fact("Porto"), make_fact("Lund", "2024-03-01")))
    drawn = run(memory, "timeline").stdout
    assert drawn.index("Porto") < drawn.index("Lund")
    page = tmp_path / "t.html"
    assert run(memory, "timeline", "--html", str(page)).stdout.strip() == str(page)
    assert "Porto" in page.read_text(encoding="utf-8")
    lost = run(memory, "timeline", "--html", str(tmp_path / "no" / "t.html"))
    assert lost.exit_code == 2
    assert "cannot be written" in lost.stderr


def test_export_never_overwrites_unasked_and_leaves_no_half_file(tmp_path: Path) -> None:
    memory = FakeMemory(facts=lambda **_: marked(make_fact("Porto")))
    file = tmp_path / "CLAUDE.md"
    file.write_text("mine", encoding="utf-8")
    assert run(memory, "export", "claude-md", "-o", str(file)).exit_code == 2
    assert file.read_text(encoding="utf-8") == "mine"
    assert run(memory, "export", "claude-md", "-o", str(file), "--force").exit_code == 0
    assert "Ana | residence | Porto" in file.read_text(encoding="utf-8")

    def broken(stream: Any, *, with_embeddings: bool) -> int:
        stream.write("half\n")
        raise NotFound("no such memory")

    memory.verbs["export"] = broken
    assert run(memory, "export", "-o", str(tmp_path / "new.jsonl")).exit_code == 4
    assert sorted(p.name for p in tmp_path.iterdir()) == ["CLAUDE.md"]


def test_every_setting_is_listed_and_no_secret_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from tem_graph.settings import Settings

    monkeypatch.setenv("NEO4J_PASSWORD", "pass-word-1")
    monkeypatch.setenv("TEM_GRAPH_MODEL_KEY", "key-2")
    monkeypatch.setenv("TEM_GRAPH_MODEL_URL", "http://me:pass-3@host/v1")
    for form in ((), ("--json",)):
        shown = run(FakeMemory(), "info", "--settings", *form).stdout
        assert not {"pass-word-1", "key-2", "pass-3"} & set(shown.replace("/", " ").replace("@", " ").split())
        assert not any(secret in shown for secret in ("pass-word-1", "key-2", "pass-3"))
    entries = json.loads(run(FakeMemory(), "info", "--settings", "--json").stdout)["settings"]
    assert {e["name"] for e in entries} == set(Settings.model_fields)
    assert all(e["description"] for e in entries)
    by_name = {e["name"]: e for e in entries}
    assert by_name["neo4j_password"] == by_name["neo4j_password"] | {
        "variable": "NEO4J_PASSWORD",
        "from": "environment",
    }
    assert by_name["limit"]["variable"] == "TEM_GRAPH_LIMIT"


def test_clean_shows_control_characters_and_keeps_joiners() -> None:
    assert clean("a\x1b]0;title\x07b") == "a\\x1b]0;title\\x07b"
    assert clean("👩🏽‍🌾 نور") == "👩🏽‍🌾 نور"


# Hybrid evidence ----------------------------------------------------------------------------------------------
def hybrid_memory() -> FakeMemory:
    evidence = HybridEvidence("<Memory>\ns1, 1 May 2024\nAna: hi\n</Memory>", 12, "estimate", (), (), (("s1", 0),))
    return FakeMemory(hybrid_evidence=lambda *_, **__: evidence)


def test_hybrid_hands_on_budget_marks_and_counter_and_writes_the_evidence_bare() -> None:
    memory = hybrid_memory()
    result = run(memory, "hybrid", "Who?", "--budget", "77", "--no-marks")
    assert (result.exit_code, result.stdout) == (0, "<Memory>\ns1, 1 May 2024\nAna: hi\n</Memory>\n")
    ((name, arguments, options),) = memory.asked
    assert (name, arguments) == ("hybrid_evidence", ("Who?",))
    assert (options["budget_tokens"], options["marks"], options["counter"].name) == (77, False, "estimate")


def test_hybrid_as_json_says_which_turns_are_in_it() -> None:
    document = json.loads(run(hybrid_memory(), "hybrid", "Who?", "--json").stdout)
    assert document["turns"] == [{"session": "s1", "turn": 0}]
    assert (document["tokens"], document["counted_by"]) == (12, "estimate")
