"""Runs an operator set on the product and compares with what is expected. Reads files, asks no model."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tem_graph.answer.route import Known, KnownValue, Routed
from tem_graph.answer.rules import ENGLISH
from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf, PartialDate, SessionDate
from tem_graph.evaluate.scoring.typed_result import plain, same_result
from tem_graph.temporal.registry import Call, make_call, views_of
from tem_graph.temporal.result import to_expected

Row = Mapping[str, Any]
Place = Callable[[str, Known], Routed | None]
SURE = 0.7
_VALUES = (("residence", "Lund"), ("residence", "Graz"), ("employer", "Acme"), ("occupation", "nurse"))
NAMED = (
    *({"subject": "Ana", "relation": relation, "value": value} for relation, value in _VALUES),
    {"subject": "Bo", "relation": "residence"},
)
"""Whom and what the questions name that no operator answers."""


@dataclass
class Score:
    """How many questions came out right, of how many; and the others by what happened."""

    right: int = 0
    asked: int = 0
    by_operator: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    misses: list[dict[str, Any]] = field(default_factory=list)

    def book(self, row: Row, outcome: str, got: object) -> None:
        """`outcome` is right, wrong (answered as if sure), or unplaced (left to the evidence path)."""
        self.asked += 1
        self.right += outcome == "right"
        self.by_operator[row["operator"]][outcome] += 1
        if outcome != "right":
            expected = row.get("expected") or {"operator": row["operator"], "args": row["args"]}
            self.misses.append({"question": row["question"], "outcome": outcome, "expected": expected, "got": got})

    @property
    def wrong(self) -> int:
        return sum(counts["wrong"] for counts in self.by_operator.values())


def score_typed(rows: Iterable[Row], catalog: RelationCatalog) -> Score:
    """From typed arguments alone: the law, without a router."""
    score = Score()
    for row in rows:
        got = _apply(row, make_call(row["operator"], row["args"]), catalog)
        score.book(row, "right" if same_result(got, row["expected"]) else "wrong", got)
    return score


def score_questions(rows: Iterable[Row], catalog: RelationCatalog) -> Score:
    """From the English question alone, about the row's own facts. The answer counts, by whatever operator."""
    score = Score()
    for row in rows:
        facts = _facts(row, catalog)
        known = Known(
            subjects={f.subject: () for f in facts},
            catalog=catalog,
            today=_today(row),
            relations=tuple({f.relation.name for f in facts}),
            values=tuple({KnownValue(f.subject, f.relation.name, f.object, f.slot): None for f in facts}),
        )
        routed = ENGLISH.place(row["question"], known)
        if routed is None or routed.call is None or routed.confidence < SURE:
            score.book(row, "unplaced", None)
            continue
        got = _apply(row, routed.call, catalog)
        right = same_result(got, row["expected"])
        score.book(row, "right" if right else "wrong", {"operator": routed.call.operator, "result": got})
    return score


def score_wording(rows: Sequence[Row], catalog: RelationCatalog, place: Place = ENGLISH.place) -> Score:
    """Operator and arguments of held-out wordings, the names in them known and nothing else."""
    score = Score()
    known = known_of([row["args"] for row in rows], catalog)
    for row in rows:
        routed = place(row["question"], known)
        if routed is None or routed.call is None or routed.confidence < SURE:
            score.book(row, "unplaced", None)
            continue
        right = _same_call(routed.call, make_call(row["operator"], row["args"]))
        got = {"operator": routed.call.operator, "args": routed.call.arguments}
        score.book(row, "right" if right else "wrong", got)
    return score


def answered_as_if_sure(
    questions: Sequence[str], catalog: RelationCatalog, place: Place = ENGLISH.place
) -> dict[str, Routed]:
    """Of questions that no operator answers, those that are routed as if sure, about the people of `NAMED`."""
    known = known_of(NAMED, catalog)
    routed = ((question, place(question, known)) for question in questions)
    return {q: r for q, r in routed if r is not None and r.call is not None and r.confidence >= SURE}


def known_of(args: Iterable[Mapping[str, Any]], catalog: RelationCatalog) -> Known:
    """The names, relations and values in the arguments."""
    groups = [g for given in args for g in _named_groups(given)]
    return Known(
        subjects={g["subject"]: () for g in groups},
        catalog=catalog,
        today=date(2025, 6, 30),
        relations=tuple(sorted({g["relation"] for g in groups})),
        values=tuple({KnownValue(g["subject"], g["relation"], v): None for g in groups for v in _values(g)}),
    )


def _same_call(one: Call, other: Call) -> bool:
    # `current` at "today" and `history` may be asked for in two ways; arguments left at their defaults are equal.
    arguments = [call.args.model_dump(mode="json") for call in (one, other)]
    if one.operator == other.operator and one.operator in {"overlap", "order"}:  # the same, whichever is named first
        arguments = [sorted(map(plain, (given["a"], given["b"]))) for given in arguments]
    return one.operator == other.operator and plain(arguments[0]) == plain(arguments[1])


def _apply(row: Row, call: Call, catalog: RelationCatalog) -> Mapping[str, Any]:
    facts = _facts(row, catalog)
    sources = {f.source.session: f.source for f in facts}
    view_of = views_of(facts, catalog, AsOf(_today(row)), sessions=sorted(sources.values(), key=lambda s: s.key))
    return to_expected(call.apply(view_of))


def _facts(row: Row, catalog: RelationCatalog) -> list[Fact]:
    return [
        Fact.create(
            catalog,
            memory="operators",
            subject=fact["subject"],
            relation=fact["relation"],
            object=fact["object"],
            source=Source(
                fact["session"], SessionDate.parse(fact["date"]) if fact.get("date") else None, fact["index"]
            ),
            valid_from=PartialDate.parse(fact["effective"]) if fact.get("effective") else None,
        )
        for fact in row["facts"]
    ]


def _today(row: Row) -> date:
    return date.fromisoformat(row["today"]) if row.get("today") else date(2100, 1, 1)


def _named_groups(args: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    if "a" in args:
        return [args["a"], args["b"]]
    return [args, args["while"]] if "while" in args else [args]


def _values(group: Mapping[str, Any]) -> list[str]:
    return [group[key] for key in ("value", "from", "to") if group.get(key)]
