"""Facts by hand from CSV, JSON and JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tem_graph.errors import InputError
from tem_graph.ingest.by_hand import FactInput
from tem_graph.ingest.fact_files import parse_facts, read_facts

CSV = """subject,relation,object,source,date,index,effective,until,ended,slot
Cozy Home Co.,ad budget,"$3,000/mo",call Feb 12,2026-02-12,,2026-02,,,

Ana,likes,oolong,s2,,,,2027,no,drink
Ana,residence,,s3,,,,,yes,
"""
FACTS = [
    FactInput("Cozy Home Co.", "ad budget", "$3,000/mo", "call Feb 12", date="2026-02-12", effective="2026-02"),
    FactInput("Ana", "likes", "oolong", "s2", until="2027", slot="drink"),
    FactInput("Ana", "residence", "", "s3", ended=True),
]
OBJECTS = [
    {"subject": "Cozy Home Co.", "relation": "ad budget", "object": "$3,000/mo", "source": "call Feb 12"}
    | {"date": "2026-02-12", "effective": "2026-02"},
    {"subject": "Ana", "relation": "likes", "object": "oolong", "source": "s2", "until": "2027", "slot": "drink"},
    {"subject": "Ana", "relation": "residence", "object": "", "source": "s3", "ended": True},
]


def test_every_layout_says_the_same() -> None:
    for text in (
        CSV,
        CSV.replace("\n", "\r\n"),
        json.dumps(OBJECTS),
        json.dumps({"facts": OBJECTS}),
        "\n".join(map(json.dumps, OBJECTS)),
    ):
        assert parse_facts(text) == FACTS


def test_columns_stand_in_any_order_and_optional_ones_may_miss() -> None:
    (fact,) = parse_facts("object,source,relation,subject\nLund,s1,residence,Ana\n")
    assert fact == FactInput("Ana", "residence", "Lund", "s1")
    (indexed,) = parse_facts("subject,relation,object,source,index\nAna,residence,Lund,s1,12\n")
    assert indexed.index == 12


def test_a_cell_may_span_lines_and_the_next_row_is_still_named_right() -> None:
    text = 'subject,relation,object,source\nAna,motto,"one\ntwo\tthree ""four""",s1\nAna,,x,s1\n'
    with pytest.raises(InputError, match=r"f\.csv, line 4: column relation is blank"):
        parse_facts(text, origin="f.csv")
    assert parse_facts(text.rsplit("\n", 2)[0])[0].object == 'one\ntwo\tthree "four"'


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("Ana,,Lund,s1,,,,,,", "line 2: column relation is blank"),
        ("Ana,residence,,s1,,,,,,", "column object is blank"),
        ("Ana,residence,Lund", "column source is blank"),
        ("Ana,residence,Lund,s1,soon,,,,,", "column date is 'soon'"),
        ("Ana,residence,Lund,s1,,1.5,,,,", "column index is '1.5'"),
        ("Ana,residence,Lund,s1,,-1,,,,", "column index is '-1'"),
        (f"Ana,residence,Lund,s1,,{'9' * 5_000},,,,", "which is no whole number from 0 to 999999999999"),
        ("Ana,residence,Lund,s1,,,2023-02-30,,,", "column effective is '2023-02-30', which is no date (day is out"),
        ("Ana,residence,Lund,s1,,,,x,,", "column until is 'x'"),
        ("Ana,residence,Lund,s1,,,,,maybe,", "column ended is 'maybe'"),
        ("Ana,residence,Lund, Sweden,s1,,,,,,,", "has 12 cells under 10 columns"),
        ('Ana,residence,"Lund,s1', "not valid CSV"),
    ],
)
def test_what_is_wrong_in_a_csv_is_named(row: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_facts(CSV.split("\n")[0] + "\n" + row + "\n", origin="f.csv")
    assert caught.value.message.startswith("f.csv, line 2")
    assert said in caught.value.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("subject,relation,object,source\n", "holds no fact"),
        ("[]", "holds no fact"),
        ("subject,relation,object\n", "column source is missing"),
        ("subject,relation,object,source,when\n", "'when' is no column"),
        ("subject,relation,object,source,source\n", "source occurs twice"),
        ('{"subject": "Ana"}', "fact 1: relation is missing"),
        (json.dumps([OBJECTS[0], OBJECTS[1] | {"since": "2020"}]), "fact 2: since is not a field"),
        (json.dumps([OBJECTS[1] | {"index": "1"}]), "index must be a whole number, not text"),
        (json.dumps([OBJECTS[1] | {"object": " "}]), "object is blank"),
        (json.dumps([OBJECTS[1] | {"effective": "someday"}]), "effective is 'someday', which is no date"),
    ],
)
def test_what_is_no_fact_file_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_facts(text, origin="f")
    assert said in caught.value.message


def test_files_and_their_format(tmp_path: Path) -> None:
    path = tmp_path / "facts.csv"
    path.write_bytes(b"\xef\xbb\xbf" + CSV.encode())
    assert read_facts(path) == FACTS
    with pytest.raises(InputError, match="not valid JSON"):
        read_facts(path, format="json")
    with pytest.raises(InputError, match="no format 'xls'"):
        parse_facts(CSV, format="xls")  # type: ignore[arg-type]
