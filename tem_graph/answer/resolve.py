"""Applies an operator to the graph: one read of the groups that it needs, then the pure law."""

from __future__ import annotations

from dataclasses import dataclass

from tem_graph.domain.fact import Source
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import AsOf
from tem_graph.graph.store import GraphReader
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.registry import AsOfArgs, Call, GroupRef, SessionArgs, views_of
from tem_graph.temporal.result import Result


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

    def _keys(self, ref: GroupRef) -> set[str]:
        """The relation keys under which the group's facts may be stored: as the catalog resolves the name, its
        opposite, and the name as it is written, which a catalog made later may read as a slot."""
        relation, _ = ref.resolve(self.catalog)
        opposite = {self.catalog.get(relation.opposite).key} if relation.opposite else set()
        return {relation.key, relation_key(ref.relation), *opposite}

    async def _sessions(self) -> tuple[Source, ...]:
        stored = await self.reader.sessions(self.memory)
        return tuple(Source(s.id, s.date, s.index) for s in stored)
