"""Version groups as timelines. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tem_graph.domain.fact import Fact
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.time import AsOf
from tem_graph.temporal.order import OrderPolicy, Timeline, build_timeline


@dataclass(frozen=True, slots=True)
class GroupHistory:
    """One version group with the names it goes by and its timeline."""

    subject: str
    relation: str
    slot: str | None
    object: str | None
    """The object whose history this is, for a multi-valued relation."""
    timeline: Timeline


def group_histories(facts: Iterable[Fact], as_of: AsOf, policy: OrderPolicy) -> list[GroupHistory]:
    """The version groups among these facts, each with its timeline, by subject, relation and first telling."""
    groups: dict[str, list[Fact]] = {}
    for fact in facts:
        groups.setdefault(fact.group, []).append(fact)
    histories = []
    for members in groups.values():
        first = members[0]
        histories.append(
            GroupHistory(
                subject=first.subject,
                relation=first.relation.name,
                slot=first.slot,
                object=first.object if first.per_object else None,
                timeline=build_timeline(members, as_of, policy),
            )
        )
    return sorted(histories, key=lambda h: (fold(h.subject), relation_key(h.relation), h.slot or ""))
