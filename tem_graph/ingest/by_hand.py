"""Facts that a person or program already has: no model, no text to check, the same law afterwards. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo

from tem_graph.domain.conversation import Provenance
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.errors import InputError, TemGraphError


@dataclass(frozen=True, slots=True)
class FactInput:
    """A fact put in by hand.

    `source` names where it comes from ("call Feb 12"); `date` (of the source) or `index` says where it stands.
    `effective` and `until` are stated days: YYYY, YYYY-MM or YYYY-MM-DD. `ended=True` says that the object
    holds no longer.
    """

    subject: str
    relation: str
    object: str
    source: str
    date: str | date | datetime | None = None
    index: int | None = None
    effective: str | PartialDate | None = None
    until: str | PartialDate | None = None
    ended: bool = False
    slot: str | None = None


def facts_by_hand(
    inputs: Sequence[FactInput],
    catalog: RelationCatalog,
    *,
    memory: str,
    recorded_at: datetime,
    zone: tzinfo,
    stored: Mapping[str, Source],
) -> tuple[Fact, ...]:
    """The facts, each id once. `stored` are the memory's sessions by id, in source order.

    A source that is stored already keeps its date and index where the input gives none. Where no input gives a
    date or an index, and the memory does not order by date, new sources are numbered in order of appearance
    after the stored ones: a hand-kept list is written oldest first.

    Raises:
        InputError: names the fact by its 1-based number and the field that is wrong.
    """
    sources = dict(stored)
    if all(g.date is None and g.index is None for g in inputs) and all(s.index is not None for s in stored.values()):
        last = max((s.index for s in stored.values() if s.index is not None), default=0)
        for given in inputs:
            if given.source not in sources:
                last += 1
                sources[given.source] = Source(given.source, None, last)
    facts: dict[str, Fact] = {}
    for number, given in enumerate(inputs, start=1):
        try:
            for fact in _fact(given, sources.get(given.source), catalog, memory, recorded_at, zone).expanded():
                facts.setdefault(fact.id, fact)
        except TemGraphError as error:
            raise InputError(f"fact {number}: {error.message}", hint=error.hint) from error
    return tuple(facts.values())


def _fact(
    given: FactInput,
    known: Source | None,
    catalog: RelationCatalog,
    memory: str,
    recorded_at: datetime,
    zone: tzinfo,
) -> Fact:
    for field in ("subject", "relation", "object", "source"):
        _refuse_no_text(getattr(given, field), field)
    if not given.source.strip():
        raise InputError("source is empty", hint="say where the fact comes from, for example 'call Feb 12'")
    if given.date is None and given.index is None and known is not None:
        source = known
    else:
        told = SessionDate.parse(given.date, zone=zone) if given.date is not None else None
        source = Source(given.source, told, given.index)
    return Fact.create(
        catalog,
        memory=memory,
        subject=given.subject,
        relation=given.relation,
        object=given.object,
        source=source,
        kind=FactKind.END if given.ended else FactKind.VALUE,
        slot=given.slot,
        valid_from=_stated(given.effective, "effective"),
        valid_to=_stated(given.until, "until"),
        recorded_at=recorded_at,
        provenance=Provenance("by-hand"),
    )


def _refuse_no_text(value: object, field: str) -> None:
    if not isinstance(value, str):
        raise InputError(f"{field} is no text but {value!r}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InputError(f"{field} holds half a character, which nothing can store: {value!r}") from error


def _stated(value: str | PartialDate | None, field: str) -> PartialDate | None:
    if value is None or isinstance(value, PartialDate):
        return value
    try:
        return PartialDate.parse(value, words=value)
    except InputError as error:
        raise InputError(f"{field}: {error.message}", hint=error.hint) from error
