"""What a very long turn costs: time that grows with its length, and not with the square of it."""

from __future__ import annotations

from time import process_time

from tem_graph.domain.conversation import Session, Turn
from tem_graph.ingest.clauses import has_cue, sentences
from tem_graph.ingest.extractive import extract_events
from tem_graph.ingest.text_match import split_words


def seconds(text: str) -> float:
    words = split_words(text)
    started = process_time()
    found = sentences(text, words)
    taken = process_time() - started
    assert (found[0].first, found[-1].stop) == (0, len(words))
    return taken


def test_text_without_capitals_is_cut_into_sentences_about_as_fast_as_other_text() -> None:
    lower = "we ate soup with bread again number nine. " * 2_000  # its full stops looked at all words before them
    assert seconds(lower) < 20 * seconds(lower.replace("we ate", "We ate"))


def test_the_telling_sentence_is_found_in_a_long_turn() -> None:
    text = "It rained. " * 1_000 + "I moved to Porto with Ana in June 2023 for a job at Northwind."
    (event,) = extract_events(Session("s", (Turn(0, "Ben", text),)))
    assert event.summary.endswith("at Northwind.")


def test_cues_are_looked_for_in_a_long_clause_word_by_word() -> None:
    clause = "soup with bread again " * 15_000
    started = process_time()
    assert not has_cue(["live in"], clause)  # each word was compared with a copy of all that follow
    assert process_time() - started < 3.0
    assert has_cue(["live in"], f"{clause} lived in")
