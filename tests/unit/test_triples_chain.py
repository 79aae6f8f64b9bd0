"""Answers over open relations: paths by the question's words, values by the law; names and relations of our own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest

from tem_graph.answer.chain import ChainFinder, FoundChain
from tem_graph.answer.chain.fit import Hop, Likeness, fit
from tem_graph.answer.chain.question import name_key, read_open_question
from tem_graph.answer.route import Known, KnownValue
from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.fact import Fact
from tem_graph.domain.names import fold
from tem_graph.domain.time import AsOf
from tem_graph.embed.minilm import MiniLmEmbedder
from tem_graph.ingest.attach import attach_source
from tem_graph.ingest.triples import TripleExtractor, parse_fact_list
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_settings
from tem_graph.temporal.registry import Call, views_of
from tem_graph.temporal.result import Result, ResultStatus

STORY = """Here is a list of facts:
0. The painter of Blue Door is Ana Lind.
1. Ana Lind was born in the town of Lund.
2. The mayor of Lund is Bo Ek.
3. The mayor of Porto is Rui Sousa.
4. Blue Door was bought by Acme Museum.
5. The painter of Blue Door is Ida Holm.
6. Ida Holm was born in the town of Porto.
7. Bo Ek is married to Mia Ek.
8. Rui Sousa is married to Eva Sousa.
9. Rui Sousa is married to Lea Sousa.
10. Acme Museum was founded by Otto Berg.
"""
EMBEDDER = MiniLmEmbedder()
CATALOG = load_settings().catalog()
AS_OF = AsOf(date(2024, 6, 1))


def read(sessions: Sequence[Session]) -> list[Fact]:
    facts: list[Fact] = []
    for session in sessions:
        extraction = TripleExtractor().read(session)
        accepted, _ = verify(session, extraction, CATALOG, open_vocabulary=True)
        facts += attach_source(
            accepted, session, extraction, CATALOG, memory="m", recorded_at=datetime(2024, 1, 1, tzinfo=UTC)
        )
    return facts


def find(question: str, sessions: Sequence[Session] | None = None) -> FoundChain | None:
    facts = read(sessions or parse_fact_list(STORY))
    values = tuple({KnownValue(f.subject, f.relation.name, f.object) for f in facts})
    known = Known({f.subject: () for f in facts}, CATALOG, AS_OF.today, values=values)

    async def resolve(call: Call) -> Result:
        about = {fold(g.subject) for g in call.groups}
        return call.apply(views_of([f for f in facts if f.subject_key in about], CATALOG, AS_OF))

    return asyncio.run(ChainFinder(EMBEDDER).find(question, known, resolve))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who is the painter of Blue Door?", "Ida Holm"),
        ('Who painted the picture "Blue Door"?', "Ida Holm"),
        ("Where was Ana Lind born?", "Lund"),
        ("What is the birthplace of the painter of Blue Door?", "Porto"),
        ("Who is the mayor of the town where the painter of Blue Door was born?", "Rui Sousa"),
        ("Who is the spouse of the mayor of the birthplace of the painter of Blue Door?", "Lea Sousa"),
        ("Who is the founder of the museum that bought Blue Door?", "Otto Berg"),
    ],
)
def test_each_hop_has_the_value_that_holds_now(question: str, value: str) -> None:
    found = find(question)

    assert found is not None
    assert found.result.value == value
    assert len(found.calls) == len(found.steps)


def test_a_relation_is_read_backwards_where_only_that_leads_on() -> None:
    found = find("Which museum was founded by Otto Berg?")

    assert found is not None
    assert found.result.value == "Acme Museum"


def test_backwards_finds_nobody_by_an_outdated_value() -> None:
    found = find("Who is married to Eva Sousa?")

    assert found is None or found.result.value != "Rui Sousa"


def test_every_hop_brings_its_evidence() -> None:
    found = find("Who is the mayor of the town where the painter of Blue Door was born?")

    assert found is not None
    assert [f.source.session for f in found.result.facts if f.object == found.steps[-1].value] == ["3"]
    assert {"5", "6", "3"} <= {f.source.session for f in found.result.facts}
    assert "painter → born in town → mayor" in found.result.sentence


def test_where_two_readings_fit_alike_the_answer_is_likely_and_names_the_other() -> None:
    told = parse_fact_list(
        "0. The head of state of Norrland is Ana Lind.\n1. The head of council of Norrland is Bo Ek."
    )

    found, clear = find("Who is the head of Norrland?", told), find("Who is the head of council of Norrland?", told)

    assert found is not None
    assert clear is not None
    assert not found.is_sure
    assert {found.result.value, found.runner_up} == {"Ana Lind", "Bo Ek"}
    assert found.result.sentence.startswith("Likely, not sure: read as Norrland → head of ")
    assert (clear.result.value, clear.is_sure) == ("Bo Ek", True)


def test_a_conflict_ends_the_chain_as_a_conflict() -> None:
    told = Session("11", (Turn(0, "list", "The mayor of Porto is Ana Lind.\nThe mayor of Porto is Bo Ek."),), index=11)

    found = find("Who is the mayor of Porto?", [*parse_fact_list(STORY), told])

    assert found is not None
    assert found.result.status is ResultStatus.CONFLICTING
    assert set(found.result.value or ()) == {"Ana Lind", "Bo Ek"}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "question",
    [
        "Who was the painter of Blue Door before Ida Holm?",
        "Who was the previous mayor of Lund?",
        "Who was the first painter of Blue Door?",
        "Is Bo Ek the mayor of Lund?",
        "How many painters did Blue Door have?",
        "Who was the mayor of Lund in 1999?",
        "Who is the painter of Green Window?",
        "What is the shoe size of Ana Lind?",
    ],
)
def test_what_is_no_question_about_a_current_value_of_someone_known_is_left_to_others(question: str) -> None:
    assert find(question) is None


def test_words_between_relations_end_a_phrase() -> None:
    (reading,) = read_open_question("Who is the wife of the mayor of Lund?", {name_key("Lund"): "Lund"})

    assert [p.text for p in reading.phrases] == ["who is the wife", "wife", "mayor"]


def test_a_longer_name_hides_the_names_inside_it() -> None:
    names = {name_key(n): n for n in ("Lund", "Lund University")}

    assert [r.anchor for r in read_open_question("Who leads Lund University?", names)] == ["Lund University"]


def test_of_two_paths_that_explain_the_same_words_the_shorter_fits_better() -> None:
    (reading,) = read_open_question("Who is the mayor of Lund?", {"lund": "Lund"})
    rows = {"mayor": [1.0] * len(reading.phrases), "spouse": [0.0] * len(reading.phrases)}
    likeness = Likeness(rows, {})

    assert fit(reading, likeness, [Hop("mayor")]) > fit(reading, likeness, [Hop("mayor"), Hop("spouse")])
    assert fit(reading, likeness, [Hop("mayor")]) > fit(reading, likeness, [Hop("mayor", is_inverse=True)])
