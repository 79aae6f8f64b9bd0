"""TemporalMemory on the real graph: scores, limits, points in time, policies, corrections, forgetting."""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from tem_graph.clock import FixedClock
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.names import fold
from tem_graph.domain.time import AsOf, PartialDate
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import Conflict, InputError, NotFound, SettingsError
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.retrieve.block import BlockStyle
from tem_graph.settings import load_settings
from tem_graph.sync import TemporalMemory
from tem_graph.temporal.order import OrderPolicy
from tests.integration.conftest import TODAY, open_memory
from tests.integration.reported import asked
from tests.integration.stories import objects, plain_reader, said
from tests.integration.test_reported_graph import count_everything

MOVES = [
    FactInput("Ana", "residence", "Ash", "s1", date="2020-01-01"),
    FactInput("Ana", "residence", "Beck", "s2", date="2021-01-01"),
    FactInput("Ana", "residence", "Cove", "s3", date="2022-01-01"),
]


def statuses(facts: Sequence[MarkedFact]) -> dict[str, str]:
    return {m.fact.object: str(m.status) for m in facts}


# Search -----------------------------------------------------------------------------------------------------


def similarity(question: str, text: str) -> float:
    """Cosine, computed here."""
    one, other = asyncio.run(HashingEmbedder().embed([question, text]))
    dot = math.fsum(a * b for a, b in zip(one, other, strict=True))
    return dot / (math.hypot(*one) * math.hypot(*other))


@pytest.mark.parametrize("exact_limit", [20_000, 0])
def test_scores_are_cosine_times_weight(migrated: Address, memory_id: str, exact_limit: int) -> None:
    weights = {
        "residence": 1.0, "employer": 1.0, "occupation": 0.9, "possession": 0.8, "likes": 0.6, "dislikes": 0.6,
        "ad budget": 1.0,
    }  # fmt: skip
    question = "What about Ana and tea in Ash?"
    settings = load_settings(embedder="hashing", exact_search_limit=exact_limit)
    with open_memory(migrated, memory_id, settings=settings) as memory:
        memory.add_facts(
            FactInput(subject, relation, obj, "s1")
            for relation in weights
            for subject, obj in (("Ana", "tea"), ("Ivo", "Ash"), ("Ana of Ash", f"{relation} and tea"))
        )
        found = memory.search(question, 50)
        assert len(found) == 21
        for hit in found:
            expected = similarity(question, hit.fact.text) * weights[hit.fact.relation.name]
            assert hit.score == pytest.approx(expected, abs=1e-5)  # Neo4j computes in single precision
        scores = [(-(hit.score or 0), hit.fact.id) for hit in found]
        assert scores == sorted(scores)
        memory.forget_memory()


def test_the_cut_comes_before_the_status(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES)
    memory.add_facts(FactInput("Ivo", "residence", f"Town {n}", f"t{n}", date="2023-01-01") for n in range(5))
    every = memory.search("Ana lives in Ash", 20)
    for k in range(1, 9):
        assert memory.search("Ana lives in Ash", k) == every[:k]
    (best,) = memory.search("Ana lives in Ash", 1)  # the newest was not retrieved, and Ash is past all the same
    assert (best.fact.object, best.status) == ("Ash", "historical")
    assert best.successor is not None
    assert best.successor.object == "Beck"


def test_fifteen_facts_at_most_by_default(memory: TemporalMemory) -> None:
    memory.add_facts(FactInput("Ana", "likes", f"tea {n}", "s1") for n in range(30))
    assert len(memory.search("tea")) == len(memory.evidence("tea").facts) == 15


def test_the_index_finds_what_comparing_everything_finds(migrated: Address, memory_id: str) -> None:
    chance = random.Random(7)
    words = ["tea", "oboe", "ferry", "lamp", "garden", "clay", "orbit", "salt", "wool", "engine", "meadow", "violin"]
    relations = ["likes", "possession", "residence"]
    with open_memory(migrated, memory_id) as exact:
        noise = exact.for_memory(f"{memory_id}-noise")
        for memory, count in ((exact, 300), (noise, 300)):
            memory.add_facts(
                FactInput(f"P{n % 20}", chance.choice(relations), " ".join(chance.sample(words, 3)), f"s{n}")
                for n in range(count)
            )
        by_index = load_settings(embedder="hashing", exact_search_limit=10)
        with open_memory(migrated, memory_id, settings=by_index) as indexed:
            for _ in range(25):
                question = " ".join(chance.sample(words, 2))
                wanted, found = exact.search(question, 10), indexed.search(question, 10)
                assert [m.score for m in found] == pytest.approx([m.score for m in wanted], abs=1e-9)
        for memory in (exact, noise):
            memory.forget_memory()


# Points in time, policies -----------------------------------------------------------------------------------


@pytest.fixture
def late_report(memory: TemporalMemory) -> TemporalMemory:
    """Told in 2023: she had moved to Ash in 2019, before she moved to Beck."""
    memory.add_facts(
        [
            FactInput("Ana", "residence", "Beck", "s1", date="2021-01-01"),
            FactInput("Ana", "residence", "Cove", "s2", date="2022-01-01"),
            FactInput("Ana", "residence", "Ash", "s3", date="2023-01-01", effective="2019-03"),
            FactInput("Ana", "residence", "Cove", "s4", date="2024-01-01"),
        ]
    )
    return memory


def test_three_policies_on_one_history(late_report: TemporalMemory) -> None:
    by = {policy: late_report.search("home", policy=policy) for policy in ("effective", "source", "paper")}
    seen = {p: {(m.fact.object, m.fact.source.session): str(m.status) for m in found} for p, found in by.items()}
    assert seen["effective"] == {
        ("Ash", "s3"): "historical", ("Beck", "s1"): "historical", ("Cove", "s2"): "current", ("Cove", "s4"): "current",
    }  # fmt: skip
    assert seen["source"] == {
        ("Ash", "s3"): "historical", ("Beck", "s1"): "historical", ("Cove", "s2"): "historical",
        ("Cove", "s4"): "current",
    }  # fmt: skip
    assert seen["paper"] == seen["source"]
    assert {m.fact.id: m.score for m in by["paper"]} == {m.fact.id: m.score for m in by["effective"]}
    histories = {p: late_report.history("Ana", "residence", policy=p)[0] for p in OrderPolicy}
    assert [s.objects for s in histories[OrderPolicy.EFFECTIVE].timeline.stints] == [("Ash",), ("Beck",), ("Cove",)]
    assert [s.objects for s in histories[OrderPolicy.SOURCE].timeline.stints] == [
        ("Beck",), ("Cove",), ("Ash",), ("Cove",),
    ]  # fmt: skip


def test_paper_policy_knows_neither_restatements_nor_many_values(memory: TemporalMemory) -> None:
    memory.add_facts(
        [
            FactInput("Ana", "likes", "tea", "s1", date="2024-01-01"),
            FactInput("Ana", "likes", "ferries", "s2", date="2024-02-01"),
            FactInput("Ana", "residence", "Ash", "s1", date="2024-01-01"),
            FactInput("Ana", "residence", "Ash", "s2", date="2024-02-01"),
            FactInput("Ana", "residence", "Beck", "s2", date="2024-02-01"),
        ]
    )
    assert sorted((m.fact.object, str(m.status)) for m in memory.facts()) == [
        ("Ash", "conflicting"), ("Ash", "historical"), ("Beck", "conflicting"), ("ferries", "current"),
        ("tea", "current"),
    ]  # fmt: skip
    assert sorted((m.fact.object, str(m.status)) for m in memory.facts(policy="paper")) == [
        ("Ash", "current"), ("Ash", "historical"), ("Beck", "current"), ("ferries", "current"), ("tea", "historical"),
    ]  # fmt: skip


def test_what_held_then_and_what_was_known_then(late_report: TemporalMemory) -> None:
    day = PartialDate.parse("2020-05-05").day
    then = late_report.as_of(valid_at=day)
    unaware = late_report.as_of(valid_at=day, known_after="s2")
    assert late_report.as_of(valid_at=day, known_after=2) == unaware  # by its place, from 1
    assert statuses(late_report.facts(as_of=then)) == {"Ash": "current", "Beck": "planned", "Cove": "planned"}
    assert statuses(late_report.facts(as_of=unaware))["Ash"] == "unknown"
    assert asked(late_report, "as_of_date", "Ana", "residence", date="2020-05-05") == "Ash"
    assert (
        late_report.operator("as_of", subject="Ana", relation="residence", date="2020-05-05", known_after=2).status
        == "not yet"
    )
    assert "Ash" not in [m.fact.object for m in late_report.search("home", as_of=unaware)]
    known = late_report.as_of(known_after="s1")
    assert statuses(late_report.search("home", as_of=known)) == {"Beck": "current"}


def test_today_is_the_clocks_day_in_the_zone_of_the_settings(migrated: Address, memory_id: str) -> None:
    settings = load_settings(embedder="hashing", timezone="Pacific/Auckland")
    late = FixedClock(datetime(2024, 6, 1, 23, tzinfo=UTC))
    with open_memory(migrated, memory_id, settings=settings, clock=late) as memory:
        assert memory.now() == AsOf(PartialDate.parse("2024-06-02").day)


def test_conflicts_are_listed_until_something_settles_them(memory: TemporalMemory) -> None:
    memory.add_facts(
        FactInput(subject, relation, obj, "s1", date="2024-01-01")
        for subject, relation, obj in (
            ("Ana", "residence", "Ash"),
            ("Ana", "residence", "Beck"),
            ("Ivo", "residence", "Ash"),
            ("Ana", "likes", "tea"),
            ("Ana", "likes", "coffee"),
        )
    )
    assert sorted(objects(memory.conflicts())) == ["Ash", "Beck"]
    assert memory.operator("current", subject="Ana", relation="residence").status == "conflicting"
    assert "[conflicting]" in memory.evidence("Where does Ana live?").text
    wrong = next(m.fact for m in memory.conflicts() if m.fact.object == "Ash")
    memory.retract(wrong.id, by="Ana", why="only a visit")
    assert memory.conflicts() == []
    assert asked(memory, "current", "Ana", "residence") == "Beck"


# Correcting and retracting ----------------------------------------------------------------------------------


def test_a_correction_takes_the_place_of_the_wrong_record(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES)
    wrong = next(m.fact for m in memory.facts() if m.fact.object == "Beck")
    right = memory.correct(wrong.id, object="Beckham", by="Ana", why="misspelt")
    assert (right.source, right.object) == (wrong.source, "Beckham")
    assert asked(memory, "history", "Ana", "residence") == ["Ash", "Beckham", "Cove"]
    kept = next(m for m in memory.facts() if m.fact.id == wrong.id)
    assert kept.status == "retracted"
    assert kept.fact.retraction is not None
    assert (kept.fact.retraction.at, kept.fact.retraction.by) == (TODAY, "Ana")
    assert "Beck " not in memory.evidence("Where did Ana live?").text
    # The same again is done already; another one needs the record that stands.
    assert memory.correct(wrong.id, object="Beckham", by="Ana", why="misspelt") == right
    with pytest.raises(Conflict, match="no longer counts"):
        memory.correct(wrong.id, object="Bexley", by="Ana", why="misspelt")
    assert asked(memory, "history", "Ana", "residence") == ["Ash", "Beckham", "Cove"]


def test_a_correction_can_be_corrected_back(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES[:1])
    fact = memory.facts()[0].fact
    for place in ("Beck", "Ash", "Beck"):
        fact = memory.correct(fact.id, object=place, by="Ana", why="not sure")
        assert asked(memory, "current", "Ana", "residence") == place
        assert memory.conflicts() == []
    with pytest.raises(InputError, match="object is empty"):
        memory.correct(fact.id, object=" ", by="Ana", why="nothing")
    with pytest.raises(InputError, match="says 'Beck' already"):
        memory.correct(fact.id, object="Beck", by="Ana", why="sure")
    assert asked(memory, "current", "Ana", "residence") == "Beck"


def test_a_correction_may_move_the_day(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES[:2])
    second = next(m.fact for m in memory.facts() if m.fact.object == "Beck")
    memory.correct(second.id, object="Beck", by="Ana", why="earlier", effective=PartialDate.parse("2019-05"))
    assert asked(memory, "current", "Ana", "residence") == "Ash"
    assert asked(memory, "became", "Ana", "residence", value="Beck") == {"date": "2019-05", "session": "s2"}


def test_who_says_so_is_the_setting_user_or_the_login_name_unless_given(
    migrated: Address, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "login")

    def signed(memory: TemporalMemory) -> dict[str, str]:
        return {m.fact.object: m.fact.retraction.by for m in memory.facts() if m.fact.retraction}

    with open_memory(migrated, memory_id) as memory:
        memory.add_facts(MOVES)
        ids = {m.fact.object: m.fact.id for m in memory.facts()}
        memory.retract(ids["Ash"], why="a joke")
        memory.correct(ids["Beck"], object="Beckham", by="Ivo", why="misspelt")
        memory.merge_subjects("Anna", "Ana", why="a nickname")
        assert signed(memory) == {"Ash": "login", "Beck": "Ivo"}
    with open_memory(migrated, memory_id, settings=load_settings(embedder="hashing", user="Ana Sol")) as memory:
        memory.correct(ids["Cove"], object="Coventry", why="cut off")
        assert signed(memory)["Cove"] == "Ana Sol"
        memory.forget_memory()


def test_without_a_login_name_somebody_must_be_named(memory: TemporalMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise OSError("no such user")

    memory.add_facts(MOVES[:1])
    monkeypatch.setattr("getpass.getuser", nobody)
    with pytest.raises(InputError, match="nobody is named"):
        memory.retract(memory.facts()[0].fact.id, why="a joke")


def test_a_list_of_ids_is_refused_with_what_to_write(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES)
    ids = [m.fact.id for m in memory.facts()]
    with pytest.raises(InputError, match="not a list") as refused:
        memory.retract(ids, why="a joke")
    assert "*ids" in str(refused.value.hint)
    with pytest.raises(InputError, match="not a Fact"):
        memory.retract(memory.facts()[0].fact, why="a joke")
    assert "retracted" not in statuses(memory.facts()).values()


def test_an_empty_question_is_refused(memory: TemporalMemory) -> None:
    for verb in ("ask", "search", "evidence", "hybrid_evidence", "search_turns", "answer_by_law"):
        with pytest.raises(InputError, match="the question is empty"):
            getattr(memory, verb)(" ")


def test_a_memory_exists_once_something_was_put_in(memory: TemporalMemory) -> None:
    assert memory.exists() is False
    memory.add_facts(MOVES)
    assert memory.exists() is True


def test_retracting_twice_keeps_the_first_record(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES)
    newest = next(m.fact for m in memory.facts() if m.fact.object == "Cove")
    assert memory.retract(newest.id, by="Ana", why="a joke") == (newest.id,)
    assert memory.retract(newest.id, by="Ivo", why="again") == ()
    kept = next(m.fact for m in memory.facts() if m.fact.id == newest.id)
    assert kept.retraction is not None
    assert kept.retraction.by == "Ana"
    assert asked(memory, "current", "Ana", "residence") == "Beck"
    assert "Cove" not in [m.fact.object for m in memory.search("home")]


def test_adding_facts_again_adds_none(memory: TemporalMemory) -> None:
    assert memory.add_facts(MOVES) == 3
    assert memory.add_facts(MOVES) == 0
    assert len(memory.facts()) == 3


def test_one_wrong_fact_stores_none(memory: TemporalMemory) -> None:
    with pytest.raises(InputError, match="fact 3: object is empty"):
        memory.add_facts([*MOVES[:2], FactInput("Ana", "residence", " ", "s3", date="2022-01-01")])
    assert memory.id not in {m.id for m in memory.memories()}


# Forgetting -------------------------------------------------------------------------------------------------


@pytest.fixture
def told(migrated: Address, memory_id: str):  # type: ignore[no-untyped-def]
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest(
            [
                said("s1", "2024-01-01", "I live in Ash.", ("Mia", "I live in Beck."), "I wish I lived in Elm."),
                said("s2", "2024-02-01", "I live in Cove."),
            ]
        )
        yield memory
        memory.forget_memory()


def test_forgetting_a_session_removes_all_that_came_from_it(told: TemporalMemory, migrated: Address) -> None:
    before = count_everything(migrated, told.id)
    counted = told.forget_session("s1", dry_run=True)
    assert count_everything(migrated, told.id) == before
    assert {k: v for k, v in counted.items() if v} == {"sessions": 1, "turns": 3, "facts": 2, "rejections": 1}
    assert told.forget_session("s1") == counted
    assert count_everything(migrated, told.id) == (
        {"Memory": 1, "Session": 1, "Turn": 1, "Fact": 1, "Subject": 1, "Outcome": 1},
        {"IN_MEMORY": 1, "FROM_SESSION": 2, "HAS_VERSION": 1, "SAID_IN": 1},
    )
    assert {s.name for s in told.subjects()} == {"Ana"}
    assert asked(told, "history", "Ana", "residence") == ["Cove"]
    assert next(m.facts for m in told.memories() if m.id == told.id) == 1
    with pytest.raises(NotFound):
        told.forget_session("s1")


def test_forgetting_a_subject_leaves_the_others(told: TemporalMemory, migrated: Address) -> None:
    counted = told.forget_subject("ANA", dry_run=True)
    assert counted == {"subjects": 1, "facts": 2, "events": 0, "notes": 0, "rejections": 1}
    assert told.forget_subject("ANA") == counted
    labels, _ = count_everything(migrated, told.id)
    assert labels == {"Memory": 1, "Session": 2, "Turn": 4, "Fact": 1, "Subject": 1, "Outcome": 2}
    assert objects(told.facts()) == ["Beck"]
    assert told.rejected() == []
    assert next(m.facts for m in told.memories() if m.id == told.id) == 1


def test_a_name_that_only_a_rejection_holds_can_be_forgotten(migrated: Address, memory_id: str) -> None:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest([said("s1", "2024-01-01", ("Wren", "I wish I lived in Elm."))])
        assert memory.forget_subject("Wren") == {"subjects": 0, "facts": 0, "events": 0, "notes": 0, "rejections": 1}
        assert memory.rejected() == []
        memory.forget_memory()


def test_forgetting_is_for_good_and_reading_may_begin_anew(told: TemporalMemory) -> None:
    told.forget_session("s1")
    report = told.ingest([said("s1", "2024-01-01", "I live in Dell.")])
    assert [str(o.status) for o in report.outcomes] == ["stored"]
    assert sorted(objects(told.facts())) == ["Cove", "Dell"]


# Evidence ---------------------------------------------------------------------------------------------------


def test_evidence_is_oldest_to_newest_with_past_values_marked(memory: TemporalMemory) -> None:
    memory.add_facts(MOVES)
    assert (
        memory.evidence("Where does Ana live?").text
        == """\
<Memory>
Facts about Ana, in order of appearance (oldest to newest).
Tag [historical] = value was replaced by a later one.
No tag = current value.

- Ana | residence | Ash | source: s1, 2020-01-01 [historical]
- Ana | residence | Beck | source: s2, 2021-01-01 [historical]
- Ana | residence | Cove | source: s3, 2022-01-01
</Memory>"""
    )
    unmarked = memory.evidence("Where does Ana live?", style=BlockStyle(marks=False, legend=False))
    marked = memory.evidence("Where does Ana live?", style=BlockStyle(effective_dates=False, legend=False))
    assert unmarked.text == marked.text.replace(" [historical]", "")


def test_a_budget_needs_a_counter_and_leaves_the_worst_out(migrated: Address, memory_id: str) -> None:
    class Words:
        name = "words"

        def count(self, text: str) -> int:
            return len(text.split())

    with open_memory(migrated, memory_id, counter=Words()) as memory:
        memory.add_facts(MOVES)
        style = BlockStyle(legend=False, token_budget=24)
        block = memory.evidence("Ana lives in Ash", style=style)
        assert (block.tokens, block.counted_by) == (Words().count(block.text), "words")
        assert block.tokens <= 24
        assert len(block.facts) + len(block.left_out) == 3
        assert min(m.score or 0 for m in block.facts) >= max(m.score or 0 for m in block.left_out)
        with pytest.raises(SettingsError, match="does not even hold"):
            memory.evidence("Ana", style=BlockStyle(token_budget=3))
        memory.forget_memory()


def test_a_history_by_slot_and_with_the_opposite(memory: TemporalMemory) -> None:
    memory.add_facts(
        [
            FactInput("Ana", "likes", "tea", "s1", slot="drink"),
            FactInput("Ana", "likes", "mate", "s2", slot="favourite drink"),
            FactInput("Ana", "likes", "herring", "s1"),
            FactInput("Ana", "dislikes", "herring", "s2"),
        ]
    )
    (drinks,) = memory.history("Ana", "favourite drink")
    assert [s.objects for s in drinks.timeline.stints] == [("tea",), ("mate",)]
    herring = next(h for h in memory.history("Ana", "likes") if h.object == "herring")
    assert [s.facts[0].relation.name for s in herring.timeline.stints] == ["likes", "dislikes"]
    assert {fold(h.subject) for h in memory.history("ana")} == {"ana"}
