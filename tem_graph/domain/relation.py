"""Relation schemas: what a relation is called, how much it weighs, and how many values it holds at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from tem_graph.domain.names import fold, relation_key
from tem_graph.errors import SettingsError


class Cardinality(StrEnum):
    SINGLE = "single"
    """A new value replaces the old one: residence, employer, occupation."""
    MULTI = "multi"
    """Values hold side by side, each with its own history: likes, possessions."""


@dataclass(frozen=True, slots=True)
class RelationSchema:
    """One relation.

    `weight` multiplies the cosine similarity in the retrieval score (TEM, section 3.3). `opposite` names
    the relation that ends this one for the same object. `slots` are single-valued aspects of a
    multi-valued relation: the slot `drink` of `likes` is the favourite drink. `phrasing` is how a fact
    reads in a sentence, with `{subject}` and `{object}`. `aliases` and `cues` are other names of the
    relation and the verbs that speak of it.
    """

    name: str
    weight: float = 1.0
    cardinality: Cardinality = Cardinality.SINGLE
    opposite: str | None = None
    slots: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    phrasing: str | None = None
    description: str | None = None
    examples: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        return relation_key(self.name)

    def phrase(self, subject: str, obj: str, slot: str | None = None) -> str:
        """The fact as a short sentence, the text that is embedded.

        >>> RelationSchema("ad budget").phrase("Cozy Home Co.", "$3,000/mo")
        'Cozy Home Co. ad budget $3,000/mo'
        """
        if slot:
            return f"{subject}'s favourite {slot} is {obj}"
        if self.phrasing:
            return self.phrasing.format(subject=subject, object=obj)
        return f"{subject} {self.name.replace('_', ' ')} {obj}"


class RelationCatalog:
    """The relations that a deployment knows, by name or alias. A name it does not know is single-valued
    with weight 1.0 (design, defaults) and keeps its written form.

    Raises:
        SettingsError: two relations share a name or alias, or an opposite is not known.
    """

    def __init__(self, relations: Iterable[RelationSchema]) -> None:
        self._relations = tuple(relations)
        self._by_key: dict[str, RelationSchema] = {}
        for relation in self._relations:
            for name in (relation.name, *relation.aliases):
                key = relation_key(name)
                if key in self._by_key:
                    raise SettingsError(
                        f"relation name {name!r} is used by both {self._by_key[key].name!r} and {relation.name!r}"
                    )
                self._by_key[key] = relation
        for relation in self._relations:
            if relation.opposite is not None and relation_key(relation.opposite) not in self._by_key:
                raise SettingsError(
                    f"relation {relation.name!r} names the opposite {relation.opposite!r}, which is not defined"
                )

    def __iter__(self) -> Iterator[RelationSchema]:
        return iter(self._relations)

    def __contains__(self, name: str) -> bool:
        return relation_key(name) in self._by_key

    def get(self, name: str) -> RelationSchema:
        """The schema of a relation, by any of its names; unknown names get the defaults."""
        return self._by_key.get(relation_key(name)) or RelationSchema(name=name)

    def axis(self, relation: RelationSchema) -> str:
        """The key that a relation and its opposite share, so that liking and disliking one thing is one history."""
        if relation.opposite is None:
            return relation.key
        return "|".join(sorted((relation.key, self.get(relation.opposite).key)))


def slot_key(slot: str | None) -> str | None:
    """The folded form of a slot name; `favourite drink` and `drink` are one slot.

    >>> slot_key("Favourite drink"), slot_key(None)
    ('drink', None)
    """
    if slot is None or not slot.strip():
        return None
    words = fold(slot.replace("_", " ")).split(" ")
    kept = [w for w in words if w not in {"favourite", "favorite", "preferred"}]
    return " ".join(kept) or None
