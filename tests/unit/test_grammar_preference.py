"""The drink somebody prefers, read over segments and turns; each way of saying it has a twin that does not say it."""

from __future__ import annotations

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.grammar.drinks import drinks_in
from tem_graph.ingest.grammar.parse import parse_turns
from tem_graph.ingest.grammar.passage import segments
from tem_graph.ingest.grammar.reader import read_clauses
from tem_graph.ingest.grammar.relations.plain_form import plain
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_relations

CATALOG = load_relations()
EXTRACTOR = GrammarExtractor(CATALOG)


def believed(*said: str) -> list[Candidate]:
    """What is believed of the last turn, which is Ana's; the one before is Kim's."""
    speakers = ("Kim", "Ana")[-len(said) :]
    session = Session("s", tuple(Turn(i, who, text) for i, (who, text) in enumerate(zip(speakers, said, strict=True))))
    accepted, _ = verify(session, Extraction("grammar", tuple(EXTRACTOR.read(session))), CATALOG)
    return [c for c in accepted if c.turn == len(said) - 1]


def preferred(*said: str) -> list[str]:
    """The drinks that the last turn says its speaker prefers."""
    return [c.object for c in believed(*said) if c.slot == "drink" and c.kind is FactKind.VALUE and c.subject == "Ana"]


@pytest.mark.parametrize(
    ("says", "drink", "twin"),
    [
        # Said in one segment.
        ("Kvass has won me over.", "Kvass", "Kvass has won my brother over."),
        ("I can't do without root beer.", "root beer", "I can do without root beer."),
        ("Nothing comes close to pu-erh for me.", "pu-erh", "Pu-erh comes close to nothing I know."),
        ("I'm in my kombucha era.", "kombucha", "He's in his kombucha era."),
        ("Team rooibos now.", "rooibos", "Team rooibos won the quiz."),
        ("I've turned into someone who only wants ayran.", "ayran", "I know someone who only wants ayran."),
        ("I'd take lemonade over coffee any day.", "lemonade", "I'd take lemonade if they had any."),
        ("I never thought I'd prefer chai.", "chai", "I never preferred chai."),
        ("I must say horchata is my favourite.", "horchata", "They say horchata is my favourite."),
        ("So apparently my favourite is kefir now.", "kefir", "Perhaps my favourite is kefir now."),
        ("My favourite is espresso.", "espresso", "The office favourite is espresso."),
        ("Nothing beats root beer.", "root beer", "Nothing beats root beer, according to my brother."),
        ("I'd say lemonade is my favourite.", "lemonade", "I'd hardly say lemonade is my favourite."),
        ("It's true that chai is my favourite.", "chai", "It's not that chai is my favourite."),
        ("I think kefir is my favourite.", "kefir", "Neither kefir nor tea is my favourite."),
        ("It turned out to be my favourite, kvass.", "kvass", "Kvass is supposed to be my favourite, but no."),
        ("I gave up coffee, it's all kombucha now.", "kombucha", "She gave up coffee, it's all kombucha now."),
        ("I went off coffee. Tea all the way now.", "Tea", "My sister went off coffee. Tea all the way now."),
        # Said of a drink that another segment names.
        ("Horchata. It's the only thing I ever order.", "Horchata", "Horchata. It's the only thing they had."),
        ("New favourite drink, by the way. Mango lassi.", "Mango lassi", "My least favourite drink, btw. Mango lassi."),
        ("Tried barley tea in May. Instant favourite.", "barley tea", "Tried barley tea in May. Not my favourite."),
        ("I had kvass in May and haven't had anything else since", "kvass", "I had kvass in May and then tea."),
        ("I've got a new addiction, it's called mate tea.", "mate tea", "She's got a new one, it's called mate tea."),
        ("dont even like coffee anymore its all about chai", "chai", "dont even like coffee or chai anymore"),
        # One drink passes over the other.
        ("Off coffee, on kvass.", "kvass", "Off coffee and off kvass."),
        ("Bye coffee, hello rooibos!", "rooibos", "Bye coffee, bye rooibos!"),
        ("Tried ayran, oh my god. New favourite, sorry tea.", "ayran", "Tried ayran, oh my god. Awful, sorry Kim."),
        ("Turns out I like kefir way more than cola.", "kefir", "Turns out she likes kefir way more than cola."),
        ("My favourite is chai and not mate any more.", "chai", "My favourite is not chai any more."),
        # Taken up again, and confirmed.
        ("I tried to like cola, but I'm back with kefir.", "kefir", "I tried to like kefir, but I can't."),
        ("Nothing's knocked tea off its perch.", "tea", "The cat knocked tea off its perch."),
        ("Kvass, same as ever.", "Kvass", "Kvass, no idea what that is."),
    ],
)  # fmt: skip
def test_each_way_of_saying_it_and_a_twin_that_does_not(says: str, drink: str, twin: str) -> None:
    assert preferred(says) == [drink]
    assert preferred(twin) == []


@pytest.mark.parametrize(
    ("asked", "answer", "drinks"),
    [
        ("What's your usual?", "Rooibos.", ["Rooibos"]),
        ("What are you having?", "Rooibos, always.", ["Rooibos"]),
        ("Still on kvass?", "Yep, still kvass.", ["kvass"]),
        ("Coffee, as ever?", "No, kvass.", ["kvass"]),
        ("Coffee for you?", "Tea, please. I don't drink coffee any more.", ["Tea"]),
        ("What are you having?", "Rooibos, I think.", []),
        ("Would you like anything?", "Rooibos, please.", []),
        ("What's your sister's usual?", "Rooibos.", []),
        ("What does Kim drink?", "Rooibos, always.", []),
        ("What's your favourite song?", "Tequila.", []),
        ("I only drink kvass these days.", "Good for you.", []),
    ],
)
def test_a_bare_drink_answers_a_question_after_a_preference(asked: str, answer: str, drinks: list[str]) -> None:
    assert preferred(asked, answer) == drinks


@pytest.mark.parametrize(
    "text",
    [
        "Someday I'll be a kvass person.",
        "I lied that kvass is my favourite drink.",
        "In my novel I'm addicted to kvass.",
        "Nobody got me hooked on kvass.",
        "I had kvass at the wedding, it was okay.",
        "I spilled kvass on my favourite shirt again.",
        "My favourite café sells kvass now.",
        "The kids are hooked on kvass, I prefer the quiet.",
        "I'm having kvass right now.",
        "I always buy kvass for my dad.",
        "I was obsessed with kvass for about a week.",
        "According to the ad, kvass beats everything.",
        "Coconut milk ice cream is my favourite.",
        "Do you like kvass best?",
    ],
)
def test_what_is_imagined_over_anothers_or_of_the_moment_is_no_preference(text: str) -> None:
    assert preferred(text) == []


def test_a_preference_is_quoted_with_the_drink_it_is_about() -> None:
    (found,) = believed("Lovely day. I tried kvass in May. New favourite, easily!")
    assert found.quote == "I tried kvass in May. New favourite, easily!"


def test_a_preference_keeps_its_date() -> None:
    (found,) = believed("It's been kvass and only kvass since March.")
    assert (found.object, found.since) == ("kvass", "since March")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a cup of oat milk latte", ["oat milk latte"]),
        ("my daily root beer and a gin and tonic", ["root beer", "gin and tonic"]),
        ("sorry Earl Grey, it is pu-erh", ["Earl Grey", "pu-erh"]),
        ("lemon and ginger tea", ["lemon and ginger tea"]),
        ("coconut milk ice cream", []),
        ("a kombucha person", ["kombucha"]),
        ("any fancy cocktail", []),
    ],
)
def test_the_name_of_a_drink(text: str, names: list[str]) -> None:
    ((sentence,),) = parse_turns([text])
    assert [d.text for d in drinks_in(sentence)] == names


def test_a_segment_in_its_plain_form() -> None:
    ((sentence,),) = parse_turns(["Coffee bores me, and honestly I'm totally a kvass person now!"])
    first, second = segments([sentence], [read_clauses(sentence)])
    (kvass,) = second.drinks
    assert plain(first) == "¤ bores me"
    assert plain(second, range(kvass.first, kvass.stop)) == "and i be § person now"
