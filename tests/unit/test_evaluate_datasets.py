"""The readers of data sets: shapes, and the faults of published files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tem_graph.errors import EvaluationError, InputError
from tem_graph.evaluate.datasets import read_data


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def turn(number: int, text: str, **more: object) -> dict[str, object]:
    return {"speaker": "Ana", "dia_id": f"D1:{number}", "text": text, **more}


@pytest.fixture
def locomo(tmp_path: Path) -> Path:
    """A conversation with every fault that the published file has."""
    sample = {
        "sample_id": "conv-1",
        "conversation": {
            "speaker_a": "Ana",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [turn(1, "I moved."), turn(2, "Look!", blip_caption="a photo of a harbour")],
            "session_2_date_time": "1:56 pm on 9 May, 2023",
        },
        "qa": [
            {"question": "Where?", "answer": 2022, "evidence": ["D1:1"], "category": 2},
            {"question": " What? ", "answer": " A harbour ", "evidence": ["D1:2; D1:1", "D1:2"], "category": 4},
            {"question": "Trap?", "evidence": ["D1:1"], "category": 5, "adversarial_answer": "Rome"},
            {"question": "Where?", "answer": "x", "evidence": [], "category": 1},
            {"question": "Who?", "answer": "Ben", "evidence": ["D", "D9:9"], "category": 3, "hint": 1},
        ],
    }
    path = tmp_path / "locomo.json.gz"
    path.write_bytes(gzip.compress(json.dumps([sample]).encode()))
    return path


def test_locomo_with_all_its_faults(locomo: Path) -> None:
    data = read_data("locomo", locomo)
    assert [(q.id, q.kind, q.reference) for q in data.questions] == [
        ("conv-1-q000", "temporal", "2022"),
        ("conv-1-q001", "single-hop", "A harbour"),
        ("conv-1-q003", "multi-hop", "x"),
        ("conv-1-q004", "open-domain", "Ben"),
    ]
    assert data.questions[1].evidence == ("D1:2", "D1:1")
    assert data.questions[1].support[0] == "(2023-05-08) Ana: Look! [shares a photo of a harbour]"
    assert data.questions[3].evidence == ()
    assert data.questions[3].metadata["hint"] == 1
    assert [s.id for s in data.conversations["conv-1"]] == ["session_1"]
    told = " | ".join(data.notes)
    for fault in ("without a session", "answer is a number", "no answer", "no evidence", "repeats a question"):
        assert fault in told
    for fault in ("several ids in one string", "evidence does not exist", "evidence is no turn id"):
        assert fault in told


@pytest.mark.parametrize("named", ["5", "adversarial"])
def test_category_5_is_asked_only_when_it_is_named(locomo: Path, named: str) -> None:
    (question,) = read_data("locomo", locomo, [named]).questions
    assert (question.id, question.kind, question.reference) == ("conv-1-q002", "adversarial", None)
    assert question.metadata["adversarial_answer"] == "Rome"


def test_an_unknown_kind_is_refused_with_those_that_there_are(locomo: Path) -> None:
    with pytest.raises(EvaluationError, match="no questions of kind single") as refused:
        read_data("locomo", locomo, ["single"])
    assert "single-hop" in str(refused.value.hint)


def test_state_update(tmp_path: Path) -> None:
    write_lines(
        tmp_path / "sessions.jsonl",
        [
            {
                "persona_id": "p1",
                "persona": "Ana",
                "session_id": "p1-s1",
                "session": 1,
                "date": "2024-01-01",
                "turns": [{"speaker": "Ana", "text": "I live in Porto."}],
            }
        ],
    )
    question = {
        "id": "q1",
        "persona_id": "p1",
        "persona": "Ana",
        "relation": "residence",
        "kind": "current",
        "question": "Where does Ana live?",
        "key_entity": "Porto",
        "aliases": ["Oporto"],
        "other_values": ["Lisbon"],
        "difficulty": 3,
    }
    write_lines(tmp_path / "questions.jsonl", [question])
    (read,) = (data := read_data("state-update", tmp_path)).questions
    assert (read.reference, read.aliases, read.other_values, read.group) == ("Porto", ("Oporto",), ("Lisbon",), "p1")
    assert read.metadata == {"persona": "Ana", "relation": "residence", "difficulty": 3}
    assert data.conversations["p1"][0].index == 1

    write_lines(tmp_path / "questions.jsonl", [question, question])
    with pytest.raises(EvaluationError, match="occurs twice"):
        read_data("state-update", tmp_path)
    write_lines(tmp_path / "questions.jsonl", [question | {"persona_id": "p9"}])
    with pytest.raises(EvaluationError, match="'p9', who has no session"):
        read_data("state-update", tmp_path)
    write_lines(tmp_path / "questions.jsonl", [{k: v for k, v in question.items() if k != "key_entity"}])
    with pytest.raises(InputError, match="line 1: question: key_entity is missing"):
        read_data("state-update", tmp_path)


def test_operators_share_a_group_where_their_facts_are_equal(tmp_path: Path) -> None:
    facts = [{"subject": "Ana", "relation": "residence", "object": "Porto", "session": "s1", "index": 1}]
    other = [{**facts[0], "object": "Faro", "date": "2024-01-01", "effective": "2023"}]
    row = {"question": "Where?", "operator": "current", "args": {}, "expected": {"status": "ok", "value": "Porto"}}
    path = tmp_path / "set.jsonl"
    write_lines(
        path,
        [{"id": "a", "facts": facts, **row}, {"id": "b", "facts": facts, **row}, {"id": "c", "facts": other, **row}],
    )
    data = read_data("operators", path)
    a, b, c = data.questions
    assert a.group == b.group != c.group
    assert data.facts[c.group][0].effective == "2023"
    assert a.expected == {"status": "ok", "value": "Porto"}


def test_factconsolidation_sets_of_one_size_share_their_facts(tmp_path: Path) -> None:
    def item(name: str, context: str, **more: object) -> dict[str, object]:
        return {
            "context": f"Here is a list of facts:\n{context}",
            "questions": ["Where?"],
            "answers": [["Porto", "Oporto"]],
            "metadata": {"source": f"factconsolidation_{name}", "qa_pair_ids": [f"{name}_no0"], **more},
        }

    small, large = "0. Ana lives in Faro.\n1. Ana lives in Porto.", "0. Ben lives in Rome."
    path = tmp_path / "fc.json"
    path.write_text(json.dumps([item("sh_6k", small), item("mh_6k", small, keypoints=None), item("sh_32k", large)]))
    data = read_data("factconsolidation", path)
    assert [(q.id, q.kind, q.reference, q.aliases) for q in data.questions] == [
        ("sh_6k_no0", "sh_6k", "Porto", ("Oporto",)),
        ("mh_6k_no0", "mh_6k", "Porto", ("Oporto",)),
    ]
    assert len({q.group for q in data.questions}) == 1
    assert [s.index for s in data.conversations[data.questions[0].group]] == [0, 1]
    assert [q.kind for q in read_data("factconsolidation", path, ["sh_32k"]).questions] == ["sh_32k"]


def test_longmemeval_in_its_published_form(tmp_path: Path) -> None:
    item = {
        "question_id": "e47b",
        "question_type": "knowledge-update",
        "question": "What degree did I get?",
        "answer": 7,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s_a", "s_b", "s_a", "s_e"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 09:00", "2023/05/22 (Mon) 09:00", "2023/05/23"],
        "haystack_sessions": [
            [{"role": "user", "content": "A degree.", "has_answer": True}, {"role": "assistant", "content": " "}],
            [{"role": "user", "content": "Hello."}],
            [{"role": "user", "content": "Hello again."}],
            [],
        ],
        "answer_session_ids": ["s_a"],
    }
    path = tmp_path / "longmemeval.json"
    path.write_text(json.dumps([item, {**item, "question_id": "e47b_abs"}]))
    data = read_data("longmemeval", path)
    question, abstention = data.questions
    assert (question.kind, question.reference, question.evidence) == ("knowledge-update", "7", ("s_a:0",))
    assert question.support == ("(2023-05-20) user: A degree.",)
    assert question.metadata["asked_on"] == "2023-05-30"
    assert abstention.metadata["is_abstention"]
    assert [s.id for s in data.conversations["e47b"]] == ["s_a", "s_b", "s_a~2"]
    assert "4 turns or sessions" in data.notes[0]

    path.write_text(json.dumps([{**item, "haystack_dates": ["2023/05/20 (Sat) 02:21"]}]))
    with pytest.raises(InputError, match="4 ids, 1 dates and 4 sessions"):
        read_data("longmemeval", path)
    path.write_text(json.dumps([{**item, "haystack_dates": ["20 May", *item["haystack_dates"][1:]]}]))  # type: ignore[index]
    with pytest.raises(InputError, match="'20 May' and not like"):
        read_data("longmemeval", path)
