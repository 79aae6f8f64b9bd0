"""Session files in the project's own form, and what every reader refuses."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.conversation import Session
from tem_graph.errors import InputError
from tem_graph.ingest.readers import parse_conversations, read_conversations, read_sessions
from tem_graph.ingest.readers.document import dotted, locate

ANA = {"speaker": "Ana", "text": "I live in Porto."}
VIENNA = timezone(timedelta(hours=1))


def session(id_: Any = "s1", **fields: Any) -> dict[str, Any]:
    return {"id": id_, "turns": [ANA]} | fields


def parse(value: object, **options: Any) -> tuple[Session, ...]:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    (conversation,) = parse_conversations(text, origin="f.json", **options)
    return conversation.sessions


def refused(value: object, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        parse(value, **options)
    return caught.value.message


def lines(*values: object) -> str:
    return "\n".join(json.dumps(v, ensure_ascii=False) for v in values) + "\n"


def test_all_layouts_say_the_same() -> None:
    both = [session("s1", date="2024-03-02"), session("s2", date="2024-03-03T09:30:00+02:00")]
    layouts = [both, {"sessions": both}, lines(*both), lines(*both).replace("\n", "\r\n"), "\ufeff" + json.dumps(both)]
    assert len({tuple(s.digest for s in parse(layout)) for layout in layouts}) == 1
    assert [s.id for s in parse(both)] == ["s1", "s2"]
    assert parse(both[0])[0].digest == parse(both)[0].digest


def test_every_field_arrives() -> None:
    metadata = {"client": {"app": "x", "tags": ["a", 1, None]}}
    turn = ANA | {"caption": "a dog", "metadata": metadata}
    (read,) = parse([session(7, date="2024-03-02T09:30", index=4, turns=[turn, ANA])], zone=VIENNA)
    assert (read.id, read.index) == ("7", 4)
    assert read.date is not None
    assert read.date.text == "2024-03-02T09:30:00+01:00"
    assert read.turns[0].content == "I live in Porto. [shares a dog]"
    assert read.turns[0].metadata == metadata
    assert [t.position for t in read.turns] == [0, 1]


def test_a_file_may_name_its_memory() -> None:
    (conversation,) = parse_conversations(json.dumps({"memory": "ana", "sessions": [session()]}))
    assert conversation.id == "ana"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"turns": [{"speaker": "Ana"}]}, "line 14: session 's2': turns[0] has no `text`"),
        ({"turns": [{"text": "hi"}]}, "line 14: session 's2': turns[0].speaker is missing"),
        ({"turns": [{"speaker": " ", "text": "hi"}]}, "turns[0].speaker is blank"),
        ({"turns": [{"speaker": "Ana", "text": 7}]}, "turns[0].text must be text, not a number"),
        ({"turns": None}, "turns must be a list, not null"),
        ({"turns": [ANA, ANA | {"txet": 1}]}, "turns[1].txet is not a field of it"),
        ({"turns": "hi"}, "turns must be a list, not text"),
        ({"turns": [ANA | {"metadata": [1]}]}, "turns[0].metadata must be an object, not a list"),
        ({"date": ""}, "date is blank"),
        ({"date": "yesterday"}, "date is no ISO 8601 date or time"),
        ({"date": "2023-02-30"}, "date is no ISO 8601 date or time: day is out of range for month"),
        ({"date": "0001-01-01T00:00:00+14:00"}, "date lies outside the years 1 to 9999 in UTC"),
        ({"dtae": "2024-01-01"}, "dtae is not a field of it"),
        ({"index": -1}, "index cannot be used"),
        ({"index": True}, "index must be a whole number, not true or false"),
        ({"index": 1}, "session 's1': index is missing while other sessions have one"),
        ({"id": "s1"}, "id repeats the id of line 2"),
        ({"id": " "}, "id is blank"),
        ({"id": "x" * 513}, "id has more than 512 characters"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], said: str) -> None:
    message = refused([session("s1"), session("s2") | changes])
    assert message.startswith("f.json, line ")
    assert said in message


def test_lines_are_counted_in_json_lines() -> None:
    message = refused(lines(session("s1"), session("s2")) + "\n" + lines(session("s3", turns=7)))
    assert message == "f.json, line 4: session 's3': turns must be a list, not a number"


@pytest.mark.parametrize("text", ["", " \t\n", None])
def test_what_says_nothing_is_left_out_and_counted(text: str | None) -> None:
    blank = {"speaker": "Ana", "text": text}
    pictures = [blank | {"caption": "a dog"}, {"speaker": "Ana", "caption": "a cat"}]
    sessions = [
        session("s1", turns=[blank, ANA, blank | {"caption": " "}, *pictures], index=1),
        session("s2", turns=[]),
        session("s3", turns=[blank]),
    ]
    (conversation,) = parse_conversations(json.dumps(sessions))
    (read,) = conversation.sessions
    assert [(t.position, t.content) for t in read.turns] == [
        (0, "I live in Porto."), (1, "[shares a dog]"), (2, "[shares a cat]"),
    ]  # fmt: skip
    assert conversation.left_out == ("3 turns without words", "2 sessions without words ('s2', 's3')")
    assert parse([session("s2", turns=[])]) == ()


@pytest.mark.parametrize(
    ("number", "hint"),
    [
        (1_709_368_200, '"2024-03-02T08:30:00+00:00" if 1709368200 counts from 1970'),
        (1_709_368_200_000, '"2024-03-02T08:30:00+00:00"'),
        (10**30, "write 2024-03-02,"),
    ],
)
def test_a_number_for_a_date_is_refused_with_how_to_write_it(number: int, hint: str) -> None:
    with pytest.raises(InputError, match="date must be text, not a number") as caught:
        parse([session(date=number)])
    assert hint in (caught.value.hint or "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        (" \n\n", "is empty"),
        ("[]", "nothing to store"),
        ('{"sessions": []}', "sessions holds no session"),
        ('{"hello": 1}', "is not in a form"),
        ("[1]", "is not in a form"),
        ("hello", "not valid JSON"),
        ('[{"id": "s1",\n "turns": [}]', "line 2, column 12: not valid JSON"),
        (lines(session("s1")) + '{"id": "s2"', "line 2, column 12: not valid JSON"),
        ('{"id": "a", "id": "b", "turns": []}', "'id' occurs twice"),
        ('{"id": "a", "index": NaN, "turns": []}', "NaN is not JSON"),
        ('{"id": "a", "turns": [{"speaker": "A", "text": "\\ud83d"}]}', "surrogate"),
        ("[" * 100_000, "nested too deeply"),
        (
            '{"id": "a", "index": ' + "9" * 5_000 + ', "turns": []}',
            "a number of 5000 digits is too long (at most 1000)",
        ),
        (lines(session("s1", index=10**3000)) + "{}", "line 1: cannot be used: a number of 3001 digits is too long"),
    ],
)
def test_what_is_no_session_file_is_refused(text: str, said: str) -> None:
    assert said in refused(text)


def test_unicode_survives_raw_and_escaped() -> None:
    text = "مومو 🐈‍⬛ \u2028 👩🏽‍🌾 \u202eabc"
    raw = lines(session("s1", turns=[{"speaker": "نور", "text": text}]), session("s2"))
    assert parse(raw)[0].turns[0].text == text
    escaped = json.dumps([session("s1", turns=[{"speaker": "نور", "text": text}])])
    assert parse(escaped)[0].turns[0].text == text


def test_a_turn_of_60_000_characters_is_read_whole() -> None:
    assert len(parse([session(turns=[{"speaker": "Ana", "text": "x" * 60_000}])])[0].turns[0].text) == 60_000


def test_files_gzipped_with_bom_or_broken(tmp_path: Path) -> None:
    data = json.dumps([session()]).encode()
    plain, packed, bad, cut, wide = (tmp_path / n for n in ("a.json", "b.json.gz", "c.json", "d.gz", "e.json"))
    plain.write_bytes(b"\xef\xbb\xbf" + data)
    packed.write_bytes(gzip.compress(data))
    bad.write_bytes(b'[\n{"id": "\xff"}]')
    cut.write_bytes(gzip.compress(data)[:-9])
    wide.write_text(data.decode(), encoding="utf-16")
    assert read_sessions(plain) == read_sessions(packed)
    with pytest.raises(InputError, match=r"line 2: byte 0xff at offset 10 is not UTF-8"):
        read_sessions(bad)
    with pytest.raises(InputError, match="damaged or cut"):
        read_sessions(cut)
    with pytest.raises(InputError, match="UTF-16"):
        read_sessions(wide)
    with pytest.raises(InputError, match=r"none\.json cannot be read: No such file"):
        read_conversations(tmp_path / "none.json")


def test_an_unknown_format_is_refused() -> None:
    assert "no format 'yaml'" in refused([session()], format="yaml")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(json_values, st.sampled_from([None, 2]))
def test_every_value_is_located(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)

    def check(inner: object, path: tuple[str | int, ...]) -> None:
        found, _ = json.JSONDecoder().raw_decode(text, locate(text, path))
        assert found == inner, dotted(path)
        items: Any = inner.items() if isinstance(inner, dict) else enumerate(inner) if isinstance(inner, list) else ()
        for step, child in items:
            check(child, (*path, step))

    check(value, ())


def test_zone_of_naive_dates() -> None:
    (day,) = parse([session(date="2024-03-02")], zone=VIENNA)
    (stamp,) = parse([session(date="2024-03-02T23:30:00-05:00")], zone=VIENNA)
    assert day.date is not None
    assert stamp.date is not None
    assert day.date.instant.utcoffset() == timedelta(hours=1)
    assert (stamp.date.day.isoformat(), stamp.date.instant.astimezone(UTC).day) == ("2024-03-02", 3)
