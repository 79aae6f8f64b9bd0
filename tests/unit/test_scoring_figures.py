"""Figures, intervals, differences and accounts; and what a run folder's scores.json holds."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.errors import EvaluationError
from tem_graph.evaluate.scoring.costs import Spread, accounts
from tem_graph.evaluate.scoring.figures import figures_and_differences
from tem_graph.evaluate.scoring.intervals import Interval, paired_bootstrap, wilson
from tem_graph.evaluate.scoring.samples import Overlay, score_samples
from tem_graph.evaluate.scoring.score import as_json, read_overlay, score_run, write_scores
from tests.unit.scored import answered, locomo_run, make_spec, question, state_update_run, write_run

# Intervals ----------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_interval() -> None:
    column = [(n * n % 97) / 97 for n in range(90)]
    assert paired_bootstrap([column]) == paired_bootstrap([column])
    assert paired_bootstrap([column]) != paired_bootstrap([column], seed=7)


def test_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    generator = np.random.default_rng(5)
    covered = 0
    for trial in range(200):
        (found,) = paired_bootstrap([generator.binomial(1, 0.3, 120).astype(float).tolist()], resamples=500, seed=trial)
        assert found is not None
        covered += found.low <= 0.3 <= found.high
    assert 180 <= covered <= 199


def test_pairing_sees_a_gap_that_separate_intervals_hide() -> None:
    """Each question that the worse one gets right, the better one gets right too."""
    worse = [float(n % 2) for n in range(100)]
    better = [1.0 if n < 10 else value for n, value in enumerate(worse)]
    gap = [b - w for b, w in zip(better, worse, strict=True)]
    one, other, between = paired_bootstrap([better, worse, gap])
    assert one
    assert other
    assert between
    assert one.low < other.high, "taken apart, they overlap"
    assert between.low > 0, "taken together, the difference is there"


def test_rows_that_were_not_measured_are_no_zeros() -> None:
    (found, nothing) = paired_bootstrap([[1.0, None, 1.0, None], [None] * 4])
    assert found == Interval(1.0, 1.0)
    assert nothing is None
    assert paired_bootstrap([[], []]) == [None, None]


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0, None]), min_size=1, max_size=30))
def test_an_interval_stays_between_the_ends_of_what_was_measured(column: list[float | None]) -> None:
    (found,) = paired_bootstrap([column], resamples=50)
    measured = [value for value in column if value is not None]
    if not measured:
        assert found is None
    else:
        assert found is not None
        assert min(measured) <= found.low <= found.high <= max(measured)


def test_wilson() -> None:
    assert wilson(0, 10) == Interval(pytest.approx(0.0), pytest.approx(0.2775, abs=1e-3))  # type: ignore[arg-type]
    assert wilson(8, 10) == Interval(pytest.approx(0.4901, abs=1e-3), pytest.approx(0.9433, abs=1e-3))  # type: ignore[arg-type]


# Figures ------------------------------------------------------------------------------------------------------


def test_a_figure_has_its_counts_and_a_difference_its_sides() -> None:
    questions = [question(f"q{n}") for n in range(10)]
    log = [answered(f"q{n}", "unmarked", "Lyon" if n < 4 else "Porto") for n in range(10)]
    log += [answered(f"q{n}", "tem-status", "Porto" if n in {0, 9} else "Lyon") for n in range(10)]
    figures, differences = figures_and_differences(score_samples("state-update", log, questions))
    by_config = {f.config: f for f in figures if (f.group, f.measure) == ("all", "key_entity_hit")}
    assert [(f.total, f.asked, f.value) for f in by_config.values()] == [(4, 10, 0.4), (8, 10, 0.8)]
    (found,) = (d for d in differences if (d.group, d.measure) == ("all", "key_entity_hit"))
    assert (found.config, found.against, found.better, found.worse, found.asked) == ("unmarked", "tem-status", 1, 5, 10)
    assert found.value == pytest.approx(-0.4)
    turned = found.turned()
    assert (turned.config, turned.better, turned.worse, turned.value) == ("tem-status", 5, 1, pytest.approx(0.4))
    assert (turned.low, turned.high) == (-found.high, -found.low)


def test_a_full_share_has_an_interval_of_its_own() -> None:
    log = [answered(f"q{n}", answer="Lyon") for n in range(10)]
    figures, _ = figures_and_differences(score_samples("state-update", log, [question(f"q{n}") for n in range(10)]))
    assert figures[0].value == 1
    assert figures[0].low == pytest.approx(0.7225, abs=1e-3)


def test_questions_without_a_gold_turn_are_left_out_and_counted() -> None:
    questions = [question(f"q{n}", evidence=("D1:1",) if n else (), metadata={"category": 4}) for n in range(5)]
    log = [answered(f"q{n}", evidence_turns=("D1:1",) if n > 2 else ()) for n in range(5)]
    figures, _ = figures_and_differences(score_samples("locomo", log, questions))
    recall = next(f for f in figures if f.measure == "evidence_recall" and f.group == "all")
    assert (recall.value, recall.asked, recall.left_out) == (0.5, 4, 1)


def test_failed_empty_and_truncated_answers_stay_in_the_denominator() -> None:
    questions = [question(f"q{n}") for n in range(4)]
    log = [
        answered("q0", answer="Lyon"),
        answered("q1", answer="", path=None, error="ModelUnavailable: gone", evidence_tokens=None),
        answered("q2", answer=" "),
        answered("q3", answer="Ly", finish_reason="length"),
    ]
    samples = score_samples("state-update", log, questions)
    figures, _ = figures_and_differences(samples)
    assert (figures[0].total, figures[0].asked) == (1, 4)
    account, _ = accounts(samples, is_judged=False)
    assert (account.asked, account.answered, account.failed, account.empty, account.truncated) == (4, 2, 1, 1, 1)
    assert (account.evidence_tokens, account.calls) == (Spread(100, 100, 100, 300, 3), 4)
    assert account.right == account.wrong == 0, "nobody judged"


def test_spread_over_nothing_says_nothing() -> None:
    assert Spread.over([None, None]) == Spread(None, None, None, 0, 0)


# Folders ------------------------------------------------------------------------------------------------------


def test_scores_json_holds_counts_beside_every_figure(tmp_path: Path) -> None:
    run = score_run(state_update_run(tmp_path / "run"))
    content = json.loads(write_scores(run).read_text(encoding="utf-8"))
    assert content["identity"] == run.spec.identity
    assert {"value", "total", "asked", "left_out", "low", "high"} <= set(content["figures"][0])
    assert {f["group"] for f in content["figures"] if f["by"] == "relation"} == {"residence", "occupation"}
    assert all(f["low"] <= f["value"] <= f["high"] for f in content["figures"])
    account = next(a for a in content["accounts"] if a["config"] == "session-rag" and a["group"] == "all")
    assert (account["asked"], account["failed"], account["truncated"], account["empty"]) == (70, 1, 1, 1)
    assert content == json.loads(json.dumps(as_json(score_run(tmp_path / "run")))), "scoring again gives the same"


def test_groups_of_the_state_update_set_add_up(tmp_path: Path) -> None:
    run = score_run(state_update_run(tmp_path / "run"))
    for config in run.configs:
        asked = {
            group: figure.asked
            for group in ("all", "all but previous_residence")
            if (figure := run.figure(config, "key_entity_hit", group=group))
        }
        kinds = [f.asked for f in run.figures if (f.config, f.measure, f.by) == (config, "key_entity_hit", "kind")]
        assert asked["all"] == sum(kinds) == 70
        previous = run.figure(config, "key_entity_hit", by="kind", group="previous_residence")
        assert previous
        assert asked["all but previous_residence"] == 70 - previous.asked


def test_differences_are_found_from_either_side(tmp_path: Path) -> None:
    run = score_run(state_update_run(tmp_path / "run"))
    one = run.difference("tem-status", "unmarked", "key_entity_hit")
    other = run.difference("unmarked", "tem-status", "key_entity_hit")
    assert one
    assert other
    assert one == other.turned()
    assert one.value > 0
    assert run.difference("tem-status", "naive-rag", "key_entity_hit") is None


def test_adversarial_questions_are_reported_apart(tmp_path: Path) -> None:
    run = score_run(locomo_run(tmp_path / "run", size=40, adversarial=10))
    counts = {
        group: figure.asked
        for group in ("all", "adversarial", "all with adversarial")
        if (figure := run.figure("session-rag", "locomo_f1", group=group))
    }
    assert counts == {"all": 40, "adversarial": 10, "all with adversarial": 50}
    assert "adversarial" not in {f.group for f in run.figures if f.by == "kind"}


def test_an_overlay_stands_beside_the_published_references(tmp_path: Path) -> None:
    path = tmp_path / "fixes.json"
    path.write_text('{"name": "typing", "references": {"q1": "Yes, she has two"}}', encoding="utf-8")
    asked = question("q1", "single-hop", "Yesshe has two", metadata={"category": 4})
    folder = write_run(
        tmp_path / "run", make_spec("locomo", ["tem-status"]), [asked], [answered(answer="Yes, she has two")]
    )
    run = score_run(folder, overlays=[read_overlay(path)])
    published, corrected = run.figure("tem-status", "locomo_f1"), run.figure("tem-status", "locomo_f1@typing")
    assert published
    assert corrected
    assert published.value == pytest.approx(2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3))
    assert corrected.value == 1
    assert run.overlays == ("typing",)
    path.write_text('{"name": "typing"}', encoding="utf-8")
    with pytest.raises(EvaluationError, match="no overlay"):
        read_overlay(path)


def test_an_overlay_leaves_other_questions_alone() -> None:
    asked = question("q1")
    assert Overlay("o", {"q2": "x"}).apply(asked) is asked
