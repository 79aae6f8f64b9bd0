"""What people ask to have noted, what they point at with "here", and names that are no places.

Every mechanism has a negative twin: the same shape where nothing of the speaker's is stated.
"""

from __future__ import annotations

import pytest

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.grammar.gazetteer import is_place
from tem_graph.settings import load_relations
from tests.unit.grammar_turns import accepted


@pytest.fixture(scope="module")
def extractor() -> GrammarExtractor:
    return GrammarExtractor(load_relations(), user="Ana")


def believed(extractor: GrammarExtractor, *said: str) -> set[str]:
    """`relation=object` of homes, jobs and favourite drinks of Ana's; a turn that starts with `@` is Bo's."""
    return {
        f"{c.slot or c.relation}={c.object}"
        for c in accepted(extractor, *said)
        if c.subject == "Ana"
        and c.kind is FactKind.VALUE
        and (c.slot or c.relation) in {"residence", "occupation", "drink"}
    }


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Set my home town to Turku.", "residence=Turku"),
        ("Could you switch my home from Vienna to Turku?", "residence=Turku"),
        ("change my job title to tailor", "occupation=tailor"),
        ("Put me down as a plumber, please.", "occupation=plumber"),
        ("Put us down for cider.", "drink=cider"),
        ("Replace my favourite drink with cocoa, please.", "drink=cocoa"),
        ("For the file: occupation, plumber.", "occupation=plumber"),
        ("One thing for the file: home city Turku.", "residence=Turku"),
        ("old address Vienna, new address Turku", "residence=Turku"),
        ("Profession is now plumber.", "occupation=plumber"),
        ("My usual is no longer cocoa but cider.", "drink=cider"),
        ("Write a line about me. It should say that I'm a plumber.", "occupation=plumber"),
    ],
)
def test_what_is_asked_to_be_noted_is_so(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert believed(extractor, said) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "Don't set my home town to Turku.",
        "Should I change my job title to tailor?",
        "If you change my home city to Turku, nothing will work.",
        "Set Mia's home town to Turku.",
        "Move the meeting to Turku.",
        "Put my brother down as a plumber.",
        "The file has me as a plumber.",
        "Mia says that I'm a plumber.",
        "Great job, Turku!",
        "I'd like to be somebody whose favourite drink is cocoa.",
    ],
)
def test_what_is_not_asked_is_not_so(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


@pytest.mark.parametrize(
    ("asked", "said", "fact"),
    [
        ("@Which city shall I use for the forecast?", "Turku, please.", "residence=Turku"),
        ("@Where do you call home?", "That would be Turku.", "residence=Turku"),
        ("@And where do you live?", "Make it Turku.", "residence=Turku"),
        ("@What shall I write under profession?", "Just put plumber.", "occupation=plumber"),
        ("@What shall I put down as your favourite drink?", "Put down cider.", "drink=cider"),
    ],
)
def test_an_answer_may_be_an_order(extractor: GrammarExtractor, asked: str, said: str, fact: str) -> None:
    assert believed(extractor, asked, said) == {fact}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("@Which city are you visiting?", "Turku!"),
        ("@Is Mia looking for work?", "No, happily working as a plumber since May."),
        ("@What's your favourite song?", "Put down Cider."),
    ],
)
def test_an_answer_to_something_else(extractor: GrammarExtractor, asked: str, said: str) -> None:
    assert not believed(extractor, asked, said)


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("The traffic in Turku is dreadful, and I live here.", "residence=Turku"),
        ("Everybody has to come to Turku, where I live.", "residence=Turku"),
        ("That's Turku for you. We've lived here for ages.", "residence=Turku"),
        ("As someone who lives in Turku I own boots.", "residence=Turku"),
        ("As a resident of Turku I get in for free.", "residence=Turku"),
        ("You can reach us at home in Turku.", "residence=Turku"),
    ],
)
def test_here_points_at_the_place_just_named(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert believed(extractor, said) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "I'd move to Turku tomorrow, but we live here.",
        "Turku is nice but I don't live there.",
        "I lived in Turku before I moved here.",
        "Send it to Mia's new flat. It's in Turku, she moved last week.",
        "The tenants who had it before us live in Turku now.",
        "We changed trains in Turku, home tonight.",
        "Long ago I spent two years living in Turku.",
    ],
)
def test_here_is_elsewhere_or_of_others(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


@pytest.mark.parametrize(
    "said",
    [
        "Cool! We got the new flat.",
        "Awesome, Bo! The keys, finally.",
        "Gardening has become my home.",
        "Kettle's been whistling since we moved.",
        "Turku, we got the keys!",
        "It's LOUD in the new flat.",
        "Still getting used to Rex in our new home.",
        "I threw a party at my Danish house.",
        "She is from my home country, Norway, and loves our flat.",
    ],
)
def test_a_capital_makes_no_place(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


@pytest.mark.parametrize(
    "said",
    [
        "They talked me into cider. I wouldn't order it again.",
        "Somebody put me down for cider, but I don't drink that.",
        "I'd love a cider. Not my thing, usually.",
    ],
)
def test_a_drink_that_is_taken_back(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


def test_a_name_of_a_known_place_whatever_its_accents() -> None:
    assert is_place("Kraków")
    assert is_place("New York")
    assert not is_place("Woohoo")


def test_an_answer_is_given_to_somebody_else(extractor: GrammarExtractor) -> None:
    """What the speaker said before is no question to the speaker."""
    assert believed(extractor, "@Where does Mia live?", "Turku.") == set()
    assert believed(extractor, "Where does Mia live?", "Anyway, I'm still in Turku.") == {"residence=Turku"}


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("We live and work in Turku.", "residence=Turku"),
        ("Please update my city. It's Turku now.", "residence=Turku"),
        ("I wrote 'I am a plumber' on the form.", "occupation=plumber"),
        ("Work is work, still a plumber.", "occupation=plumber"),
        ("Being a plumber has taught me patience.", "occupation=plumber"),
        ("Bring cider, you know there's no drink I love more.", "drink=cider"),
        ("I wound up in Turku after all.", "residence=Turku"),
    ],
)
def test_more_ways_of_saying_it(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert believed(extractor, said) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "They live and work in Turku.",
        "My city is lovely. It's Tuesday now.",
        "She wrote 'I am a plumber' on the form.",
        "My brother is fine, still a plumber.",
        "Being a plumber has taught my brother patience, he says.",
        "Our baker moved to Turku.",
        "My aunt bought a house! In Turku!",
        "Came across my first contract: a plumber, twenty years ago.",
        "No more being a plumber.",
        "The parcel for my neighbour in Turku is here.",
    ],
)
def test_their_twins_state_nothing(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)
