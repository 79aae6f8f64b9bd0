"""Every example of docs/input.md is read, and gives what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tem_graph.errors import InputError
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.fact_files import COLUMNS, parse_facts
from tem_graph.ingest.readers import FORMATS, Conversation, parse_conversations
from tem_graph.ingest.readers.chat import _IDS, _TIMES
from tem_graph.ingest.readers.native import SessionEntry, TurnEntry

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "input.md").read_text(encoding="utf-8")
EXAMPLES: dict[str, str] = dict(re.findall(r"```\w+ (\S+)\n(.*?)```", PAGE, re.DOTALL))


def conversation(name: str) -> Conversation:
    (read,) = parse_conversations(EXAMPLES[name], origin=name)
    return read


def test_every_example_is_looked_at_here() -> None:
    here = Path(__file__).read_text(encoding="utf-8")
    assert len(EXAMPLES) == PAGE.count("```") // 2 == 7
    assert all(f'"{name}"' in here for name in EXAMPLES)


def test_sessions() -> None:
    read = conversation("sessions.json")
    first, second = read.sessions
    assert (read.id, first.id, second.id, read.left_out) == ("ana", "s1", "s2", ())
    assert [t.content for t in first.turns] == ["I moved to Porto last week!", "[shares a balcony over a river]"]
    assert first.turns[1].metadata == {"file": "p1.jpg"}
    assert [s.date.text for s in read.sessions if s.date] == ["2024-03-02T09:30:00+01:00", "2024-06-08"]
    assert [s.index for s in conversation("sessions.jsonl").sessions] == [1, 2]


def test_a_chat_and_what_is_left_out_of_it() -> None:
    read = conversation("chat.json")
    (session,) = read.sessions
    assert session.id == "chat-1"
    assert session.date is not None
    assert session.date.text == "2024-06-08T18:00:00+00:00"
    assert [t.line for t in session.turns] == [
        "Ana: I moved to Porto!",
        "assistant: How lovely.",
        "user: Look: [shares an image]",
    ]
    assert read.left_out == ("1 empty message", "1 message without words (a call of a tool or the like)")
    assert f"left out: {read.left_out[0]}`" in PAGE


def test_published_forms() -> None:
    locomo = conversation("locomo.json")
    assert locomo.id == "conv-1"
    assert locomo.sessions[0].turns[1].content == "Nice! [shares a red kite]"
    assert [s.index for s in conversation("facts.txt").sessions] == [0, 1]


def test_facts_by_hand() -> None:
    porto, drink, lund = parse_facts(EXAMPLES["facts.csv"])
    assert porto == FactInput("Ana", "residence", "Porto", "call Feb 12", date="2026-02-12", effective="2026-02")
    assert (drink.slot, lund.ended) == ("drink", True)
    assert [(f.index, f.effective) for f in parse_facts(EXAMPLES["facts.jsonl"])] == [(1, None), (2, "2026-06-20")]


def test_the_page_names_every_field_and_format_and_how_a_number_is_refused() -> None:
    fields = {*SessionEntry.model_fields, *TurnEntry.model_fields, *COLUMNS, *_IDS, *_TIMES, *FORMATS} - {"auto"}
    assert {name for name in fields if not re.search(rf"[`\s]{name}`", PAGE)} == set()
    with pytest.raises(InputError) as caught:
        parse_conversations('{"id": "s1", "date": 1709368200, "turns": []}')
    assert caught.value.message.endswith(re.findall(r"refused \(`(.*?)`\)", PAGE)[0])


@pytest.mark.parametrize("page", ["cli.md", "../README.md"])
def test_the_page_is_found_from(page: str) -> None:
    assert "input.md)" in (DOCS / page).read_text(encoding="utf-8")
