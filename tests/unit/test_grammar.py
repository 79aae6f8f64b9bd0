"""What the grammar extractor reads, case by case, and how well it reads them all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate
from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ports import Extractor
from tem_graph.settings import load_relations

CASES = Path(__file__).with_name("grammar_cases.jsonl")
"""One object a line: `text`, `facts` and the `kind` of case. A fact is `Bobby:-residence=Lund @in May ~until June`:
subject (the speaker where there is none), `-` for an end, relation with its slot, object, since, until."""
_FACT = re.compile(r"(?:(?P<subject>[^:=]+):)?(?P<what>-?[a-z.]+=.+?)(?: @(?P<since>.+?))?(?: ~(?P<until>.+))?")


@dataclass(frozen=True)
class Case:
    kind: str
    text: str
    facts: tuple[str, ...]


def read_cases() -> list[Case]:
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [Case(c["kind"], c["text"], tuple(c["facts"])) for c in map(json.loads, lines)]


@pytest.fixture(scope="module")
def extractor() -> GrammarExtractor:
    return GrammarExtractor(load_relations(), user="Ana")


@pytest.fixture(scope="module")
def read(extractor: GrammarExtractor) -> list[tuple[Case, list[Candidate]]]:
    cases = read_cases()
    turns = tuple(Turn(i, "Ana", case.text) for i, case in enumerate(cases))
    candidates = extractor.read(Session("cases", turns))
    return [(case, [c for c in candidates if c.turn == i]) for i, case in enumerate(cases)]


def key_of(candidate: Candidate) -> str:
    subject = "" if candidate.subject == "Ana" else f"{candidate.subject}:"
    end = "-" if candidate.kind is FactKind.END else ""
    slot = f".{candidate.slot}" if candidate.slot else ""
    return fold(f"{subject}{end}{candidate.relation}{slot}={candidate.object}")


def wanted_of(case: Case) -> dict[str, tuple[str | None, str | None]]:
    """Key of each expected fact, with the time words where the case states them."""
    wanted: dict[str, tuple[str | None, str | None]] = {}
    for fact in case.facts:
        match = _FACT.fullmatch(fact)
        assert match is not None, f"case {case.text!r}: {fact!r} cannot be read"
        subject = f"{match['subject']}:" if match["subject"] else ""
        wanted[fold(subject + match["what"])] = (match["since"], match["until"])
    return wanted


def scores(read: list[tuple[Case, list[Candidate]]]) -> Iterator[tuple[str, float, float]]:
    """(relation with slot, precision, recall) over all cases."""
    found: dict[str, list[str]] = {}
    for case, candidates in read:
        have, want = {key_of(c) for c in candidates}, set(wanted_of(case))
        for outcome, keys in (("right", have & want), ("extra", have - want), ("missed", want - have)):
            for key in keys:
                relation = key.split("=")[0].split(":")[-1].lstrip("-")
                found.setdefault(relation, []).append(outcome)
    for relation, outcomes in sorted(found.items()):
        right = outcomes.count("right")
        yield (
            relation,
            right / max(1, right + outcomes.count("extra")),
            right / max(1, right + outcomes.count("missed")),
        )


def test_reads_the_development_cases(read: list[tuple[Case, list[Candidate]]]) -> None:
    figures = {relation: (precision, recall) for relation, precision, recall in scores(read)}
    for relation in ("residence", "occupation", "likes.drink"):
        precision, recall = figures[relation]
        assert precision >= 0.98, (relation, figures)
        assert recall >= 0.95, (relation, figures)
    assert all(precision >= 0.95 for precision, _ in figures.values()), figures


def test_time_words_are_kept_as_written(read: list[tuple[Case, list[Candidate]]]) -> None:
    wrong = []
    for case, candidates in read:
        for candidate in candidates:
            since, until = wanted_of(case).get(key_of(candidate), (None, None))
            if since and candidate.since != since:
                wrong.append((case.text, since, candidate.since))
            if until and candidate.until != until:
                wrong.append((case.text, until, candidate.until))
    assert not wrong


def test_objects_and_quotes_are_cut_from_the_turn(read: list[tuple[Case, list[Candidate]]]) -> None:
    for case, candidates in read:
        for candidate in candidates:
            assert candidate.object in case.text
            assert candidate.quote is not None
            assert candidate.quote in case.text
            assert candidate.object in candidate.quote


def test_reads_each_speaker_and_no_machine(extractor: GrammarExtractor) -> None:
    said = "I moved to Lund."
    speakers = ("user", "Bobby", "assistant", "system")
    session = Session("s", tuple(Turn(i, speaker, said) for i, speaker in enumerate(speakers)))
    assert [(c.subject, c.turn) for c in extractor.read(session)] == [("Ana", 0), ("Bobby", 1)]


def test_a_session_without_words_says_nothing(extractor: GrammarExtractor) -> None:
    assert extractor.read(Session("s", ())) == []
    assert extractor.read(Session("s", (Turn(0, "Ana", "  "), Turn(1, "Ana", "🎉🎉"), Turn(2, "Ana", "...")))) == []


def test_a_joke_takes_back_only_what_it_follows(extractor: GrammarExtractor) -> None:
    text = "I moved to Lund. I'm a nurse now. Just kidding! My favourite drink is chai."
    found = extractor.read(Session("s", (Turn(0, "Ana", text),)))
    assert [c.object for c in found] == ["Lund", "chai"]


@pytest.mark.parametrize(
    "dash", ["I moved to Porto – finally!", "Guess what — I moved to Porto!", "Well;I moved to Porto"]
)
def test_dashes_keep_offsets(extractor: GrammarExtractor, dash: str) -> None:
    assert [c.object for c in extractor.read(Session("s", (Turn(0, "Ana", dash),)))] == ["Porto"]


async def test_extract_fulfils_the_port(extractor: GrammarExtractor) -> None:
    assert isinstance(extractor, Extractor)
    extraction = await extractor.extract(Session("s", (Turn(0, "user", "I'm a nurse at St. Mary's since May."),)))
    assert extraction.extractor == "grammar"
    assert [(c.relation, c.object, c.since) for c in extraction.candidates] == [
        ("occupation", "nurse", "since May"),
        ("employer", "St. Mary's", "since May"),
    ]
    assert extraction.usage.calls == 0
