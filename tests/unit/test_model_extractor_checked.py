"""Model and grammar together: what agrees, what one adds, what the other has against it."""

from __future__ import annotations

import json

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction, Rejection, Usage
from tem_graph.domain.fact import FactKind
from tem_graph.errors import BadReply
from tem_graph.ingest.checked import CheckedExtractor, merge
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.model import ModelExtractor
from tem_graph.ingest.objections import read_objections
from tem_graph.ingest.verify import verify
from tem_graph.llm.scripted import ScriptedChat
from tem_graph.ports import Extractor
from tem_graph.settings import load_relations

CATALOG = load_relations()
LUND = Candidate("Ana", "residence", "Lund", 0, "I moved to Lund")
ACME_END = Candidate("Ana", "employer", "Acme", 1, "I left Acme", FactKind.END)


def nothing_against(candidate: Candidate) -> str | None:
    return None


def joined(model: tuple[Candidate, ...], grammar: tuple[Candidate, ...], objection=nothing_against) -> Extraction:  # type: ignore[no-untyped-def]
    of_model = Extraction("model", model, model="tiny", prompt="p@1", usage=Usage(1, 9, 3))
    return merge(of_model, Extraction("grammar", grammar), objection, CATALOG)


def shown(extraction: Extraction) -> list[tuple[str, str | None]]:
    return [(c.object, c.proposed_by) for c in extraction.candidates]


def test_what_both_propose_is_kept_once_in_the_grammars_form() -> None:
    longer = Candidate("ana", "residence", "Lund, Sweden", 0, "Hi! I moved to Lund, Sweden last May", since="last May")
    result = joined((longer,), (LUND,))
    assert shown(result) == [("Lund", "grammar")]
    assert result.candidates[0].quote == "I moved to Lund"
    assert (result.extractor, result.model, result.prompt, result.usage) == (
        "model+grammar",
        "tiny",
        "p@1",
        Usage(1, 9, 3),
    )


def test_what_one_alone_proposes_is_kept_in_text_order() -> None:
    assert shown(joined((LUND,), (ACME_END,))) == [("Lund", "model"), ("Acme", "grammar")]


def test_a_value_that_the_grammar_reads_as_ended_is_refused() -> None:
    still = Candidate("Ana", "employer", "Acme", 1, "I left Acme")
    result = joined((still,), (ACME_END,))
    assert shown(result) == [("Acme", "grammar")]
    (refused,) = result.malformed
    assert (refused.candidate, refused.reason) == (still, "contradicted")
    assert "the end of employer 'Acme'" in refused.detail


@pytest.mark.parametrize(
    ("relation", "slot", "kept"),
    [("residence", None, False), ("likes", "drink", False), ("likes", None, True), ("possession", None, True)],
)
def test_where_one_value_holds_at_a_time_the_grammars_is_taken(relation: str, slot: str | None, kept: bool) -> None:
    model, grammar = Candidate("Ana", relation, "A", 0, slot=slot), Candidate("Ana", relation, "B", 3, slot=slot)
    assert ("A" in [c.object for c in joined((model,), (grammar,)).candidates]) is kept


def test_an_objection_refuses_and_says_why() -> None:
    result = joined((LUND,), (), lambda candidate: "'Lund' as wished, asked or imagined")
    assert result.candidates == ()
    assert result.malformed[0].detail == "the grammar reads 'Lund' as wished, asked or imagined"


def test_what_was_malformed_in_the_reply_stays_listed() -> None:
    torn = Rejection(Candidate("", "", ""), "malformed", "facts[0]: no")
    assert merge(Extraction("model", malformed=(torn,)), Extraction("grammar"), nothing_against, CATALOG).malformed == (
        torn,
    )


@pytest.mark.parametrize(
    ("text", "subject", "value", "objects"),
    [
        ("I moved to Lund.", "Ana", "Lund", False),
        ("Would I ever move to Lund?", "Ana", "Lund", True),
        ("I hope to move to Lund.", "Ana", "Lund", True),
        ("She moved to Lund.", "Ana", "Lund", True),
        ("Mia moved to Lund.", "Ana", "Lund", True),
        ("Mia moved to Lund.", "Mia", "Lund", False),
        ("I moved to Lund.", "Mia", "Lund", True),
        ("I hope to see Lund. I moved to Lund.", "Ana", "Lund", False),
        ("I moved to Lund.", "Ana", "Paris", False),
    ],
)
def test_the_parse_objects_to_what_its_clauses_do_not_state(text: str, subject: str, value: str, objects: bool) -> None:
    objection = read_objections(Session("s1", (Turn(0, "Ana", text),)))
    assert (objection(Candidate(subject, "residence", value, 0, text)) is not None) is objects


async def test_both_read_a_session_and_what_is_believed_says_who_proposed_it() -> None:
    session = Session("s1", (Turn(0, "Ana", "I moved to Lund in May."), Turn(1, "Ana", "I'm all for oolong, love it.")))
    reply = {
        "facts": [
            {
                "subject": "Ana",
                "relation": "likes",
                "object": "oolong",
                "quote": "I'm all for oolong, love it",
                "turn": 1,
            },
            {"subject": "Ana", "relation": "likes", "object": "May", "quote": "I moved to Lund in May", "turn": 0},
        ]
    }
    both = CheckedExtractor(
        ModelExtractor(ScriptedChat([json.dumps(reply)]), CATALOG), GrammarExtractor(CATALOG), CATALOG
    )
    assert isinstance(both, Extractor)
    extraction = await both.extract(session)
    accepted, rejected = verify(session, extraction, CATALOG)
    believed = {(c.relation, c.object): c.proposed_by for c in accepted}
    assert believed[("residence", "Lund")] == "grammar"
    assert ("likes", "oolong") in believed
    assert [r.candidate.object for r in rejected] == ["May"]


async def test_a_model_that_fails_fails_the_session() -> None:
    both = CheckedExtractor(ModelExtractor(ScriptedChat(["", ""]), CATALOG), GrammarExtractor(CATALOG), CATALOG)
    with pytest.raises(BadReply, match="empty content"):
        await both.extract(Session("s1", (Turn(0, "Ana", "I live in Lund."),)))
