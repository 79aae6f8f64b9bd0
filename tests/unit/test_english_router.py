"""Rules and nearest phrasing together: sure where they agree, silent where a question is about something else."""

from __future__ import annotations

from datetime import date

import pytest

from tem_graph.answer.route import Known, KnownValue, Router
from tem_graph.answer.rules import ENGLISH, RULES, EnglishRouter, NearestPhrasing, nearest
from tem_graph.answer.rules.doubts import is_about_something_else
from tem_graph.answer.rules.frame import without_frame
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import mask
from tem_graph.answer.rules.phrasings import Phrasings
from tem_graph.answer.rules.possible import possible
from tests.unit.strategies import CATALOG

VALUES = (
    *(("residence", "Lund", None), ("residence", "Graz", None), ("employer", "Acme", None)),
    *(("employer", "Birch", None), ("occupation", "nurse", None), ("likes", "oolong", "drink")),
)
KNOWN = Known(
    subjects={"Ana": (), "Bo": ()},
    catalog=CATALOG,
    today=date(2024, 6, 1),
    values=tuple(KnownValue("Ana", relation, value, slot) for relation, value, slot in VALUES),
    user="Ravi",
)
SURE = 0.7


def items_of(question: str) -> list[Item]:
    return read_items(question, KNOWN, lexicon_of(CATALOG, ()), join=False)


def sure_of(question: str, router: EnglishRouter = ENGLISH) -> tuple[str, dict[str, object]] | None:
    routed = router.place(question, KNOWN)
    if routed is None or routed.call is None or routed.confidence < SURE:
        return None
    return routed.call.operator, routed.call.arguments


@pytest.mark.parametrize(
    ("question", "operator", "args"),
    [
        ("Did Ana ever trade Lund for Graz?", "changed", {"from": "Lund", "to": "Graz"}),
        ("On what day was Ana's last day at Acme?", "ended", {"relation": "employer", "value": "Acme"}),
        ("How many job moves from company to company has Ana made?", "count_changes", {"relation": "employer"}),
        ("Has Ana stayed a nurse?", "still", {"relation": "occupation", "value": "nurse"}),
        ("By order of time, what was Ana's second job?", "nth", {"relation": "occupation", "n": 2}),
        ("Which firm did Ana replace with Birch?", "before", {"relation": "employer", "value": "Birch"}),
        ("Ana settled in Graz. From which town?", "before", {"relation": "residence", "value": "Graz"}),
        ("What city was Ana in on 3 May 2021?", "as_of_date", {"relation": "residence", "date": "2021-05-03"}),
        ("Ana's job at session 7, as we saw it?", "as_of_session", {"relation": "occupation", "index": 7}),
        ("Was Ana a nurse, yes or no, at any point?", "ever", {"relation": "occupation", "value": "nurse"}),
    ],
)
def test_a_wording_is_read(question: str, operator: str, args: dict[str, object]) -> None:
    read = sure_of(question)
    assert read is not None
    assert read[0] == operator
    assert args.items() <= read[1].items()


@pytest.mark.parametrize(
    "question",
    [
        "How many times has Ana visited Lund?",
        "How many colleagues did Ana have at Acme?",
        "What does Ana like best?",
        "What did Ana drink yesterday?",
        "How often did Ana tour Graz?",
        "Did Ana mention that she lives in Lund?",
        "What was Ana's first week at Acme like?",
        "How was Ana's move to Lund?",
        "What time does Ana begin work at Acme?",
        "What did Ana order in session 3?",
        "When can Ana begin at Birch?",
        "How many bicycles did Ana own in Lund?",
        "Has Ana ever been to Graz?",
        "Who moved to Lund because of Ana?",
        "Counting only the sessions after 4, where does Ana live?",
    ],
)
def test_no_operator_is_taken_for_sure_where_none_answers(question: str) -> None:
    assert sure_of(question) is None


@pytest.mark.parametrize(
    ("question", "is_doubtful"),
    [
        ("Did Ana tell Bo about Lund?", True),
        ("Where was Ana told to work?", False),
        ("What will Ana do at Acme?", True),
        ("What would Ana call home now?", False),
        ("How did Ana's job change?", False),
        ("At what time in her life did Ana join Acme?", False),
    ],
)
def test_acts_and_remarks_are_told_from_what_held(question: str, is_doubtful: bool) -> None:
    assert is_about_something_else(items_of(question)) is is_doubtful


@pytest.mark.parametrize(("certain_from", "believed"), [(1000.0, None), (0.0, "previous")])
def test_the_rules_are_not_sure_where_the_nearest_phrasing_is_of_another_operator(
    certain_from: float, believed: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the nearest phrasing is believed where it is far from every other operator."""
    monkeypatch.setattr(nearest, "CERTAIN_MARGIN", certain_from)
    question = "Where does Ana live now?"
    masked = mask(items_of(question))
    other = EnglishRouter(RULES, NearestPhrasing(Phrasings([("previous", masked), ("current", mask([]))])))
    same = EnglishRouter(RULES, NearestPhrasing(Phrasings([("current", masked), ("previous", mask([]))])))
    assert sure_of(question, same) == ("current", {"subject": "Ana", "relation": "residence"})
    read = sure_of(question, other)
    assert (read and read[0]) == believed
    routed = other.place(question, KNOWN)
    assert routed is not None
    assert believed or "another operator" in routed.reading


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("The bank wants to know how often Ana moved.", "how often Ana moved."),
        ("For my infographic: how many homes has Ana had?", "how many homes has Ana had?"),
        ("I'm mixing these up. Did Ana live in Lund?", "Did Ana live in Lund?"),
        ("I know where Ana lives now, but where was she before?", None),
        ("Before anything changed, what was Ana's job?", None),
        ("In days, how long was Ana at Acme?", None),
        ("As of today, where does Ana live?", None),
        ("No repeats, please: where has Ana lived?", None),
    ],
)
def test_what_frames_a_question_is_left_out_and_what_it_is_about_is_not(question: str, asked: str | None) -> None:
    kept = without_frame(items_of(question))
    assert question[kept[0].start :] == (asked or question)


def test_a_name_that_the_memory_does_not_know_is_no_reason_to_dispute() -> None:
    assert sure_of("Who did Wanda Nobody work for right before Birch?") is not None
    assert sure_of("When did Ana move to Tampere?") is not None


@pytest.mark.parametrize(
    ("question", "can_be", "cannot_be"),
    [
        ("How many homes has Ana had?", "count_distinct", "history"),
        ("Give Ana's homes, returns included", "history", "count_versions"),
        ("Ana's current job?", "current", "since"),
        ("How long has Ana lived in Lund?", "duration", "duration_total"),
        ("How long has Ana lived in Lund altogether?", "duration_total", "ever"),
        ("Does Ana have oolong as her drink to this day?", "still", "ever"),
        ("Did Ana like oolong best of all drinks?", "ever", "still"),
        ("When Lund was Ana's home, which firm employed her?", "during", "as_of"),
    ],
)
def test_the_shape_of_a_question_says_what_it_can_be(question: str, can_be: str, cannot_be: str) -> None:
    allowed = possible(items_of(question))
    assert can_be in allowed
    assert cannot_be not in allowed


def test_whoever_asks_is_not_who_is_asked_about() -> None:
    words = mask(items_of("I have a parcel for Ana, where does she live?")).words
    assert words.count("S") == 1
    assert mask(items_of("Where do I live?")).words.count("S") == 1
    routed = ENGLISH.place("I have a letter for Ana, in which town is her home now?", KNOWN)
    assert routed is not None
    assert routed.call is not None
    assert routed.call.arguments == {"subject": "Ana", "relation": "residence"}


def test_what_was_given_up_for_a_value_came_before_it() -> None:
    routed = RULES.place("Ana gave up which city for Graz?", KNOWN)
    assert routed is not None
    assert routed.call is not None
    assert routed.call.operator == "before"


async def test_it_is_a_router() -> None:
    assert isinstance(ENGLISH, Router)
    routed = await ENGLISH.route("Where does Ana live?", KNOWN)
    assert routed is not None
    assert routed.router == "rules"
