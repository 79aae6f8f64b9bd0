"""Applies an operator: to the graph, by one read of its groups, or to facts at hand; then the pure law."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tem_graph.answer.route import Known, KnownValue
from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf
from tem_graph.graph.store import GraphReader, SubjectInfo
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.registry import AsOfArgs, Call, GroupRef, SessionArgs, views_of
from tem_graph.temporal.result import Result


class Law(Protocol):
    """What an answer by operators needs: the names for reading a question, and the operators."""

    async def known(self, as_of: AsOf, user: str | None = None) -> Known:
        """The names that a question may use; `user` is who "I" is."""
        ...

    async def apply(self, call: Call, as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> Result:
        """The operator's answer with the versions that prove it."""
        ...


@dataclass(frozen=True, slots=True)
class Resolver:
    """Operators over one memory. A question decides the operator and its arguments, never what is newest."""

    reader: GraphReader
    memory: str
    catalog: RelationCatalog

    async def apply(self, call: Call, as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> Result:
        """The operator's answer with the versions that prove it. One round trip where facts are found."""
        subjects = sorted({fold(ref.subject) for ref in call.groups})
        relations = sorted({key for ref in call.groups for key in self._keys(ref)})
        found = await self.reader.facts_about(self.memory, subjects, relations)
        aliases = {asked: fact.canonical_subject or fact.subject_key for asked, fact in found}
        unfound = set(subjects) - aliases.keys()
        known = [s.key for s in await self.reader.subjects(self.memory)] if unfound else ()
        view_of = views_of(
            {fact.id: fact for _, fact in found}.values(),
            self.catalog,
            as_of,
            policy=policy,
            known_subjects=known,
            aliases=aliases,
            sessions=await self._sessions() if isinstance(call.args, AsOfArgs | SessionArgs) else (),
        )
        return call.apply(view_of)

    async def known(self, as_of: AsOf, user: str | None = None) -> Known:
        """The names that a question may use, as fresh as any read: both at once, in the time of one round trip."""
        subjects, values = await gather(self.reader.subjects(self.memory), self.reader.known_values(self.memory))
        return Known(
            subjects=_with_aliases(subjects),
            catalog=self.catalog,
            today=as_of.today,
            relations=tuple(sorted({r for s in subjects for r in s.relations})),
            values=tuple(KnownValue(*value) for value in values),
            user=user,
        )

    def _keys(self, ref: GroupRef) -> set[str]:
        """The relation keys under which the group's facts may be stored: as the catalog resolves the name, its
        opposite, and the name as it is written, which a catalog made later may read as a slot."""
        relation, _ = ref.resolve(self.catalog)
        opposite = {self.catalog.get(relation.opposite).key} if relation.opposite else set()
        return {relation.key, relation_key(ref.relation), *opposite}

    async def _sessions(self) -> tuple[Source, ...]:
        stored = await self.reader.sessions(self.memory)
        return tuple(Source(s.id, s.date, s.index) for s in stored)


def _with_aliases(subjects: Sequence[SubjectInfo]) -> dict[str, tuple[str, ...]]:
    """Each subject's name with the names that were merged into it."""
    merged = [s for s in subjects if s.merged_into]
    return {s.name: tuple(m.name for m in merged if m.merged_into == s.name) for s in subjects if s.merged_into is None}


@dataclass(frozen=True, slots=True)
class FactsAtHand:
    """Operators over given facts, without a graph: the same law on the same facts."""

    facts: tuple[Fact, ...]
    catalog: RelationCatalog

    async def known(self, as_of: AsOf, user: str | None = None) -> Known:
        """The names in the facts."""
        values = {KnownValue(f.subject, f.relation.name, f.object, f.slot): None for f in self.facts}
        return Known(
            subjects={f.subject: () for f in self.facts},
            catalog=self.catalog,
            today=as_of.today,
            relations=tuple(sorted({f.relation.name for f in self.facts})),
            values=tuple(values),
            user=user,
        )

    async def apply(self, call: Call, as_of: AsOf, policy: OrderPolicy = OrderPolicy.EFFECTIVE) -> Result:
        """The operator's answer with the versions that prove it. Pure."""
        sources = {f.source.session: f.source for f in self.facts}
        sessions = sorted(sources.values(), key=lambda source: source.key)
        return call.apply(views_of(self.facts, self.catalog, as_of, policy=policy, sessions=sessions))
