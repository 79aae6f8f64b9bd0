"""No public call on one memory returns or changes anything of another. The calls are found, not listed by hand."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import StringIO

import pytest

from tem_graph.domain.fact import Fact
from tem_graph.errors import TemGraphError
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.sync import TemporalMemory, public_methods
from tests.integration.conftest import open_memory
from tests.integration.stories import contents, plain_reader, said

SECRET = "Zq7Secretville"
STORY = [
    said("s1", "2024-01-01", f"I live in {SECRET}.", "I love tea."),
    said("s2", "2024-02-01", "I live in Beck.", "I wish I lived in Cove."),
]


@dataclass(frozen=True)
class Two:
    """A memory with a secret, and one that knows the same people and sessions and nothing of it."""

    secret: TemporalMemory
    asked: TemporalMemory
    fact: Fact


@pytest.fixture
def two(migrated: Address, memory_id: str) -> Iterator[Two]:
    with open_memory(migrated, memory_id, extractor=plain_reader()) as secret:
        asked = secret.for_memory(f"{memory_id}-asked")
        secret.ingest(STORY)
        secret.add_facts([FactInput("Ana", "team", "Red", "s1"), FactInput("Ana", "team", SECRET, "s1")])
        asked.ingest([said("s1", "2024-01-01", "I live in Ravn."), said("s2", "2024-02-01", "I love tea.")])
        yield Two(secret, asked, next(m.fact for m in secret.facts() if m.fact.object == SECRET))
        for memory in (secret, asked):
            if memory.id in {m.id for m in secret.memories()}:
                memory.forget_memory()


CALLS: dict[str, Callable[[TemporalMemory, Fact], object]] = {
    "add_facts": lambda m, f: m.add_facts([FactInput("Ana", "residence", "Lund", "s1")]),
    "answer_by_law": lambda m, f: (m.answer_by_law("Where does Ana live?"), m.answer_by_law("What is Ana's team?")),
    "as_of": lambda m, f: m.as_of(known_after="s1"),
    "ask": lambda m, f: (m.ask("Where does Ana live?"), m.ask(f"Who has to do with {SECRET[:3]}?")),
    "bookmarks": lambda m, f: None,  # transactions of the database, not what they wrote
    "catch_up": lambda m, f: m.catch_up(m.bookmarks()),
    "conflicts": lambda m, f: m.conflicts(),
    "correct": lambda m, f: m.correct(f.id, object="Lund", by="me", why="x"),
    "events": lambda m, f: (m.events(), m.events("s1")),
    "evidence": lambda m, f: m.evidence("Where does Ana live?", 100),
    "exists": lambda m, f: m.exists(),
    "export": lambda m, f: (text := StringIO(), m.export(text), text.getvalue()),
    "facts": lambda m, f: (m.facts(), m.facts(subject="Ana"), m.facts(relation="team")),
    "forget_memory": lambda m, f: m.forget_memory(),
    "forget_session": lambda m, f: m.forget_session("s1"),
    "forget_subject": lambda m, f: m.forget_subject("Ana"),
    "history": lambda m, f: (m.history("Ana"), m.history("Ana", "residence")),
    "hybrid_evidence": lambda m, f: m.hybrid_evidence(f"Where does Ana live? In {SECRET[:3]}?"),
    "import_": lambda m, f: m.import_(f.text.splitlines()),
    "ingest": lambda m, f: m.ingest([said("s1", "2024-01-01", "I live in Lund.")], replace=True),
    "memories": lambda m, f: None,  # the one list across memories: ids and sizes, for the operator of the database
    "merge_subjects": lambda m, f: m.merge_subjects("Ana", "Mia", by="me", why="x"),
    "notes": lambda m, f: (m.notes(), m.notes("s1")),
    "now": lambda m, f: m.now(),
    "operator": lambda m, f: [
        m.operator(name, subject="Ana", relation="residence") for name in ("current", "history", "previous")
    ],
    "outcomes": lambda m, f: m.outcomes(),
    "rejected": lambda m, f: (m.rejected(), m.rejected("s2")),
    "regroup": lambda m, f: (m.regroup(dry_run=True), m.regroup()),
    "reindex": lambda m, f: m.reindex(),
    "retract": lambda m, f: m.retract(f.id, by="me", why="x"),
    "search": lambda m, f: m.search(SECRET, 100),
    "search_turns": lambda m, f: m.search_turns("Who lives where?", 100),
    "sessions": lambda m, f: m.sessions(),
    "split_subject": lambda m, f: m.split_subject("Ana"),
    "subjects": lambda m, f: m.subjects(),
    "turns": lambda m, f: (m.turns(), m.turns("s1")),
}


def test_every_public_method_is_tried() -> None:
    assert public_methods().keys() <= CALLS.keys(), "a new method needs a call here"


@pytest.mark.parametrize("name", sorted(public_methods()))
def test_a_call_on_one_memory_neither_shows_nor_changes_another(name: str, two: Two) -> None:
    before = contents(two.secret), two.secret.outcomes()
    try:
        shown = repr(CALLS[name](two.asked, two.fact))
    except TemGraphError as error:  # the other memory's fact or subject does not exist here
        shown = f"{error.message} {error.hint}"
    assert SECRET not in shown.replace(f"Who has to do with {SECRET[:3]}", "")
    assert two.fact.id not in shown.replace(f"no fact {two.fact.id!r}", "")
    assert (contents(two.secret), two.secret.outcomes()) == before


@pytest.mark.parametrize("name", sorted(public_methods().keys() - {"memories", "now"}))
def test_a_call_on_a_memory_that_does_not_exist_shows_nothing(name: str, two: Two) -> None:
    nobody = two.asked.for_memory(f"{two.asked.id}-nobody")
    before = contents(two.secret), contents(two.asked)
    try:
        shown = repr(CALLS[name](nobody, two.fact))
    except TemGraphError as error:
        shown = error.message
    assert SECRET not in shown
    assert (contents(two.secret), contents(two.asked)) == before
    if nobody.id in {m.id for m in nobody.memories()}:
        assert name in {"add_facts", "ingest"}  # only what stores something makes a memory
        nobody.forget_memory()


def test_the_calls_take_no_memory_as_an_argument() -> None:
    for method in public_methods().values():
        assert "memory" not in inspect.signature(method).parameters
