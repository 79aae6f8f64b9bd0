"""The phrasings that the nearest-phrasing reader is fitted on, and how it does on a set that was left out.

Names and values of a set are known to the router and nothing else, as in `score_wording`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.operator_score import Row, known_of, score_wording
from benchmarks.operator_wording import generate_wording
from benchmarks.wording import load
from tem_graph.answer.rules import RULES, EnglishRouter, NearestPhrasing
from tem_graph.answer.rules.frame import without_frame
from tem_graph.answer.rules.items import read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import Masked, mask
from tem_graph.answer.rules.phrasings import NO_OPERATOR, Phrasings, write_phrasing
from tem_graph.domain.relation import RelationCatalog

ROOT = Path(__file__).resolve().parents[1]
SETS = {
    "1": ROOT / "tests/fixtures/operator_wording.jsonl",
    "2": ROOT / "tests/fixtures/operator_wording_2.jsonl",
    "3": ROOT / "tests/fixtures/operator_wording_3.jsonl",
    "5": ROOT / "tests/fixtures/operator_wording_5.jsonl",
    "6": ROOT / "tests/fixtures/operator_wording_6.jsonl",
}
CASES = ROOT / "tests/unit/route_cases.jsonl"
UNSEEN_BY_CASES = frozenset("356")
"""The sets that were unread when the route cases were written: for the others, the cases are left out, too."""
UNSEEN_BY_MORE = frozenset("56")
MORE = "operators_more"
"""Wording that is nothing but material to fit on. Sets 1 to 3 were open when it was written."""
NONE = ("no_operator", "no_operator2")
FOLDS = 5
_VALUES = (("residence", "Lund"), ("residence", "Graz"), ("employer", "Acme"), ("occupation", "nurse"))
_NAMED = (
    *({"subject": "Ana", "relation": relation, "value": value} for relation, value in _VALUES),
    {"subject": "Bo", "relation": "residence"},
)

Example = tuple[str, Masked]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of wordings."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def unanswerable() -> list[dict[str, Any]]:
    """Questions that no operator answers, without arguments."""
    cases = [row["question"] for row in read_rows(CASES) if row["operator"] is None]
    return [{"question": q, "operator": None} for q in (*cases, *(q for name in NONE for q in load(name)["questions"]))]


def examples(rows: Sequence[Row], catalog: RelationCatalog) -> list[Example]:
    """The rows' operators and masked questions."""
    known = known_of([*(row["args"] for row in rows if row.get("args")), *_NAMED], catalog)
    lexicon = lexicon_of(known.catalog, known.relations)
    return [
        (row["operator"] or NO_OPERATOR, mask(without_frame(read_items(row["question"], known, lexicon, join=False))))
        for row in rows
    ]


def all_examples(catalog: RelationCatalog, without: str | None = None) -> list[Example]:
    """Every phrasing there is, less a set and what was written with that set open."""
    rows = [row for name, path in SETS.items() if name != without for row in read_rows(path)]
    if without is None or without in UNSEEN_BY_MORE:
        rows += generate_wording(0, MORE)
    if without is None or without in UNSEEN_BY_CASES:
        rows += [row for row in read_rows(CASES) if row["operator"] is not None]
    return examples(rows, catalog) + examples(unanswerable(), catalog)


def as_toml(found: Iterable[Example]) -> str:
    """The content of `phrasings.toml`."""
    lines: dict[str, dict[str, None]] = {}
    for operator, masked in found:
        lines.setdefault(operator, {})[write_phrasing(masked)] = None
    head = "# Written by `python benchmarks/operators.py phrasings`: words | meanings, one line per phrasing.\n"
    tables = (
        f"{operator} = [\n"
        + "".join(f"    {json.dumps(line, ensure_ascii=False)},\n" for line in lines[operator])
        + "]\n"
        for operator in sorted(lines)
    )
    return head + "\n" + "\n".join(tables)


def cross_validate(catalog: RelationCatalog) -> dict[str, Any]:
    """Each set with the phrasings of the others, and the unanswerable questions in folds."""
    sets: dict[str, Any] = {}
    for name, path in SETS.items():
        rows = read_rows(path)
        router = EnglishRouter(RULES, NearestPhrasing(Phrasings(all_examples(catalog, without=name))))
        sets[name] = {
            "rules": _figures(score_wording(rows, catalog, RULES.place)),
            "rules_and_nearest_phrasing": _figures(score_wording(rows, catalog, router.place)),
        }
    return {"sets": sets, "unanswerable": _unanswerable_in_folds(catalog)}


def _figures(score: Any) -> dict[str, int]:
    return {
        "asked": score.asked,
        "right": score.right,
        "wrong_as_if_sure": score.wrong,
        "unplaced": score.asked - score.right - score.wrong,
    }


def _unanswerable_in_folds(catalog: RelationCatalog) -> Mapping[str, Any]:
    """How many questions without an answer are answered as if sure, fitted without them."""
    rows = unanswerable()
    placed = [row for path in (*SETS.values(), CASES) for row in read_rows(path) if row["operator"] is not None]
    fitted, none = examples(placed, catalog), examples(rows, catalog)
    known = known_of(_NAMED, catalog)
    answered: list[str] = []
    for fold in range(FOLDS):
        seen = [*fitted, *(e for n, e in enumerate(none) if n % FOLDS != fold)]
        router = EnglishRouter(RULES, NearestPhrasing(Phrasings(seen)))
        for row in rows[fold::FOLDS]:
            routed = router.place(row["question"], known)
            if routed is not None and routed.call is not None and routed.confidence >= 0.7:
                answered.append(row["question"])
    return {"asked": len(rows), "answered_as_if_sure": len(answered), "questions": answered}
