"""Homes and jobs that no clause states: names beside talk of a move or a job, and answers to what was asked.

Every mechanism has a negative twin: the same shape where the words are about a trip, a plan, or somebody else.
"""

from __future__ import annotations

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.settings import load_relations
from tests.unit.grammar_turns import accepted


@pytest.fixture(scope="module")
def extractor() -> GrammarExtractor:
    return GrammarExtractor(load_relations(), user="Ana")


def believed(extractor: GrammarExtractor, *said: str) -> set[str]:
    """`relation=object` of what is believed of Ana; a turn that starts with `@` is Bo's."""
    return {
        f"{c.relation}={c.object}".replace("=Nurse", "=nurse")
        for c in accepted(extractor, *said)
        if c.subject == "Ana" and c.kind is FactKind.VALUE and c.relation in {"residence", "occupation"}
    }


@pytest.mark.parametrize(
    ("said", "fact"),
    [
        ("Moved!! Lund!! Pics when the wifi works", "residence=Lund"),
        ("So, Lund. I live here now. Weird to type that.", "residence=Lund"),
        ("The movers came last week. Lund it is.", "residence=Lund"),
        ("New city, Lund this time.", "residence=Lund"),
        ("Goodbye Porto, hello Lund.", "residence=Lund"),
        ("from Porto to Lund, that's me now", "residence=Lund"),
        ("We left Porto last week. Lund is so much quieter at night.", "residence=Lund"),
        ("The boxes are unpacked and Lund is starting to feel like home.", "residence=Lund"),
        ("my neighbours here in Lund are having a barbecue again", "residence=Lund"),
        ("Please send mail to my Lund address from now on.", "residence=Lund"),
        ("Hello from Lund, home now.", "residence=Lund"),
        ("As a Lund resident I get in for free.", "residence=Lund"),
        ("Lund-based here. Nothing to report.", "residence=Lund"),
        ("Haven't moved, still Lund.", "residence=Lund"),
        ("I haven't left Lund, whatever they tell you.", "residence=Lund"),
        ("They transferred me to Lund, so I live here now.", "residence=Lund"),
        ("First shift as a nurse tonight, wish me luck!", "occupation=nurse"),
        ("I live with my sister, work as a nurse.", "occupation=nurse"),
        ("What I do for money is work as a nurse, mostly nights.", "occupation=nurse"),
        ("Congratulate me, I'm a nurse!", "occupation=nurse"),
        ("I got the job! A nurse, starting pay is decent.", "occupation=nurse"),
        ("From tailor to nurse, quite the jump.", "occupation=nurse"),
        ("My business cards arrived: nurse. It's real.", "occupation=nurse"),
        ("can't make it on Friday, that's the price of being a nurse", "occupation=nurse"),
        ("Being a nurse means I'm on my feet all day.", "occupation=nurse"),
        ("You're talking to a nurse now!", "occupation=nurse"),
        ("Never thought I'd be a nurse at my age but I love it so far.", "occupation=nurse"),
        ("Two weeks into the nurse job and I love it.", "occupation=nurse"),
        ("got my old job back, nurse again", "occupation=nurse"),
        ("Same job, still a nurse.", "occupation=nurse"),
    ],
)
def test_a_name_beside_talk_of_a_move_or_a_job(extractor: GrammarExtractor, said: str, fact: str) -> None:
    assert believed(extractor, said) == {fact}


@pytest.mark.parametrize(
    "said",
    [
        "My sister moved. Lund. Can you believe it?",
        "We might move. Lund, maybe.",
        "Hello from Lund! The hotel is lovely, back on Sunday.",
        "Hey Lena! We moved!",
        "It's raining here in Lund, so we're stuck in the hotel.",
        "My landlord lives in Lund.",
        "Train's here, finally going home.",
        "New flat, at last! Choir's been cancelled.",
        "Happy Friday, new kitchen is in!",
        "You moved to Lund, wow!",
        "So Lund is your home now, congratulations on the new flat!",
        "Spent the week in Lund with friends, back at home now.",
        "Lund isn't home any more.",
        "I'm no Lund local.",
        "We moved my mum to Lund last week.",
        "our team's office moved to Lund",
        "When I move to Lund, I'll get a bike.",
        "Lund was fun while it lasted.",
        "I hear rent is cheap in Lund.",
        "Lund again! Third trip this year.",
        "Chaos! We moved last week.",
        "I'm at Starbucks, unpacking my laptop.",
        "A week in Lund and I never want to go home.",
        "Someday I live in Lund.",
        "I lied that I live in Lund.",
        "In my novel I live in Lund.",
        "He said: I live in Lund now.",
        "Back in Lund I lost my keys.",
    ],
)
def test_no_home_by_gist(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


@pytest.mark.parametrize(
    "said",
    [
        "Nobody hired me as a nurse.",
        "My sister, a nurse, just got a raise.",
        "My colleague went from waiter to nurse in two years.",
        "Congrats to my little brother, officially a nurse!",
        "Job ad of the day: nurse, night shifts, no pay.",
        "Being a nurse, my brother sleeps by day.",
        "The kid next door works as a nurse now.",
        "I met an old classmate, now a nurse, at work today.",
        "It's not like I'm a nurse or anything.",
        "I decided against the job as a nurse.",
        "Nope, still no job as a nurse.",
        "Did you get the job? Nurse, right?",
        "Had a day off work. Watched snooker.",
        "In my novel I'm a nurse.",
        "My brother got a new job. A nurse!",
        "They offered me a job as a nurse but I turned it down.",
        "They offered me the nurse position and I said no.",
        "I quit my job as a nurse.",
        "Being a nurse must be hard.",
        "Working as a nurse sounds fun.",
        "As a nurse you would earn more.",
        "I'm studying to become a nurse.",
        "I'm marrying a nurse!",
        "My new boss was a nurse before.",
        "People think I'm a nurse.",
        "I'm a terrible cook.",
    ],
)
def test_no_job_by_gist(extractor: GrammarExtractor, said: str) -> None:
    assert not believed(extractor, said)


@pytest.mark.parametrize(
    ("asked", "said", "fact"),
    [
        ("@Where are you based?", "Lund! Have been since college.", "residence=Lund"),
        ("@Where do you live?", "In Lund, for better or worse.", "residence=Lund"),
        ("@I heard you moved to Lund?", "Lund, yes, and I live here now.", "residence=Lund"),
        ("@How's your sister?", "Fine! Still in Lund, before you ask.", "residence=Lund"),
        ("@Still in Porto?", "No, Lund now.", "residence=Lund"),
        ("@Where did you end up moving?", "To Nantes, in the end.", "residence=Nantes"),
        ("@What's your new address?", "It's in Lund, I'll text you the details.", "residence=Lund"),
        ("@What do you do for work?", "A nurse.", "occupation=nurse"),
        ("@So what's the new gig?", "Nurse, at a small clinic.", "occupation=nurse"),
        ("@Still a tailor?", "No, nurse now.", "occupation=nurse"),
        ("@How do you earn your money?", "As a nurse.", "occupation=nurse"),
    ],
)
def test_an_answer_may_be_a_bare_name(extractor: GrammarExtractor, asked: str, said: str, fact: str) -> None:
    assert fact in believed(extractor, asked, said)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("@Where does your sister live?", "Lund."),
        ("@Where are your parents now?", "Back in Lund."),
        ("@Where did Tom move?", "Lund, I think."),
        ("@I moved to Lund!", "Lund! I'm so jealous of the new flat."),
        ("@I'm a nurse now.", "A nurse! Since when?"),
        ("@What does Tom do for work?", "A nurse, I think."),
        ("@Where do your parents live?", "Lund, same house."),
        ("@Where did you grow up?", "Lund."),
        ("@Where would you like to live?", "Lund, easily."),
        ("@Where are you right now?", "In Lund for a conference."),
        ("@Where did you buy that jacket?", "Lund!"),
        ("@You moved? Where to?", "Not me, my sister. Lund."),
        ("@What does your sister do?", "A nurse."),
        ("@What did you want to be as a kid?", "A nurse."),
        ("@What would you be if you could start over?", "A nurse."),
        ("@Who did you call about the leak?", "A plumber from the next town."),
    ],
)
def test_an_answer_about_something_else(extractor: GrammarExtractor, asked: str, said: str) -> None:
    assert not believed(extractor, asked, said)


def test_a_question_of_a_program_is_answered_too(extractor: GrammarExtractor) -> None:
    turns = (Turn(0, "assistant", "Where do you live?"), Turn(1, "user", "Lund."))
    assert [(c.subject, c.object) for c in extractor.read(Session("s", turns))] == [("Ana", "Lund")]


def test_a_clause_that_states_a_home_is_enough(extractor: GrammarExtractor) -> None:
    assert believed(extractor, "I live in Lund now. Goodbye Porto, hello boxes.") == {"residence=Lund"}
