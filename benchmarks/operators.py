#!/usr/bin/env python
"""Generates the operator set, and the held-out English wording that measures a router.

    python benchmarks/operators.py generate build/operators.jsonl --seed 42
    python benchmarks/operators.py wording tests/fixtures/operator_wording.jsonl
    python benchmarks/operators.py wording tests/fixtures/operator_wording_2.jsonl --source operators2
    python benchmarks/operators.py wording tests/fixtures/operator_wording_3.jsonl --source operators3
    python benchmarks/operators.py wording tests/fixtures/operator_wording_4.jsonl --source operators4
    python benchmarks/operators.py phrasings
    python benchmarks/operators.py cross-validate

Expected values come from `tests/reference.py`, which shares no code with the product.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import click
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from benchmarks.operator_phrasings import all_examples, as_lines, cross_validate
from benchmarks.operator_questions import PAIRS, Asked, Wordings, balanced, possible_questions
from benchmarks.operator_score import answered_as_if_sure, score_questions, score_typed, score_wording
from benchmarks.operator_weights import fit_weights
from benchmarks.operator_wording import PRONOUNS_OF, SOURCES, generate_wording, unanswered
from benchmarks.timelines import TODAY, Timeline, make_timeline, make_timelines
from benchmarks.wording import load
from tem_graph.answer.rules.weights import write_weights
from tem_graph.settings import load_relations
from tests.reference import answer

PER_TIMELINE = 10
PER_PAIR = 3
RULES_FOLDER = Path(__file__).resolve().parents[1] / "tem_graph/answer/rules"
console = Console()


@click.group()
def main() -> None:
    """The operator benchmark."""


@main.command("generate")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seed", type=int, default=42, show_default=True, help="Everything in the set follows from it.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def generate_command(out: Path, seed: int, as_json: bool) -> None:
    """Write the operator set to the file OUT."""
    rows = list(generate(seed))
    _write(out, rows)
    by_operator, by_trap = Counter(r["operator"] for r in rows), Counter(r["trap"] for r in rows)
    timelines = len({r["timeline"] for r in rows})
    if as_json:
        counts = {"questions": len(rows), "timelines": timelines, "operators": by_operator, "traps": by_trap}
        click.echo(json.dumps({"file": str(out), "seed": seed, **counts}))
        return
    table = Table("operator", "questions", title=f"{len(rows)} questions over {timelines} timelines, seed {seed}")
    for operator, count in by_operator.most_common():
        table.add_row(operator, str(count))
    console.print(table)
    console.print("traps: " + ", ".join(f"{trap} {count}" for trap, count in by_trap.items()))


@main.command("wording")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seed", type=int, default=42, show_default=True)
@click.option("--source", type=click.Choice(SOURCES), default=SOURCES[0], show_default=True, help="Whose wording.")
@click.option("--unread-only", is_flag=True, help="Leave out what stands word for word in a set that was read.")
def wording_command(out: Path, seed: int, source: str, unread_only: bool) -> None:
    """Write one question per wording, with operator and arguments, to the file OUT, and what no operator answers."""
    rows = list(generate_wording(seed, source, unread_only=unread_only))
    none = unanswered(source)
    _write(out, [*rows, *none])
    console.print(f"{len(rows)} questions for {len({r['operator'] for r in rows})} operators, {len(none)} for none")


@main.command("score")
@click.argument("data", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--typed", is_flag=True, help="From the typed arguments; without it, from the English question alone.")
@click.option("--errors", type=int, default=0, show_default=True, help="Show so many questions that came out wrong.")
@click.option("--out", metavar="NAME", help="Write the figures to benchmarks/results/NAME.json.")
def score_command(data: Path, typed: bool, errors: int, out: str | None) -> None:
    """Score an operator set, or a file of wordings (without facts), on the product."""
    rows = [json.loads(line) for line in data.read_text(encoding="utf-8").splitlines() if line.strip()]
    catalog = load_relations()
    if all("facts" not in row for row in rows):
        score = score_wording([row for row in rows if row["operator"]], catalog)
    else:
        score = (score_typed if typed else score_questions)(rows, catalog)
    table = Table("operator", "right", "wrong", "unplaced", title=f"{score.right} of {score.asked} right")
    for operator, counts in score.by_operator.items():
        table.add_row(operator, *(str(counts[outcome]) for outcome in ("right", "wrong", "unplaced")))
    console.print(table)
    none = [row["question"] for row in rows if not row["operator"]]
    answered = answered_as_if_sure(none, catalog)
    if none:
        console.print(f"{len(answered)} of {len(none)} questions that no operator answers are answered as if sure")
    for miss in score.misses[:errors]:
        console.print_json(json.dumps(miss, ensure_ascii=False))
    if out:
        record = {
            "command": f"python benchmarks/operators.py score {data}{' --typed' if typed else ''} --out {out}",
            "model": None,
            "asked": score.asked,
            "right": score.right,
            "wrong_as_if_sure": score.wrong,
            "unplaced": score.asked - score.right - score.wrong,
            "share_right": score.right / score.asked,
            "no_operator": {"asked": len(none), "answered_as_if_sure": len(answered)},
            "by_operator": score.by_operator,
        }
        path = Path(__file__).parent / "results" / f"{out}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(record, indent=2, ensure_ascii=False) + "\n")


@main.command("near-misses")
@click.argument("source", type=click.Choice(("no_operator_held", "no_operator3_held")))
def near_misses_command(source: str) -> None:
    """Count how many questions that no operator answers are answered as if sure. SOURCE is a file of `wording`."""
    questions = load(source)["questions"]
    console.print(f"{len(answered_as_if_sure(questions, load_relations()))} of {len(questions)} answered as if sure")


@main.command("phrasings")
def phrasings_command() -> None:
    """Write the masked phrasings of all wordings, and the weights fitted on them, into the package."""
    found = all_examples(load_relations())
    (RULES_FOLDER / "phrasings.txt").write_text(as_lines(found), encoding="utf-8")
    (RULES_FOLDER / "weights.txt").write_text(write_weights(fit_weights(found)), encoding="utf-8")
    console.print("wrote phrasings.txt and weights.txt")


@main.command("cross-validate")
def cross_validate_command() -> None:
    """Score rules and nearest phrasing on each set of wordings, fitted on the others."""
    figures = cross_validate(load_relations())
    record = {"command": "python benchmarks/operators.py cross-validate", "model": None, **figures}
    text = json.dumps(record, indent=2, ensure_ascii=False) + "\n"
    (Path(__file__).parent / "results" / "operator_wording_cv.json").write_text(text, encoding="utf-8")
    console.print_json(text)


def generate(seed: int) -> Iterator[dict[str, Any]]:
    """The rows of the operator set, in the form of the file."""
    rng = Random(f"operators/{seed}")
    wordings, used = Wordings(rng), dict[str, int]()
    for number, timeline in enumerate(make_timelines(rng), start=1):
        questions = balanced(possible_questions(timeline, rng), used, PER_TIMELINE, rng)
        yield from _rows(f"t{number:02d}", timeline.trap, timeline.all_facts, questions, wordings)
    for number in range(1, 13):
        facts, questions = _two_groups(rng)
        chosen = [*balanced(questions, used, PER_PAIR, rng)]
        yield from _rows(f"x{number:02d}", "two groups", facts, chosen, wordings)


def _rows(
    timeline: str, trap: str, facts: Iterable[dict[str, Any]], questions: Iterable[Asked], wordings: Wordings
) -> Iterator[dict[str, Any]]:
    facts = list(facts)
    for number, asked in enumerate(questions, start=1):
        yield {
            "id": f"{timeline}-q{number:02d}",
            "timeline": timeline,
            "trap": trap,
            "facts": facts,
            "question": wordings.ask(asked, PRONOUNS_OF),
            "operator": asked.operator,
            "args": asked.args,
            "today": TODAY.isoformat(),
            "expected": answer(facts, asked.operator, asked.args, TODAY.isoformat()),
        }


def _two_groups(rng: Random) -> tuple[list[dict[str, Any]], list[Asked]]:
    """The home and the employer of one person and of another, and questions about two stays."""
    first = _with_distinct_values("residence", rng)
    second = _with_distinct_values("employer", rng)
    while second.subject == first.subject:
        second = _with_distinct_values("employer", rng)
    own = [fact | {"subject": first.subject} for fact in _with_distinct_values("employer", rng).facts]
    facts = [*first.facts, *second.facts, *own]
    home = {"subject": first.subject, "relation": "residence"}
    job = {"subject": first.subject, "relation": "employer"}
    lives = [home | {"value": value} for value in first.values]
    works = [job | {"value": value} for value in dict.fromkeys(fact["object"] for fact in own)]
    theirs = [{"subject": second.subject, "relation": "employer", "value": value} for value in second.values]
    questions = [Asked("during", home | {"while": stay}) for stay in works]
    questions += [Asked("during", job | {"while": stay}) for stay in lives]
    questions += [Asked(op, {"a": a, "b": b}) for op in sorted(PAIRS) for a in lives for b in theirs]
    return facts, questions


def _with_distinct_values(relation: str, rng: Random) -> Timeline:
    return make_timeline("plain", rng.choice(("A B", "A B C", "A B A", "A - C B@1.5")), relation, rng)


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
