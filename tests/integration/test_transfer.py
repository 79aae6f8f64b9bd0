"""Export and import: lossless, one record a line, the whole file or nothing.

Cases EX-01, EX-04, IN-01, NS-05 and UN-07 of the reported ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from tem_graph.clock import FixedClock
from tem_graph.domain.conversation import Event, Note, Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction, Rejection
from tem_graph.domain.fact import Fact, Status
from tem_graph.domain.time import AsOf, SessionDate
from tem_graph.embed.hashing import HashingEmbedder
from tem_graph.errors import Conflict, InputError, NotFound
from tem_graph.graph import transfer_queries
from tem_graph.graph.connection import Address
from tem_graph.ingest.by_hand import FactInput
from tem_graph.sync import TemporalMemory
from tem_graph.temporal.registry import OPERATORS
from tests.integration.conftest import open_memory

CASES = {
    case["id"]: case
    for line in Path(__file__).parents[1].joinpath("fixtures", "reported.jsonl").read_text("utf-8").splitlines()
    if (case := json.loads(line))
}
WEEKS = ("2024-01-01", "2024-01-08T09:30:00+02:00", "2024-01-15", "2024-01-22", "2024-01-29")
SAID = ("I live in Porto.", "I live in Lund.", "I moved back: I live in Porto.", "I like oolong tea.", "Nothing new.")


class ByTheWord:
    """An extractor that knows the five sentences; no model, so that a copy can be compared to the letter."""

    name = "grammar"

    async def extract(self, session: Session) -> Extraction:
        found, malformed, events, notes = [], [], [], []
        for turn in session.turns:
            for relation, value in (("residence", "Porto"), ("residence", "Lund"), ("likes", "oolong tea")):
                if value in turn.text:
                    found.append(Candidate(turn.speaker, relation, value, turn.position, turn.text))
            if "Lund" in turn.text:
                events.append(Event(f"{turn.speaker} lives in Lund.", session.id, None, (turn.speaker,), (0,)))
            if "tea" in turn.text:
                notes.append(Note(f"{turn.speaker} likes oolong tea.", session.id, (turn.position,)))
            if "Nothing" in turn.text:
                odd = Candidate(turn.speaker, "mood", "nothing\nnew", turn.position)
                malformed.append(Rejection(odd, "malformed", "made up"))
        return Extraction(self.name, tuple(found), tuple(malformed), tuple(events), tuple(notes))


def week(number: int, speaker: str, *texts: str) -> Session:
    turns = (Turn(n, speaker, text, metadata={"n": n, "none": None}) for n, text in enumerate(texts))
    return Session(f"{speaker}-{number}", tuple(turns), SessionDate.parse(WEEKS[number]))


def fill(memory: TemporalMemory) -> None:
    """Two people, five sessions each, A→B→A; a session replaced, a fact corrected, one retracted, facts by hand."""
    report = memory.ingest(week(n, speaker, SAID[n]) for n in range(5) for speaker in ("Ana", "Bo"))
    assert not report.failed
    assert report.facts == 8
    memory.ingest([week(4, "Ana", "I live in Graz. No: I live in Lund.")], replace=True)
    memory.ingest([week(4, "Ana", "I live in Lund, in Graz no more.")], replace=True)
    assert len(memory.events()) == 5  # two of them the sentence of moving back
    assert len(memory.notes()) == 2
    memory.add_facts(
        [
            FactInput("Ana", "ad budget", "$3,000/mo", "call", date="2024-02-12", effective="2024-02"),
            FactInput("Ana", "ad budget", "$4,000/mo", "mail", date="2024-03-12", until="2025"),
            FactInput("Ana", "likes", "Assam", "mail", slot="favourite drink"),
            FactInput("Őry Ágnes", "residence", "", "mail", ended=True),
        ]
    )
    by_object = {m.fact.object: m.fact for m in memory.facts(subject="Bo")}
    memory.correct(by_object["Lund"].id, object="Graz", by="me", why="misheard")
    memory.retract(by_object["oolong tea"].id, by="me", why="not so")


@pytest.fixture
def fresh(migrated: Address, memory_id: str) -> Iterator[Callable[..., TemporalMemory]]:
    """Makes open memories by name; all are forgotten at the end."""
    opened: list[TemporalMemory] = []

    def make(name: str = "", **options: object) -> TemporalMemory:
        memory = open_memory(migrated, f"{memory_id}{name}", **({"extractor": ByTheWord()} | options))
        opened.append(memory.open())
        return memory

    yield make
    for memory in opened:
        if any(m.id == memory.id for m in memory.memories()):
            memory.forget_memory()
        memory.close()


def exported(memory: TemporalMemory, **options: object) -> str:
    out = StringIO()
    lines = memory.export(out, **options)
    assert out.getvalue().count("\n") == lines
    return out.getvalue()


def test_a_path_does_for_export_and_import(fresh: Callable[..., TemporalMemory], tmp_path: Path) -> None:
    memory, file = fresh(), tmp_path / "memory.jsonl"
    memory.add_facts([FactInput("Ana", "residence", "Łódź", "s1", date="2020-01-01")])
    file.write_text("an older file", encoding="utf-8")
    assert memory.export(file) == exported(memory).count("\n")
    assert file.read_text(encoding="utf-8") == exported(memory)
    fresh("copy").import_(file)
    fresh("another").import_(str(file))
    with pytest.raises(NotFound):
        fresh("nobody").export(str(file))
    assert sorted(p.name for p in tmp_path.iterdir()) == ["memory.jsonl"]
    assert file.read_text(encoding="utf-8") == exported(memory)
    with pytest.raises(InputError, match="cannot be written"):
        memory.export(tmp_path / "no folder" / "memory.jsonl")
    with pytest.raises(InputError, match="cannot be read"):
        fresh("third").import_(tmp_path / "nothing.jsonl")


def body(text: str) -> list[str]:
    """An export without the memory's name and the checksum over it."""
    head, *lines, end = text.splitlines()
    return [json.dumps(json.loads(head) | {"memory": ""}), *lines, json.dumps(json.loads(end) | {"sha256": ""})]


def copied(text: str, memory: TemporalMemory) -> TemporalMemory:
    memory.import_(StringIO(text))
    return memory


def view(fact: Fact) -> Fact:
    return replace(fact, memory="")


POINTS = (
    AsOf(date(2024, 6, 1)),
    AsOf(date(2024, 6, 1), valid_at=date(2024, 1, 10)),
    AsOf(date(2024, 6, 1), known_after="2024-01-16"),
)
ARGUMENTS: dict[str, object] = {
    "subject": "Ana", "relation": "residence", "value": "Porto", "n": 2, "date": "2024-01-10", "index": 1,
    "other": "Bo", "until": "2024-05-01", "start": "2024-01-01", "end": "2024-02-01", "subjects": ["Ana", "Bo"],
}  # fmt: skip


def answers(memory: TemporalMemory) -> list[object]:
    """All that a memory answers, without the ids, which contain the memory's."""
    found: list[object] = []
    for point in POINTS:
        for policy in ("effective", "source", "paper"):
            marked = memory.facts(as_of=point, policy=policy)
            found.append(
                sorted((repr(view(m.fact)), m.status, repr(view(m.successor)) if m.successor else "") for m in marked)
            )
        for name in ("current", "previous", "first", "history", "distinct", "count_versions", "count_changes", "since"):
            for subject in ("Ana", "Bo"):
                for relation in ("residence", "ad budget", "likes"):
                    result = memory.operator(name, subject=subject, relation=relation, as_of=point)
                    found.append((name, subject, relation, result.status, repr(result.value)))
        for name in ("before", "after", "became", "duration", "ever", "still", "count_value"):
            result = memory.operator(name, subject="Ana", relation="residence", value="Porto", as_of=point)
            found.append((name, result.status, repr(result.value)))
    found.append([(s.id, s.place, s.date, s.index, s.digest, s.turns, s.facts, s.rejected) for s in memory.sessions()])
    found.append(memory.turns())
    found.append(memory.rejected())
    found.append(memory.events())
    found.append(memory.notes())
    found.append([replace(o, seconds=0) for o in memory.outcomes()])
    found.append([(s.key, s.name, s.facts, s.relations) for s in memory.subjects()])
    # Equal scores go by id, which contains the memory's; scores of fewer facts than k are all there.
    found.append(sorted((m.score or 0, m.fact.object, m.status) for m in memory.search("Where does Ana live?")))
    return found


def test_the_operators_asked_here_exist() -> None:
    assert {"current", "previous", "before", "after", "duration", "still", "count_value"} <= set(OPERATORS)


@pytest.mark.parametrize("with_embeddings", [False, True])
def test_ex_01_a_copy_answers_and_exports_alike(fresh: Callable[..., TemporalMemory], with_embeddings: bool) -> None:
    original = fresh()
    fill(original)
    before, text = answers(original), exported(original, with_embeddings=with_embeddings)
    copy = fresh("-copy")
    transfer = copy.import_(StringIO(text))
    assert transfer.embeddings == ("restored" if with_embeddings else "made")
    assert answers(copy) == before
    assert body(exported(copy, with_embeddings=with_embeddings)) == body(text)
    # The same under the old name, after a wipe: then not even the first and last line differ.
    original.forget_memory()
    again = copied(text, original)
    assert exported(again, with_embeddings=with_embeddings) == text
    assert answers(again) == before


def test_what_is_kept_of_the_past_is_kept_in_the_copy(fresh: Callable[..., TemporalMemory]) -> None:
    original = fresh()
    fill(original)
    records = [json.loads(line) for line in exported(copied(exported(original), fresh("-copy"))).splitlines()]
    of = {kind: [r for r in records if r["type"] == kind] for kind in {r["type"] for r in records}}
    assert [t["text"] for t in of["turn"] if "replaced_at" in t] == [
        "I live in Graz. No: I live in Lund.",
        "Nothing new.",
    ]
    assert [e["turns"] for e in of["event"] if "replaced_at" in e] == [[0]]
    assert sorted(f["retraction"]["why"] for f in of["fact"] if "retraction" in f) == ["misheard", "not so"]
    (correction,) = (f for f in of["fact"] if "corrects" in f)
    assert correction["object"] == "Graz"
    assert [f["object"] for f in of["fact"] if f["id"] in correction["corrects"]] == ["Lund"]
    assert all("said_in" in f for f in of["fact"] if f["extractor"] == "grammar")
    assert of["turn"][0]["metadata"] == {"n": 0, "none": None}
    assert records[-1]["counts"] == {k: len(v) for k, v in of.items() if k != "end"}


def test_a_copy_goes_on_like_the_original(fresh: Callable[..., TemporalMemory]) -> None:
    original, copy = fresh(), fresh("-copy")
    fill(original)
    copied(exported(original), copy)
    for memory in (original, copy):
        assert memory.ingest([week(0, "Ana", SAID[0])]).outcomes[0].status == "unchanged"
        memory.ingest([Session("later", (Turn(0, "Ana", "I live in Lund."),), SessionDate.parse("2024-05-01"))])
    assert answers(copy) == answers(original)


def test_another_embedder_makes_new_vectors(fresh: Callable[..., TemporalMemory]) -> None:
    original = fresh()
    fill(original)
    head, *rest, _ = exported(original, with_embeddings=True).splitlines()
    changed = json.loads(head)
    changed["embedder"]["name"] = "somebody's"
    assert copied_text([json.dumps(changed), *rest], fresh("-copy")).embeddings == "made"


def copied_text(lines: list[str], memory: TemporalMemory) -> Any:
    """Imports lines that were changed on purpose, with a checksum that fits them."""
    counts: dict[str, int] = {}
    for line in lines:
        kind = json.loads(line)["type"]
        counts[kind] = counts.get(kind, 0) + 1
    digest = sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    return memory.import_([*lines, json.dumps({"type": "end", "counts": counts, "sha256": digest})])


def test_ex_04_one_record_a_line_whatever_is_in_the_text(fresh: Callable[..., TemporalMemory]) -> None:
    nasty = "one\ntwo\tthree \"four\" 'five' \\ \u2028 \u2029 \x85 \r\n \x0b\x0c\x1c {x} $y"
    original, copy = fresh(), fresh("-copy")
    names = ("Őry Ágnes", "林小雨", "e\u0301 é")
    original.add_facts(FactInput(name, "motto", nasty, "s1", date="2024-01-01") for name in names)
    text = exported(original)
    # splitlines() ends a line at every one of these characters: none may stand bare.
    assert len(text.splitlines()) == text.count("\n") == 1 + 3 + 1 + 3 + 1
    copied(text, copy)
    assert {(m.fact.subject, m.fact.object) for m in copy.facts()} == {(name, nasty) for name in names}


def test_un_07_the_same_code_points_by_client_and_export(fresh: Callable[..., TemporalMemory]) -> None:
    given = CASES["UN-07"]["given"]
    memory = fresh()
    dates = given["session_dates"]
    memory.add_facts(
        FactInput(f["subject"], f["relation"], f["object"], f["session"], date=dates[f["session"]])
        for f in given["facts"]
    )
    wanted = {(f["subject"], f["relation"], f["object"]) for f in given["facts"]}
    assert {(m.fact.subject, m.fact.relation.name, m.fact.object) for m in memory.facts()} == wanted
    text = exported(memory)
    lines = [json.loads(line) for line in text.splitlines()]
    assert {(f["subject"], f["relation"], f["object"]) for f in lines if f["type"] == "fact"} == wanted
    assert all(part in text for fact in wanted for part in fact)  # readable, not escaped
    assert {
        (m.fact.subject, m.fact.relation.name, m.fact.object) for m in copied(text, fresh("-copy")).facts()
    } == wanted
    assert "\ufffd" not in text


def test_ns_05_metadata_of_any_shape(fresh: Callable[..., TemporalMemory]) -> None:
    metadata = CASES["NS-05"]["given"]["turn_metadata"]
    original, copy = fresh(), fresh("-copy")
    session = Session("s1", (Turn(0, "Ana", "I live in Porto.", metadata=metadata),), SessionDate.parse("2024-01-01"))
    assert not original.ingest([session]).failed
    copied(exported(original), copy)
    for memory in (original, copy):
        ((_, turn),) = memory.turns("s1")
        assert turn.metadata == metadata
        assert memory.ingest([session]).outcomes[0].status == "unchanged"


def test_in_01_relation_names_are_only_ever_values(fresh: Callable[..., TemporalMemory]) -> None:
    relations = CASES["IN-01"]["given"]["relations"]
    bystander, memory, copy = fresh("-other"), fresh(), fresh("-copy")
    bystander.add_facts([FactInput("Ana", "n", "v", "s1", date="2024-01-01")])
    before = exported(bystander)
    for relation in relations:
        fact = FactInput("Ana", relation, "v", "s1", date="2024-01-01")
        if relation:
            assert memory.add_facts([fact]) == 1
        else:
            with pytest.raises(InputError, match="relation is empty"):
                memory.add_facts([fact])
    copied(exported(memory), copy)
    for read in (memory, copy):
        for relation in filter(None, relations):
            (found,) = read.facts(relation=relation)
            assert (found.fact.relation.name, found.fact.object, found.status) == (relation, "v", Status.CURRENT)
    assert exported(bystander) == before


# Refusals -------------------------------------------------------------------------------------------------


@pytest.fixture
def story(fresh: Callable[..., TemporalMemory]) -> list[str]:
    original = fresh("-story")
    fill(original)
    return exported(original).splitlines(keepends=True)


def without_line(lines: list[str]) -> list[str]:
    return lines[:5] + lines[6:]


def changed(lines: list[str]) -> list[str]:
    return [line.replace("Porto", "Braga") for line in lines]


DAMAGE: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "empty": (lambda lines: [], "empty or cut"),
    "cut between lines": (lambda lines: lines[:-1], "its last line is missing"),
    "cut inside a line": (lambda lines: [*lines[:9], lines[9][:20]], "damaged: line 10"),
    "a line lost": (without_line, "damaged|not the session above|does not stand above"),
    "a line twice": (lambda lines: [*lines[:8], lines[7], *lines[8:]], "twice|counts"),
    "goes on": (lambda lines: [*lines, lines[1]], "after the end"),
    "changed": (changed, "checksums differ|does not belong"),
    "no head": (lambda lines: lines[1:], "no exported memory"),
    "a newer format": (lambda lines: [lines[0].replace('"version":2', '"version":3'), *lines[1:]], "format version 3"),
    "not ours": (lambda lines: ['{"id": "s1", "turns": []}\n'], "damaged: line 1"),
}


def test_a_file_of_the_first_version_is_read_and_its_turns_are_found(
    story: list[str], fresh: Callable[..., TemporalMemory]
) -> None:
    records = [json.loads(line) for line in story[:-1]]
    head = records[0] | {"version": 1}
    old = [json.dumps(r) + "\n" for r in (head, *records[1:]) if r["type"] not in ("event", "note")]
    kinds = [json.loads(line)["type"] for line in old]
    digest = sha256("".join(old).encode()).hexdigest()
    end = json.dumps({"type": "end", "counts": {kind: kinds.count(kind) for kind in kinds}, "sha256": digest})
    copy = copied("".join([*old, end + "\n"]), fresh("-old"))
    assert copy.events() == []
    with_vectors = [json.loads(line) for line in exported(copy, with_embeddings=True).splitlines()]
    turns = [record for record in with_vectors if record["type"] == "turn"]
    assert all(("embedding" in turn) is ("replaced_at" not in turn) for turn in turns)


@pytest.mark.parametrize("name", DAMAGE)
def test_a_bad_file_stores_nothing(name: str, story: list[str], fresh: Callable[..., TemporalMemory]) -> None:
    damage, said = DAMAGE[name]
    copy = fresh()
    with pytest.raises(InputError, match=said):
        copy.import_(damage(story))
    assert copy.id not in {m.id for m in copy.memories()}
    copy.import_(story)  # and the whole file is still welcome


def test_a_memory_that_holds_something_is_refused(story: list[str], fresh: Callable[..., TemporalMemory]) -> None:
    memory = fresh()
    memory.add_facts([FactInput("Ana", "residence", "Lund", "s1", date="2024-01-01")])
    before = exported(memory)
    with pytest.raises(Conflict, match="1 sessions, 1 subjects, 1 facts"):
        memory.import_(story)
    assert exported(memory) == before


def test_a_memory_that_does_not_exist_is_not_exported(fresh: Callable[..., TemporalMemory]) -> None:
    with pytest.raises(NotFound):
        exported(fresh())


def test_relations_that_mean_something_else_are_refused(
    tmp_path: Path, story: list[str], migrated: Address, memory_id: str
) -> None:
    from tem_graph.settings import load_settings

    own = tmp_path / "relations.toml"
    own.write_text('[[relation]]\nname = "residence"\ncardinality = "multi"\n')
    settings = load_settings(embedder="hashing", relations=own)
    with (
        open_memory(migrated, memory_id, settings=settings) as memory,
        pytest.raises(InputError, match="'residence' was single-valued; here 'residence' is multi-valued"),
    ):
        memory.import_(story)


class Failing(HashingEmbedder):
    async def embed(self, texts: Any) -> list[list[float]]:
        raise RuntimeError("the embedder broke")


def test_an_import_that_breaks_leaves_nothing(story: list[str], fresh: Callable[..., TemporalMemory]) -> None:
    memory = fresh(embedder=Failing())
    with pytest.raises(RuntimeError, match="broke"):
        memory.import_(story)
    assert memory.id not in {m.id for m in memory.memories()}


def test_an_import_that_was_killed_is_told(story: list[str], fresh: Callable[..., TemporalMemory]) -> None:
    memory = fresh()

    async def killed() -> None:
        head = transfer_queries.MemoryHead(None, None)
        connection = memory._memory._connection
        now = datetime(2024, 6, 1, tzinfo=UTC)
        await transfer_queries.begin_import(connection.graph, memory.id, head, token="x", at=now)

    memory._run(killed())
    with pytest.raises(Conflict, match="broken off"):
        exported(memory)
    with pytest.raises(Conflict, match="broken off"):
        memory.import_(story)
    memory.forget_memory()
    memory.import_(story)


def test_many_sessions_and_facts_go_in_batches(
    fresh: Callable[..., TemporalMemory], monkeypatch: pytest.MonkeyPatch
) -> None:
    import tem_graph.transfer as transfer

    monkeypatch.setattr(transfer_queries, "SESSIONS_PER_PAGE", 7)
    monkeypatch.setattr(transfer_queries, "SUBJECTS_PER_PAGE", 3)
    monkeypatch.setattr(transfer, "FACTS_PER_WRITE", 10)
    monkeypatch.setattr(transfer, "SESSIONS_PER_WRITE", 4)
    original, copy = fresh(clock=FixedClock(datetime(2024, 6, 1, tzinfo=UTC))), fresh("-copy")
    original.add_facts(
        FactInput(
            f"P{n % 9}", "residence", f"place {n}", f"s{n % 20 if n < 80 else 99}", index=n % 20 if n < 80 else 99
        )
        for n in range(130)
    )
    text = exported(original)
    copied(text, copy)
    assert body(exported(copy)) == body(text)
    assert len(copy.facts()) == 130
