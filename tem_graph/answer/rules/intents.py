"""Which operator a reading means: one table, in the order of trying.

An intent fits only where it accounts for everything that the reading holds: every value, date, clause and cue.
What no intent accounts for is not placed, so that a wording nobody thought of is left to the evidence path.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tem_graph.answer.rules.reading import Aspect, Clause, Reading

Args = dict[str, object]
Build = Callable[[Reading], Args | None]

ASKS_VALUE = frozenset({"where", "who", "what", "fragment"})
NEUTRAL = frozenset({
    "holds", "from", "to", "or", "became", "start", "starts_with", "whether", "set", "once", "most", "gets",
})  # fmt: skip
"""Cues that decide nothing by themselves."""
VALUE_TIMES = frozenset({"first", "first_time", "last_time", "nth_time", "again", "ordinal", "versions"})
PASSING = frozenset({"ever", "all"})
_JOB = frozenset({"employer", "occupation"})
"""Relations that a "job" may mean."""
_NOT_ON_A_DAY = frozenset({"before", "after", "since", "until", "till", "between", "from"})


@dataclass(frozen=True, slots=True)
class Intent:
    """One row: the operator, and what a reading must hold and may hold.

    `kinds` are question kinds, with "yes_no" and "fragment" ("Ana's first job?"). `needs` are cues of which
    one must be there, `allows` those that may be. `link` is the clause that must follow. `values` is how
    many values the main clause names.
    """

    operator: str
    kinds: frozenset[str]
    build: Build
    needs: frozenset[str] = frozenset()
    allows: frozenset[str] = frozenset()
    link: str | None = None
    values: int = 0
    when: Callable[[Reading], bool] = lambda r: True
    confidence: float = 1.0

    def fits(self, reading: Reading) -> bool:
        """Whether this row accounts for all of the reading's main clause."""
        marks = set(reading.main.marks)
        return (
            kind_of(reading) in self.kinds
            and reading.link == self.link
            and len(reading.main.values) == self.values
            and (not self.needs or bool(self.needs & marks))
            and marks <= self.needs | self.allows | NEUTRAL
            and self.when(reading)
        )


def kind_of(reading: Reading) -> str:
    """The question's kind, with the two that no question word shows."""
    return reading.kind or ("yes_no" if reading.is_yes_no else "fragment")


def occurrence(clause: Clause) -> Args:
    """Which stay at a value the clause means; empty where it does not say."""
    for mark in ("nth_time", "ordinal"):
        if tag := clause.marks.get(mark):
            return {"occurrence": tag.number}
    if clause.has("first_time", "first"):
        return {"occurrence": "first"}
    return {"occurrence": "last"} if clause.has("last_time", "current") else {}


def value(reading: Reading) -> Args | None:
    return {"value": reading.main.value}


def value_and_which(reading: Reading) -> Args | None:
    return {"value": reading.main.value} | occurrence(reading.main)


def value_and_until(reading: Reading) -> Args | None:
    main = reading.main
    until: Args = {"until": main.date.isoformat()} if main.date else {}
    return {"value": main.value} | until


def from_end(reading: Reading) -> Args | None:
    number = reading.main.marks["ordinal"].number
    return {"n": -number} if number else None


def value_which_until(reading: Reading) -> Args | None:
    args = value_and_until(reading)
    return args | occurrence(reading.main) if args else None


def nothing(reading: Reading) -> Args | None:
    return {}


def sub_value(reading: Reading) -> Args | None:
    assert reading.sub is not None
    return {"value": reading.sub.value} | occurrence(reading.sub) if reading.sub.value else None


def number(mark: str) -> Build:
    return lambda reading: {"n": reading.main.marks[mark].number}


def from_to(reading: Reading) -> Args | None:
    came, went = reading.main.going("from"), reading.main.going("to")
    return {"from": came, "to": went} if came and went else None


def as_of(reading: Reading) -> Args | None:
    return {"date": str(reading.main.date), "known_after": reading.main.session}


def with_which(build: Build) -> Build:
    """The arguments with the stay that a clause in front or behind tells: "…, the second time"."""

    def built(reading: Reading) -> Args | None:
        args = build(reading)
        return None if args is None else occurrence(reading.main) | args

    return built


def undated(reading: Reading) -> bool:
    return reading.main.date is None and reading.main.session is None


def on_a_day(reading: Reading) -> bool:
    return reading.main.session is None and has_day(reading)


def by_day_and_session(reading: Reading) -> bool:
    """Whether both points are given: true on a day, as known after a session."""
    return reading.main.session is not None and reading.main.session_lead is None and has_day(reading)


def has_day(reading: Reading) -> bool:
    main = reading.main
    return main.date is not None and main.date_lead not in _NOT_ON_A_DAY and main.aspect in {None, Aspect.HOLD}


def says_different(reading: Reading) -> bool:
    """ "How many different entries", not "how many separate periods"."""
    return any(set(item.keys) & {"different", "distinct", "unique"} for item in reading.items)


def until_fits(reading: Reading) -> bool:
    return reading.main.session is None and reading.main.date_lead not in _NOT_ON_A_DAY - {"until", "till"}


def sub_names_value(*aspects: Aspect | None) -> Callable[[Reading], bool]:
    """Whether the second clause names one value and nothing else that matters, with one of the aspects."""

    def fits(reading: Reading) -> bool:
        sub = reading.sub
        allowed = NEUTRAL | VALUE_TIMES | {"stop", "left", "change", "goes"}
        return (
            undated(reading)
            and sub is not None
            and len(sub.values) == 1
            and set(sub.marks) <= allowed
            and sub.aspect in aspects
            and sub.date is None
            and _same_relation(reading)
            and sub.subject == reading.main.subject
            and not (reading.link == "before" and sub.values[0].way == "from")
        )

    return fits


def sub_goes_to_value(reading: Reading) -> bool:
    """Whether the second clause says that its value was gone over to: "when she went to Acme"."""
    return reading.sub is not None and reading.sub.has("goes", "change") and reading.sub.going("to") is not None


def _same_relation(reading: Reading) -> bool:
    main, sub = reading.main, reading.sub
    if sub is None or sub.relation is None or main.relation is None:
        return True
    one, other = main.relation, sub.relation
    return one == other or (other.slot is None and one.base == other.relation)  # "the drink before what she likes now"


def sub_is_now(reading: Reading) -> bool:
    """ "before her current job", "before she last moved": the second clause means the running stint."""
    sub = reading.sub
    if sub is None or sub.values or not undated(reading) or sub.date or sub.subject != reading.main.subject:
        return False
    relations = {c.relation.relation for c in (reading.main, sub) if c.relation}
    if not _same_relation(reading) and not relations <= _JOB:
        return False
    is_bare = not sub.marks and sub.relation is None and sub.aspect is None
    return is_bare or (bool({"current", "last_time"} & set(sub.marks)) and not sub.has("first", "ordinal", "nth_time"))


def sub_in_other_relation(reading: Reading) -> bool:
    sub = reading.sub
    return (
        undated(reading)
        and sub is not None
        and len(sub.values) == 1
        and sub.relation is not None
        and reading.main.relation is not None
        and (sub.relation != reading.main.relation or sub.subject != reading.main.subject)
        and sub.aspect in {None, Aspect.HOLD}
        and set(sub.marks) <= NEUTRAL | {"first", "first_time", "last_time", "nth_time"}
    )


def has_topic(reading: Reading) -> bool:
    """Whether the clause asks what held, not what began or ended."""
    return undated(reading) and reading.main.aspect in {None, Aspect.HOLD}


def asks_now(reading: Reading) -> bool:
    main = reading.main
    settled = reading.is_perfect and reading.kind == "where" and undated(reading) and main.aspect is Aspect.BEGIN
    if settled and main.has("current"):
        return True  # "Where has she settled now?"
    return has_topic(reading) and (main.has("current") or (reading.is_present and not main.is_plural))


def asks_all(reading: Reading) -> bool:
    main = reading.main
    many = reading.kind == "list" or main.is_plural or reading.is_perfect
    many = many or (main.has("all") and not main.has("start"))
    return many and undated(reading) and main.aspect is not Aspect.END


def goes(way: str) -> Callable[[Reading], bool]:
    """Whether the only value is what something came "from" or went "to"."""
    return lambda reading: undated(reading) and reading.main.going(way) is not None


def came_from(reading: Reading) -> bool:
    """ "Which company did she come from?": the last word is the "from" of a change."""
    ends_so = bool(reading.items) and reading.items[-1].keys[-1] == "from"
    main = reading.main
    return undated(reading) and reading.is_past and ends_so and main.has("from") and main.relation is not None


def tells_all(reading: Reading) -> bool:
    """ "How has it changed" asks for all of it; "how did Ana move" does not."""
    return undated(reading) and (reading.kind != "how" or reading.main.has("all", "change"))


def is_change(reading: Reading) -> bool:
    main = reading.main
    return undated(reading) and (main.has("change") or main.aspect is Aspect.BEGIN)


def began(reading: Reading) -> bool:
    main = reading.main
    begins = main.aspect is Aspect.BEGIN or main.has("start", "became", "change", "set")
    if main.going("from") and not main.going("to"):
        return False
    begins = begins or (main.has("goes") and main.going("to") is not None)
    return (
        undated(reading) and (begins or main.has("first", "first_time", "nth_time")) and main.aspect is not Aspect.END
    )


def ended(reading: Reading) -> bool:
    return undated(reading) and reading.main.aspect is Aspect.END


def asks_ever(reading: Reading) -> bool:
    main = reading.main
    says_so = main.has("ever") or not (main.has("whether") or reading.is_present)
    return says_so and undated(reading) and main.aspect is not Aspect.END


def kinds(*names: str) -> frozenset[str]:
    return frozenset(names)
