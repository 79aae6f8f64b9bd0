"""What is told in a roundabout way: by "one" and "that's my job", by signs and quotes, by what others come to know."""

from __future__ import annotations

import pytest

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.settings import load_relations
from tests.unit.grammar_turns import accepted, believed


@pytest.fixture(scope="module")
def extractor() -> GrammarExtractor:
    return GrammarExtractor(load_relations())


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("You'd think a cook eats well. I am one and I live on toast.", "occupation=cook"),
        ("My sister is a nurse. I've been one since May too.", "occupation=nurse"),
        ("They were short of a welder, and that's how I got into what I do now.", "occupation=welder"),
        ("You can keep librarian in there, that's still my job.", "occupation=librarian"),
        ("The badge came. Under my name it says 'librarian'.", "occupation=librarian"),
        ("I've been their new translator since May.", "occupation=translator"),
        ("I'm the school's new gardener.", "occupation=gardener"),
        ("Yours truly is a welder now.", "occupation=welder"),
        ("Guess who's a surveyor now? Me!", "occupation=surveyor"),
        ("Being a vet is not for the faint of heart.", "occupation=vet"),
        ("I gave it up and turned tailor.", "occupation=tailor"),
        ("Do you know a dentist in Lund? I just moved here.", "residence=Lund"),
        ("If you're ever passing through Lund, I still live there.", "residence=Lund"),
        ("The move to Lund is behind me.", "residence=Lund"),
        ("Moving to Lund was the best thing I've done.", "residence=Lund"),
        ("I missed Lund so much that I moved back in June.", "residence=Lund"),
        ("I'm Lund based, so mornings are best.", "residence=Lund"),
        ("I've left the city for Lund.", "residence=Lund"),
        ("People laugh when they hear I live in Lund.", "residence=Lund"),
        ("When people ask where I live I say Lund.", "residence=Lund"),
        ("Could you make Lund my home city?", "residence=Lund"),
        ("If there's one drink I couldn't give up it's kvass.", "drink=kvass"),
        ("Old favourite drink: coffee. New one: kvass.", "drink=kvass"),
        ("I used to take tea, but it's kvass that I can't live without now.", "drink=kvass"),
    ],
)
def test_a_roundabout_statement_is_read(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert believed(extractor, said) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "My neighbour is a cook. He's been one for years.",
        "I'd like to be a vet. It's my job to dream.",
        "Guess who's a nurse now? Mia!",
        "Guess who moved to Porto! My brother.",
        "One of my friends from school, Tilda, settled in Lund years ago.",
        "She has gone and moved to Lund!",
        "What Marco says about living in Lund is that you have to like wind.",
        "I asked an agent about houses in Lund, out of curiosity.",
        "I can't do Tuesdays in Lund any more, I'm not living there now.",
        "Moving to Lund would be the best thing.",
        "Her move to Lund was hard.",
        "I did it in under an hour, coach!",
        "In our house I'm cook, cleaner and driver all at once.",
        "The career adviser says tailor, I say hmm.",
        "I did a few months as a roofer back in the nineties.",
        "It paid less than I made as a roofer.",
        "Being a positive role model for them is something I enjoy.",
        "The whole office is mad about kvass except me.",
        "Guess what Lena has for breakfast. Kvass! It's her favourite.",
        "I've turned my back on kvass.",
    ],
)
def test_what_only_looks_like_it_is_not(extractor: GrammarExtractor, said: str) -> None:
    assert believed(extractor, said) == set()


@pytest.mark.parametrize("said", ["They laid me off.", "They let us go.", "The firm let us all go last week."])
def test_being_sent_away_ends_the_employment(extractor: GrammarExtractor, said: str) -> None:
    found = accepted(extractor, said)
    assert [(c.relation, c.kind, c.object) for c in found] == [("employer", FactKind.END, "")]


def test_being_let_go_by_name(extractor: GrammarExtractor) -> None:
    found = accepted(extractor, "We were all let go from Acme.")
    assert [(c.relation, c.kind, c.object) for c in found] == [("employer", FactKind.END, "Acme")]


def test_being_let_go_home_ends_nothing(extractor: GrammarExtractor) -> None:
    assert accepted(extractor, "They let me go home early.") == ()
