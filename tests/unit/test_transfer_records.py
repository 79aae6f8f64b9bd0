"""Records of an export: every stored property comes back, and every line is one line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

from hypothesis import given
from hypothesis import strategies as st

from tem_graph.domain.conversation import Provenance, Retraction, Turn
from tem_graph.domain.extraction import Candidate, Rejection, Usage
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.outcome import Outcome, OutcomeStatus
from tem_graph.domain.time import PartialDate, Precision, SessionDate
from tem_graph.graph.records import fact_properties, turn_properties
from tem_graph.graph.transfer_queries import StoredFact, StoredRejection, StoredSession, StoredTurn
from tem_graph.transfer.lines import LineWriter, parse_line, read_lines
from tem_graph.transfer.records import (
    FORMAT,
    VERSION,
    EmbedderRecord,
    FactRecord,
    MemoryRecord,
    OutcomeRecord,
    Record,
    RejectionRecord,
    SessionRecord,
    SubjectRecord,
    TurnRecord,
)
from tests.unit.strategies import CATALOG, facts

AT = datetime(2024, 6, 1, 12, 30, 0, 123456, tzinfo=UTC)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=6,
)


def carried(record: Record) -> Record:
    """The record after a trip through a line."""
    line = LineWriter().line(record)
    assert len(line.splitlines()) == 1
    return parse_line(line.rstrip("\n"), 1)


FULL = Fact.create(
    CATALOG,
    memory="m",
    subject="Őry Ágnes",
    relation="likes",
    object="one\ntwo",
    source=Source("s1", SessionDate.parse("2024-03-02T09:30:00+02:00"), 7),
    kind=FactKind.VALUE,
    slot="drink",
    valid_from=PartialDate(date(2023, 5, 1), Precision.MONTH, "since May"),
    valid_to=PartialDate(date(2025, 1, 1), Precision.YEAR, "until 2025"),
    recorded_at=AT,
    provenance=Provenance("model", "q", 3, "Ana", "llm", "p@1", "n"),
    canonical_subject="ágnes",
)


def test_no_property_of_a_fact_is_lost() -> None:
    full = replace(FULL, retraction=Retraction(AT, "me", "why"))
    stored = StoredFact("s1", full, "key", "0" * 32, ("1" * 32,), (0.1, -1e-17))
    record = carried(FactRecord.of(stored))
    assert isinstance(record, FactRecord)
    back = record.stored(CATALOG)
    assert fact_properties(replace(back.fact, memory="m")) == fact_properties(full)
    # A field that this fact leaves out would not have been tried.
    assert {name for name, value in record.model_dump().items() if value is None} == set()
    assert (back.source_key, back.said_in, back.corrects, back.embedding) == (
        "key", "0" * 32, ("1" * 32,), (0.1, -1e-17),
    )  # fmt: skip


@given(facts(), text)
def test_generated_facts_come_back(fact: Fact, words: str) -> None:
    fact = replace(fact, provenance=Provenance("by-hand", quote=words))
    record = carried(FactRecord.of(StoredFact(fact.source.session, fact, fact.source.key)))
    assert isinstance(record, FactRecord)
    assert fact_properties(replace(record.stored(CATALOG).fact, memory="m")) == fact_properties(fact)


@given(text, text, st.dictionaries(text, json_values, max_size=3))
def test_generated_turns_come_back(speaker: str, said: str, metadata: dict[str, object]) -> None:
    stored = StoredTurn("s1", Turn(3, speaker, said, "a dog", metadata), AT)
    record = carried(TurnRecord.of(stored))
    assert isinstance(record, TurnRecord)
    assert record.stored() == stored
    # Also the text that the graph keeps of the metadata, with its order.
    assert turn_properties("m", "s1", record.stored().turn) == turn_properties("m", "s1", stored.turn)


def test_the_other_records_come_back() -> None:
    session = StoredSession("s1", "key", "2024-03-02", 7, "digest")
    candidate = Candidate("Ana", "likes", "tea", 1, "q", FactKind.END, "drink", "since", "until")
    rejection = StoredRejection("s1", 2, Rejection(candidate, "wish", "a wish"), AT)
    outcome = Outcome("s1", OutcomeStatus.FAILED, "model", 1, 2, Usage(3, 4, 5), 0.25, "why", "digest", AT)
    assert carried(SessionRecord.of(session)).stored() == session  # type: ignore[union-attr, call-arg]
    assert carried(RejectionRecord.of(rejection)).stored() == rejection  # type: ignore[union-attr, call-arg]
    assert carried(OutcomeRecord.of(outcome)).outcome() == outcome  # type: ignore[union-attr]


@given(st.lists(text, max_size=5, unique=True))
def test_a_file_is_read_as_it_was_written(names: list[str]) -> None:
    head = MemoryRecord(
        format=FORMAT,
        version=VERSION,
        memory="m",
        embedder=EmbedderRecord(name="e", dimension=2),
        embeddings=False,
        relations=[],
    )
    writer = LineWriter()
    records = [head, *(SubjectRecord(name=name) for name in names)]
    lines = [*map(writer.line, records), writer.end()]
    assert [record for _, record in read_lines(lines)][:-1] == records
    assert [record for _, record in read_lines(line.rstrip("\n") for line in lines)][:-1] == records
