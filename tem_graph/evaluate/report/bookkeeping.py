"""What was run and what became of it: settings, counts, costs and paired differences. Pure.

Two reports can be compared by these tables alone: each names its data, code, models, prompts, seeds and failures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.evaluate.report.names import NamedRun, config_name, configs_in, kind_name
from tem_graph.evaluate.report.table import Cell, LeftOut, Piece, Table, number, points, word
from tem_graph.evaluate.scoring.costs import Account, Spread
from tem_graph.evaluate.scoring.samples import (
    ALL,
    EVIDENCE_RECALL,
    KEY_ENTITY_HIT,
    LOCOMO_F1,
    STRICT_LOW,
    SUBSTRING_MATCH,
    TYPED_RESULT,
)

_MAIN = (STRICT_LOW, KEY_ENTITY_HIT, TYPED_RESULT, SUBSTRING_MATCH, LOCOMO_F1, EVIDENCE_RECALL)
"""The measures of which differences are shown, the foremost first."""
_TITLES = {
    STRICT_LOW: "strict score, lower bound",
    KEY_ENTITY_HIT: "key-entity hits",
    TYPED_RESULT: "right typed results",
    SUBSTRING_MATCH: "substring matches",
    LOCOMO_F1: "LoCoMo F1",
    EVIDENCE_RECALL: "evidence recall",
}


def settings(runs: Sequence[NamedRun]) -> Table:
    """Everything that can change an answer or a score, a column a run."""
    columns = [dict(_settings(named)) for named in runs]
    names = dict.fromkeys(name for column in columns for name in column)
    rows = tuple((word(name), *(word(column.get(name, "–")) for column in columns)) for name in names)
    head = ("", *(f"{named.name}, {named.run.spec.job}" for named in runs))
    return Table("Runs", "What was run", head, rows)


def _settings(named: NamedRun) -> Iterator[tuple[str, str]]:
    run, spec = named.run, named.run.spec
    retrieval, model = spec.retrieval, spec.model
    yield "Folder", run.folder.resolve().name
    yield "Identity", spec.identity[:16]
    yield "Data", f"{spec.data_name}, SHA-256 {spec.data_sha256[:16]}"
    yield (
        "Questions",
        f"{spec.sample or 'all'}, seed {spec.seed}" + (f", {', '.join(spec.categories)}" if spec.categories else ""),
    )
    yield "Code", spec.code
    if model and not spec.no_model:
        effort = f", effort {model.reasoning_effort}" if model.reasoning_effort else ""
        yield "Answering model", f"{model.name}, thinking {'on' if model.thinking else 'off'}{effort}"
        yield "Sampling", f"temperature {model.temperature:g}, seed {model.seed}"
        yield "Limits", f"answer {model.answer_max_tokens}, window {model.window} tokens"
    else:
        yield "Answering model", "none: operators and evidence alone"
    yield "Extractor", retrieval.extractor
    yield "Embedder", retrieval.embedder
    budget = retrieval.rag_budget_tokens
    yield "Candidates", f"at most {retrieval.limit}" + (f"; RAG {budget:,} tokens" if budget else "")
    yield "Hybrid budget", f"{retrieval.hybrid_budget_tokens:,} tokens, counted by {retrieval.counter}"
    yield "Order, router", f"{retrieval.policy}, {retrieval.router}" + (", typed arguments" if spec.typed else "")
    yield "Prompts", ", ".join(spec.prompts) or "none"
    if spec.relations:
        yield "Relations", spec.relations
    yield "Judge", f"{run.judge}; {run.judge_tokens:,} tokens" if run.judge else "none"
    if run.overlays:
        yield "Overlays", ", ".join(run.overlays)


def counts(runs: Sequence[NamedRun]) -> Iterator[Piece]:
    """A row a configuration: how many answers of each sort, and what they cost."""
    rows, costs, verdicts = [], [], []
    for named in runs:
        for config in configs_in([named]):
            for account in named.run.accounts:
                if account.config == config and _is_shown(account, named):
                    first = _first(named, account)
                    rows.append((*first, *_sorts(account)))
                    costs.append((*first, *_costs(account)))
                    if named.run.judge and account.group == ALL:
                        verdicts.append((*first, *_verdicts(account)))
    start = ("Run", "Configuration")
    sorts = ("Asked", "Answered", "Failed", "Truncated", "Empty", "Nobody to answer", "By operator", "By model")
    remark = (
        "Answered: with words and without an error, truncated ones included. Nobody to answer: only evidence was "
        "made. All of them are in every denominator."
    )
    yield Table("Counts", "Answers by what became of them", (*start, *sorts), tuple(rows), (remark,), is_grouped=True)
    spent = ("Calls", "Prompt tokens", "Output tokens", "Evidence tokens", "Seconds per answer", "Seconds in all")
    yield Table("Costs", "What answering cost", (*start, *spent), tuple(costs), is_grouped=True)
    if verdicts:
        judged = ("Right", "Wrong", "Unresolved", "Not judged")
        yield Table("Verdicts", "Answers by verdict of the judge", (*start, *judged), tuple(verdicts), is_grouped=True)


def _is_shown(account: Account, named: NamedRun) -> bool:
    return account.group == ALL or (account.group == "adversarial" and named.run.spec.job == "locomo")


def _first(named: NamedRun, account: Account) -> tuple[Cell, Cell]:
    part = "" if account.group == ALL else f", {kind_name(account.group).lower()}"
    return word(f"{named.name}, {named.run.spec.job}"), word(f"{config_name(account.config)}{part}")


def _sorts(a: Account) -> tuple[Cell, ...]:
    sorts = (a.asked, a.answered, a.failed, a.truncated, a.empty, a.unanswered, a.by_operator, a.by_model)
    return tuple(number(count) for count in sorts)


def _costs(a: Account) -> tuple[Cell, ...]:
    return (
        number(a.calls),
        number(a.prompt_tokens.total),
        number(a.output_tokens.total),
        _spread(a.evidence_tokens, 0),
        _spread(a.seconds, 2),
        number(a.seconds.total, 1),
    )


def _spread(spread: Spread, digits: int) -> Cell:
    if spread.mean is None or spread.min is None or spread.max is None:
        return Cell("–")
    return Cell(f"{spread.mean:,.{digits}f}", (f"{spread.min:,.{digits}f} to {spread.max:,.{digits}f}",))


def _verdicts(a: Account) -> tuple[Cell, ...]:
    return tuple(number(count) for count in (a.right, a.wrong, a.unresolved, a.unjudged))


def differences(runs: Sequence[NamedRun]) -> Piece:
    """Each TEM configuration against each that stands before it, by the foremost measure of the run."""
    rows = []
    for named in runs:
        measure = next((m for m in _MAIN if named.run.has_measured(m)), "")
        configs = configs_in([named])
        pairs = [(one, other) for n, other in enumerate(configs) if other.startswith("tem-") for one in configs[:n]]
        for one, other in pairs if measure else ():
            gap = named.run.difference(other, one, measure)
            if gap is not None:
                first = word(f"{named.name}, {named.run.spec.job}")
                against = f"{config_name(other)} − {config_name(one)}"
                rows.append((first, word(against), word(_TITLES[measure]), points(gap)))
    if not rows:
        return LeftOut("Differences", "no run has TEM and another configuration beside it")
    head = ("Run", "Configurations", "Measure", "Difference (points)")
    return Table("Differences", "Paired differences between configurations", head, tuple(rows), is_grouped=True)
