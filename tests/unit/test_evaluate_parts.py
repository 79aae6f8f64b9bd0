"""The pure parts of a job: configurations, samples, profiles, turns as evidence, answers over given facts."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.evidence import Passage, PassageKind, ScoredPassage
from tem_graph.domain.time import SessionDate
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.embed.tokens import EstimateCounter
from tem_graph.errors import EvaluationError, ModelRefused, ModelUnavailable, SettingsError
from tem_graph.evaluate.configurations import Configuration, need_graph, need_reading, parse_configurations
from tem_graph.evaluate.job import Adapters, Job
from tem_graph.evaluate.log import read_log
from tem_graph.evaluate.prepare import JobOptions, prepare
from tem_graph.evaluate.profiles import profile_of
from tem_graph.evaluate.questions import Question
from tem_graph.evaluate.reply import answer_prompt
from tem_graph.evaluate.run import run_job
from tem_graph.evaluate.sampling import choose_sample
from tem_graph.evaluate.turns import choose_turns, full_context
from tem_graph.llm.scripted import ScriptedChat
from tem_graph.ports import ChatReply
from tem_graph.settings import load_settings

COUNTER = EstimateCounter()


# Configurations, profiles, prompt -----------------------------------------------------------------------------------


def test_configurations_are_known_by_the_papers_names() -> None:
    assert parse_configurations("state-update", " tem-status,unmarked, tem-status") == (
        Configuration.TEM_STATUS,
        Configuration.UNMARKED,
    )
    with pytest.raises(EvaluationError, match="'tem-magic'") as refused:
        parse_configurations("locomo", "tem-magic")
    assert "tem-hybrid-unmarked" in str(refused.value.hint)
    with pytest.raises(EvaluationError, match="has no sessions, so naive-rag"):
        parse_configurations("operators", "tem-operators,naive-rag")
    with pytest.raises(EvaluationError, match="no configuration is named"):
        parse_configurations("locomo", " , ")


@pytest.mark.parametrize(
    ("configs", "graph", "reading"),
    [("full-context", False, False), ("naive-rag,full-context", True, False), ("session-rag,unmarked", True, True)],
)
def test_what_configurations_need(configs: str, graph: bool, reading: bool) -> None:
    parsed = parse_configurations("locomo", configs)
    assert (need_graph(parsed), need_reading(parsed)) == (graph, reading)


def test_profiles_say_what_differs_by_model() -> None:
    assert profile_of("meta-llama/Llama-3.1-8B-Instruct", "state-update").answer_max_tokens == 512
    assert profile_of("Qwen/Qwen3.5-9B", "locomo").answer_max_tokens == 1024
    oss = profile_of("/models/gpt-oss-20b/", "locomo")
    assert (oss.answer_max_tokens, oss.reasoning_effort, oss.window) == (4096, "low", 32768)


def test_the_answer_prompt_is_pinned() -> None:
    # Another prompt is another evaluation: add a version and leave this one alone.
    assert answer_prompt().label == "answer_evaluation.v1@ad7fddba"


# Samples ------------------------------------------------------------------------------------------------------------


def questions_of(kinds: list[str]) -> list[Question]:
    return [Question(f"q{number:03d}", "?", kind, None) for number, kind in enumerate(kinds)]


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=60), st.integers(1, 70), st.integers(0, 3))
def test_a_sample_has_its_size_its_kinds_and_its_seed(kinds: list[str], count: int, seed: int) -> None:
    asked = questions_of(kinds)
    chosen = choose_sample(asked, count, seed)
    assert len(chosen) == min(count, len(asked))
    assert chosen == [q for q in asked if q in chosen]
    assert chosen == choose_sample(list(reversed(asked)), count, seed)[::-1]
    sizes, got = Counter(kinds), Counter(q.kind for q in chosen)
    for kind, size in sizes.items():
        share = min(count, len(asked)) * size / len(asked)
        assert abs(got[kind] - share) < 1 + len(sizes)
        if count >= len(sizes):
            assert got[kind] >= 1


def test_shares_are_those_of_the_set() -> None:
    chosen = choose_sample(questions_of(["a"] * 90 + ["b"] * 9 + ["c"]), 20, 42)
    assert Counter(q.kind for q in chosen) == {"a": 17, "b": 2, "c": 1}
    assert chosen != choose_sample(questions_of(["a"] * 90 + ["b"] * 9 + ["c"]), 20, 7)


# Turns as evidence --------------------------------------------------------------------------------------------------


def hit(session: str, position: int, text: str) -> ScoredPassage:
    day = date(2024, 1, int(session[1:]))
    return ScoredPassage(Passage(PassageKind.TURN, f"{session}-{position}", text, session, session, day, (position,)))


HITS = [hit("s3", 1, "Ana: I moved to Porto."), hit("s1", 0, "Ana: I live in Rome."), hit("s2", 4, "Ben: A " * 40)]


def test_naive_and_session_aware_turns_differ_in_order_alone() -> None:
    naive = choose_turns(HITS, COUNTER, limit=2, budget=None, in_order=False)
    ordered = choose_turns(HITS, COUNTER, limit=2, budget=None, in_order=True)
    assert naive.text == "(2024-01-03) Ana: I moved to Porto.\n(2024-01-01) Ana: I live in Rome."
    assert ordered.text.splitlines() == naive.text.splitlines()[::-1]
    assert naive.turns == (("s3", 1), ("s1", 0))


def test_a_budget_passes_over_what_does_not_fit_and_is_kept() -> None:
    hits = [HITS[2], *HITS[:2]]
    chosen = choose_turns(hits, COUNTER, limit=1, budget=40, in_order=True)
    assert [place[0] for place in chosen.turns] == ["s1", "s3"]
    assert chosen.tokens == COUNTER.count(chosen.text) <= 40
    assert chosen.left_out == 1


def test_full_context_leaves_the_oldest_out() -> None:
    sessions = [
        Session(
            f"s{n}",
            (Turn(0, "Ana", f"Day {n}."), Turn(1, "Ben", "Yes.", "a photo")),
            SessionDate.parse(f"2024-01-0{n}"),
        )
        for n in (2, 1)
    ]
    whole = full_context(sessions, COUNTER, 10_000)
    assert whole.text.splitlines()[0] == "(2024-01-01) Ana: Day 1."
    assert whole.text.splitlines()[1] == "(2024-01-01) Ben: Yes. [shares a photo]"
    assert (len(whole.turns), whole.left_out) == (4, 0)
    cut = full_context(sessions, COUNTER, whole.tokens - 1)
    assert (cut.turns[0], cut.left_out) == (("s1", 1), 1)
    assert full_context(sessions, COUNTER, 0).text == ""


# Operator sets, end to end ------------------------------------------------------------------------------------------

FACTS = [
    {"subject": "Ana", "relation": "residence", "object": "Rome", "session": "s1", "index": 1, "date": "2024-01-01"},
    {"subject": "Ana", "relation": "residence", "object": "Porto", "session": "s2", "index": 2, "date": "2024-02-01"},
]
ROWS: list[dict[str, Any]] = [
    {
        "id": "o1",
        "facts": FACTS[::-1],
        "question": "Where did Ana live before Porto?",
        "operator": "before",
        "args": {"subject": "Ana", "relation": "residence", "value": "Porto"},
        "expected": {"status": "ok", "value": "Rome"},
        "trap": "order",
    },
    {
        "id": "o2",
        "facts": FACTS,
        "question": "What would Ana say about Porto's weather?",
        "operator": "current",
        "args": {"subject": "Ana", "relation": "residence"},
        "expected": {"status": "ok", "value": "Porto"},
    },
]


@pytest.fixture
def operator_set(tmp_path: Path) -> Path:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


SETTINGS = load_settings(embedder="hashing")


async def test_an_operator_set_without_a_model(operator_set: Path, tmp_path: Path) -> None:
    result = await run_job(JobOptions("operators", operator_set, no_model=True), SETTINGS, tmp_path / "run")
    before, weather = result.lines
    assert (before.path, before.operator, before.answer, before.result) == (
        "operator",
        "before",
        "Rome",
        {"status": "ok", "value": "Rome"},
    )
    assert "Rome | source: s1, 2024-01-01 [historical]" in before.evidence
    assert before.metadata == {"trap": "order"}
    assert (weather.path, weather.answer, weather.calls) == ("evidence", "", 0)
    assert "Porto" in weather.evidence
    assert weather.evidence_tokens
    spec, lines = read_log(tmp_path / "run")
    assert spec == result.job.spec
    assert tuple(lines) == result.lines


async def test_typed_arguments_decide_without_the_question(operator_set: Path, tmp_path: Path) -> None:
    options = JobOptions("operators", operator_set, typed=True, no_model=True)
    result = await run_job(options, SETTINGS, tmp_path / "run")
    assert [line.result for line in result.lines] == [row["expected"] for row in ROWS]


async def test_law_first_and_the_model_for_the_rest(operator_set: Path, tmp_path: Path) -> None:
    model = ScriptedChat(lambda request: "<think>hm</think>It is mild.")
    options = JobOptions("operators", operator_set, configs="tem-operators,unmarked,overwrite,tem-status")
    result = await run_job(options, SETTINGS, tmp_path / "run", adapters=Adapters(model=model))
    by_key = {line.key: line for line in result.lines}
    assert by_key["tem-operators", "o1"].path == "operator"
    rest = by_key["tem-operators", "o2"]
    assert (rest.path, rest.answer, rest.raw_reply) == ("model", "It is mild.", "<think>hm</think>It is mild.")
    assert rest.evidence == by_key["tem-status", "o2"].evidence
    assert by_key["unmarked", "o1"].evidence == by_key["tem-status", "o1"].evidence.replace(" [historical]", "")
    assert "Rome" not in by_key["overwrite", "o1"].evidence
    assert len({request.messages[0] for request in model.requests}) == 1
    assert result.job.spec.model is not None
    assert {request.max_tokens for request in model.requests} == {result.job.spec.model.answer_max_tokens}


async def test_truncated_and_empty_answers_are_kept_as_such(operator_set: Path, tmp_path: Path) -> None:
    model = ScriptedChat([ChatReply("It is very", "length"), ChatReply("<think>never done")])
    options = JobOptions("operators", operator_set, configs="tem-status", concurrency=1)
    result = await run_job(options, SETTINGS, tmp_path / "run", adapters=Adapters(model=model))
    cut, empty = result.lines
    assert (cut.is_truncated, cut.is_empty, cut.error) == (True, False, None)
    assert (empty.is_truncated, empty.is_empty, empty.raw_reply) == (False, True, "<think>never done")


async def test_a_refused_request_is_kept_beside_results_and_asked_again_on_demand(
    operator_set: Path, tmp_path: Path
) -> None:
    options = JobOptions("operators", operator_set, configs="tem-status", concurrency=1)
    run = tmp_path / "run"
    first = ScriptedChat([ModelRefused("too long"), "Porto"])
    result = await run_job(options, SETTINGS, run, adapters=Adapters(model=first))
    failed, answered = result.lines
    assert (failed.error, failed.retryable, failed.path) == ("ModelRefused: too long", False, None)
    assert "Rome" in failed.evidence
    assert (answered.answer, result.failed) == ("Porto", 1)

    silent = ScriptedChat([])
    again = await run_job(options, SETTINGS, run, adapters=Adapters(model=silent))
    assert (again.failed, silent.requests) == (1, [])

    third = ScriptedChat(["Rome"])
    repaired = await run_job(options, SETTINGS, run, adapters=Adapters(model=third), retry_failed=True)
    assert ([line.answer for line in repaired.lines], len(third.requests)) == (["Rome", "Porto"], 1)


async def test_a_server_that_dies_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(ROWS[1] | {"id": f"o{n}"}) + "\n" for n in range(12)))
    options = JobOptions("operators", path, configs="tem-status", concurrency=2)
    run = tmp_path / "run"
    dying = ScriptedChat(["a", "b", "c", "d", ModelUnavailable("connection refused")], repeat_last=True)
    with pytest.raises(ModelUnavailable, match=r"3 questions in a row.*connection refused") as stopped:
        await run_job(options, SETTINGS, run, adapters=Adapters(model=dying))
    assert "same command" in str(stopped.value.hint)
    _, lines = read_log(run)
    assert sum(line.error is None for line in lines) == 4
    assert len(lines) < 12

    back = ScriptedChat(["later"], repeat_last=True)
    result = await run_job(options, SETTINGS, run, adapters=Adapters(model=back))
    assert Counter(line.answer for line in result.lines) == {"a": 1, "b": 1, "c": 1, "d": 1, "later": 8}
    assert len(back.requests) == 8


async def test_a_hiccup_does_not_stop_a_run_and_is_asked_again_by_the_next(operator_set: Path, tmp_path: Path) -> None:
    options = JobOptions("operators", operator_set, configs="tem-status", concurrency=1)
    hiccup = ScriptedChat([ModelUnavailable("busy"), "Porto"])
    result = await run_job(options, SETTINGS, tmp_path / "run", adapters=Adapters(model=hiccup))
    assert [line.error for line in result.lines] == ["ModelUnavailable: busy", None]
    well = ScriptedChat(["Rome"])
    result = await run_job(options, SETTINGS, tmp_path / "run", adapters=Adapters(model=well))
    assert [line.answer for line in result.lines] == ["Rome", "Porto"]


# What does not fit ----------------------------------------------------------------------------------------------------


async def test_other_options_need_another_folder(operator_set: Path, tmp_path: Path) -> None:
    await run_job(JobOptions("operators", operator_set, no_model=True), SETTINGS, tmp_path / "run")
    with pytest.raises(EvaluationError, match=r"differs in typed: False and True"):
        await run_job(JobOptions("operators", operator_set, no_model=True, typed=True), SETTINGS, tmp_path / "run")


async def test_relations_of_your_own_are_part_of_the_spec(operator_set: Path, tmp_path: Path) -> None:
    own = tmp_path / "relations.toml"

    async def prepared(text: str, **options: Any) -> Job:
        own.write_text(text)
        return await prepare(JobOptions("operators", operator_set, no_model=True, **options), SETTINGS)

    band = '[[relation]]\nname = "plays in"\ncardinality = "multi"\n'
    plain, with_own = await prepared(band), await prepared(band, relations=own)
    assert "plays in" in with_own.settings.catalog()
    again, single = await prepared(band, relations=own), await prepared(band.replace("multi", "single"), relations=own)
    assert with_own.spec.identity == again.spec.identity
    assert len({job.spec.identity for job in (plain, with_own, single)}) == 3
    assert len({job.spec.build for job in (plain, with_own, single)}) == 3
    (difference,) = with_own.spec.differences(single.spec)
    assert difference.startswith("relations: ")
    with pytest.raises(SettingsError, match=r"relations\.toml"):
        await prepared("[[relation]]\nweight = 0\n", relations=own)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"configs": "tem-status"}, SettingsError, "no language model is set"),
        ({"model": "some-name"}, SettingsError, "no address and no folder"),
        ({"groups": ("p9",)}, EvaluationError, "no questions about p9"),
        ({"kinds": ("since",)}, EvaluationError, "no questions of kind since"),
    ],
)
async def test_options_that_cannot_be_used(
    operator_set: Path, options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        await prepare(JobOptions("operators", operator_set, **options), SETTINGS)


@pytest.mark.parametrize("config", ["naive-rag", "session-rag", "tem-hybrid-state", "tem-hybrid-unmarked"])
async def test_a_memory_of_facts_alone_is_no_memory_for_turns(operator_set: Path, config: str) -> None:
    settings = SETTINGS.model_copy(update={"passages": "none"})
    with pytest.raises(EvaluationError, match=f"{config} cannot be run"):
        await prepare(JobOptions("locomo", operator_set, configs=f"{config},tem-status", no_model=True), settings)


async def test_an_answer_limit_as_large_as_the_window_is_refused(operator_set: Path) -> None:
    adapters = Adapters(model=ScriptedChat([]), embedder=HashingEmbedder())
    with pytest.raises(EvaluationError, match="leaves nothing of a window"):
        await prepare(JobOptions("operators", operator_set, window=1024, answer_max_tokens=1024), SETTINGS, adapters)
