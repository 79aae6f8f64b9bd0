"""Reported faults of benchmarks (tests/fixtures/reported.jsonl, BM-*): scores and reports that do not repeat them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tem_graph.evaluate.datasets.locomo import read
from tem_graph.evaluate.log import LogLine
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.report import write_report
from tem_graph.evaluate.report.write import make_report, render_markdown
from tem_graph.evaluate.scoring.judging import judge_run
from tem_graph.evaluate.scoring.samples import Overlay
from tem_graph.evaluate.scoring.score import ScoredRun, score_run
from tem_graph.evaluate.scoring.verdict_file import Judge, read_lines
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.prompts.loader import load_prompt
from tests.unit.scored import answered, make_spec, model_spec, question, write_run

CONFIG = "tem-hybrid-state"
LINES = (Path(__file__).parents[1] / "fixtures" / "reported.jsonl").read_text(encoding="utf-8").splitlines()
CASES: dict[str, dict[str, Any]] = {case["id"]: case["given"] for case in map(json.loads, LINES)}


def questions_of(folder: Path, qa: Sequence[dict[str, Any]]) -> list[Question]:
    """The questions of a conversation in LoCoMo's published form."""
    turns = [{"speaker": "Ana", "dia_id": f"D1:{n}", "text": f"said {n}"} for n in (1, 2)]
    conversation = {
        "speaker_a": "Ana",
        "speaker_b": "Mira",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": turns,
    }
    path = folder / "locomo.json"
    path.write_text(json.dumps([{"sample_id": "conv-0", "conversation": conversation, "qa": qa}]), encoding="utf-8")
    return list(read(path).questions)


def scored(folder: Path, questions: Sequence[Question], log: Sequence[LogLine], **options: Any) -> ScoredRun:
    return score_run(write_run(folder / "run", make_spec("locomo", [CONFIG]), questions, log), **options)


def counts(run: ScoredRun, measure: str, group: str) -> tuple[float, int]:
    figure = run.figure(CONFIG, measure, group=group)
    assert figure
    return figure.total, figure.asked


def test_an_adversarial_question_without_an_answer_is_scored_as_should_decline(tmp_path: Path) -> None:
    """BM-01."""
    questions = questions_of(tmp_path, CASES["BM-01"]["qa"])
    log = [
        answered("conv-0-q000", CONFIG, "That is not mentioned."),
        answered("conv-0-q001", CONFIG, "Ravn", evidence_turns=("D1:2",)),
    ]
    run = scored(tmp_path, questions, log)
    assert counts(run, "declined", "adversarial") == (1, 1)
    assert counts(run, "locomo_f1", "all") == (1, 1)
    assert counts(run, "evidence_recall", "all") == (1, 1)


def test_each_overall_figure_has_its_own_numerator_and_denominator(tmp_path: Path) -> None:
    """BM-03."""
    kinds = ("multi-hop", "temporal", "open-domain", "single-hop")
    questions = [question(f"q{n}", kinds[n % 4], "Ravn", metadata={"category": n % 4 + 1}) for n in range(100)] + [
        question(f"a{n}", "adversarial", None, metadata={"category": 5}) for n in range(50)
    ]
    log = [answered(f"q{n}", CONFIG, "Ravn" if n < 80 else "Porto") for n in range(100)]
    log += [answered(f"a{n}", CONFIG, "not mentioned" if n < 45 else "lakes") for n in range(50)]
    run = scored(tmp_path, questions, log)
    assert counts(run, "locomo_f1", "all") == (80, 100)
    assert counts(run, "locomo_f1", "all with adversarial") == (125, 150)
    text = render_markdown(make_report([run.folder]))
    assert "80.0 (\\[72.0, 88.0\\] 80/100)" in text
    assert " 83.3 (" in text
    assert "125/150" in text
    assert "80/150" not in text
    assert "125/100" not in text


def test_a_system_that_always_declines_is_seen_through(tmp_path: Path) -> None:
    """BM-05."""
    questions = [question(f"q{n}", "single-hop", "Ravn", metadata={"category": 4}) for n in range(6)]
    questions += [question(f"a{n}", "adversarial", None, metadata={"category": 5}) for n in range(4)]
    run = scored(tmp_path, questions, [answered(q.id, CONFIG, CASES["BM-05"]["system"]) for q in questions])
    assert counts(run, "locomo_f1", "adversarial") == counts(run, "declined", "adversarial") == (4, 4)
    assert counts(run, "locomo_f1", "all") == (0, 6), "the headline leaves category 5 out"
    report = make_report([run.folder])
    (apart,) = (t for s in report.sections for t in s.tables if t.name == "Table 7, adversarial")
    assert [cell.text for cell in apart.rows[0][2:6]] == ["100.0", "100.0", "0.0", "40.0"]
    assert "categories 1 to 4 alone" in apart.remarks[0]


async def test_vague_hedged_and_wrong_dates_are_wrong_and_every_verdict_is_kept(tmp_path: Path) -> None:
    """BM-07. The judge here is a script that finds the fact right and forgets about the date: it is overruled. What
    the default prompt asks of a real one is in its text."""
    given = CASES["BM-07"]
    questions = [
        question(f"q{n}", "temporal", given["gold"], metadata={"category": 2}) for n in range(len(given["answers"]))
    ]
    run = scored(tmp_path, questions, [answered(f"q{n}", CONFIG, text) for n, text in enumerate(given["answers"])])
    lenient = ScriptedChat(
        ['{"reason": "a trip", "factual": "correct", "temporal": "incorrect", "verdict": "right"}'],
        repeat_last=True,
        name="judge-a",
    )
    await judge_run(run.folder, lenient)
    prompt = load_prompt("judge")
    assert all("<reference>\nJune 2023\n</reference>" in request.text for request in lenient.requests)
    assert '"in summer" for June 2023' in prompt.text
    assert "offers several possibilities" in prompt.text
    strict = score_run(run.folder)
    assert [counts(strict, f"strict_semantic_{bound}", "all") for bound in ("low", "high")] == [(0, 4), (0, 4)]
    assert {(line.judge, line.prompt, line.verdict) for line in read_lines(run.folder)} == {
        ("judge-a", prompt.label, "wrong")
    }
    assert len(read_lines(run.folder)) == 4
    other = ScriptedChat(
        ['{"reason": "", "factual": "correct", "temporal": "correct", "verdict": "right"}'], repeat_last=True, name="b"
    )
    await judge_run(run.folder, other)
    assert counts(score_run(run.folder), "strict_semantic_low", "all") == (4, 4)
    assert counts(score_run(run.folder, judge=Judge("judge-a", prompt.label)), "strict_semantic_low", "all") == (0, 4)


def test_numbers_as_gold_are_scored_and_typing_errors_have_an_overlay(tmp_path: Path) -> None:
    """BM-11."""
    given = CASES["BM-11"]
    qa = [{"question": f"Question {n}?", "evidence": ["D1:1"], **entry} for n, entry in enumerate(given["qa"])]
    questions = questions_of(tmp_path, qa)
    assert [q.reference for q in questions] == ["3", "Yesshe has two", "2022"]
    log = [answered(q.id, CONFIG, text) for q, text in zip(questions, given["predictions"], strict=True)]
    overlay = Overlay("typing", {questions[1].id: "Yes, she has two"})
    run = scored(tmp_path, questions, log, overlays=[overlay])
    by_question = [(s.scores["locomo_f1"], s.scores["locomo_f1@typing"]) for s in run.samples]
    assert by_question[0] == (0, 0), "as published, a word is not a number"
    assert by_question[1] == (pytest.approx(4 / 7), 1)
    assert by_question[2][0] == by_question[2][1] == pytest.approx(2 / 3)
    text = render_markdown(
        make_report([run.folder], overlays=[Overlay("typing", {questions[1].id: "Yes, she has two"})])
    )
    assert "Table 7, F1:" in text
    assert "Table 7, F1 with typing:" in text


def test_two_reports_can_be_compared_by_what_they_say(tmp_path: Path) -> None:
    """BM-13."""
    texts = []
    for name in ("model-a", "model-b"):
        spec = make_spec("locomo", [CONFIG]).model_copy(update={"model": model_spec(name)})
        questions = [question(f"q{n}", "single-hop", "Ravn", metadata={"category": 4}) for n in range(3)]
        log = [
            answered("q0", CONFIG, "Ravn"),
            answered("q1", CONFIG, "", path=None, error="ModelUnavailable: gone", calls=3, prompt_tokens=17),
            answered("q2", CONFIG, "Porto"),
        ]
        folder = write_run(tmp_path / name, spec, questions, log)
        asyncio.run(judge_run(folder, ScriptedChat(_right_for_ravn, name="judge-20b")))
        write_report([folder], tmp_path / f"report-{name}")
        texts.append((tmp_path / f"report-{name}" / "report.md").read_text(encoding="utf-8"))
    for text, name in zip(texts, ("model-a", "model-b"), strict=True):
        plain = text.replace("\\", "")
        for wanted in (
            f"SHA-256 {'ab' * 8}",
            "0.1.0+0123456789ab",
            f"| Answering model | {name}, thinking off |",
            f"judge-20b, {load_prompt('judge').label}",
            "all-mpnet-base-v2",
            "at most 15",
            "answer.v1@c929eca7",
            "temperature 0, seed 42",
            "| all, seed 42 |",
        ):
            assert wanted in plain
        (costs,) = (line for line in plain.splitlines() if line.startswith(f"| {name}, locomo") and "317" in line)
        assert "| 5 | 317 | 24 |" in costs, "calls, prompt tokens, output tokens of the failed one too"
        assert f"| {name}, locomo | TEM-Hybrid-State | 3 | 2 | 1 | 0 | 0 | 0 | 0 | 2 |" in plain
        assert "33.3 ([0.0, 100.0] 1/3)" in plain, "the failed question is in the denominator"


def _right_for_ravn(request: ChatRequest) -> str:
    is_right = "Ravn" in request.text.rpartition("<answer>")[2]
    grade, verdict = ("correct", "right") if is_right else ("incorrect", "wrong")
    return json.dumps({"reason": "so", "factual": grade, "temporal": "correct", "verdict": verdict})
