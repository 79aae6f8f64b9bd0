"""Tables 1 to 6: the state-update set, in the shape of the paper's (TEM, sections 4.2 to 4.5). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in, of_job
from tem_graph.evaluate.report.table import Cell, LeftOut, Piece, Table, dash, number, percent, points, word
from tem_graph.evaluate.scoring.samples import ALL, KEY_ENTITY_HIT, OTHERS, STRICT_HIT

JOB = "state-update"
MARKED, UNMARKED, RAG = "tem-status", "unmarked", "session-rag"
PREVIOUS = "previous_residence"
_NO_RUN = "no state-update run is among the runs"
_NO_PAIR = "no run has answers of both TEM-Status and Unmarked"


def tables(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """Tables 1 to 6 and the strict variant of 2, each made or left out."""
    runs = [named for named in of_job(runs, JOB) if named.run.has_measured(KEY_ENTITY_HIT)]
    if not runs:
        yield from (LeftOut(f"Table {n}", _NO_RUN) for n in range(1, 7))
        return
    pairs = [named for named in runs if {MARKED, UNMARKED} <= set(named.run.configs)]
    yield _labels(pairs)
    yield _by_configuration(
        "Table 2", "Overall key-entity hit rates by configuration (%)", runs, KEY_ENTITY_HIT, ("overall", ALL)
    )
    yield _by_configuration(
        "Table 2, strict",
        "Overall strict hit rates (%): the answer names the value asked for and none of the other values",
        runs,
        STRICT_HIT,
        ("overall", ALL),
    )
    yield _by_configuration(
        "Table 3",
        "Historical residence after repeated updates (key-entity hit rate, %)",
        runs,
        KEY_ENTITY_HIT,
        ("kind", PREVIOUS),
    )
    yield _hit_counts(pairs)
    yield _query_groups(pairs)
    yield _evidence_length(runs)


def _labels(runs: Sequence[NamedRun]) -> Piece:
    if not runs:
        return LeftOut("Table 1", _NO_PAIR)
    rows = tuple(
        (
            word(named.name),
            percent(named.run.figure(UNMARKED, KEY_ENTITY_HIT)),
            percent(named.run.figure(MARKED, KEY_ENTITY_HIT)),
            points(named.run.difference(MARKED, UNMARKED, KEY_ENTITY_HIT)),
        )
        for named in runs
    )
    head = ("Model", "Unmarked", "TEM-Status", "Gain (points)")
    return Table("Table 1", "Effect of historical labels on the overall key-entity hit rate (%)", head, rows)


def _by_configuration(name: str, caption: str, runs: Sequence[NamedRun], measure: str, group: tuple[str, str]) -> Piece:
    rows = []
    for config in configs_in(runs):
        cells = [percent(named.run.figure(config, measure, by=group[0], group=group[1])) for named in runs]
        if any(cell.text != "–" for cell in cells):
            rows.append((word(config_name(config)), *cells))
    if not rows:
        return LeftOut(name, f"no run asked such questions ({group[1]})")
    return Table(name, caption, ("Configuration", *(named.name for named in runs)), tuple(rows))


def _hit_counts(runs: Sequence[NamedRun]) -> Piece:
    rows = []
    for named in runs:
        unmarked, marked = (named.run.figure(config, KEY_ENTITY_HIT) for config in (UNMARKED, MARKED))
        gap = named.run.difference(MARKED, UNMARKED, KEY_ENTITY_HIT)
        if unmarked is None or marked is None or gap is None:
            continue
        rows.append(
            (
                word(named.name),
                number(marked.asked),
                number(unmarked.total),
                number(marked.total),
                Cell(f"{gap.better - gap.worse:+d}".replace("-", "−")),
                number(gap.better),
                number(gap.worse),
            )
        )
    if not rows:
        return LeftOut("Table 4", _NO_PAIR)
    head = ("Model", "Questions", "Unmarked", "TEM-Status", "Net gain", "Only with labels", "Only without")
    return Table("Table 4", "Overall hit counts with and without historical labels", head, tuple(rows))


def _query_groups(runs: Sequence[NamedRun]) -> Piece:
    rows = []
    for named in runs:
        for title, by, group in (("Previous residence", "kind", PREVIOUS), ("All others", "overall", OTHERS)):
            gap = named.run.difference(MARKED, UNMARKED, KEY_ENTITY_HIT, by=by, group=group)
            if gap is not None:
                figures = [named.run.figure(c, KEY_ENTITY_HIT, by=by, group=group) for c in (UNMARKED, MARKED)]
                rows.append((word(named.name), word(title), *map(percent, figures), points(gap)))
    if not rows:
        return LeftOut("Table 5", _NO_PAIR)
    head = ("Model", "Questions about", "Unmarked", "TEM-Status", "Gain (points)")
    return Table(
        "Table 5", "Key-entity hit rates and label gains by query group (%)", head, tuple(rows), is_grouped=True
    )


def _evidence_length(runs: Sequence[NamedRun]) -> Piece:
    rows = []
    for config in configs_in(runs):
        cells = [length(named, config) for named in runs]
        if any(cell.text != "–" for cell in cells):
            rows.append((word(config_name(config)), *cells))
    if not rows:
        return LeftOut("Table 6", "no run counted the tokens of its evidence")
    savings = [saving(named) for named in runs]
    if any(savings):
        rows.append((word("TEM-Status against session-aware RAG"), *(cell or Cell("–") for cell in savings)))
    counters = sorted({named.run.spec.retrieval.counter for named in runs})
    remark = f"Tokens as counted by {', '.join(counters)}. Building the memory and embedding are not in it."
    head = ("Configuration", *(named.name for named in runs))
    return Table("Table 6", "Mean evidence length during answering (tokens)", head, tuple(rows), (remark,))


def length(named: NamedRun, config: str) -> Cell:
    """Mean tokens of evidence; under it the shortest, the longest and how many were counted."""
    account = named.run.account(config)
    if account is None or account.evidence_tokens.mean is None:
        return dash()
    spread = account.evidence_tokens
    return Cell(f"{spread.mean:,.1f}", (f"{spread.min:,.0f} to {spread.max:,.0f}", f"{spread.of} answers"))


def saving(named: NamedRun) -> Cell | None:
    """How much shorter TEM's evidence is than that of session-aware RAG, in per cent of the latter's mean."""
    ours, theirs = (named.run.account(config) for config in (MARKED, RAG))
    if not ours or not theirs or not ours.evidence_tokens.mean or not theirs.evidence_tokens.mean:
        return None
    change = ours.evidence_tokens.mean / theirs.evidence_tokens.mean - 1
    return Cell(f"{100 * change:+.1f} %".replace("-", "−"))
