"""Questions in several hops over small histories."""

from __future__ import annotations

from datetime import date

import pytest

from tem_graph.answer.hops import Chain, find_hop, resolve_hops
from tem_graph.answer.route import Known, KnownValue
from tem_graph.answer.rules import RulesRouter
from tem_graph.domain.time import AsOf
from tem_graph.temporal.registry import Call, views_of
from tem_graph.temporal.result import Result, ResultStatus
from tests.unit.strategies import CATALOG
from tests.unit.test_operators import told

TODAY = date(2024, 6, 1)
FACTS = [
    told("Bo", 1, relation="brother"),
    told("Mira", 1, relation="manager"),
    told("Vik", 5, relation="manager"),
    told("Acme", 1, subject="Bo", relation="employer"),
    told("Birch", 4, subject="Bo", relation="employer"),
    told("Graz", 1, subject="Mira"),
    told("Lund", 2, subject="Vik"),
    told("Porto", 6, subject="Vik"),
    told("Norway", 3),
    told("Oslo", 1, subject="Norway", relation="capital"),
    told("Rhea", 1, subject="Birch", relation="chief executive officer"),
    told("Kai", 2, subject="Rhea", relation="spouse"),
    told("jazz", 1, relation="likes"),
    told("tea", 2, relation="likes"),
]
NAMES = {f.subject: () for f in FACTS}
RELATIONS = tuple(sorted({f.relation.name for f in FACTS}))
VALUES = tuple(KnownValue(f.subject, f.relation.name, f.object, f.slot) for f in FACTS)
KNOWN = Known(NAMES, CATALOG, TODAY, RELATIONS, VALUES)
ROUTER = RulesRouter()


async def resolve(call: Call) -> Result:
    return call.apply(views_of(FACTS, CATALOG, AsOf(TODAY)))


async def chain(question: str) -> Chain | None:
    return await resolve_hops(question, KNOWN, ROUTER, resolve)


@pytest.mark.parametrize(
    ("question", "value", "hops"),
    [
        ("Where does Ana's manager live?", "Porto", 2),
        ("Where does the manager of Ana live now?", "Porto", 2),
        ("What is the employer of Ana's brother?", "Birch", 2),
        ("Who is Ana's brother's employer?", "Birch", 2),
        ("Who does Ana's brother work for?", "Birch", 2),
        ("Who did Ana's brother work for before Birch?", "Acme", 2),
        ("What was Ana's brother's previous employer?", "Acme", 2),
        ("Does Ana's brother still work for Birch?", True, 2),
        ("How many times has Ana's manager moved?", 1, 2),
        ("What is the capital of the country where Ana lives now?", "Oslo", 2),
        ("What is the capital of the country Ana lives in?", "Oslo", 2),
        ("Who is the chief executive officer of the employer of Ana's brother?", "Rhea", 3),
        ("Who is the spouse of the chief executive officer of the employer of Ana's brother?", "Kai", 4),
        ("Who is Ana's brother's employer's chief executive officer?", "Rhea", 3),
        ("Where did Ana's previous manager live?", None, 0),
        ("Where does Ana's previous manager live?", "Graz", 2),
        ("Where did Ana's manager live on 15 March 2023?", "Graz", 2),
    ],
)
async def test_a_question_is_answered_hop_by_hop(question: str, value: object, hops: int) -> None:
    found = await chain(question)
    if not hops:
        assert found is None
        return
    assert found is not None
    assert found.result.value == value
    assert len(found.steps) == hops


async def test_every_hop_is_in_the_evidence() -> None:
    found = await chain("Who is the chief executive officer of the employer of Ana's brother?")
    assert found is not None
    assert [f.object for f in found.result.facts] == ["Bo", "Birch", "Rhea"]
    assert "Bo" in found.result.sentence


async def test_an_as_of_day_holds_for_every_hop() -> None:
    found = await chain("Where did Ana's manager live on 15 March 2023?")
    assert found is not None
    assert [step.call.operator for step in found.steps] == ["as_of_date", "as_of_date"]
    assert [step.result.value for step in found.steps] == ["Mira", "Graz"]


async def test_a_hop_that_is_not_settled_ends_the_chain_with_its_status() -> None:
    unknown = await chain("Where does Ana's sister live?")
    assert unknown is not None
    assert unknown.result.status is ResultStatus.NO_SUCH_RELATION
    gone = await chain("Where does Vik's brother live?")
    assert gone is not None
    assert gone.result.status is ResultStatus.NO_SUCH_RELATION


@pytest.mark.parametrize(
    "question",
    [
        "Where does Ana live?",
        "What is Ana's manager?",
        "When did Ana's residence become Norway?",
        "What is the residence of Ana?",
        "Who was Ana's employer before Acme?",
        "What is Ana's favourite drink?",
        "When did Ana's job at Acme start?",
        "Where does the manager live?",
        "Why does Ana like jazz?",
    ],
)
def test_a_question_of_one_hop_is_left_alone(question: str) -> None:
    assert find_hop(question, KNOWN) is None
