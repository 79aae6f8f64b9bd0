"""The state-update set means what it says: sizes, gold in the text, unambiguous questions, and an honest score."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from itertools import combinations, pairwise, permutations
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks import extraction_score
from benchmarks.extraction_score import score_extraction, status_accuracy
from benchmarks.state_update import main
from benchmarks.state_update_set import RELATIONS, WORDINGS, StateUpdateSet, generate
from benchmarks.wording import OTHER_SPEAKER, load, templates
from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.settings import load_relations

CATALOG = load_relations()


@pytest.fixture(scope="module")
def full() -> StateUpdateSet:
    return generate(seed=42)


@pytest.fixture(scope="module", params=WORDINGS)
def voiced(request: pytest.FixtureRequest) -> StateUpdateSet:
    return generate(seed=3, personas=40, wording=request.param)


def test_sizes_are_those_of_the_paper(full: StateUpdateSet) -> None:
    assert len({s["persona_id"] for s in full.sessions}) == 60
    assert len(full.sessions) == 600
    assert Counter(q["kind"] for q in full.questions) == {"current": 180, "historical": 180, "previous_residence": 60}
    assert Counter(q["relation"] for q in full.questions if q["kind"] == "historical") == dict.fromkeys(RELATIONS, 60)
    assert {f["kind"] for f in full.facts} == {"initial", "change", "return", "reaffirm"}


def test_the_same_seed_gives_the_same_set_and_another_seed_another() -> None:
    assert generate(5, 4) == generate(5, 4)
    assert generate(5, 4) != generate(6, 4)


@pytest.mark.parametrize("name", WORDINGS)
def test_wording_is_varied_enough(name: str) -> None:
    data = load(name)
    for relation in RELATIONS:
        assert len(data["change"][relation]) >= 40
    assert sum(len(entries) for whys in data["distractor"].values() for entries in whys.values()) >= 40
    every = [template for _, template in templates(name)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(("one", "other"), list(combinations(WORDINGS, 2)))
def test_two_wording_sets_share_no_template(one: str, other: str) -> None:
    assert not {t for _, t in templates(one)} & {t for _, t in templates(other)}


@pytest.mark.parametrize("name", WORDINGS)
def test_every_template_states_its_value_in_the_right_mouth(name: str) -> None:
    for path, turns in templates(name):
        own = " ".join(t for t in turns if not t.startswith(OTHER_SPEAKER))
        if path[0] in {"initial", "change", "return"}:
            assert any(mark in own for mark in ("{new}", "{a_new}", "{A_new}")), turns
        elif path[0] == "reaffirm":
            assert "{cur}" in own or "{a_cur}" in own, turns
        elif path[0] == "distractor":
            assert "other}" in " ".join(turns), turns
        elif path[0] == "combined":
            assert all(f"{{{r}}}" in own or f"{{a_{r}}}" in own for r in path[1].split("_")), turns


def test_no_value_contains_another_one() -> None:
    values = load("values")
    for relation in RELATIONS:
        forms = [
            [form.casefold() for form in (v["name"], *v.get("aliases", ()))]
            for script in ("latin", "other_scripts")
            for v in values[relation][script]
        ]
        for one, other in permutations(forms, 2):
            assert not any(a in b for a in one for b in other), (one, other)


def test_gold_facts_stand_in_a_turn_of_the_persona(voiced: StateUpdateSet) -> None:
    sessions = {s["session_id"]: s for s in voiced.sessions}
    for fact in voiced.facts:
        turn = sessions[fact["session_id"]]["turns"][fact["turn"]]
        assert turn["speaker"] == fact["subject"]
        assert fact["object"].casefold() in turn["text"].casefold()
        assert "{" not in turn["text"]
    for negative in voiced.negatives:
        assert (
            negative["value"].casefold()
            in sessions[negative["session_id"]]["turns"][negative["turn"]]["text"].casefold()
        )


def test_a_negative_is_never_a_value_of_its_persona(voiced: StateUpdateSet) -> None:
    held = {(f["persona_id"], f["relation"], f["object"]) for f in voiced.facts}
    assert not held & {(n["persona_id"], n["relation"], n["value"]) for n in voiced.negatives}


def test_relative_dates_never_reach_behind_an_earlier_session(voiced: StateUpdateSet) -> None:
    dates: dict[str, list[datetime]] = defaultdict(list)
    for session in voiced.sessions:
        dates[session["persona_id"]].append(datetime.fromisoformat(session["date"]))
    for told in dates.values():
        assert all(later - earlier > timedelta(days=61) for earlier, later in pairwise(told))


def _stints(facts: list[dict[str, Any]], persona_id: str, relation: str) -> list[str]:
    told = [f["object"] for f in facts if (f["persona_id"], f["relation"]) == (persona_id, relation)]
    return [value for n, value in enumerate(told) if n == 0 or value != told[n - 1]]


def test_answers_follow_from_the_gold_facts_and_only_one_update_can_be_meant(voiced: StateUpdateSet) -> None:
    for question in voiced.questions:
        stints = _stints(voiced.facts, question["persona_id"], question["relation"])
        text = question["question"]
        if question["kind"] == "current":
            assert question["key_entity"] == stints[-1]
            continue
        latest = len(stints) - 1
        if question["kind"] == "previous_residence":
            assert question["key_entity"] == stints[latest - 1]
        named = [n for n in range(1, len(stints)) if stints[n] in text]
        if not named:
            assert question["kind"] == "previous_residence"
            continue
        if "back" in text or "return" in text or " again" in text:
            named = [n for n in named if stints[n] in stints[:n]]
        elif "first" in text:
            named = named[:1]
        else:
            assert len(named) == 1
            assert stints[named[0]] not in stints[: named[0]]
        assert [stints[n - 1] for n in named] == [question["key_entity"]]
        assert question["relation"] != "residence" or (named == [latest]) == (question["kind"] == "previous_residence")


def test_other_values_leave_out_the_answer_and_what_the_question_names(full: StateUpdateSet) -> None:
    for question in full.questions:
        assert question["key_entity"] not in question["other_values"]
        assert not set(question["aliases"]) & set(question["other_values"])
        assert not any(value in question["question"] for value in question["other_values"])
    assert any(q["other_values"] for q in full.questions)
    assert any(q["aliases"] for q in full.questions)


def test_the_law_gives_every_gold_fact_its_status(full: StateUpdateSet) -> None:
    found = status_accuracy(CATALOG, full.facts)
    assert found.disagreements == ()
    assert found.agreed == found.checked > 2 * len(full.facts)


def test_status_accuracy_notices_a_law_that_is_wrong(full: StateUpdateSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction_score, "mark_status", lambda facts, _: extraction_score.mark_status_as_paper(facts))
    found = status_accuracy(CATALOG, full.facts)
    assert found.agreed < found.checked


class _Scripted:
    """Proposes what it is told to; `believe` stands in for verification."""

    name = "scripted"

    def __init__(self, per_session: dict[str, list[Candidate]]) -> None:
        self._per_session = per_session

    async def extract(self, session: Session) -> Extraction:
        return Extraction("scripted", tuple(self._per_session.get(session.id, ())))


def _believe(session: Session, extraction: Extraction, catalog: object, **_: object) -> tuple[Any, tuple[()]]:
    return extraction.candidates, ()


def _candidate(row: dict[str, Any], value: str) -> Candidate:
    drink = row["relation"] == "drink"
    subject = row.get("subject") or row["persona"]
    return Candidate(
        subject, "likes" if drink else row["relation"], value, row["turn"], slot="drink" if drink else None
    )


def _score(data: StateUpdateSet, proposed: dict[str, list[Candidate]]) -> extraction_score.ExtractionScore:
    parts = {"sessions": data.sessions, "facts": data.facts, "negatives": data.negatives}
    return asyncio.run(score_extraction(_Scripted(proposed), CATALOG, parts))


def test_an_extractor_that_reads_gold_scores_one(voiced: StateUpdateSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extraction_score, "verify", _believe)
    proposed: dict[str, list[Candidate]] = defaultdict(list)
    for fact in voiced.facts:
        proposed[fact["session_id"]].append(_candidate(fact, "the " + fact["object"].upper()))
    score = _score(voiced, proposed)
    assert (score.overall.precision, score.overall.recall) == (1.0, 1.0)
    assert score.overall.gold == len(voiced.facts)
    assert score.errors == []


def test_an_extractor_that_falls_for_every_negative_scores_zero(
    voiced: StateUpdateSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extraction_score, "verify", _believe)
    names = {s["persona_id"]: s["persona"] for s in voiced.sessions}
    proposed: dict[str, list[Candidate]] = defaultdict(list)
    for negative in voiced.negatives:
        row = negative | {"persona": names[negative["persona_id"]]}
        proposed[negative["session_id"]].append(_candidate(row, negative["value"]))
    score = _score(voiced, proposed)
    assert (score.overall.precision, score.overall.recall) == (0.0, 0.0)
    assert score.violated.total() > 0.95 * len(voiced.negatives)


def test_generate_writes_the_four_files(tmp_path: Any) -> None:
    done = CliRunner().invoke(main, ["generate", str(tmp_path), "--seed", "1", "--personas", "3", "--json"])
    assert done.exit_code == 0, done.output
    counts = json.loads(done.output)["counts"]
    assert counts["sessions"] == 30
    for name, count in counts.items():
        lines = (tmp_path / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(lines) == count
    checked = CliRunner().invoke(main, ["status-accuracy", str(tmp_path), "--json"])
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.output)["accuracy"] == 1.0
