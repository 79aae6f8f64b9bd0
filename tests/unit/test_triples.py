"""Open triples: shapes of plain statements, none of them from the set that the benchmark uses."""

from __future__ import annotations

import asyncio

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.errors import InputError, SettingsError
from tem_graph.ingest.choose import make_extractor
from tem_graph.ingest.triples import TripleExtractor, is_fact_list, parse_fact_list, read_triple
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_settings


@pytest.mark.parametrize(
    ("statement", "subject", "relation", "value"),
    [
        ("The painter of Starry Night is Vincent van Gogh.", "Starry Night", "painter", "Vincent van Gogh"),
        ("The mayor of Lund is Ana Lind", "Lund", "mayor", "Ana Lind"),
        ("The chief design officer of Birch & Co. is Bo Ek.", "Birch & Co.", "chief design officer", "Bo Ek"),
        ("The composer of The Magic Flute was Mozart.", "The Magic Flute", "composer", "Mozart"),
        ("The Queen of Denmark is Margrethe II.", "Denmark", "queen", "Margrethe II"),
        ("The name of the current coach of Malmö FF is Henrik Rydström.", "Malmö FF", "coach", "Henrik Rydström"),
        ("The head of the Porto council is Rui Moreira.", "Porto", "head of council", "Rui Moreira"),
        ("The school where Ana Lind was taught is Lund High.", "Ana Lind", "school where taught", "Lund High"),
        ("The firm that designed Turning Torso is Calatrava.", "Turning Torso", "firm that designed", "Calatrava"),
        ("The kind of tea that Bo Ek drinks is oolong.", "Bo Ek", "kind of tea that drinks", "oolong"),
        ("The seat of Birch is located in the town of Växjö.", "Birch", "seat located in town", "Växjö"),
        ("The inventor of dynamite is Alfred Nobel.", "dynamite", "inventor", "Alfred Nobel"),
        ("Ana Lind's brother is Bo Lind.", "Ana Lind", "brother", "Bo Lind"),
        ("Marcus' daughter is Livia.", "Marcus", "daughter", "Livia"),
        ("Rosemary's Baby was directed by Roman Polanski.", "Rosemary's Baby", "directed by", "Roman Polanski"),
        (
            "The Wizard of Oz was filmed in the town of Culver City.",
            "The Wizard of Oz",
            "filmed in town",
            "Culver City",
        ),
        ("Ana Lind was raised in Porto.", "Ana Lind", "raised in", "Porto"),
        ("Ana Lind was raised in the city of Porto.", "Ana Lind", "raised in city", "Porto"),
        ("fencing was invented in the country of Spain.", "fencing", "invented in country", "Spain"),
        ("Lund is twinned with Zabrze.", "Lund", "twinned with", "Zabrze"),
        ("Bo Ek is a member of Acme Club.", "Bo Ek", "member of", "Acme Club"),
        ("Bo Ek plays the instrument of viola.", "Bo Ek", "plays instrument", "viola"),
        ("Bo Ek lives in Washington, D.C..", "Bo Ek", "lives in", "Washington, D.C."),
        ("Bo Ek lives in Washington, D.C.", "Bo Ek", "lives in", "Washington, D.C."),
        ("Bo Ek manages Ana Lind.", "Bo Ek", "manages", "Ana Lind"),
        ("No Man's Land was painted by Ana Lind.", "No Man's Land", "painted by", "Ana Lind"),
    ],
)
def test_shapes_of_statements(statement: str, subject: str, relation: str, value: str) -> None:
    triple = read_triple(statement)

    assert triple is not None
    assert (triple.subject, triple.relation, triple.object) == (subject, relation, value)


@pytest.mark.parametrize(
    "text",
    [
        "Where is Lund?",
        "Ana Lind was not born in Lund.",
        "No city is larger than Lund.",
        "If Bo Ek is right, Lund is a town.",
        "Ana might be in Lund.",
        "Ana Lind",
        "",
    ],
)
def test_what_is_no_plain_statement_gives_nothing(text: str) -> None:
    assert read_triple(text) is None


def test_statements_that_differ_only_in_articles_and_now_speak_of_one_relation() -> None:
    told = [read_triple(s) for s in ("The coach of AIK is Bo.", "The current coach of the AIK is Ana.")]

    assert {(t.subject, t.relation) for t in told if t} == {("AIK", "coach")}


def test_a_list_becomes_one_source_per_fact() -> None:
    text = "Here is a list of facts:\n0. The mayor of Lund is Ana.\n7. The mayor of Lund is Bo.\n"

    sessions = parse_fact_list(text)

    assert is_fact_list(text)
    assert [(s.id, s.index, s.turns[0].text) for s in sessions] == [
        ("0", 0, "The mayor of Lund is Ana."),
        ("7", 7, "The mayor of Lund is Bo."),
    ]


@pytest.mark.parametrize(("text", "place"), [("0. A is B.\nand so on", "line 2"), ("3. A is B.\n3. A is C.", "line 2")])
def test_a_damaged_list_names_the_line(text: str, place: str) -> None:
    with pytest.raises(InputError, match=place):
        parse_fact_list(text)


def test_the_past_of_a_statement_belongs_to_its_relation() -> None:
    text = "Ana Lind worked in the city of Porto.\nAlta IF was founded by Bo Ek."
    session = Session("1", (Turn(0, "list", text),), index=1)
    settings = load_settings(extractor="triples", open_vocabulary=True)
    extraction = asyncio.run(make_extractor(settings, settings.catalog(), None).extract(session))

    accepted, rejected = verify(session, extraction, settings.catalog(), open_vocabulary=True)

    assert [(c.subject, c.relation, c.object) for c in accepted] == [
        ("Ana Lind", "worked in city", "Porto"),
        ("Alta IF", "founded by", "Bo Ek"),
    ]
    assert not rejected


def test_a_triple_that_the_text_does_not_hold_is_not_believed() -> None:
    session = Session("1", (Turn(0, "list", "Ana Lind worked in the city of Porto."),), index=1)
    extraction = TripleExtractor().read(session)
    other = Session("1", (Turn(0, "list", "Ana Lind worked in the city of Lund."),), index=1)

    accepted, rejected = verify(other, extraction, load_settings().catalog(), open_vocabulary=True)

    assert not accepted
    assert [r.reason for r in rejected] == ["not_in_text"]


def test_triples_need_the_open_vocabulary() -> None:
    settings = load_settings(extractor="triples")

    with pytest.raises(SettingsError, match="relations"):
        make_extractor(settings, settings.catalog(), None)
