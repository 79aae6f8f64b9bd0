"""The notation of frames, the tables shipped in it, and the time expressions."""

from __future__ import annotations

import pytest

from tem_graph.ingest.grammar.frames import load_frames, parse_frames
from tem_graph.ingest.grammar.text import Utterance
from tem_graph.ingest.grammar.times import find_times
from tem_graph.ingest.grammar.words import Word


@pytest.mark.parametrize("family", ["residence", "work", "possession", "taste"])
def test_every_shipped_table_can_be_read(family: str) -> None:
    assert len(load_frames(family)) > 5


def test_a_frame_line() -> None:
    (frame,) = parse_frames(
        "let home = flat|house\nevent  be_hired|buy  obj{$home}?  in|at=-place\n    +now|these_days"
    )
    assert not frame.stative
    assert frame.verbs == {"be hired", "buy"}
    assert [(a.preps, a.heads, a.role, a.ends, a.optional) for a in frame.arguments] == [
        (frozenset({""}), frozenset({"flat", "house"}), None, False, True),
        (frozenset({"in", "at"}), frozenset(), "place", True, False),
    ]
    assert frame.needs == (("now",), ("these", "days"))


@pytest.mark.parametrize("line", ["stative  live  in=place", "event  move  to=planet", "event  move  To(place)"])
def test_a_line_that_cannot_be_read_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="frame"):
        parse_frames(line)


def words_of(text: str) -> list[Word]:
    parts = text.split()
    return [Word(i, part, part.lower(), "NN", "", i, "", 0, 0) for i, part in enumerate(parts)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("since September", [("since September", "since")]),
        ("I moved last Friday and rested", [("last Friday", "since")]),
        ("in 2019", [("in 2019", "since")]),
        ("from 2015 until 2018", [("from 2015", "since"), ("until 2018", "until")]),
        ("starting next month", [("starting next month", "since")]),
        ("on 1 September 2024", [("on 1 September 2024", "since")]),
        ("two weeks ago", [("two weeks ago", "since")]),
        ("for three years now", [("for three years now", "duration")]),
        ("every morning", [("every morning", "habit")]),
        ("may I go in the room", []),
        ("a fall on the water", []),
    ],
)
def test_time_expressions(text: str, expected: list[tuple[str, str]]) -> None:
    words = words_of(text)
    found = [(" ".join(w.text for w in words[t.first : t.stop]), t.role) for t in find_times(words)]
    assert found == expected


def test_cleaning_keeps_every_offset() -> None:
    text = "i’m in “Łódź” now 🎉 — it’s great…"
    assert len(Utterance.of(text).clean) == len(text)


def test_sentences_know_where_they_stand() -> None:
    text = "Hi! I saw Dr. Wu at St. Mary's. Favourite drink? Chai. (finally!) ok?"
    utterance = Utterance.of(text)
    spans = list(utterance.sentences())
    assert [text[s.start : s.start + len(s.text)] for s in spans] == [
        "Hi!",
        "I saw Dr. Wu at St. Mary's.",
        "Favourite drink? Chai.",
        "finally!",
        "ok?",
    ]
    assert [s.question for s in spans] == [False, False, False, False, True]
