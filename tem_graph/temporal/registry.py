"""Operators by name, with typed arguments: what a router, an agent's tool call or an evaluation file may ask.

A name or argument that is not listed here is an error, never a default.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, ValidationError, WithJsonSchema

from tem_graph.domain.fact import Fact, Source
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.relation import RelationCatalog, RelationSchema, slot_key
from tem_graph.domain.time import AsOf, PartialDate
from tem_graph.errors import InputError, UnknownOperator
from tem_graph.temporal import operators as op
from tem_graph.temporal.operators import Claim, View
from tem_graph.temporal.operators.view import select_facts
from tem_graph.temporal.order import OrderPolicy
from tem_graph.temporal.result import Result


def _read_date(value: object) -> object:
    if not isinstance(value, str):
        return value
    try:
        return PartialDate.parse(value)
    except InputError as error:
        raise ValueError(error.message) from error


DateArg = Annotated[
    PartialDate,
    BeforeValidator(_read_date),
    PlainSerializer(lambda d: d.isoformat(), return_type=str),
    WithJsonSchema({"type": "string", "description": "YYYY, YYYY-MM or YYYY-MM-DD"}),
]
PositiveArg = Annotated[int, Field(ge=1)]
OccurrenceArg = Annotated[
    Literal["first", "last"] | PositiveArg,
    Field(description="Which stay at a value that was held more than once: first, last, or a number from 1."),
]


class _Args(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


class GroupRef(_Args):
    """Whose facts of which relation. `slot` narrows a multi-valued relation: the favourite drink."""

    subject: str = Field(min_length=1, description="The person or thing that the question is about.")
    relation: str = Field(min_length=1, description="The relation asked about, such as residence or employer.")
    slot: str | None = Field(None, description="For likes: the favourite of what kind, such as drink.")

    def resolve(self, catalog: RelationCatalog) -> tuple[RelationSchema, str | None]:
        """The relation's schema and the slot. A slot's name is a relation of its own for a caller: `drink`
        and `favourite drink` are the slot `drink` of `likes`."""
        if self.slot is None and self.relation not in catalog:
            slot = slot_key(self.relation)
            for schema in catalog:
                if slot in schema.slots:
                    return schema, slot
        return catalog.get(self.relation), slot_key(self.slot)


class OnlyGroup(GroupRef):
    pass


class UntilArgs(GroupRef):
    until: DateArg | None = Field(None, description="The day that counts as today.")


class SinceArgs(UntilArgs):
    value: str | None = Field(None, min_length=1, description="The value asked about; left out: what holds now.")


class NthArgs(GroupRef):
    n: int = Field(description="1 is the first stay, -1 the newest.")


class ValueArgs(GroupRef):
    value: str = Field(min_length=1, description="The value that the question names.")


class ValueUntilArgs(ValueArgs):
    until: DateArg | None = Field(None, description="The day that counts as today.")


class WhichArgs(ValueArgs):
    occurrence: OccurrenceArg = "last"


class WhichUntilArgs(WhichArgs):
    until: DateArg | None = Field(None, description="The day that counts as today.")


class DateArgs(GroupRef):
    date: DateArg


class AsOfArgs(DateArgs):
    known_after: int | None = Field(None, ge=0, description="Source index of the session after which it was known.")


class SessionArgs(GroupRef):
    index: int = Field(ge=0, description="Source index of the session.")


class ChangedArgs(GroupRef):
    from_: str | None = Field(None, alias="from", min_length=1, description="The value before the change.")
    to: str | None = Field(None, min_length=1, description="The value after the change.")


class ClaimRef(GroupRef):
    """One stay: a subject, a relation, a value. Without a value, the one that holds now."""

    value: str | None = Field(None, min_length=1)
    occurrence: OccurrenceArg = "last"


class DuringArgs(GroupRef):
    while_: ClaimRef = Field(alias="while", description="The stay that sets the time.")


class PairArgs(_Args):
    a: ClaimRef
    b: ClaimRef


ViewOf = Callable[[GroupRef], View]
"""The view of a group; the caller has loaded the facts beforehand (`Call.groups` says which)."""

A = TypeVar("A", bound=_Args)


@dataclass(frozen=True, slots=True)
class OperatorSpec(Generic[A]):
    """One operator: its arguments, what it answers, and how it is applied."""

    name: str
    args: type[A]
    answers: str
    apply: Callable[[A, ViewOf], Result]

    def json_schema(self) -> dict[str, object]:
        """The JSON schema of the arguments, for an agent's tool definition."""
        return self.args.model_json_schema(by_alias=True)


@dataclass(frozen=True, slots=True)
class Call:
    """An operator with checked arguments, ready to be applied."""

    spec: OperatorSpec[Any]
    args: _Args

    @property
    def operator(self) -> str:
        return self.spec.name

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments as plain JSON values, unset ones left out."""
        return self.args.model_dump(mode="json", by_alias=True, exclude_unset=True)

    @property
    def groups(self) -> tuple[GroupRef, ...]:
        """The groups whose facts the operator needs."""
        match self.args:
            case PairArgs(a=a, b=b):
                return (a, b)
            case DuringArgs(while_=while_):
                return (self.args, while_)
            case GroupRef():
                return (self.args,)
        raise AssertionError(f"{type(self.args).__name__} names no group")

    def apply(self, view_of: ViewOf) -> Result:
        """The operator's answer. Pure, given a pure `view_of`."""
        return self.spec.apply(self.args, view_of).renamed(self.operator)


def _until(view: View, until: PartialDate | None) -> View:
    return view.seen(today=until.day) if until else view


def _claim(ref: ClaimRef, view_of: ViewOf) -> Claim:
    return Claim(view_of(ref), ref.value, ref.occurrence)


def _group(name: str, function: Callable[[View], Result], answers: str) -> OperatorSpec[OnlyGroup]:
    return OperatorSpec(name, OnlyGroup, answers, lambda a, of: function(of(a)))


_SPECS: tuple[OperatorSpec[Any], ...] = (
    _group("current", op.current, "What holds now."),
    _group("previous", op.previous, "What held before what holds now."),
    _group("first", op.first, "What held first."),
    OperatorSpec("nth", NthArgs, "What held as the n-th, negative from the end.", lambda a, of: op.nth(of(a), a.n)),
    OperatorSpec(
        "before",
        WhichArgs,
        "What held right before the named value.",
        lambda a, of: op.before(of(a), a.value, a.occurrence),
    ),
    OperatorSpec(
        "after",
        WhichArgs,
        "What held right after the named value.",
        lambda a, of: op.after(of(a), a.value, a.occurrence),
    ),
    OperatorSpec("as_of_date", DateArgs, "What held on a day.", lambda a, of: op.as_of(of(a), a.date)),
    OperatorSpec(
        "as_of_session",
        SessionArgs,
        "What was known to hold after a session.",
        lambda a, of: op.as_of_session(of(a), a.index),
    ),
    OperatorSpec(
        "as_of",
        AsOfArgs,
        "What held on a day, as known after a session.",
        lambda a, of: op.as_of(of(a), a.date, a.known_after),
    ),
    _group("history", op.history, "Everything that held, in order, returns again."),
    _group("distinct", op.distinct, "The different values, in order of first appearance."),
    _group("count_versions", op.count_versions, "How many stays there were, returns again."),
    _group("count_changes", op.count_changes, "How often it changed."),
    _group("count_distinct", op.count_distinct, "How many different values there were."),
    OperatorSpec(
        "count_value",
        ValueArgs,
        "How often the named value was taken up.",
        lambda a, of: op.count_value(of(a), a.value),
    ),
    OperatorSpec(
        "since",
        SinceArgs,
        "Since when what holds now, or the named value, holds.",
        lambda a, of: op.since(_until(of(a), a.until), a.value),
    ),
    OperatorSpec(
        "became",
        WhichArgs,
        "When the named value began.",
        lambda a, of: op.became(of(a), a.value, a.occurrence),
    ),
    OperatorSpec(
        "ended", WhichArgs, "When the named value ended.", lambda a, of: op.ended(of(a), a.value, a.occurrence)
    ),
    OperatorSpec(
        "duration",
        WhichUntilArgs,
        "How long one stay at the named value lasted.",
        lambda a, of: op.duration(_until(of(a), a.until), a.value, a.occurrence),
    ),
    OperatorSpec(
        "duration_total",
        ValueUntilArgs,
        "How long the named value held in all.",
        lambda a, of: op.duration_total(_until(of(a), a.until), a.value),
    ),
    OperatorSpec("ever", ValueArgs, "Whether the named value ever held.", lambda a, of: op.ever(of(a), a.value)),
    OperatorSpec(
        "still",
        ValueUntilArgs,
        "Whether the named value holds now.",
        lambda a, of: op.still(_until(of(a), a.until), a.value),
    ),
    OperatorSpec(
        "changed",
        ChangedArgs,
        "Whether it changed, from and to the named values.",
        lambda a, of: op.changed(of(a), a.from_, a.to),
    ),
    OperatorSpec(
        "during",
        DuringArgs,
        "What held while another stay lasted.",
        lambda a, of: op.during(of(a), _claim(a.while_, of)),
    ),
    OperatorSpec(
        "overlap",
        PairArgs,
        "Whether two stays overlapped.",
        lambda a, of: op.overlap(_claim(a.a, of), _claim(a.b, of)),
    ),
    OperatorSpec(
        "order", PairArgs, "Which of two stays began first.", lambda a, of: op.order(_claim(a.a, of), _claim(a.b, of))
    ),
)

OPERATORS: Mapping[str, OperatorSpec[Any]] = {spec.name: spec for spec in _SPECS}


def views_of(
    facts: Iterable[Fact],
    catalog: RelationCatalog,
    as_of: AsOf,
    *,
    policy: OrderPolicy = OrderPolicy.EFFECTIVE,
    known_subjects: Iterable[str] = (),
    aliases: Mapping[str, str] = MappingProxyType({}),
    sessions: Iterable[Source] = (),
) -> ViewOf:
    """Views over facts that are already loaded. Pure.

    A subject is known when any of `facts` is about it, or `known_subjects` (any spelling) names it. A relation
    under which facts are stored as it is written wins over one of the catalog's slots of that name.
    `aliases` maps the folded name of a merged subject to the one that it was merged into.
    """
    loaded, ordered = tuple(facts), tuple(sessions)
    stored = {f.relation.key: f.relation for f in loaded}
    subjects = {f.canonical_subject or f.subject_key for f in loaded} | {fold(s) for s in known_subjects}

    def view_of(ref: GroupRef) -> View:
        schema, slot = ref.resolve(catalog)
        if ref.slot is None and (as_written := stored.get(relation_key(ref.relation))):
            schema, slot = as_written, None
        about = aliases.get(fold(ref.subject), fold(ref.subject))
        return View(
            subject=ref.subject,
            relation=schema,
            facts=select_facts(loaded, about, schema, slot),
            as_of=as_of,
            policy=policy,
            slot=slot,
            is_subject_known=about in subjects,
            sessions=ordered,
        )

    return view_of


def get_operator(name: str) -> OperatorSpec[Any]:
    """The operator of that name.

    Raises:
        UnknownOperator: there is none; the hint names the nearest ones.
    """
    if spec := OPERATORS.get(name):
        return spec
    near = get_close_matches(name, OPERATORS, n=3) or sorted(OPERATORS)
    raise UnknownOperator(f"no operator is called {name!r}", hint=f"try {', '.join(near)}")


def make_call(name: str, arguments: Mapping[str, object]) -> Call:
    """The operator with its arguments, checked.

    Raises:
        UnknownOperator: no such operator, or an argument that is missing, unknown or of the wrong type.
    """
    spec = get_operator(name)
    try:
        return Call(spec, spec.args.model_validate(dict(arguments)))
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)]
        takes = ", ".join(f.alias or n for n, f in spec.args.model_fields.items())
        raise UnknownOperator(f"operator {name!r}: " + "; ".join(lines), hint=f"it takes {takes}") from None


def tool_schemas(names: Iterable[str] = OPERATORS) -> list[dict[str, object]]:
    """Tool definitions for an agent, one per operator: name, description, JSON schema of the arguments."""
    return [
        {"name": spec.name, "description": spec.answers, "parameters": spec.json_schema()}
        for spec in map(get_operator, names)
    ]
