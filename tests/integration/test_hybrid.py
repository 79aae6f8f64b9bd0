"""Hybrid evidence on the real graph: one memory, one round trip, no memory starved by another, law 8 inside."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from tem_graph.domain.evidence import PassageKind
from tem_graph.domain.time import AsOf
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.graph.connection import Address, Graph
from tem_graph.graph.search import Searcher
from tem_graph.ingest.by_hand import FactInput
from tem_graph.settings import load_relations
from tem_graph.sync import TemporalMemory
from tests.integration.conftest import open_memory
from tests.integration.stories import plain_reader, said

STORY = [
    said("s1", "2024-01-05", "I live in Lund.", ("Mia", "How is the flat by the lake?"), "It has a blue door."),
    said("s2", "2024-02-09", ("Mia", "I painted the lake at sunrise."), "Lovely, was it cold that morning?"),
    said("s3", "2024-03-12", "I live in Graz.", ("Mia", "Then the lake is far away now.")),
]


@pytest.fixture
def told(migrated: Address, memory_id: str) -> Iterator[TemporalMemory]:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest(STORY)
        yield memory
        memory.forget_memory()


def test_facts_come_first_and_marked_then_the_sessions_in_order(told: TemporalMemory) -> None:
    evidence = told.hybrid_evidence("Where does Ana live?")
    lines = evidence.text.splitlines()
    assert lines[1].startswith("- Ana | residence | Lund | source: s1, 2024-01-05")
    assert lines[1].endswith("[historical]")
    assert lines[2].startswith("- Ana | residence | Graz")
    assert [line for line in lines if line.startswith("s")] == [
        "s1, 5 January 2024",
        "s2, 9 February 2024",
        "s3, 12 March 2024",
    ]
    assert ("s1", 0) in evidence.turns


def test_unmarked_evidence_has_the_same_bytes_less_the_labels(told: TemporalMemory) -> None:
    marked = told.hybrid_evidence("Where does Ana live?")
    bare = told.hybrid_evidence("Where does Ana live?", marks=False)
    assert "[historical]" in marked.text
    assert marked.text.replace(" [historical]", "").encode() == bare.text.encode()


def test_a_budget_is_kept_and_the_answer_kept_in_it(told: TemporalMemory) -> None:
    evidence = told.hybrid_evidence("Who painted the lake at sunrise?", budget_tokens=40)
    assert evidence.tokens <= 40
    assert "Mia: I painted the lake at sunrise." in evidence.text


def test_what_was_told_later_is_not_seen_from_before(told: TemporalMemory) -> None:
    evidence = told.hybrid_evidence("Where does Ana live? And the lake?", as_of=told.as_of(known_after="s2"))
    assert "Graz" not in evidence.text
    assert "far away" not in evidence.text
    assert "[historical]" not in evidence.text


def test_a_replaced_turn_is_not_found_any_more(told: TemporalMemory) -> None:
    told.ingest([said("s2", "2024-02-09", ("Mia", "I painted the harbour at noon."))], replace=True)
    evidence = told.hybrid_evidence("What did Mia paint?")
    assert "harbour" in evidence.text
    assert "sunrise" not in evidence.text


def test_a_day_in_the_question_brings_its_session_first(migrated: Address, memory_id: str) -> None:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest([said(f"s{n}", f"2024-0{n}-20", f"We rowed on the lake, boat number {n}.") for n in range(1, 7)])
        evidence = memory.hybrid_evidence("Which boat was it in April 2024?", budget_tokens=30)
        assert "boat number 4" in evidence.text
        memory.forget_memory()


def test_passages_hold_events_turns_and_neighbours_of_one_memory_only(migrated: Address, memory_id: str) -> None:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        other = memory.for_memory(f"{memory_id}-other")
        memory.ingest(STORY)
        other.ingest([said("s1", "2024-01-05", "I painted the lake at sunrise in Zq7Secretville.")])
        evidence = memory.hybrid_evidence("Who painted the lake at sunrise?")
        assert "Secretville" not in evidence.text
        assert {passage.session for passage in evidence.passages} <= {"s1", "s2", "s3"}
        other.forget_memory()
        memory.forget_memory()


async def test_one_round_trip_also_where_the_index_proposes(
    migrated: Address, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = count_reads(monkeypatch)
    with open_memory(migrated, memory_id, extractor=plain_reader()) as memory:
        memory.ingest(STORY)
    graph = Graph(migrated)
    searcher = Searcher(graph, load_relations())
    (embedding,) = await HashingEmbedder().embed(["Who painted the lake?"])
    for exact_limit in (1_000, 3):
        asked.clear()
        found = await searcher.candidates(
            memory_id,
            embedding,
            "Who painted the lake?",
            facts=1,
            passages=2,
            as_of=AsOf(date(2024, 6, 1)),
            policy="effective",
            exact_limit=exact_limit,
        )
        turns = [p.passage for p in found.passages if p.passage.kind is PassageKind.TURN]
        assert any("painted" in turn.text for turn in turns)
        assert asked[0] == "hybrid_candidates"
        if exact_limit == 1_000:
            assert asked == ["hybrid_candidates"]
    await graph.aclose()
    with open_memory(migrated, memory_id) as memory:
        memory.forget_memory()


def count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the queries that are read from now on."""
    asked: list[str] = []
    read = Graph.read

    async def counted(self: Graph, name: str, **parameters: object) -> object:
        asked.append(name)
        return await read(self, name, **parameters)

    monkeypatch.setattr(Graph, "read", counted)
    return asked


def test_a_small_memory_is_not_starved_by_a_large_one(migrated: Address, memory_id: str) -> None:
    """The other memory has hundreds of turns nearer to the question; in the shared indexes they come first."""
    with open_memory(migrated, memory_id, extractor=plain_reader()) as small:
        large = small.for_memory(f"{memory_id}-large")
        large.ingest([said(f"s{n}", None, *(["Who painted the lake at sunrise?"] * 40)) for n in range(10)])
        small.ingest([said("s1", "2024-01-05", "Somebody painted something by the water, at sunrise.")])
        assert "by the water" in small.hybrid_evidence("Who painted the lake at sunrise?").text
        assert len(small.search_turns("Who painted the lake at sunrise?", 5)) == 1
        assert len(large.search_turns("Who painted the lake at sunrise?", 20)) == 20
        large.forget_memory()
        small.forget_memory()


def test_plain_retrieval_is_by_vector_best_first(told: TemporalMemory) -> None:
    hits = told.search_turns("I painted the lake at sunrise.", 3)
    assert len(hits) == 3
    assert hits[0].passage.text == "Mia: I painted the lake at sunrise."
    assert [h.similarity for h in hits] == sorted((h.similarity for h in hits), reverse=True)
    assert hits[0].passage.day == date(2024, 2, 9)


def test_facts_by_hand_alone_are_evidence_too(memory: TemporalMemory) -> None:
    memory.add_facts([FactInput("Ana", "residence", "Lund", "s1")])
    assert "Ana | residence | Lund" in memory.hybrid_evidence("Where does Ana live?").text


def test_questions_without_words_or_with_operators_of_the_full_text_search_are_harmless(told: TemporalMemory) -> None:
    for question in ("?!", "lake AND NOT (sunrise~ OR *) [a TO b] ^2 \\ + - && || / :", "住在哪里？", "the of and"):
        assert told.hybrid_evidence(question).text.startswith("<Memory>")
