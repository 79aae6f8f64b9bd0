"""Whoever gives up a job, or loses it, works at no place that is known, although no clause names the place."""

from __future__ import annotations

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import FactKind
from tem_graph.domain.relation import RelationCatalog
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_relations


@pytest.fixture(scope="module")
def catalog() -> RelationCatalog:
    return load_relations()


def believed(catalog: RelationCatalog, *texts: str) -> list[Candidate]:
    """What is believed of the employer out of turns by Ana."""
    session = Session("s", tuple(Turn(k, "Ana", text) for k, text in enumerate(texts)))
    read = tuple(GrammarExtractor(catalog).read(session))
    accepted, rejected = verify(session, Extraction(extractor="grammar", candidates=read), catalog)
    assert not rejected
    return [c for c in accepted if c.relation == "employer"]


@pytest.mark.parametrize(
    "text",
    [
        "I quit my job as a welder.",
        "Quit my job today!",
        "I lost my job in March.",
        "I left my job as a nurse to become a pilot.",
        "I resigned.",
        "I retired last year.",
        "I'm retired now.",
        "I got laid off last week.",
        "I was let go today.",
        "I was made redundant.",
        "My boss fired me.",
    ],
)
def test_the_employment_ends_at_whatever_place(catalog: RelationCatalog, text: str) -> None:
    (end,) = believed(catalog, text)
    assert (end.subject, end.object, end.kind) == ("Ana", "", FactKind.END)


def test_the_day_of_the_end_is_kept(catalog: RelationCatalog) -> None:
    (end,) = believed(catalog, "I lost my job on 3 June 2024.")
    assert end.since == "on 3 June 2024"


@pytest.mark.parametrize(
    "text",
    [
        "I want to quit my job.",
        "I almost lost my job.",
        "I didn't quit my job.",
        "I quit my side job.",
        "I quit my summer job.",
        "I quit my job at the bakery.",
        "I left my job when I was 20.",
        "My brother lost his job.",
        "I was fired up about it.",
        "I retired from football.",
        "I resigned from the board.",
        "I resigned myself to it.",
        "They let me go to the party.",
        "I was made captain.",
    ],
)
def test_nothing_ends(catalog: RelationCatalog, text: str) -> None:
    assert not [c for c in believed(catalog, text) if c.kind is FactKind.END]


def test_a_named_place_ends_alone(catalog: RelationCatalog) -> None:
    assert [(c.object, c.kind) for c in believed(catalog, "I quit my job at Acme.")] == [("Acme", FactKind.END)]


@pytest.mark.parametrize(
    "texts",
    [
        ("I quit my job and joined Birch.",),
        ("I quit my job.", "I work at Birch now."),
        ("I joined Birch.", "I quit my job."),
    ],
)
def test_a_new_place_in_the_same_session_holds(catalog: RelationCatalog, texts: tuple[str, ...]) -> None:
    assert [(c.object, c.kind) for c in believed(catalog, *texts)] == [("Birch", FactKind.VALUE)]
