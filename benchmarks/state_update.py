#!/usr/bin/env python
"""Generates the state-update set, and measures extraction and status on it (or on any set of the same form).

python benchmarks/state_update.py generate build/state-update --seed 42
python benchmarks/state_update.py score-extraction build/state-update --errors 20
python benchmarks/state_update.py status-accuracy build/state-update
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # so that the file runs as a script, too

from benchmarks import state_update_set
from benchmarks.extraction_score import ExtractionScore, RelationScore, score_extraction, status_accuracy
from benchmarks.state_update_set import WORDINGS
from tem_graph.ports import Extractor
from tem_graph.settings import load_relations

RESULTS = Path(__file__).parent / "results"
PARTS = ("sessions", "facts", "negatives", "questions")
HELD_OUT = {*WORDINGS} - {"a"}
"""Wording whose text is shown only when asked for."""
console = Console()


@click.group()
def main() -> None:
    """The state-update benchmark."""


@main.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--seed", type=int, default=42, show_default=True, help="Everything in the set follows from it.")
@click.option("--personas", type=click.IntRange(min=1), default=60, show_default=True, help="Ten sessions each.")
@click.option(
    "--wording",
    type=click.Choice([*WORDINGS, "both"]),
    default="both",
    show_default=True,
    help="Wording set: a may be developed against, the others are by other writers, both takes turns of a and b.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the counts as JSON.")
def generate(out: Path, seed: int, personas: int, wording: str, as_json: bool) -> None:
    """Write the set to the folder OUT."""
    data = state_update_set.generate(seed, personas, wording)
    state_update_set.write_set(data, out)
    counts = {name: len(getattr(data, name)) for name in PARTS}
    if as_json:
        click.echo(json.dumps({"folder": str(out), "seed": seed, "wording": wording, "counts": counts}))
        return
    table = Table("file", "lines", title=f"state-update set, seed {seed}, wording {wording}")
    for name, count in counts.items():
        table.add_row(f"{name}.jsonl", str(count))
    console.print(table)


@main.command("score-extraction")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--extractor", "name", type=click.Choice(["grammar"]), default="grammar", show_default=True)
@click.option("--errors", type=click.IntRange(min=0), default=0, help="Show this many wrong and missed facts.")
@click.option("--show-held-out", is_flag=True, help="With --errors: also the text of held-out wording.")
@click.option("--json", "as_json", is_flag=True, help="Print the score as JSON.")
@click.option("--out", metavar="NAME", help="Also write benchmarks/results/NAME.json, with the command.")
def score_extraction_command(
    data: Path, name: str, errors: int, show_held_out: bool, as_json: bool, out: str | None
) -> None:
    """Precision and recall of an extractor, after verification, against the gold facts of DATA."""
    catalog = load_relations()
    rows = {part: _read(data / f"{part}.jsonl", optional=part == "negatives") for part in PARTS}
    started = perf_counter()
    score = asyncio.run(score_extraction(_extractor(name), catalog, rows))
    seconds = perf_counter() - started
    result = {"extractor": name, "sessions": len(rows["sessions"]), "seconds": round(seconds, 1), **_as_result(score)}
    _publish(result, as_json=as_json, out=out)
    if not as_json:
        _print_score(score, name, len(rows["sessions"]), seconds)
    shown = [e for e in score.errors if show_held_out or e.wording not in HELD_OUT]
    for error in shown[:errors]:
        click.echo(json.dumps(asdict(error), ensure_ascii=False), err=as_json)
    if errors and len(shown) < len(score.errors):
        hidden = len(score.errors) - len(shown)
        click.echo(f"{hidden} errors of held-out wording are not shown (--show-held-out)", err=True)


@main.command("status-accuracy")
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--out", metavar="NAME", help="Also write benchmarks/results/NAME.json, with the command.")
def status_accuracy_command(data: Path, as_json: bool, out: str | None) -> None:
    """Status of every gold fact of DATA, by the law, against a naive reading; ends with 1 unless all agree."""
    found = status_accuracy(load_relations(), _read(data / "facts.jsonl"))
    result = {"checked": found.checked, "agreed": found.agreed, "accuracy": found.accuracy}
    _publish(result | {"disagreements": list(found.disagreements)}, as_json=as_json, out=out)
    if not as_json:
        console.print(f"{found.agreed} of {found.checked} statuses agree ({_percent(found.accuracy)})")
        for line in found.disagreements[:20]:
            console.print(line)
    if found.agreed != found.checked:
        raise SystemExit(1)


def _extractor(name: str) -> Extractor:
    if name != "grammar":
        raise click.BadParameter(f"no extractor of the name {name!r}")
    from tem_graph.ingest.grammar import GrammarExtractor

    return GrammarExtractor(load_relations())


def _read(path: Path, *, optional: bool = False) -> Sequence[dict[str, Any]]:
    if optional and not path.exists():
        return []
    if not path.exists():
        raise click.ClickException(f"{path} is missing: a state-update set has sessions, facts and questions")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _publish(result: dict[str, Any], *, as_json: bool, out: str | None) -> None:
    if as_json:
        click.echo(json.dumps(result, ensure_ascii=False, indent=2))
    if out:
        RESULTS.mkdir(exist_ok=True)
        command = " ".join(["python", "benchmarks/state_update.py", *sys.argv[1:]])
        text = json.dumps({"command": command, **result}, ensure_ascii=False, indent=2)
        (RESULTS / f"{out.removesuffix('.json')}.json").write_text(text + "\n", encoding="utf-8")


def _as_result(score: ExtractionScore) -> dict[str, Any]:
    def figures(part: RelationScore) -> dict[str, Any]:
        return {**asdict(part), "precision": part.precision, "recall": part.recall}

    return {
        "overall": figures(score.overall),
        "relations": {name: figures(part) for name, part in score.relations.items()},
        "recall_by_kind": {
            kind: {"found": part.found, "gold": part.gold, "recall": part.recall}
            for kind, part in score.by_kind.items()
        },
        "negatives": {"given": score.negatives, "violated": dict(score.violated)},
        "not_scored": {"repeated": score.repeated, "ends": score.ends, "about_others": score.about_others},
        "rejected": dict(score.rejected),
    }


def _print_score(score: ExtractionScore, name: str, sessions: int, seconds: float) -> None:
    table = Table(title=f"{name} on {sessions} sessions, {seconds:.1f} s", caption="right/claimed, found/gold")
    for column in ("relation", "precision", "", "recall", ""):
        table.add_column(column, justify="left" if column == "relation" else "right")
    for relation, part in [*score.relations.items(), ("all", score.overall)]:
        claimed = f"{part.right}/{part.right + part.wrong}"
        table.add_row(relation, _percent(part.precision), claimed, _percent(part.recall), f"{part.found}/{part.gold}")
    for kind, part in score.by_kind.items():
        table.add_row(f"  {kind}", "", "", _percent(part.recall), f"{part.found}/{part.gold}")
    console.print(table)
    violated = ", ".join(f"{why} {count}" for why, count in score.violated.most_common()) or "none"
    console.print(f"negatives violated: {score.violated.total()} of {score.negatives} ({violated})")
    console.print(f"not scored: repeated {score.repeated}, ends {score.ends}, about others {score.about_others}")
    console.print(f"rejected by verification: {dict(score.rejected)}")


def _percent(share: float | None) -> str:
    return "not measured" if share is None else f"{share:.1%}"


if __name__ == "__main__":
    main()
