"""A job that is given up without a word of the place: the whole way from the sentence to the answer."""

from __future__ import annotations

from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.graph.connection import Address
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.settings import load_relations
from tests.integration.conftest import open_memory
from tests.integration.reported import asked
from tests.integration.stories import said

WORKS = "I live in Lund. I work at Acme as a welder."


def test_a_job_that_was_quit_leaves_no_employer(migrated: Address, memory_id: str) -> None:
    extractor = GrammarExtractor(load_relations())
    with open_memory(migrated, memory_id, extractor=extractor, embedder=HashingEmbedder()) as memory:
        memory.ingest([said("s1", "2024-01-05", WORKS), said("s2", "2024-02-05", "I quit my job as a welder.")])
        assert asked(memory, "still", "Ana", "employer", value="Acme") is False
        assert asked(memory, "current", "Ana", "employer") == "none_known"
        assert asked(memory, "current", "Ana", "occupation") == "none_known"
        assert asked(memory, "current", "Ana", "residence") == "Lund"
        assert asked(memory, "previous", "Ana", "employer") == "Acme"
        memory.forget_memory()


def test_a_new_place_of_the_same_day_is_current(migrated: Address, memory_id: str) -> None:
    extractor = GrammarExtractor(load_relations())
    with open_memory(migrated, memory_id, extractor=extractor, embedder=HashingEmbedder()) as memory:
        memory.ingest([said("s1", "2024-01-05", WORKS), said("s2", "2024-02-05", "I quit my job and joined Birch.")])
        assert asked(memory, "current", "Ana", "employer") == "Birch"
        assert asked(memory, "still", "Ana", "employer", value="Acme") is False
        memory.forget_memory()
