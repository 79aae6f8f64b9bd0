"""What answers cost, and how many there are of each sort: asked, answered, failed, truncated, empty. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tem_graph.evaluate.scoring.samples import Sample
from tem_graph.evaluate.scoring.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, ends and sum over the answers where something was counted; all None over none."""

    mean: float | None
    min: float | None
    max: float | None
    total: float
    of: int

    @classmethod
    def over(cls, values: Iterable[float | None]) -> Spread:
        known = [value for value in values if value is not None]
        total = sum(known)
        if not known:
            return cls(None, None, None, 0, 0)
        return cls(total / len(known), min(known), max(known), total, len(known))


@dataclass(frozen=True, slots=True)
class Account:
    """Counts and costs of one configuration over one group of questions."""

    config: str
    group: str
    asked: int
    answered: int
    """With words in the answer and no error; truncated ones included."""
    failed: int
    truncated: int
    empty: int
    unanswered: int
    """Nobody was there to answer: evidence alone, without a model."""
    by_operator: int
    by_model: int
    right: int
    """By verdict, as are `wrong`, `unresolved` and `unjudged`; all 0 where nobody judged."""
    wrong: int
    unresolved: int
    unjudged: int
    """A judge would be needed and has not been asked; counts as unresolved in the bounds."""
    evidence_tokens: Spread
    prompt_tokens: Spread
    output_tokens: Spread
    seconds: Spread
    calls: int


def accounts(samples: Iterable[Sample], *, is_judged: bool) -> list[Account]:
    """An account for each configuration and group of the breakdown `overall`, in order of first appearance."""
    groups: defaultdict[tuple[str, str], list[Sample]] = defaultdict(list)
    for sample in samples:
        for by, group in sample.groups:
            if by == "overall":
                groups[sample.line.config, group].append(sample)
    return [_account(config, group, members, is_judged) for (config, group), members in groups.items()]


def _account(config: str, group: str, samples: Sequence[Sample], is_judged: bool) -> Account:
    lines = [sample.line for sample in samples]
    is_answering = any(line.path != "evidence" for line in lines)
    verdicts = [sample.verdict for sample in samples] if is_judged and is_answering else []
    return Account(
        config=config,
        group=group,
        asked=len(lines),
        answered=sum(bool(line.answer.strip()) and not line.error for line in lines),
        failed=sum(line.error is not None for line in lines),
        truncated=sum(line.is_truncated for line in lines),
        empty=sum(line.is_empty for line in lines),
        unanswered=sum(line.path == "evidence" for line in lines),
        by_operator=sum(line.path == "operator" for line in lines),
        by_model=sum(line.path == "model" for line in lines),
        right=verdicts.count(Verdict.RIGHT),
        wrong=verdicts.count(Verdict.WRONG),
        unresolved=verdicts.count(Verdict.UNRESOLVED),
        unjudged=verdicts.count(None),
        evidence_tokens=Spread.over(line.evidence_tokens for line in lines),
        prompt_tokens=Spread.over(line.prompt_tokens for line in lines if line.calls),
        output_tokens=Spread.over(line.output_tokens for line in lines if line.calls),
        seconds=Spread.over(line.seconds for line in lines),
        calls=sum(line.calls for line in lines),
    )
