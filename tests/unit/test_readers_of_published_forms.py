"""LoCoMo, state-update sets and chat exports. The samples are made up; LoCoMo's own data is not in the repository."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tem_graph.errors import InputError
from tem_graph.ingest.readers import Conversation, parse_conversations, read_sessions


def parse(value: object, **options: Any) -> list[Conversation]:
    text = value if isinstance(value, str) else json.dumps(value, indent=1)
    return parse_conversations(text, origin="f", **options)


def refused(value: object, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse(value, **options)
    return caught.value.message


def lines(*values: object) -> str:
    return "\n".join(json.dumps(v) for v in values)


# LoCoMo ---------------------------------------------------------------------------------------------------


def turn(dia: str, **fields: Any) -> dict[str, Any]:
    return {"speaker": "Kim", "dia_id": dia, "text": "Hello!"} | fields


def sample(id_: str = "conv-1", **conversation: Any) -> dict[str, Any]:
    talk = {
        "speaker_a": "Kim",
        "speaker_b": "Lou",
        "session_10": [turn("D10:1")],
        "session_10_date_time": "12:05 am on 1 June, 2023",
        "session_2": [turn("D2:1"), turn("D2:2", img_url=["u"], blip_caption="a red kite", query="kite")],
        "session_2_date_time": "1:56 pm on 8 May, 2023",
        "session_11_date_time": "1:00 pm on 2 June, 2023",
    }
    return {"sample_id": id_, "qa": [{"question": "?"}], "conversation": talk | conversation}


def test_locomo_conversations_are_memories() -> None:
    first, second = parse([sample("conv-1"), sample("conv-2")])
    assert (first.id, second.id) == ("conv-1", "conv-2")
    assert [s.id for s in first.sessions] == ["session_2", "session_10"]
    assert [s.date.text for s in first.sessions if s.date] == ["2023-05-08T13:56:00+00:00", "2023-06-01T00:05:00+00:00"]
    assert first.left_out == ("1 date without a session (11 to 11)",)
    picture = first.sessions[0].turns[1]
    assert picture.content == "Hello! [shares a red kite]"
    assert picture.metadata == {"dia_id": "D2:2", "img_url": ["u"], "query": "kite"}


def test_one_locomo_conversation_alone() -> None:
    assert parse(sample())[0].sessions == parse([sample()])[0].sessions


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"session_2": "hi"}, "conversation 'conv-1', session 'session_2': session_2 must be a list of turns"),
        ({"session_2": [turn("D2:1", text=3)]}, "turns[0]: text must be text, not a number"),
        ({"session_2": [turn("D2:1"), {"text": "x", "dia_id": "D2:2"}]}, "turns[1]: speaker is missing"),
        ({"session_2_date_time": None}, "session_2_date_time is missing"),
        ({"session_2_date_time": "yesterday"}, "session_2_date_time is 'yesterday' and not like"),
        ({"session_2_date_time": "1:56 pm on 31 June, 2023"}, "day is out of range"),
    ],
)
def test_a_fault_in_locomo_is_named(changes: dict[str, Any], said: str) -> None:
    message = refused([sample(**changes)])
    assert message.startswith("f, line ")
    assert said in message


def test_what_says_nothing_in_locomo_is_left_out_and_counted() -> None:
    talk = {"session_2": [turn("D2:1", text=" "), turn("D2:2")], "session_10": [], "session_11": [turn("D11:1")]}
    (conversation,) = parse(sample(**talk))
    assert [[(t.position, t.metadata["dia_id"]) for t in s.turns] for s in conversation.sessions] == [
        [(0, "D2:2")],
        [(0, "D11:1")],
    ]
    assert conversation.left_out == ("1 turn without words", "1 session without words ('session_10')")


def test_locomo_ids_must_differ() -> None:
    assert "sample_id repeats the id of line 2" in refused([sample(), sample()])


def test_several_memories_are_not_one_list(tmp_path: Any) -> None:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([sample("a"), sample("b")]))
    with pytest.raises(InputError, match="2 conversations"):
        read_sessions(path)


# State-update sets ----------------------------------------------------------------------------------------


def told(persona: str, number: int, **fields: Any) -> dict[str, Any]:
    return {
        "persona_id": persona,
        "persona": "Ana Lind",
        "session_id": f"{persona}-s{number}",
        "session": number,
        "date": "2024-03-02T18:00:00+00:00",
        "turns": [{"speaker": "Ana Lind", "text": "I moved."}],
        "seed": 7,
    } | fields


def test_personas_are_memories() -> None:
    first, second = parse(lines(told("p1", 2), told("p2", 1), told("p1", 1)))
    assert (first.id, second.id) == ("p1", "p2")
    assert [(s.id, s.index) for s in first.sessions] == [("p1-s2", 2), ("p1-s1", 1)]


def test_a_fault_in_a_state_update_set_is_named() -> None:
    assert "f, line 2: session 'p1-s2': turns" in refused(lines(told("p1", 1), told("p1", 2, turns=[])))
    assert "session must be a whole number, not text" in refused(lines(told("p1", 1, session="1")))
    assert "line 2: session 'p1-s1': session_id repeats" in refused(lines(told("p1", 1), told("p1", 1)))


def test_a_blank_turn_of_a_state_update_set_is_left_out_and_counted() -> None:
    blank = {"speaker": "Ana Lind", "text": ""}
    (conversation,) = parse(lines(told("p1", 1, turns=[blank]), told("p1", 2)))
    assert [s.id for s in conversation.sessions] == ["p1-s2"]
    assert conversation.left_out == ("1 turn without words", "1 session without words ('p1-s1')")


# Chats ----------------------------------------------------------------------------------------------------

HELLO = {"role": "user", "content": "I live in Graz."}
REPLY = {"role": "assistant", "content": "Noted."}


def test_a_chat_is_a_session_in_every_layout() -> None:
    for layout in ([HELLO, REPLY], {"messages": [HELLO, REPLY]}, lines(HELLO, REPLY)):
        (conversation,) = parse(layout, session="c1")
        (read,) = conversation.sessions
        assert (conversation.id, read.id) == (None, "c1")
        assert [(t.speaker, t.text) for t in read.turns] == [("user", "I live in Graz."), ("assistant", "Noted.")]


def test_a_chat_is_named_after_its_file(tmp_path: Any) -> None:
    path = tmp_path / "monday.jsonl"
    path.write_text(lines({"messages": [HELLO]}, {"messages": [HELLO], "id": "own"}))
    assert [s.id for s in read_sessions(path)] == ["monday-1", "own"]


def test_parts_names_and_times() -> None:
    parts = [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {}}, "there"]
    chat = {
        "id": "c1",
        "messages": [
            {"role": "user", "name": "Ana", "content": parts, "timestamp": 1_700_000_000},
            {"role": "assistant", "content": [{"type": "output_text", "text": "A dog."}], "created_at": "2024-01-01"},
        ],
    }
    (read,) = parse(chat)[0].sessions
    assert read.date is not None
    assert read.date.text == "2023-11-14T22:13:20+00:00"
    assert (read.turns[0].speaker, read.turns[0].content) == ("Ana", "Look:\nthere [shares an image]")
    assert read.turns[1].metadata == {"time": "2024-01-01"}


def test_calls_of_tools_are_counted_not_stored() -> None:
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "x"}]}
    used = {"role": "assistant", "content": [{"type": "tool_use", "name": "f", "input": {}}]}
    (conversation,) = parse([HELLO, call, used], session="c")
    assert len(conversation.sessions[0].turns) == 1
    assert conversation.left_out == ("2 messages without words (calls of tools and the like)",)


@pytest.mark.parametrize(
    ("chat", "said"),
    [
        ([HELLO, {"content": "x"}], "role is missing"),
        ([{"role": "user", "content": 5}], "content must be text, null or a list of parts"),
        ([{"role": "user", "content": [5]}], "content[0] must be text or a part"),
        ([HELLO | {"timestamp": "noon"}], "timestamp is 'noon', which is no time"),
        ([HELLO | {"timestamp": True}], "timestamp must be an ISO 8601 time"),
        ([HELLO | {"timestamp": 1e300}], "which is no time"),
        ({"messages": {}}, "messages must be a list, not an object"),
        ([{"messages": [HELLO], "id": "a"}, {"messages": [HELLO], "id": "a"}], "id repeats"),
    ],
)
def test_a_fault_in_a_chat_is_named(chat: object, said: str) -> None:
    assert said in refused(chat, session="c")


def test_messages_and_chats_without_words_are_left_out_and_counted() -> None:
    silent = [
        {"role": "user", "content": ""},
        {"role": "user", "content": " "},
        {"role": "assistant", "content": None},
        {"role": "user"},
        {"role": "user", "content": []},
        {"role": "user", "content": [{"type": "text", "text": None}]},
    ]
    picture = {"role": "user", "content": [{"type": "image_url", "image_url": {}}]}
    chats = [{"id": "a", "messages": [*silent, HELLO, picture]}, {"id": "b", "messages": []}]
    (conversation,) = parse(chats)
    (read,) = conversation.sessions
    assert [(t.position, t.content) for t in read.turns] == [(0, "I live in Graz."), (1, "[shares an image]")]
    assert conversation.left_out == ("6 empty messages", "1 session without words ('b')")
    assert parse([silent[0]], session="c")[0].sessions == ()


def test_a_chat_without_any_name_is_refused() -> None:
    assert "id is missing" in refused([HELLO])


def node(parent: str | None, role: str, *parts: Any, kind: str = "text") -> dict[str, Any]:
    content = {"content_type": kind, "parts": list(parts)}
    return {"parent": parent, "children": [], "message": {"author": {"role": role}, "content": content}}


def test_a_chatgpt_export_gives_the_branch_shown_last() -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file://x"}
    tree = {
        "title": "Moving",
        "conversation_id": "c9",
        "create_time": 1_700_000_000.5,
        "current_node": "d",
        "mapping": {
            "root": {"parent": None, "message": None},
            "a": node("root", "system", ""),
            "b": node("a", "user", "I live in Graz.", picture, kind="multimodal_text"),
            "c": node("b", "assistant", "First try."),
            "e": node("b", "user", ""),
            "d": node("e", "assistant", "Second try."),
        },
    }
    (conversation,) = parse([tree])
    (read,) = conversation.sessions
    assert read.id == "c9"
    assert [t.content for t in read.turns] == ["I live in Graz. [shares an image]", "Second try."]
    assert conversation.left_out == (
        "1 empty message",
        "1 message of a branch that was not shown last",
        "1 message without words (a call of a tool or the like)",
    )
    tree["mapping"]["b"]["parent"] = "d"  # type: ignore[index]
    assert "names the node 'd'" in refused([tree])


# Fact lists -----------------------------------------------------------------------------------------------


def test_a_numbered_fact_list_is_told_by_its_heading_or_named() -> None:
    numbered = "0. The author of Emma is Jane Austen.\n1. Emma was written in English.\n"

    (told,) = parse("Here is a list of facts:\n" + numbered)
    (named,) = parse(numbered, format="fact-list")

    assert told == named
    assert [(s.id, s.index, s.turns[0].text) for s in told.sessions][1] == ("1", 1, "Emma was written in English.")
    assert refused("Here is a list of facts:\nno number") == "f, line 2: no numbered fact"
    assert refused("Here is a list of facts:") == "f holds no fact: nothing to store"
