"""The phrasings that the nearest-phrasing reader is fitted on, and how it does on a set that was left out.

Names and values of a set are known to the router and nothing else, as in `score_wording`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.operator_score import NAMED, Row, answered_as_if_sure, known_of, score_wording
from benchmarks.operator_weights import fit_weights
from benchmarks.operator_wording import WRITERS, generate_wording, unanswered
from benchmarks.wording import load
from tem_graph.answer.rules import RULES, EnglishRouter, NearestPhrasing
from tem_graph.answer.rules.frame import without_frame
from tem_graph.answer.rules.items import read_items
from tem_graph.answer.rules.lexicon import lexicon_of
from tem_graph.answer.rules.masked import Masked, mask
from tem_graph.answer.rules.phrasings import NO_OPERATOR, SPLIT, Phrasings, write_phrasing
from tem_graph.answer.rules.weights import Weights
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
NONE = ("no_operator", "no_operator2", "no_operator3")
FOLDS = 5
Example = tuple[str, Masked]


def read_rows(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of wordings."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def unanswerable(without: str | None = None) -> list[dict[str, Any]]:
    """Questions that no operator answers, without arguments, less those of a writer."""
    cases = [row["question"] for row in read_rows(CASES) if row["operator"] is None]
    listed = [
        {"question": q, "operator": None} for q in (*cases, *(q for name in NONE for q in load(name)["questions"]))
    ]
    return listed + [row for name in WRITERS if name != without for row in unanswered(name)]


def examples(rows: Sequence[Row], catalog: RelationCatalog) -> list[Example]:
    """The rows' operators and masked questions."""
    known = known_of([*(row["args"] for row in rows if row.get("args")), *NAMED], catalog)
    lexicon = lexicon_of(known.catalog, known.relations)
    return [
        (row["operator"] or NO_OPERATOR, mask(without_frame(read_items(row["question"], known, lexicon, join=False))))
        for row in rows
    ]


def all_examples(catalog: RelationCatalog, without: str | None = None) -> list[Example]:
    """Every phrasing there is, less a set or a writer and what was written with that set open."""
    rows = [row for name, path in SETS.items() if name != without for row in read_rows(path)]
    rows += [row for name in WRITERS if name != without for row in generate_wording(0, name)]
    if without not in SETS or without in UNSEEN_BY_MORE:
        rows += generate_wording(0, MORE)
    if without not in SETS or without in UNSEEN_BY_CASES:
        rows += [row for row in read_rows(CASES) if row["operator"] is not None]
    return examples(rows, catalog) + examples(unanswerable(without), catalog)


def as_lines(found: Iterable[Example]) -> str:
    """The content of `phrasings.txt`: operators in the order of the alphabet, no phrasing twice."""
    lines = dict.fromkeys(sorted(f"{operator}{SPLIT}{write_phrasing(masked)}" for operator, masked in found))
    return "".join(f"{line}\n" for line in lines)


def cross_validate(catalog: RelationCatalog) -> dict[str, Any]:
    """Each set and writer with the phrasings of the others."""
    every = {name: (read_rows(path), []) for name, path in SETS.items()}
    every |= {name: (list(generate_wording(0, name)), unanswered(name)) for name in WRITERS}
    sets: dict[str, Any] = {}
    for name, (rows, none) in every.items():
        router = _fitted(all_examples(catalog, without=name))
        answered = answered_as_if_sure([row["question"] for row in none], catalog, router.place)
        sets[name] = {
            "rules": _figures(score_wording(rows, catalog, RULES.place)),
            "rules_and_nearest_phrasing": _figures(score_wording(rows, catalog, router.place)),
            "no_operator": {"asked": len(none), "answered_as_if_sure": len(answered), "questions": list(answered)},
        }
    return {"sets": sets, "no_operator": _unanswerable_in_folds(catalog)}


def _fitted(seen: Sequence[Example]) -> EnglishRouter:
    return EnglishRouter(RULES, NearestPhrasing(Phrasings(seen), Weights(fit_weights(seen))))


def _figures(score: Any) -> dict[str, int]:
    return {
        "asked": score.asked,
        "right": score.right,
        "wrong_as_if_sure": score.wrong,
        "unplaced": score.asked - score.right - score.wrong,
    }


def _unanswerable_in_folds(catalog: RelationCatalog) -> Mapping[str, Any]:
    """How many of the questions that are listed by themselves are answered as if sure, fitted without them."""
    rows, every = unanswerable(), all_examples(catalog)
    fitted, none = ([e for e in every if (e[0] == NO_OPERATOR) is is_none] for is_none in (False, True))
    answered: list[str] = []
    for fold in range(FOLDS):
        seen = [*fitted, *(e for n, e in enumerate(none) if n % FOLDS != fold)]
        router = _fitted(seen)
        answered += answered_as_if_sure([row["question"] for row in rows[fold::FOLDS]], catalog, router.place)
    return {"asked": len(rows), "answered_as_if_sure": len(answered), "questions": answered}
