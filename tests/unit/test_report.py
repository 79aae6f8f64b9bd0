"""Reports of made-up runs: what stands in them, what is left out, and that the page needs nothing else."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tem_graph.errors import EvaluationError, ModelError, SettingsError
from tem_graph.evaluate.report import write_report
from tem_graph.evaluate.report.examples import choose_examples
from tem_graph.evaluate.report.names import config_name, name_runs
from tem_graph.evaluate.report.published import published
from tem_graph.evaluate.report.table import Cell, Table, bounds, number, percent, points
from tem_graph.evaluate.report.write import (
    Report,
    make_report,
    markdown_text,
    render_html,
    render_markdown,
    save_report,
)
from tem_graph.evaluate.scoring.figures import Difference, Figure
from tem_graph.evaluate.scoring.judging import judge_run
from tem_graph.evaluate.scoring.score import score_run
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tests.unit.scored import answered, locomo_run, make_spec, question, state_update_run, write_run


def by_answer(request: ChatRequest) -> str:
    said = request.text.rpartition("<answer>")[2]
    grade, verdict = ("incorrect", "wrong") if "spring" in said else ("correct", "right")
    if "Graz" in said:
        grade, verdict = "unclear", "unresolved"
    return json.dumps({"reason": "so", "factual": grade, "temporal": "correct", "verdict": verdict})


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    return [
        state_update_run(folder / "small"),
        state_update_run(folder / "large", model="models/other-9b", seed=9),
        locomo_run(folder / "talks", adversarial=10),
        locomo_run(folder / "evidence", model=None),
    ]


@pytest.fixture(scope="module")
def judged(runs: list[Path]) -> list[Path]:
    asyncio.run(judge_run(runs[2], ScriptedChat(by_answer, name="judge-20b")))
    return runs


@pytest.fixture(scope="module")
def written(judged: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_report(report_of(*judged), tmp_path_factory.mktemp("report")).parent


@cache
def report_of(*folders: Path) -> Report:
    """Drawing takes the longest, so each report is made once; asked for only when its runs are complete."""
    return make_report(folders)


def table(folders: list[Path], name: str) -> Table:
    (found,) = (t for section in report_of(*folders).sections for t in section.tables if t.name == name)
    return found


def left_out(folders: list[Path]) -> dict[str, str]:
    report = report_of(*folders)
    pieces = [*report.left_out, *(piece for section in report.sections for piece in section.left_out)]
    return {name: piece.reason for piece in pieces for name in re.split(r", (?=Table)", piece.name)}


# Cells --------------------------------------------------------------------------------------------------------


def figure(total: float, asked: int, low: float, high: float, left_out: int = 0) -> Figure:
    return Figure("c", "overall", "all", "m", total / asked, total, asked, left_out, low, high)


def test_no_figure_stands_alone() -> None:
    assert percent(figure(410, 420, 0.9595, 0.9882)) == Cell("97.6", ("[96.0, 98.8]", "410/420"))
    assert percent(figure(12.25, 31, 0.3, 0.5, left_out=1)) == Cell("39.5", ("[30.0, 50.0]", "12.2/31, 1 left out"))
    assert percent(None) == Cell("–", ("not measured",))
    assert bounds(figure(424, 1540, 0.25, 0.3), figure(450, 1540, 0.27, 0.315)) == Cell(
        "27.5–29.2", ("[25.0, 31.5]", "424–450/1540")
    )
    same = figure(2, 4, 0.1, 0.9)
    assert bounds(same, same) == Cell("50.0", ("[10.0, 90.0]", "2/4"))
    assert bounds(same, None).text == "–"
    gap = Difference("a", "b", "overall", "all", "m", -0.055, 100, 4, 9, -0.1, 0.01)
    assert points(gap) == Cell("−5.5", ("[−10.0, +1.0]", "4 better, 9 worse of 100"))
    assert points(None).text == number(None).text == "–"


def test_markdown_shows_what_models_write_as_it_is() -> None:
    assert markdown_text("![x](http://a/b)\n<b>|`c`") == "\\!\\[x\\](http://a/b) &lt;b&gt;\\|\\`c\\`"


# Tables -------------------------------------------------------------------------------------------------------


def test_every_table_of_the_paper_is_there(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    text = (written / "report.md").read_text(encoding="utf-8")
    for name in [f"Table {n}" for n in range(1, 9)]:
        assert f"<b>{name}.</b>" in page
        assert f"### {name}:" in text


def test_models_stand_side_by_side(judged: list[Path]) -> None:
    overall = table(judged, "Table 2")
    assert overall.head == ("Configuration", "tiny-instruct", "other-9b")
    assert [row[0].text for row in overall.rows] == [
        "Session-aware RAG",
        "Full context",
        "Overwrite",
        "Unmarked",
        "TEM-Status",
    ]
    run = score_run(judged[0])
    assert overall.rows[4][1] == percent(run.figure("tem-status", "key_entity_hit"))
    assert overall.rows[4][1].detail[1].endswith("/70")


def test_hit_counts_agree_with_rates_and_gains(judged: list[Path]) -> None:
    for counts, labels in zip(table(judged, "Table 4").rows, table(judged, "Table 1").rows, strict=True):
        _, asked, unmarked, marked, net, only_with, only_without = (cell.text for cell in counts)
        assert int(net) == int(marked) - int(unmarked) == int(only_with) - int(only_without)
        assert labels[1].detail[1] == f"{unmarked}/{asked}"
        assert labels[3].text == f"{100 * int(net) / int(asked):+.1f}"


def test_query_groups_share_out_the_questions(judged: list[Path]) -> None:
    rows = table(judged, "Table 5").rows
    assert [row[1].text for row in rows] == ["Previous residence", "All others"] * 2
    assert [row[2].detail[1].partition("/")[2] for row in rows] == ["23", "47"] * 2


def test_evidence_length_has_its_ends_and_the_saving(judged: list[Path]) -> None:
    lengths = table(judged, "Table 6")
    account = score_run(judged[0]).account("tem-status")
    assert account
    spread = account.evidence_tokens
    assert lengths.rows[4][1] == Cell(f"{spread.mean:.1f}", (f"{spread.min} to {spread.max}", "70 answers"))
    assert lengths.rows[-1][0].text == "TEM-Status against session-aware RAG"
    assert re.fullmatch(r"−\d\d\.\d %", lengths.rows[-1][1].text)
    assert "all-mpnet-base-v2" in lengths.remarks[0]


def test_locomo_has_bounds_f1_and_recall_by_category(judged: list[Path]) -> None:
    strict, f1, recall = (table(judged, f"Table 7{part}") for part in ("", ", F1", ", evidence recall"))
    assert strict.head[2:7] == f1.head[2:7] == ("Multi-hop", "Temporal", "Open-domain", "Single-hop", "All")
    assert any("–" in row[6].text for row in strict.rows)
    assert all(row[6].detail[1].endswith("/80") for row in strict.rows)
    assert {row[0].text for row in f1.rows} == {"tiny-instruct"}
    assert {row[0].text for row in recall.rows} == {"tiny-instruct", "no model"}, "evidence needs no model"
    assert recall.rows[0][6].detail[1].endswith("/79, 1 left out")
    assert "judge-20b, judge.v1@" in strict.remarks[1]


def test_adversarial_questions_have_a_table_of_their_own(judged: list[Path]) -> None:
    row = table(judged, "Table 7, adversarial").rows[0]
    assert row[2].detail[1].endswith("/10")
    assert [cell.detail[1].rpartition("/")[2] for cell in row[4:6]] == ["80", "90"]


def test_what_no_run_holds_is_left_out_with_a_line(runs: list[Path], judged: list[Path]) -> None:
    assert left_out([runs[3]]) == {
        **{f"Table {n}": "no state-update run is among the runs" for n in range(1, 7)},
        "Table 7": "no run was judged",
        "Table 7, F1": "no run has answers",
        "Table 7, adversarial": "no run asked category 5",
    }
    text = render_markdown(report_of(runs[0]))
    assert "Left out: Table 7, because no LoCoMo run is among the runs." in text
    assert "Table 8" in text


def test_without_the_pair_there_is_no_gain_of_labels(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", make_spec("state-update", ["tem-status"]), [question()], [answered()])
    assert write_report([folder], tmp_path / "out") == tmp_path / "out" / "report.html"
    missing = left_out([folder])
    assert missing["Table 1"] == missing["Table 4"] == "no run has answers of both TEM-Status and Unmarked"
    assert "Differences" in missing
    assert table([folder], "Table 2").rows[0][1] == Cell("100.0", ("[20.7, 100.0]", "1/1"))


def test_operators_by_operator_and_trap_and_sets_by_set(tmp_path: Path) -> None:
    expected = {"status": "ok", "value": "Lyon"}
    questions = [
        question(f"q{n}", kind, expected=expected, metadata={"trap": trap})
        for n, (kind, trap) in enumerate([("current", "return"), ("previous", "return"), ("previous", "late")])
    ]
    log = [
        answered(f"q{n}", "tem-operators", path="operator", calls=0, result=expected if n else {"status": "none"})
        for n in range(3)
    ]
    typed = write_run(tmp_path / "typed", make_spec("operators", ["tem-operators"], None), questions, log)
    rows = {row[0].text: row[1].detail[1] for row in table([typed], "Operators").rows}
    assert rows == {"current": "0/1", "previous": "2/2", "All": "2/3"}
    rows = {row[0].text: row[1].detail[1] for row in table([typed], "Operators by trap").rows}
    assert rows == {"late": "1/1", "return": "1/2", "All": "2/3"}
    sets = write_run(
        tmp_path / "sets",
        make_spec("factconsolidation", ["tem-operators"]),
        [question("a", "sh_6k"), question("b", "mh_6k")],
        [answered("a", "tem-operators", "in Lyon"), answered("b", "tem-operators", "Porto")],
    )
    assert [row[1].text for row in table([sets], "FactConsolidation").rows] == ["0.0", "100.0", "50.0"]
    assert [row[1].text for row in table([sets], "FactConsolidation, exact").rows] == ["0.0", "0.0", "0.0"]
    assert [row[0].text for row in table([sets], "Table 8").rows[:2]] == ["TEM-Operators"] * 2


def test_longmemeval_is_shown_by_type(tmp_path: Path) -> None:
    folder = write_run(
        tmp_path / "run",
        make_spec("longmemeval", ["tem-hybrid-state"]),
        [question("a", "knowledge-update", evidence=("s1:0",))],
        [answered("a", "tem-hybrid-state", evidence_turns=("s1:0",))],
    )
    assert table([folder], "LongMemEval, evidence recall").rows[0][2].text == "100.0"
    assert left_out([folder])["LongMemEval"] == "no run was judged"


def test_published_figures_name_their_settings_and_sources() -> None:
    data = published()
    assert {paper.table for paper in data.paper} == {f"Table {n}" for n in range(1, 8)}
    assert len(data.figure) >= 15
    assert all(entry.source and entry.generator and entry.scoring for entry in data.figure)
    known = {(entry.system, entry.benchmark, entry.value) for entry in data.figure}
    assert ("TeleMem", "ZH-4O (Chinese)", "86.33") in known
    assert ("Zep/Graphiti", "FactConsolidation", "7") in known


# Runs ---------------------------------------------------------------------------------------------------------


def test_runs_of_one_model_are_told_apart(runs: list[Path]) -> None:
    scored = [score_run(folder) for folder in (runs[0], runs[0], runs[2])]
    names = [named.name for named in name_runs(scored)]
    assert names == ["tiny-instruct (small)", "tiny-instruct (small)", "tiny-instruct"]
    assert config_name("of-tomorrow") == "of-tomorrow"


def test_runs_that_cannot_be_compared_are_told(tmp_path: Path, runs: list[Path]) -> None:
    other = make_spec("state-update", ["tem-status"]).model_copy(update={"data_sha256": "cd" * 32, "code": "9"})
    folder = write_run(tmp_path / "run", other, [question()], [answered()])
    warnings = make_report([runs[0], folder]).warnings
    assert [part for part in ("data", "questions", "code") if any(f"differ in {part}" in w for w in warnings)] == [
        "data",
        "questions",
        "code",
    ]
    assert make_report(runs[:2]).warnings == ()


def test_a_run_that_is_not_done_is_told(tmp_path: Path) -> None:
    spec = make_spec("state-update", ["unmarked", "tem-status"])
    folder = write_run(tmp_path / "run", spec, [question("q1"), question("q2")], [answered("q1", "unmarked")])
    assert make_report([folder]).warnings == ("tiny-instruct: the run is not done, 3 of 4 answers are still to come.",)


async def test_answers_that_wait_for_a_judge_are_told(tmp_path: Path) -> None:
    folder = write_run(
        tmp_path / "run",
        make_spec("locomo", ["tem-hybrid-state"]),
        [question(f"q{n}", "temporal", metadata={"category": 2}) for n in range(3)],
        [answered(f"q{n}", "tem-hybrid-state", f"Lyon {n}") for n in range(3)],
    )
    one = ScriptedChat(['{"reason":"", "factual":"correct", "temporal":"correct", "verdict":"right"}'], name="judge")
    with pytest.raises(ModelError, match="no reply left"):
        await judge_run(folder, one, in_flight=1)
    assert make_report([folder]).warnings == (
        "tiny-instruct: 2 answers have not been judged and stand in the bounds as unresolved.",
    )


def test_a_report_of_nothing_or_of_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="at least one run"):
        write_report([], tmp_path)
    with pytest.raises(EvaluationError, match=r"log\.jsonl"):
        write_report([tmp_path], tmp_path)


def test_a_missing_extra_is_named(runs: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SettingsError) as caught:
        write_report([runs[0]], tmp_path)
    assert "tem-graph[evaluate]" in (caught.value.hint or "")


# Examples -----------------------------------------------------------------------------------------------------


def test_examples_are_chosen_by_a_rule(tmp_path: Path) -> None:
    asked = {"a": "current", "b": "current", "c": "historical", "d": "current", "e": "current"}
    questions = [question(id_, kind, other_values=("Porto",)) for id_, kind in asked.items()]
    said = {
        "tem-status": ("Lyon", "Lyon", "Lyon", "Porto", "Lyon, not Porto"),
        "unmarked": ("Porto", "Porto", "Porto", "Lyon", "Porto"),
        "session-rag": ("Lyon", "Porto", "Lyon", "Porto", "Porto"),
    }
    log = [
        answered(id_, config, text) for config, texts in said.items() for id_, text in zip(asked, texts, strict=True)
    ]
    folder = write_run(tmp_path / "run", make_spec("state-update", list(said)), questions, log)
    examples = choose_examples(name_runs([score_run(folder)]))
    shown = [(e.title.partition(",")[0], e.question) for e in examples]
    # "b" has two controls wrong, "c" is of another kind, "a" comes last; half right "e" is no example.
    assert shown == [
        ("TEM right", "Where does Ada live (b)?"),
        ("TEM right", "Where does Ada live (c)?"),
        ("TEM right", "Where does Ada live (a)?"),
        ("TEM wrong", "Where does Ada live (d)?"),
    ]
    first = examples[0]
    assert [(a.config, a.text, a.is_right) for a in first.answers] == [
        ("TEM-Status", "Lyon", True),
        ("Session-aware RAG", "Porto", False),
        ("Unmarked", "Porto", False),
    ]


# The page -----------------------------------------------------------------------------------------------------


def test_the_page_needs_no_other_file_and_no_network(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    assert "default-src 'none'" in page
    sources = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert sources
    assert all(source.startswith(("data:image/svg+xml;base64,", "#")) for source in sources)
    assert not re.search(r"url\(|@import|<script|http-equiv=\"refresh", page)


def test_links_of_the_page_lead_somewhere(written: Path) -> None:
    page = (written / "report.html").read_text(encoding="utf-8")
    ids = re.findall(r'id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(ids)
    assert set(re.findall(r'aria-labelledby="([^"]+)"', page)) <= set(ids)


def test_plots_are_files_and_whole(written: Path) -> None:
    drawn = sorted(path.name for path in (written / "plots").iterdir())
    stems = (
        "evidence-length",
        "historical-residence",
        "hit-rates",
        "locomo-evidence-length",
        "locomo-f1",
        "locomo-recall",
        "locomo-strict",
    )
    assert drawn == sorted(f"{stem}.{form}" for stem in stems for form in ("png", "svg"))
    for path in (written / "plots").iterdir():
        if path.suffix == ".svg":
            assert ElementTree.parse(path).getroot().tag.endswith("svg")
        else:
            assert path.read_bytes().startswith(b"\x89PNG")
    text = (written / "report.md").read_text(encoding="utf-8")
    assert all(f"(plots/{stem}.svg)" in text for stem in stems)


def test_the_same_runs_give_the_same_report(judged: list[Path]) -> None:
    one, other = report_of(judged[0]), make_report([judged[0]])
    assert render_html(one) == render_html(other)
    assert render_markdown(one) == render_markdown(other)


def test_what_models_write_stays_text(tmp_path: Path) -> None:
    attack = "<script>alert(1)</script> Lyon | `x` ![y](http://z)"
    folder = write_run(
        tmp_path / "run",
        make_spec("state-update", ["unmarked", "tem-status"]),
        [question("q", text="<img src=x onerror=y>")],
        [answered("q", "tem-status", attack), answered("q", "unmarked", "<b>Porto")],
    )
    report = make_report([folder])
    page, text = render_html(report), render_markdown(report)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<img src=x" not in page + text
    assert "![y]" not in text


def test_tables_of_markdown_have_as_many_cells_as_heads(written: Path) -> None:
    lines = (written / "report.md").read_text(encoding="utf-8").splitlines()
    tables = "\n".join(lines).split("\n\n")
    rows = [block.splitlines() for block in tables if block.startswith("|")]
    assert len(rows) >= 15
    for block in rows:
        assert re.fullmatch(r"\|( :?-+:? \|)+", block[1])
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in block}
        assert len(widths) == 1, block[0]


def test_scoring_and_reports_are_imported_without_their_libraries() -> None:
    code = (
        "import sys, tem_graph.evaluate.report, tem_graph.evaluate.scoring.judging\n"
        "print(sorted({'matplotlib', 'nltk', 'numpy', 'jinja2', 'openai', 'neo4j'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
