"""Reported cases whose facts are given: order, returns, dates, names, isolation. And: no case is forgotten."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

from tem_graph.graph.connection import Address
from tem_graph.retrieve.block import BlockStyle
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory
from tests.integration.reported import CASES, MODULES, PLAN, Case, asked, put, tests_case
from tests.integration.stories import objects, plain_reader, reader_of, replying, said


def test_every_reported_case_is_tested_or_planned() -> None:
    tested = {
        id_
        for name in MODULES
        for test in vars(import_module(f"tests.integration.{name}")).values()
        for id_ in getattr(test, "cases", ())
    }
    elsewhere = {id_ for entry in PLAN["elsewhere"] for id_ in entry["cases"]}
    waiting = {id_ for entry in PLAN["waits"] for id_ in entry["cases"]}
    in_part = {id_ for entry in PLAN["in_part"] for id_ in entry["cases"]}
    assert len(CASES) == 86
    assert tested | elsewhere | waiting == CASES.keys()
    assert not waiting & (tested | elsewhere)
    assert in_part <= tested | elsewhere
    assert all(entry["until"] and entry["reason"] for kind in ("waits", "in_part") for entry in PLAN[kind])


def test_tests_named_in_the_plan_exist() -> None:
    for entry in PLAN["elsewhere"]:
        for place in entry["tests"]:
            module, _, function = place.partition("::")
            name = module.removesuffix(".py").replace("/", ".")
            assert callable(getattr(import_module(name), function)), place


# Order, returns, ties ---------------------------------------------------------------------------------------


@tests_case("TS-05")
def test_three_employers(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)

    def ask(operator: str, **arguments: object) -> object:
        return asked(memory, operator, "Tamsin", "works_at", **arguments)

    assert ask("current") == "Cedarworks"
    assert ask("previous") == "Birchline"
    assert ask("count_distinct") == 3
    assert ask("history") == ["Acorn", "Birchline", "Cedarworks"]
    assert ask("as_of_date", date="2022-01-01") == "Birchline"
    assert ask("as_of_date", date="2018-01-01") == "before_first_record"
    assert ask("duration", value="Cedarworks", until="2024-04-01") == 366


@tests_case("RC-01")
def test_a_return_is_a_stay_of_its_own(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)

    def ask(operator: str, **arguments: object) -> object:
        return asked(memory, operator, "Alva", "assigned_to", **arguments)

    assert ask("current") == "Archive"
    assert ask("previous") == "Front desk"
    assert ask("history") == ["Archive", "Front desk", "Archive"]
    assert ask("as_of_date", date="2025-03-15") == "Archive"
    assert ask("as_of_date", date="2025-05-01") == "Front desk"
    assert (ask("count_distinct"), ask("count_versions"), ask("count_value", value="Archive")) == (2, 3, 2)
    assert len({m.fact.id for m in memory.facts()}) == 3


@tests_case("OI-03")
def test_successions_are_no_contradictions(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert memory.conflicts() == []
    assert asked(memory, "history", "Ren", "salary") == ["41000", "45500"]
    assert asked(memory, "as_of_date", "Ren", "salary", date="2022-01-01") == "41000"
    assert asked(memory, "history", "Project Aster", "led_by") == ["Ren", "Qadir"]
    assert asked(memory, "current", "Project Aster", "led_by") == "Qadir"


@tests_case("DU-01")
def test_told_again_is_no_change(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert asked(memory, "current", "Orla", "hobby") == "rowing"
    assert asked(memory, "count_distinct", "Orla", "hobby") == 1
    assert asked(memory, "previous", "Orla", "hobby") == "no_earlier_version"
    assert [(m.fact.object, m.status) for m in memory.facts()] == [("rowing", "current")] * 3


@tests_case("OO-01")
def test_a_late_import_goes_to_its_place(memory: TemporalMemory, case: Case) -> None:
    put(memory, case, "facts_in_ingest_order")
    assert asked(memory, "current", "Tamsin", "works_at") == "Ferrow"
    assert asked(memory, "previous", "Tamsin", "works_at") == "Acorn"
    assert asked(memory, "history", "Tamsin", "works_at") == ["Acorn", "Ferrow"]


@tests_case("OO-03")
def test_a_backfill_changes_what_was_before(memory: TemporalMemory, case: Case) -> None:
    facts, dates = case["given"]["facts"], case["given"]["session_dates"]
    put(memory, {"given": {"facts": facts[:2], "session_dates": dates}})
    assert asked(memory, "previous", "Jon", "lives_in") == "Ash"
    put(memory, {"given": {"facts": facts[2:], "session_dates": dates}})
    assert asked(memory, "previous", "Jon", "lives_in") == "Beck"
    assert asked(memory, "as_of_date", "Jon", "lives_in", date="2023-01-01") == "Beck"
    assert {m.fact.object: str(m.status) for m in memory.search("Where does Jon live?")} == {
        "Ash": "historical",
        "Beck": "historical",
        "Cove": "current",
    }


# Times with and without an offset ---------------------------------------------------------------------------


@tests_case("TZ-03")
def test_a_time_without_an_offset_is_read_in_the_zone_of_the_settings(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert [s.id for s in memory.sessions()] == ["s2", "s1"]
    assert asked(memory, "current", "Tess", "lives_in") == "Ravn"


@tests_case("TZ-05")
def test_instants_decide_and_not_wall_clocks(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert asked(memory, "current", "Tess", "mood") == "rested"
    assert asked(memory, "history", "Tess", "mood") == ["tired", "rested"]
    assert [str(s.date) for s in memory.sessions()] == ["2023-10-29T02:30:00+02:00", "2023-10-29T02:30:00+01:00"]


# Names in every script --------------------------------------------------------------------------------------


@tests_case("UN-01")
def test_two_people_in_chinese(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert asked(memory, "current", "林小雨", "住在") == "杭州"
    assert asked(memory, "current", "陈大海", "住在") == "青岛"
    assert {s.key for s in memory.subjects()} == {"林小雨", "陈大海"}
    assert len({m.fact.group for m in memory.facts()}) == 2


@tests_case("UN-05")
def test_folded_names(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert asked(memory, "current", "frau strauß", "street") == "Bergweg"
    assert asked(memory, "current", "İpek", "city") == "İzmir"
    assert asked(memory, "current", "İPEK", "city") == "İzmir"
    given = {(f["subject"], f["object"]) for f in case["given"]["facts"]}
    assert {(m.fact.subject, m.fact.object) for m in memory.facts()} == given


@tests_case("UN-07")
def test_the_same_code_points_come_back(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    given = {(f["subject"], f["object"]) for f in case["given"]["facts"]}
    assert {(m.fact.subject, m.fact.object) for m in memory.facts()} == given
    assert {(m.fact.subject, m.fact.object) for m in memory.search("flowers")} == given
    text = memory.evidence("مومو").text
    assert all(subject in text and obj in text for subject, obj in given)
    assert asked(memory, "current", "نور", "قطة") == "مومو 🐈‍⬛"


# Who is who -------------------------------------------------------------------------------------------------


@tests_case("ID-01")
def test_one_name_is_one_subject(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert [(s.name, s.facts) for s in memory.subjects()] == [("QRL", 4)]
    assert asked(memory, "current", "QRL", "office") == "Quay"


@tests_case("ID-05")
def test_likeness_merges_nobody(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    assert {s.name for s in memory.subjects()} == {"Northgate Clinic", "Northgate Dental"}
    assert {m.fact.canonical_subject for m in memory.facts()} == {None}
    assert asked(memory, "current", "Northgate Clinic", "phone") == "111"
    assert asked(memory, "current", "Northgate", "phone") == "unknown_subject"


# Isolation --------------------------------------------------------------------------------------------------


@tests_case("IS-01")
def test_two_users_know_the_same_person(memory: TemporalMemory, case: Case) -> None:
    other = memory.for_memory(f"{memory.id}-2")
    alone = memory.for_memory(f"{memory.id}-alone")
    put(memory, case, "u1")
    before = memory.search("What does Wren like?")
    put(other, case, "u2")
    assert objects(memory.search("What does Wren like?", 10)) == ["pears"]
    assert memory.search("What does Wren like?") == before  # no score has moved
    assert objects(memory.facts()) == ["pears"]
    assert asked(memory, "current", "Wren", "likes") == ["pears"]
    assert asked(memory, "count_distinct", "Wren", "likes") == 1
    assert [t.object for t in memory.history("Wren")] == ["pears"]
    assert [s.id for s in memory.sessions()] == ["a1"]
    assert "rowing" not in memory.ask("What does Wren like?").text
    assert "rowing" not in memory.evidence("What does Wren like?").text
    put(alone, case, "u2")
    ids = [{m.fact.id for m in m_.facts()} for m_ in (memory, other, alone)]
    assert not ids[0] & ids[1]
    assert not ids[1] & ids[2]
    for made in (other, alone):
        made.forget_memory()


@tests_case("IS-03")
def test_joined_keys_do_not_collide(memory: TemporalMemory, case: Case) -> None:
    made = {}
    for number, scope in enumerate(case["given"]["scopes"]):
        mine = memory.for_memory(f"{memory.id}|{scope['user']}")
        put(mine, {"given": {"facts": [{
            "subject": "Ana", "relation": "number", "object": str(number), "session": scope["space"],
            "effective_date": None,
        }]}})  # fmt: skip
        made[number] = mine
    for number, mine in made.items():
        assert [(m.fact.object, m.fact.source.session) for m in mine.facts()] == [
            (str(number), case["given"]["scopes"][number]["space"])
        ]
    assert len({m.fact.id for mine in made.values() for m in mine.facts()}) == 4
    for mine in made.values():
        mine.forget_memory()


# Taking back, evidence --------------------------------------------------------------------------------------


@tests_case("DE-05")
def test_a_mistaken_fact_is_retracted_by_id(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    mistaken = next(m.fact for m in memory.facts() if m.fact.object == "Bleu")
    assert memory.retract(mistaken.id, by="Jon", why="typing error") == (mistaken.id,)
    assert asked(memory, "current", "Jon", "team") == "Red"
    (kept,) = [m.fact for m in memory.facts() if m.fact.id == mistaken.id]
    assert kept.retraction is not None
    assert (kept.retraction.by, kept.retraction.why) == ("Jon", "typing error")


@tests_case("EV-01")
def test_each_line_says_status_dates_and_source(memory: TemporalMemory, case: Case) -> None:
    put(memory, case)
    lines = memory.evidence("Which team is Jon in?").text.splitlines()
    assert "- Jon | team | Red | source: s1, 2024-01-01 [historical]" in lines
    assert "- Jon | team | Blue | source: s2, 2024-02-01 | effective since: 2024-01-20" in lines


@tests_case("EV-01")
def test_a_turn_behind_a_fact_and_an_event_stands_once(migrated: Address, memory_id: str, case: Case) -> None:
    sessions = [
        said("s1", "2024-01-01", "I joined Red today."),
        said("s2", "2024-02-01", "So I joined Blue in the end."),
    ]
    replies = [
        {
            "facts": [{"quote": text, "subject": "Jon", "relation": "employer", "object": team, "turn": 0}],
            "events": [{"turns": [0], "summary": f"Jon joined {team}.", "participants": ["Jon"], "when": None}],
            "notes": [],
        }
        for team, text in (("Red", "I joined Red today"), ("Blue", "So I joined Blue in the end"))
    ]
    jons = [replace(s, turns=tuple(replace(turn, speaker="Jon") for turn in s.turns)) for s in sessions]
    with open_memory(migrated, memory_id, extractor=reader_of(replying(*replies))) as memory:
        for session in jons:
            memory.ingest([session])
        assert len(memory.events()) == 2
        text = memory.hybrid_evidence("Which team did Jon join?").text
        assert "- Jon | employer | Red | source: s1, 2024-01-01 [historical]" in text.splitlines()
        assert "- Jon | employer | Blue | source: s2, 2024-02-01" in text.splitlines()
        for team in ("Red", "Blue"):
            assert sum("joined" in line and team in line for line in text.splitlines()) == 1, "the turn or the event"
        memory.forget_memory()


def test_each_line_can_say_the_turn(migrated: Address, memory_id: str) -> None:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest([said("s1", "2024-01-01", "Hello.", "I live in Ravn.")])
        block = memory.evidence("Where does Ana live?", style=BlockStyle(turns=True))
        assert "- Ana | residence | Ravn | source: s1, turn 1, 2024-01-01" in block.text.splitlines()
        memory.forget_memory()
