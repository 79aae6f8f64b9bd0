"""Precision and recall of what an extractor reads out of a state-update set, and status accuracy of its gold facts.

What counts: believed candidates (after `tem_graph.ingest.verify`) about the persona, of the three relations of
the set, that claim a value to hold. An end, or a value with a stated end, claims no current value; it is counted
apart. A candidate that repeats the value which holds anyway is neither right nor wrong. Objects match when
they are equal after folding and dropping a leading article; containing the right words is not enough.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Rejection
from tem_graph.domain.fact import Fact, FactKind, Source, Status
from tem_graph.domain.names import fold
from tem_graph.domain.relation import RelationCatalog, slot_key
from tem_graph.domain.time import AsOf, SessionDate
from tem_graph.ingest.verify import verify
from tem_graph.ports import Extractor
from tem_graph.temporal.status import mark_status, mark_status_as_paper

Row = Mapping[str, Any]
_ARTICLE = re.compile(r"^(a|an|the|my) ")
_AS_STORED = {"residence": ("residence", None), "occupation": ("occupation", None), "drink": ("likes", "drink")}


def object_key(text: str) -> str:
    """The form in which an extracted object is compared with gold.

    >>> object_key("An Electrician ") == object_key("electrician")
    True
    """
    return _ARTICLE.sub("", fold(text).strip(".,;!?\"'"))


def relation_of(candidate: Candidate, catalog: RelationCatalog) -> str | None:
    """The set's name of the candidate's relation; None for a relation that the set does not have."""
    stored = (catalog.get(candidate.relation).name, slot_key(candidate.slot))
    return next((name for name, pair in _AS_STORED.items() if pair == stored), None)


def as_session(row: Row) -> Session:
    turns = tuple(Turn(n, t["speaker"], t["text"]) for n, t in enumerate(row["turns"]))
    return Session(row["session_id"], turns, SessionDate.parse(row["date"]), row["session"])


@dataclass
class RelationScore:
    right: int = 0
    wrong: int = 0
    found: int = 0
    gold: int = 0

    @property
    def precision(self) -> float | None:
        """Right claims per claim; None when nothing was claimed."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else None

    @property
    def recall(self) -> float | None:
        return self.found / self.gold if self.gold else None


@dataclass(frozen=True)
class ExtractionError:
    """One miss, one wrong claim, or one violated negative."""

    kind: str
    relation: str
    value: str
    session_id: str
    wording: str
    text: str
    detail: str


@dataclass
class ExtractionScore:
    relations: dict[str, RelationScore] = field(default_factory=lambda: {name: RelationScore() for name in _AS_STORED})
    by_kind: dict[str, RelationScore] = field(default_factory=dict)
    """Recall per kind of update: initial, change, return, reaffirm."""
    negatives: int = 0
    violated: Counter[str] = field(default_factory=Counter)
    """Negatives that became a claim about the persona, by why they should not."""
    repeated: int = 0
    ends: int = 0
    about_others: int = 0
    rejected: Counter[str] = field(default_factory=Counter)
    errors: list[ExtractionError] = field(default_factory=list)

    @property
    def overall(self) -> RelationScore:
        total = RelationScore()
        for score in self.relations.values():
            total.right, total.wrong = total.right + score.right, total.wrong + score.wrong
            total.found, total.gold = total.found + score.found, total.gold + score.gold
        return total


class Held:
    """Which value a persona holds after each session, from gold alone."""

    def __init__(self, facts: Iterable[Row]) -> None:
        self._told: dict[tuple[str, str], list[tuple[int, str]]] = {}
        for fact in sorted(facts, key=lambda f: int(f["index"])):
            told = self._told.setdefault((fact["persona_id"], fact["relation"]), [])
            told.append((fact["index"], object_key(fact["object"])))

    def after(self, persona_id: str, relation: str, index: int) -> str | None:
        told = [value for at, value in self._told.get((persona_id, relation), []) if at <= index]
        return told[-1] if told else None


async def score_extraction(
    extractor: Extractor, catalog: RelationCatalog, data: Mapping[str, Sequence[Row]]
) -> ExtractionScore:
    """The score of an extractor over all sessions of a set (`sessions`, `facts`, `negatives`)."""
    score = ExtractionScore(negatives=len(data["negatives"]))
    held = Held(data["facts"])
    for row in data["sessions"]:
        session = as_session(row)
        extraction = await extractor.extract(session)
        accepted, rejected = verify(session, extraction, catalog, user=row["persona"])
        score.rejected.update(r.reason for r in rejected)
        _score_session(score, row, accepted, rejected, catalog, data, held)
    return score


def _score_session(
    score: ExtractionScore,
    row: Row,
    accepted: Iterable[Candidate],
    rejected: Iterable[Rejection],
    catalog: RelationCatalog,
    data: Mapping[str, Sequence[Row]],
    held: Held,
) -> None:
    gold = [f for f in data["facts"] if f["session_id"] == row["session_id"]]
    negatives = {
        (n["relation"], object_key(n["value"])): n for n in data["negatives"] if n["session_id"] == row["session_id"]
    }
    claims: dict[tuple[str, str], Candidate] = {}
    for candidate in accepted:
        relation = relation_of(candidate, catalog)
        if fold(candidate.subject) != fold(row["persona"]):
            score.about_others += 1
        elif relation and (candidate.kind is FactKind.END or candidate.until):
            score.ends += 1
        elif relation:
            claims.setdefault((relation, object_key(candidate.object)), candidate)
    expected = {(f["relation"], object_key(f["object"])) for f in gold}
    for (relation, value), candidate in claims.items():
        if (relation, value) in expected:
            score.relations[relation].right += 1
        elif held.after(row["persona_id"], relation, row["session"]) == value:
            score.repeated += 1
        else:
            score.relations[relation].wrong += 1
            negative = negatives.get((relation, value))
            if negative:
                score.violated[negative["why"]] += 1
            detail = f"negative: {negative['why']}" if negative else "not in gold"
            score.errors.append(_error("wrong", relation, candidate.object, row, candidate.turn, detail))
    reasons = {(relation_of(r.candidate, catalog), object_key(r.candidate.object)): r.reason for r in rejected}
    for fact in gold:
        key = (fact["relation"], object_key(fact["object"]))
        counted = (score.relations[fact["relation"]], score.by_kind.setdefault(fact["kind"], RelationScore()))
        for counter in counted:
            counter.gold += 1
            counter.found += key in claims
        if key not in claims:
            detail = f"{fact['kind']}; rejected: {reasons[key]}" if key in reasons else f"{fact['kind']}; not proposed"
            score.errors.append(_error("missed", fact["relation"], fact["object"], row, fact["turn"], detail))


def _error(kind: str, relation: str, value: str, row: Row, turn: int | None, detail: str) -> ExtractionError:
    text = row["turns"][turn]["text"] if turn is not None else ""
    return ExtractionError(kind, relation, value, row["session_id"], row.get("wording", ""), text, detail)


@dataclass(frozen=True)
class StatusAccuracy:
    checked: int
    agreed: int
    disagreements: tuple[str, ...]

    @property
    def accuracy(self) -> float | None:
        return self.agreed / self.checked if self.checked else None


def status_accuracy(catalog: RelationCatalog, facts: Iterable[Row]) -> StatusAccuracy:
    """Every gold fact's status by the law, and by the paper's rule, against a naive reading of the gold list.

    Each group is looked at from the end of every one of its sessions, so that every fact is checked both while
    it holds and after it has been superseded.
    """
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in facts:
        groups.setdefault((row["persona_id"], row["relation"]), []).append(row)
    checked, disagreements = 0, []
    for (persona_id, relation), rows in groups.items():
        stored = [_as_fact(catalog, row) for row in rows]
        if len({fact.group for fact in stored}) != 1:
            disagreements.append(f"{persona_id} {relation}: the facts do not form one version group")
        for seen_from in rows:
            index = int(seen_from["index"])
            today = SessionDate.parse(seen_from["date"]).day
            law = mark_status(stored, AsOf(today, known_after=f"{index:012d}"))
            paper = mark_status_as_paper(f for f in stored if (f.source.index or 0) <= index)
            for row, fact in zip(rows, stored, strict=True):
                expected = [(law[fact.id], _naive_status(row, rows, index), "law")]
                if int(row["index"]) <= index:
                    expected.append((paper[fact.id], _naive_paper_status(row, rows, index), "paper's rule"))
                for found, right, rule in expected:
                    checked += 1
                    if found is not right:
                        where = f"{persona_id} {relation} {row['object']} of session {row['index']}, seen from {index}"
                        disagreements.append(f"{where}: {found} by the {rule}, {right} by hand")
    return StatusAccuracy(checked, checked - len(disagreements), tuple(disagreements))


def _as_fact(catalog: RelationCatalog, row: Row) -> Fact:
    relation, slot = _AS_STORED[row["relation"]]
    source = Source(row["session_id"], SessionDate.parse(row["date"]), row["index"])
    return Fact.create(
        catalog,
        memory=row["persona_id"],
        subject=row["subject"],
        relation=relation,
        object=row["object"],
        source=source,
        slot=slot,
    )


def _naive_status(row: Row, group: Iterable[Row], seen_from: int) -> Status:
    if row["index"] > seen_from:
        return Status.UNKNOWN
    later = [r for r in group if row["index"] < r["index"] <= seen_from]
    return Status.HISTORICAL if any(r["object"] != row["object"] for r in later) else Status.CURRENT


def _naive_paper_status(row: Row, group: Iterable[Row], seen_from: int) -> Status:
    newest = max(r["index"] for r in group if r["index"] <= seen_from)
    return Status.HISTORICAL if row["index"] < newest else Status.CURRENT
