"""What is set elsewhere by the words around it: another time, somebody's head, a rumour, somebody else's life."""

from __future__ import annotations

import pytest

from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.settings import load_relations
from tests.unit.grammar_turns import believed


@pytest.fixture(scope="module")
def extractor() -> GrammarExtractor:
    return GrammarExtractor(load_relations())


@pytest.mark.parametrize(
    "said",
    [
        # another time of life
        "We moved to Lund when I was seven.",
        "At fifteen I moved to Lund on my own.",
        "As a young man I settled in Lund. I had to leave it all behind.",
        "I started out as a typist. There were forty of us in one room.",
        "I cut my teeth as a court reporter in Lund.",
        "I couldn't get enough of kvass that summer.",
        "There was a time when nothing but kvass would do.",
        # it ended
        "I did twelve years as a prison officer before I wrote a word.",
        "I moved to Lund to study, and left the day I had my degree.",
        "They hired me as a receptionist and within a year I was running the place.",
        "In 1979 I settled in Lund. It didn't last.",
        # rumours and denials
        "There's a rumour I've moved to Lund. I haven't. I like it here.",
        "It's a myth that I'm a kvass lover. The photo was staged.",
        "Just because I fix bikes doesn't mean I'm a mechanic.",
        "I'm anything but a kvass person.",
        "I've no love for kvass, sorry.",
        "They put me down for the wine, and I don't drink wine at all.",
        # dreams and open plans
        "In my next life I'm a beekeeper.",
        "My fantasy job is tea taster. Sitting down, sipping, spitting.",
        "I'm in the running for a position as curator, fingers crossed.",
        "I'm meant to start as a tram driver but they keep postponing it.",
        "I've been accepted at the academy, so in four years I'll be an officer.",
        # somebody else
        "My eldest has settled in Lund and she keeps asking when I'm coming over.",
        "There's a man on our floor. Lives alone, an organist. Plays at night.",
        "Our goalie? Accountant by day.",
        "Finally in Lund! That's what my brother wrote under the photo.",
        "For my daughter it's kvass or nothing, these days.",
        "If you ask our drummer what keeps him going, it's kvass, nothing else.",
    ],
)
def test_what_is_set_elsewhere_is_not_so_today(extractor: GrammarExtractor, said: str) -> None:
    assert believed(extractor, said) == set()


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("We moved to Lund when I was seven and I still live in Lund.", "residence=Lund"),
        ("As a boy I hated it, but now I live in Lund.", "residence=Lund"),
        ("I started out as a typist last week.", "occupation=typist"),
        ("There was a time I drank coffee, now kvass is my favourite drink.", "drink=kvass"),
        ("Thanks to my sister, kvass is my favourite drink.", "drink=kvass"),
        ("My job? Accountant.", "occupation=Accountant"),
        ("I don't drink wine, my favourite drink is kvass.", "drink=kvass"),
        ("It's not a rumour any more: I've moved to Lund.", "residence=Lund"),
    ],
)
def test_what_holds_all_the_same_is_kept(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert fact in believed(extractor, said)
