"""The parts of hybrid evidence: words, cuts, repeats, shared words, time in the question."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tem_graph.answer.question_time import times_in
from tem_graph.domain.time import Period
from tem_graph.embed.tokens import EstimateCounter
from tem_graph.retrieve.hybrid.lexical import shared_words, term_weights
from tem_graph.retrieve.hybrid.rank import asked, speaker_named
from tem_graph.retrieve.hybrid.repeats import repeats
from tem_graph.retrieve.hybrid.trim import ELLIPSIS, sentences, trim
from tem_graph.retrieve.hybrid.when import When, nearness
from tem_graph.retrieve.hybrid.words import terms

count = EstimateCounter().count
TODAY = date(2024, 1, 9)
texts = st.lists(
    st.sampled_from(["We rowed.", "Was it cold?", "Lovely!", "It has a blue door and two windows.", "[shares a boat]"]),
    min_size=1,
    max_size=8,
).map(" ".join)


@settings(deadline=None)
@given(texts, st.sampled_from(["rowed", "cold", "door", "boat", "nothing"]))
def test_a_cut_keeps_half_of_the_tokens_in_whole_sentences_in_their_order(text: str, word: str) -> None:
    cut = trim(text, lambda sentence: float(word in sentence), count)
    if cut.is_whole:
        assert cut.text == text
        return
    kept = [part.strip() for part in cut.text.split(ELLIPSIS) if part.strip()]
    assert 2 * sum(map(count, kept)) >= count(text)
    assert count(cut.text) < count(text)
    position = 0
    for part in kept:
        assert part in text[position:]
        position = text.index(part, position) + len(part)


def test_a_cut_keeps_what_matters() -> None:
    text = "Hi Ana, how are you? I painted the whole lake at sunrise. Talk to you soon!"
    cut = trim(text, lambda s: float("lake" in s), count)
    assert "I painted the whole lake at sunrise." in cut.text
    assert ELLIPSIS in cut.text
    assert not cut.is_whole


def test_sentences_lose_nothing_but_blanks() -> None:
    text = 'He said "go!" and went.  At 3.30 p.m. it rained… 好。是的！ [shares a photo]'
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())


def test_terms_are_folded_stemmed_and_without_filler() -> None:
    assert terms("What did Mia's friends PAINT, and why?") == ("mia", "friend", "paint")
    assert terms("她住在杭州") == ("她", "住", "在", "杭", "州")
    assert terms("?!") == ()


def test_rare_words_weigh_more_and_absent_ones_score_nothing() -> None:
    documents = [("lake", "boat"), ("lake", "tea"), ("lake", "sunris")]
    weights = term_weights(["lake", "boat", "zebra"], documents)
    assert weights["boat"] > weights["lake"] > 0
    first, second, third = shared_words(weights, documents)
    assert first > second == third > 0
    assert shared_words({}, documents) == [0.0, 0.0, 0.0]


def test_names_of_speakers_say_whose_turn_is_meant_and_are_not_searched_for() -> None:
    assert asked("What did Mia paint?", ["Ana", "Mia Lund"]) == ["paint"]
    assert asked("Who is Mia?", ["Ana", "Mia"]) == ["mia"]
    assert speaker_named("Did Ana and Mia paint?", ["Ana", "Mia"]) is None


def test_few_words_are_repeated_only_by_the_same() -> None:
    assert not repeats(frozenset({"thank", "mel"}), frozenset({"thank", "mel", "lake"}))
    assert repeats(frozenset("abcdefg"), frozenset("abcdefx"))
    assert not repeats(frozenset("abcdefg"), frozenset("abcdexy"))


@pytest.mark.parametrize(
    ("question", "start", "end", "every_year"),
    [
        ("What did Ana do on 3 May 2023?", "2023-05-03", "2023-05-04", False),
        ("Where did Ana go in June 2023?", "2023-06-01", "2023-07-01", False),
        ("What did Ana do in June?", "2023-06-01", "2023-07-01", True),
        ("What happened last year?", "2023-01-01", "2024-01-01", False),
    ],
)
def test_days_in_the_question(question: str, start: str, end: str, every_year: bool) -> None:
    period = Period(date.fromisoformat(start), date.fromisoformat(end))
    assert times_in(question, TODAY) == (When(period, every_year),)


def test_a_question_without_days_names_none_and_wishes_no_session_nearer() -> None:
    assert times_in("What may Ana paint?", TODAY) == ()
    assert nearness(TODAY, (), before_days=7, after_days=14) == 0.0


def test_a_month_without_a_year_is_near_in_every_year() -> None:
    (june,) = times_in("What did Ana do in June?", TODAY)
    near = [nearness(date(year, 6, 9), [june], before_days=7, after_days=14) for year in (2019, 2022, 2023)]
    assert near == [1.0, 1.0, 1.0]
    assert nearness(date(2022, 9, 9), [june], before_days=7, after_days=14) == 0.0
    assert nearness(None, [june], before_days=7, after_days=14) == 0.0
