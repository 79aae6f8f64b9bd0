"""Reported cases that begin with a text: read with scripted replies, and by the grammar where it can read them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime

import pytest

from tem_graph.clock import FixedClock
from tem_graph.domain.extraction import Usage
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import InputError
from tem_graph.graph.connection import Address
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.model import ModelExtractor
from tem_graph.ingest.readers import parse_conversations
from tem_graph.llm.scripted import ChatRequest, ScriptedChat
from tem_graph.ports import ChatMessage, ChatReply
from tem_graph.settings import load_relations, load_settings
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory
from tests.integration.reported import Case, asked, sessions, tests_case
from tests.integration.stories import objects, read_plainly, reader_of, replying, said
from tests.integration.test_passages import Database

Item = dict[str, object]
Reading = Callable[..., TemporalMemory]
OPEN = load_settings(embedder="hashing", open_vocabulary=True)


def fact(subject: str, relation: str, object_: str, quote: str | None = None, **more: object) -> Item:
    return {"subject": subject, "relation": relation, "object": object_, "quote": quote, **more}


@pytest.fixture
def reading(migrated: Address, memory_id: str) -> Iterator[Reading]:
    """Opens a memory that takes any relation, and ingests the case with the given facts of each session."""
    with ExitStack() as stack:

        def read(case: Case, *replies: Sequence[Item], **options: object) -> TemporalMemory:
            model = replying(*({"facts": list(reply)} for reply in replies))
            options = {"settings": OPEN, "extractor": reader_of(model, open_vocabulary=True)} | options
            memory = stack.enter_context(open_memory(migrated, memory_id, **options))
            stack.callback(memory.forget_memory)
            # One at a time: the script answers in the order of the sessions.
            report = memory.ingest(sessions(case), concurrency=1)
            assert all(o.status is OutcomeStatus.STORED for o in report.outcomes)
            return memory

        yield read


@pytest.fixture(scope="module")
def grammar() -> GrammarExtractor:
    return GrammarExtractor(load_relations())


def statuses(memory: TemporalMemory, **which: str) -> dict[str, str]:
    return {m.fact.object: str(m.status) for m in memory.facts(**which)}


# Status out of a text ---------------------------------------------------------------------------------------


@tests_case("TS-01")
def test_moved_from_and_to(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [fact("Orla", "lives_in", "Westmere"), fact("Orla", "project", "Harbour", "I'm on the Harbour project")],
        [
            fact("Orla", "lives_in", "Eastvale"),
            fact("Orla", "lives_in", "Westmere", "I moved from Westmere", kind="end"),
            fact("Orla", "lived_in", "Westmere", "I moved from Westmere to Eastvale"),
            fact("Orla", "project", "Lantern", "I've been moved from Harbour to the Lantern project"),
            fact("Orla", "project", "Harbour", "I've been moved from Harbour", kind="end"),
        ],
    )
    for relation, current, previous in (("lives_in", "Eastvale", "Westmere"), ("project", "Lantern", "Harbour")):
        assert asked(memory, "current", "Orla", relation) == current
        assert asked(memory, "previous", "Orla", relation) == previous
    assert {m.fact.relation.name for m in memory.facts()} == {"residence", "project"}
    values = [m for m in memory.facts() if m.fact.kind == "value"]
    assert {m.fact.object for m in values if m.status == "current"} == {"Eastvale", "Lantern"}


@tests_case("TS-01")
def test_moved_from_and_to_by_grammar(reading: Reading, grammar: GrammarExtractor, case: Case) -> None:
    memory = reading(case, extractor=grammar)
    assert asked(memory, "current", "Orla", "residence") == "Eastvale"
    assert asked(memory, "previous", "Orla", "residence") == "Westmere"


HERRING = (
    [fact("Ines", "likes", "pickled herring", "I love pickled herring")],
    [fact("Ines", "dislikes", "pickled herring", "I can't stand pickled herring any more, I hate it")],
)


@tests_case("TS-03")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_liked_once(reading: Reading, grammar: GrammarExtractor, reader: str, case: Case) -> None:
    memory = reading(case, *HERRING) if reader == "scripted" else reading(case, extractor=grammar)
    assert asked(memory, "still", "Ines", "likes", value="pickled herring") is False
    assert asked(memory, "ever", "Ines", "likes", value="pickled herring") is True
    assert asked(memory, "still", "Ines", "dislikes", value="pickled herring") is True
    assert asked(memory, "became", "Ines", "likes", value="pickled herring") == {"date": "2024-01-05", "session": "s1"}
    assert statuses(memory, relation="likes") == {"pickled herring": "historical"}
    assert statuses(memory, relation="dislikes") == {"pickled herring": "current"}
    (history,) = memory.history("Ines", "likes")
    assert [stint.is_running for stint in history.timeline.stints] == [False, True]
    assert memory.ask("Does Ines like pickled herring?").text.lower().startswith("no")


@tests_case("OI-01")
def test_only_what_changed_has_changed(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [
            fact("My sister", "teaches", "chemistry", "My sister teaches chemistry"),
            fact("Maja", "possession", "blue van", "I drive a blue van"),
            fact("My cat", "name", "Miso", "My cat is called Miso"),
            fact("Maja", "plays", "oboe", "I play the oboe"),
            fact("Maja", "office", "Pell Street", "Our office is on Pell Street"),
            fact("My landlord", "manner", "strict", "My landlord is strict"),
            fact("Maja", "takes", "7 bus", "I take the 7 bus"),
            fact("Maja", "learning", "Welsh", "I'm learning Welsh"),
        ],
        [
            fact("Maja", "possession", "blue van", "I sold the blue van", kind="end"),
            fact("Maja", "possession", "red bicycle", "I sold the blue van and bought a red bicycle"),
        ],
    )
    assert memory.rejected() == []
    current = {o for o, status in statuses(memory).items() if status == "current"}
    kept = {"chemistry", "Miso", "oboe", "Pell Street", "strict", "7 bus", "Welsh"}
    assert kept <= current
    assert asked(memory, "current", "Maja", "possession") == ["red bicycle"]
    assert all(m.fact.valid_to is None for m in memory.facts())


@tests_case("DU-03")
def test_one_allergy_told_twice(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [fact("Bram", "allergic to", "walnuts", "I'm allergic to walnuts")],
        [fact("Bram", "allergic to", "walnuts", "walnuts give me an allergic reaction")],
    )
    assert len(memory.facts()) == 2
    assert asked(memory, "count_distinct", "Bram", "allergic to") == 1
    assert asked(memory, "distinct", "Bram", "allergic to") == ["walnuts"]


# Dates in words ---------------------------------------------------------------------------------------------


@tests_case("RD-01")
@pytest.mark.parametrize("since", ["today", None, "3 June 2022"])
def test_a_date_of_another_sentence_is_not_taken(reading: Reading, case: Case, since: str | None) -> None:
    signed = fact("Ana", "signed", "the new one", "I signed the new one today", since=since)
    memory = reading(case, [signed], clock=FixedClock(datetime(2026, 3, 1, tzinfo=UTC)))
    assert asked(memory, "became", "Ana", "signed", value="the new one") == {"date": "2026-02-11", "session": "s1"}


@tests_case("RD-03")
def test_three_dates_of_three_kinds(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [
            fact("bakery", "state", "opened", "The bakery opened on 4 March 2019", since="on 4 March 2019"),
            fact("bakery", "place", "Mill Lane", "It moved to Mill Lane on 12 June 2021", since="on 12 June 2021"),
            fact("Ivo", "equipment", "a second oven", "Today we put in a second oven", since="Today"),
        ],
    )
    days = {m.fact.object: str(m.fact.valid_from) for m in memory.facts()}
    assert days == {"opened": "2019-03-04", "Mill Lane": "2021-06-12", "a second oven": "2024-02-01"}
    assert asked(memory, "as_of_date", "bakery", "place", date="2020-01-01") == "before_first_record"


@tests_case("RD-05")
def test_last_month_is_a_month(reading: Reading, case: Case) -> None:
    memory = reading(
        case, [fact("Mira", "injury", "sprained my wrist", "Last month I sprained my wrist", since="Last month")]
    )
    assert asked(memory, "became", "Mira", "injury", value="sprained my wrist") == {"date": "2022-07", "session": "s1"}


@tests_case("RD-07")
def test_the_year_rolls_back(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [
            fact("Ivo", "deed", "proposed", "On New Year's Eve I proposed", since="On New Year's Eve"),
            fact("Ivo", "job change", "changed jobs", "In December I had also changed jobs", since="In December"),
        ],
    )
    assert {m.fact.object: str(m.fact.valid_from) for m in memory.facts()} == {
        "proposed": "2023-12-31",
        "changed jobs": "2023-12",
    }


@tests_case("TZ-01")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_today_is_the_speakers_day(reading: Reading, grammar: GrammarExtractor, reader: str, case: Case) -> None:
    adopted = [fact("Tess", "possession", "dog", "I adopted a dog today", since="today")]
    memory = reading(case, adopted) if reader == "scripted" else reading(case, extractor=grammar)
    (found,) = [m.fact for m in memory.facts()]
    assert str(found.valid_from) == "2026-03-14"
    assert str(found.source.date) == "2026-03-14T21:30:00-04:00"
    assert "2026-03-14" in memory.evidence("dog").text
    assert "2026-03-15" not in memory.evidence("dog").text


@tests_case("PD-01")
def test_an_impossible_date_is_noted_and_not_rolled(reading: Reading, case: Case) -> None:
    memory = reading(case, json.loads(case["given"]["llm_reply"])["facts"])
    (found,) = [m.fact for m in memory.facts()]
    assert (found.object, found.valid_from) == ("the choir", None)
    assert found.provenance is not None
    assert "2023-02-30" in (found.provenance.note or "")


@tests_case("PD-03")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_a_plan_ends_nothing_early(reading: Reading, grammar: GrammarExtractor, reader: str, case: Case) -> None:
    plan = (
        [fact("Ana", "lives_in", "Ravn", "I live in Ravn")],
        [fact("Ana", "lives_in", "Lund", "I'm moving to Lund on 1 September 2024", since="on 1 September 2024")],
    )
    clock = FixedClock(datetime(2024, 3, 2, 9, tzinfo=UTC))
    memory = (
        reading(case, *plan, clock=clock) if reader == "scripted" else reading(case, extractor=grammar, clock=clock)
    )
    assert asked(memory, "as_of_date", "Ana", "residence", date="2024-06-01") == "Ravn"
    assert asked(memory, "as_of_date", "Ana", "residence", date="2024-10-01") == "Lund"
    assert asked(memory, "current", "Ana", "residence") == "Ravn"
    assert statuses(memory) == {"Ravn": "current", "Lund": "planned"}
    assert memory.ask("Where does Ana live now?").text == "Ravn"


# Who said what about whom -----------------------------------------------------------------------------------


@tests_case("UN-03")
def test_the_prompt_holds_the_text_itself(migrated: Address, memory_id: str, case: Case) -> None:
    model = replying({"facts": []})
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as memory:
        memory.ingest(sessions(case))
        (request,) = model.requests
        assert "先週、京都で茶道を始めました。" in request.messages[-1].content
        assert "はるか" in request.messages[-1].content
        assert "\\u" not in request.text
        memory.forget_memory()


@tests_case("UN-09")
def test_objects_keep_their_script(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [
            fact("小雨", "works_at", "蓝鲸科技", "我在蓝鲸科技工作"),
            fact("小雨", "lives_in", "杭州", "住在杭州"),
            fact("小雨", "works_at", "Blue Whale Technology", "我在蓝鲸科技工作"),
        ],
    )
    assert {(m.fact.relation.name, m.fact.object) for m in memory.facts()} == {
        ("employer", "蓝鲸科技"),
        ("residence", "杭州"),
    }
    assert [(r.candidate.object, r.reason) for _, r in memory.rejected()] == [("Blue Whale Technology", "not_in_text")]
    assert asked(memory, "current", "小雨", "employer") == "蓝鲸科技"
    assert "蓝鲸科技" in memory.evidence("小雨在哪里工作？").text


@tests_case("ID-03")
def test_a_nickname_and_a_name_are_both_in_the_evidence(reading: Reading, case: Case) -> None:
    memory = reading(
        case,
        [],
        [fact("Bobby", "lives_in", "Lund", "Bobby moved to Lund")],
        [fact("Robert Hale", "lives_in", "Ravn", "Robert Hale is now in Ravn")],
    )
    assert objects(memory.evidence("Where does Bobby live now?").facts) == ["Lund", "Ravn"]
    assert {s.name for s in memory.subjects()} == {"Bobby", "Robert Hale"}  # nobody is merged by likeness
    memory.merge_subjects("Bobby", "Robert Hale", by="Ana", why="everyone calls him Bobby")
    assert asked(memory, "current", "Robert Hale", "residence") == "Ravn"
    assert asked(memory, "previous", "Robert Hale", "residence") == "Lund"
    assert memory.ask("Where does Bobby live now?").text == "Ravn"


@tests_case("AT-01")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_what_a_program_says_is_nobodys_deed(
    reading: Reading, grammar: GrammarExtractor, reader: str, case: Case
) -> None:
    invented = [
        fact("Ana", "proved", "a short proof by contradiction", "Here is a short proof by contradiction I worked out"),
        fact("Ana", "proved", "the square root of two irrational"),
        fact("assistant", "proved", "a short proof by contradiction"),
    ]
    memory = reading(case, invented) if reader == "scripted" else reading(case, extractor=grammar)
    assert memory.facts() == []
    answer = memory.ask("What has Ana proved?")
    assert answer.path != "model"
    assert "proof" not in answer.text
    if reader == "scripted":
        assert sorted(r.reason for _, r in memory.rejected()) == ["assistant_turn", "assistant_turn", "question"]


@tests_case("AT-03")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_the_telescope_is_not_miras(reading: Reading, grammar: GrammarExtractor, reader: str, case: Case) -> None:
    quote = "I still use the brass telescope my uncle left me."
    claimed = [
        fact("Ana", "possession", "brass telescope", quote),
        fact("Mira", "possession", "brass telescope", quote),
        fact("Mira", "possession", "brass telescope"),
    ]
    memory = reading(case, claimed) if reader == "scripted" else reading(case, extractor=grammar)
    assert not [m for m in memory.facts() if "telescope" in m.fact.object and m.fact.subject != "Ana"]
    if reader == "scripted":
        assert [(m.fact.subject, m.fact.object) for m in memory.facts()] == [("Ana", "brass telescope")]
    assert asked(memory, "ever", "Mira", "possession", value="brass telescope") in {False, "unknown_subject"}


@tests_case("IN-07")
@pytest.mark.parametrize("reader", ["scripted", "grammar"])
def test_a_turn_that_gives_orders_is_only_text(
    reading: Reading, grammar: GrammarExtractor, reader: str, case: Case
) -> None:
    obeyed = [fact("admin", "password", "letmein"), fact("Ana", "lives_in", "Ravn", "Anyway, I live in Ravn")]
    memory = reading(case, obeyed) if reader == "scripted" else reading(case, extractor=grammar)
    assert [(m.fact.subject, m.fact.relation.name, m.fact.object) for m in memory.facts()] == [
        ("Ana", "residence", "Ravn")
    ]


# Replies of every shape -------------------------------------------------------------------------------------


@tests_case("LO-01", "LO-05")
def test_prose_around_and_a_bare_list_are_read(migrated: Address, memory_id: str, case: Case) -> None:
    for attempt in range(2):  # the same every time
        model = replying(case["given"]["llm_reply"])
        with open_memory(migrated, f"{memory_id}-{attempt}", extractor=reader_of(model)) as memory:
            memory.ingest(sessions(case))
            assert [(m.fact.subject, m.fact.relation.name, m.fact.object) for m in memory.facts()] == [
                ("Ana", "residence", "Ravn")
            ]
            assert len(model.requests) == 1
            memory.forget_memory()


@tests_case("LO-03")
def test_fences_inside_an_object_stay(migrated: Address, memory_id: str, case: Case) -> None:
    reply = case["given"]["llm_reply"]
    noted = json.loads(reply)["facts"][0]["object"]
    options = {"settings": OPEN, "extractor": reader_of(replying(reply), open_vocabulary=True)}
    with open_memory(migrated, memory_id, **options) as memory:
        memory.ingest(sessions(case))  # the text of the case does not say it
        assert [(r.candidate.object, r.reason) for _, r in memory.rejected()] == [(noted, "not_in_text")]
        memory.ingest([said("s2", "2024-01-02", f"I noted: {noted}")])
        assert objects(memory.facts()) == [noted]
        memory.forget_memory()


@tests_case("LO-07")
def test_an_empty_reply_is_a_failure(migrated: Address, memory_id: str, case: Case) -> None:
    model = replying("")
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as memory:
        (outcome,) = memory.ingest(sessions(case)).outcomes
        assert (outcome.status, len(model.requests)) == (OutcomeStatus.FAILED, 2)
        assert "model returned empty content" in (outcome.reason or "")
        assert memory.sessions() == []
        memory.forget_memory()


@tests_case("LO-09")
def test_each_bad_item_is_refused_by_name(migrated: Address, memory_id: str, case: Case) -> None:
    options = {"settings": OPEN, "extractor": reader_of(replying(case["given"]["llm_reply"]), open_vocabulary=True)}
    with open_memory(migrated, memory_id, **options) as memory:
        (outcome,) = memory.ingest(sessions(case)).outcomes
        assert (outcome.status, outcome.rejected) == (OutcomeStatus.STORED, 4)
        found = {r.detail.split(":")[0]: r.reason for _, r in memory.rejected() if r.reason == "malformed"}
        assert found == dict.fromkeys(("facts[1].object", "facts[2].subject", "facts[3].object"), "malformed")
        memory.ingest([said("s2", "2024-01-02", "I'm 34 now.")])
        assert objects(memory.facts()) == ["34"]
        memory.forget_memory()


@tests_case("LO-11")
def test_the_error_names_session_and_field_and_nothing_else(migrated: Address, memory_id: str, case: Case) -> None:
    with open_memory(migrated, memory_id, extractor=reader_of(replying(case["given"]["llm_reply"]))) as memory:
        (outcome,) = memory.ingest(sessions(case)).outcomes
        reason = outcome.reason or ""
        assert outcome.status is OutcomeStatus.FAILED
        assert "'s1'" in reason
        assert "facts[0].relation" in reason
        assert "I live in" not in reason
        assert migrated.password not in reason
        memory.forget_memory()


@tests_case("DR-03")
def test_no_json_at_all_stores_nothing_and_says_so(migrated: Address, memory_id: str, case: Case) -> None:
    with open_memory(migrated, memory_id, extractor=reader_of(replying(case["given"]["llm_reply"]))) as memory:
        report = memory.ingest([said("s1", "2024-01-01", "I live in Ravn.")])
        (outcome,) = report.failed
        assert (outcome.session, report.facts, memory.facts()) == ("s1", 0, [])
        assert "holds no JSON" in (outcome.reason or "")
        memory.forget_memory()


# Limits -----------------------------------------------------------------------------------------------------


@tests_case("LI-01")
def test_a_reply_cut_off_is_a_failure(migrated: Address, memory_id: str, case: Case) -> None:
    cut = ChatReply('{"facts": [{"subject": "Ana", "relation": "lives_in", "obj', "length", Usage(1, 900, 8192))
    with open_memory(migrated, memory_id, extractor=reader_of(replying(cut))) as memory:
        (outcome,) = memory.ingest([said("s1", "2024-01-01", "I live in Ravn. " * 256)]).outcomes
        assert outcome.status is OutcomeStatus.FAILED
        assert "reply cut off at 8192 tokens" in (outcome.reason or "")
        assert "'s1'" in (outcome.reason or "")
        assert (memory.sessions(), memory.search("Where does Ana live?")) == ([], [])
        assert (outcome.usage.calls, outcome.usage.output_tokens) == (2, 16384)
        memory.forget_memory()


@tests_case("LI-03")
def test_a_turn_of_sixty_thousand_characters(migrated: Address, memory_id: str, case: Case) -> None:
    class Strict(HashingEmbedder):
        async def embed(self, texts: Sequence[str]) -> list[list[float]]:
            assert all(len(text.split()) <= 512 for text in texts), "too long"
            return await super().embed(texts)

    filler = "The weather was mild and nothing happened. "
    text = filler * 1300 + "I live in Ravn. " + filler * 90
    assert len(text) > 59_000
    model = ScriptedChat(read_plainly)
    with open_memory(migrated, memory_id, extractor=reader_of(model), embedder=Strict()) as memory:
        memory.ingest([said("s1", "2024-01-01", text)])
        assert objects(memory.search("Ana lives in Ravn")) == ["Ravn"]
        assert [t.text for _, t in memory.turns()] == [text]
        assert len(model.requests) > 1  # read in pieces, each within the model's window
        # The head of a long turn is embedded; the full text has all of it, also its last tenth.
        assert [line.removeprefix("Ana: ") for line in Database(migrated).found(memory_id, "Ravn")] == [text.strip()]
        memory.forget_memory()


@tests_case("LI-05")
def test_never_more_model_calls_than_asked_for(migrated: Address, memory_id: str, case: Case) -> None:
    class Busy:
        name = "busy"
        running = most = 0

        async def chat(self, messages: Sequence[ChatMessage], **_: object) -> ChatReply:
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(0.01)
            self.running -= 1
            return ChatReply('{"facts": []}')

        async def aclose(self) -> None: ...

    model = Busy()
    settings = load_settings(embedder="hashing", concurrency=3)
    extractor = ModelExtractor(model, load_relations())
    with open_memory(migrated, memory_id, settings=settings, extractor=extractor) as memory:
        memory.ingest(said(f"s{n}", "2024-01-01", "Hello.") for n in range(case["given"]["sessions"]))
        assert model.most == 3
        memory.forget_memory()


@tests_case("LI-07")
def test_empty_sessions_cost_no_call_and_missing_fields_are_named(
    migrated: Address, memory_id: str, case: Case
) -> None:
    model = replying({"facts": []})
    with open_memory(migrated, memory_id, extractor=reader_of(model)) as memory:
        report = memory.ingest([said("s1", "2024-01-01"), said("s2", "2024-01-02", ""), said("s3", "2024-01-03", "  ")])
        assert [(o.status, o.facts) for o in report.outcomes] == [(OutcomeStatus.STORED, 0)] * 3
        assert model.requests == []
        memory.forget_memory()
    with pytest.raises(InputError, match="speaker"):
        parse_conversations('{"id": "s1", "date": "2024-01-01", "turns": [{"text": "Hello."}]}')
    (conversation,) = parse_conversations('{"id": "s1", "turns": [{"speaker": "Ana", "text": "Hello."}]}')
    assert conversation.sessions[0].date is None  # a session may have no date: stated in the format


# Progress and cost ------------------------------------------------------------------------------------------


@tests_case("PR-01")
def test_every_session_is_told_of_once_with_what_it_cost(migrated: Address, memory_id: str, case: Case) -> None:
    def fails_twice(request: ChatRequest) -> ChatReply:
        is_bad = any(f"Town{n}." in request.messages[-1].content for n in (3, 7))
        return ChatReply("" if is_bad else read_plainly(request), usage=Usage(1, 100, 10))

    told: list[Outcome] = []
    with open_memory(migrated, memory_id, extractor=reader_of(ScriptedChat(fails_twice))) as memory:
        report = memory.ingest(
            (said(f"s{n}", "2024-01-01", f"I live in Town{n}.") for n in range(10)), on_outcome=told.append
        )
        assert sorted(o.session for o in told) == sorted(o.session for o in report.outcomes)
        assert [o.session for o in report.outcomes] == [f"s{n}" for n in range(10)]
        assert {o.session: o.reason for o in report.failed} == {
            id_: f"session {id_!r}: model returned empty content" for id_ in ("s3", "s7")
        }
        assert (report.count(OutcomeStatus.STORED), report.count(OutcomeStatus.FAILED)) == (8, 2)
        assert report.usage == Usage(12, 1200, 120)  # the two that failed were asked twice
        memory.forget_memory()
