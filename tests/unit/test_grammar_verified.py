"""Verification believes what the grammar extractor rightly reads, and no more."""

from __future__ import annotations

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Extraction
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_relations
from tests.unit.test_grammar import key_of, read_cases, wanted_of

_RELATIONS = ("residence", "occupation", "employer")


def test_every_case_is_believed_as_it_is_expected() -> None:
    """One session for all cases: nobody else speaks, so no turn answers another."""
    catalog = load_relations()
    cases = read_cases()
    session = Session("cases", tuple(Turn(i, "Ana", case.text) for i, case in enumerate(cases)))
    read = tuple(GrammarExtractor(catalog, user="Ana").read(session))
    accepted, _ = verify(session, Extraction(extractor="grammar", candidates=read), catalog, user="Ana")
    lost: list[tuple[str, str]] = []
    for number, case in enumerate(cases):
        believed = {key_of(c) for c in accepted if c.turn == number}
        proposed = {key_of(c) for c in read if c.turn == number}
        lost += [(case.text, key) for key in (set(wanted_of(case)) & proposed) - believed if _is_of(key)]
    assert not lost


def _is_of(key: str) -> bool:
    return any(relation in key for relation in _RELATIONS)


@pytest.mark.parametrize(
    "text", ["I'm still getting used to Lund, we moved in May.", "First shift as a nurse tonight, wish me luck!"]
)
def test_gist_is_believed(text: str) -> None:
    catalog = load_relations()
    session = Session("s", (Turn(0, "Ana", text),))
    read = tuple(GrammarExtractor(catalog, user="Ana").read(session))
    accepted, rejected = verify(session, Extraction(extractor="grammar", candidates=read), catalog, user="Ana")
    assert accepted
    assert not rejected
