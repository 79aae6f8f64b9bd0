"""From a question to an operator with typed arguments. The question decides only that, never what is newest.

A router that cannot place a wording says so with None: then the evidence path answers. It never takes the
nearest operator for the right one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, runtime_checkable

from tem_graph.domain.extraction import Usage
from tem_graph.domain.relation import RelationCatalog
from tem_graph.errors import BadReply
from tem_graph.temporal.registry import Call


@dataclass(frozen=True, slots=True)
class KnownValue:
    """A value that the memory holds, as a hint for reading a question; `relation` and `slot` as in the facts."""

    subject: str
    relation: str
    object: str
    slot: str | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What a router may know of a memory: names, never their order in time.

    `subjects` maps each subject's name to its aliases. `relations` are the names in use beyond the
    catalog's. `values` may be the current values or all. `user` is who "I" is. `today` anchors words such as
    "last year".
    """

    subjects: Mapping[str, tuple[str, ...]]
    catalog: RelationCatalog
    today: date
    relations: tuple[str, ...] = ()
    values: tuple[KnownValue, ...] = ()
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Routed:
    """An operator for a question, or the choices between which the question leaves it open.

    `confidence` is 1.0 where every word of the question was accounted for; below 0.7 the caller should say
    that it is unsure, or take the evidence path. `call` is None only for an ambiguous question.
    """

    call: Call | None
    confidence: float
    router: str
    reading: str
    """A sentence on how the question was understood."""
    choices: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    asks_whether: bool = False
    """Of `order`: the question wants a yes or no, whether `a` came first ("Did she move before she changed jobs?")."""

    @property
    def is_ambiguous(self) -> bool:
        return self.call is None


@runtime_checkable
class Router(Protocol):
    """Places questions. `name` says in the answer who did."""

    @property
    def name(self) -> str: ...

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator that answers the question; None where the wording cannot be placed."""
        ...


@dataclass(frozen=True, slots=True)
class FirstOf:
    """Asks one router after the other until one can place the question."""

    routers: tuple[Router, ...]

    @property
    def name(self) -> str:
        return ", then ".join(router.name for router in self.routers)

    async def route(self, question: str, known: Known) -> Routed | None:
        """What the first router says that can place the question; a reply that cannot be used places nothing."""
        for router in self.routers:
            try:
                routed = await router.route(question, known)
            except BadReply:
                continue
            if routed is not None:
                return routed
        return None
