"""What the operators should answer, worked out the slow way from the operator set's own rules.

Plain and slow on purpose, and independent: nothing of `tem_graph` is imported. It follows these rules only. A
group is one subject and relation, both folded. Facts at one place form a state; more than one object in it is a
conflict; a stint is a maximal run of equal states. Order is by session index, or, as soon as one fact of the
group states an effective day, by (effective day, else session day; index). A stint ends the day the next begins.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

Answer = dict[str, Any]


@dataclass(frozen=True)
class State:
    """All that is said at one place."""

    day: date | None
    index: int
    session: str
    objects: dict[str, str]
    """Folded object → as written."""


@dataclass(frozen=True)
class Stint:
    states: list[State]
    end: State | None
    """The first state of the next stint."""

    @property
    def start(self) -> State:
        return self.states[0]

    @property
    def objects(self) -> dict[str, str]:
        return self.states[0].objects


def fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def find_states(facts: Iterable[dict[str, Any]], subject: str, relation: str) -> list[State]:
    group = [f for f in facts if fold(f["subject"]) == fold(subject) and fold(f["relation"]) == fold(relation)]
    by_effective_day = any(f.get("effective") for f in group)
    places: dict[tuple[str, int], State] = {}
    for fact in group:
        told = fact.get("effective") or fact.get("date") or ""
        day = date.fromisoformat(told[:10]) if told else None
        place = (told[:10] if by_effective_day else "", fact["index"])
        state = places.setdefault(place, State(day, fact["index"], fact["session"], {}))
        state.objects.setdefault(fold(fact["object"]), fact["object"])
    return [places[place] for place in sorted(places)]


def find_stints(states: Iterable[State]) -> list[Stint]:
    runs: list[list[State]] = []
    for state in states:
        if runs and set(runs[-1][0].objects) == set(state.objects):
            runs[-1].append(state)
        else:
            runs.append([state])
    following: list[State | None] = [run[0] for run in runs[1:]]
    return [Stint(run, end) for run, end in zip(runs, [*following, None], strict=True)]


def ok(value: Any) -> Answer:
    return {"status": "ok", "value": value}


def none(reason: str) -> Answer:
    return {"status": "none", "reason": reason}


def told(objects: dict[str, str]) -> Answer:
    written = list(objects.values())
    return ok(written[0]) if len(written) == 1 else {"status": "conflict", "value": sorted(written)}


def moment(state: State) -> Answer:
    return ok({"date": state.day.isoformat(), "session": state.session}) if state.day else none("no_dates")


def held_on(stint: Stint, day: date) -> bool:
    assert stint.start.day is not None
    ended = stint.end.day if stint.end else None
    return stint.start.day <= day and (ended is None or day < ended)


def count_days(stint: Stint, until: date) -> int:
    """The days on which the stint held before `until`, counted one by one."""
    day, days = stint.start.day, 0
    assert day is not None
    while day < until and held_on(stint, day):
        day, days = day + timedelta(days=1), days + 1
    return days


def is_dated(stints: Iterable[Stint]) -> bool:
    return all(state.day for stint in stints for state in stint.states)


def choose(stints: Sequence[Stint], args: dict[str, Any]) -> int | Answer:
    """The place of the stint that `value` and `occurrence` name."""
    places = [n for n, stint in enumerate(stints) if fold(args["value"]) in stint.objects]
    if not places:
        return none("value_never_held")
    occurrence = args.get("occurrence", "last")
    number = {"first": 1, "last": len(places)}.get(occurrence, occurrence)
    return places[number - 1] if number <= len(places) else none("out_of_range")


def answer(facts: Sequence[dict[str, Any]], operator: str, args: dict[str, Any], today: str) -> Answer:
    """The expected result of one operator over the facts of a question."""
    if operator in {"overlap", "order"}:
        return answer_pair(facts, operator, args["a"], args["b"], today)
    if not any(fold(f["subject"]) == fold(args["subject"]) for f in facts):
        return none("unknown_subject")
    states = find_states(facts, args["subject"], args["relation"])
    if not states:
        return none("unknown_relation")
    until = date.fromisoformat(args.get("until", today))
    if operator in {"as_of_date", "as_of_session", "as_of"}:
        return answer_as_of(facts, operator, args)
    stints = find_stints(states)
    if operator in {"before", "after", "became", "ended", "duration"}:
        place = choose(stints, args)
        return place if isinstance(place, dict) else answer_about(stints, place, operator, until)
    if operator == "during":
        return answer_during(facts, stints, args, until)
    return answer_about_group(stints, operator, args, until)


def answer_as_of(facts: Sequence[dict[str, Any]], operator: str, args: dict[str, Any]) -> Answer:
    known_after = args.get("index", args.get("known_after"))
    known = [f for f in facts if known_after is None or f["index"] <= known_after]
    stints = find_stints(find_states(known, args["subject"], args["relation"]))
    if not stints:
        return none("before_first_record")
    if operator == "as_of_session":
        return told(stints[-1].objects)
    if not is_dated(stints):
        return none("no_dates")
    holding = [stint for stint in stints if held_on(stint, date.fromisoformat(args["date"]))]
    return told(holding[-1].objects) if holding else none("before_first_record")


def answer_about(stints: Sequence[Stint], place: int, operator: str, until: date) -> Answer:
    stint = stints[place]
    match operator:
        case "before":
            return told(stints[place - 1].objects) if place > 0 else none("no_earlier_version")
        case "after":
            return told(stints[place + 1].objects) if place + 1 < len(stints) else none("no_later_version")
        case "became":
            return moment(stint.start)
        case "ended":
            return moment(stint.end) if stint.end else none("still_holds")
        case "duration":
            return ok(count_days(stint, until)) if is_dated(stints) else none("no_dates")
    raise ValueError(operator)


def answer_about_group(stints: Sequence[Stint], operator: str, args: dict[str, Any], until: date) -> Answer:
    with_value = [s for s in stints if "value" in args and fold(args["value"]) in s.objects]
    different: dict[str, str] = {}
    for stint in stints:
        for key, written in stint.objects.items():
            different.setdefault(key, written)
    match operator:
        case "current":
            return told(stints[-1].objects)
        case "previous":
            return told(stints[-2].objects) if len(stints) > 1 else none("no_earlier_version")
        case "first":
            return told(stints[0].objects)
        case "nth":
            position = args["n"] - 1 if args["n"] > 0 else len(stints) + args["n"]
            return told(stints[position].objects) if 0 <= position < len(stints) else none("out_of_range")
        case "history":
            return ok([next(iter(s.objects.values())) for s in stints])
        case "distinct":
            return ok(list(different.values()))
        case "count_versions":
            return ok(len(stints))
        case "count_changes":
            return ok(len(stints) - 1)
        case "count_distinct":
            return ok(len(different))
        case "count_value":
            return ok(len(with_value))
        case "since":
            return moment(stints[-1].start)
        case "duration_total":
            if not with_value:
                return none("value_never_held")
            return ok(sum(count_days(s, until) for s in with_value)) if is_dated(stints) else none("no_dates")
        case "ever":
            return ok(bool(with_value))
        case "still":
            return ok(fold(args["value"]) in stints[-1].objects)
        case "changed":
            pairs = [(a.objects, b.objects) for a, b in pairwise(stints)]
            return ok(any(fold(args["from"]) in a and fold(args["to"]) in b for a, b in pairs))
    raise ValueError(operator)


def named_stay(facts: Sequence[dict[str, Any]], claim: dict[str, Any]) -> Stint | Answer:
    if not any(fold(f["subject"]) == fold(claim["subject"]) for f in facts):
        return none("unknown_subject")
    stints = find_stints(find_states(facts, claim["subject"], claim["relation"]))
    if not stints:
        return none("unknown_relation")
    place = choose(stints, claim)
    return place if isinstance(place, dict) else stints[place]


def share_a_day(one: Stint, other: Stint, until: date) -> bool:
    """Whether some day up to and including `until` lies in both, looked for day by day."""
    assert one.start.day is not None
    day = one.start.day
    while day <= until:
        if held_on(one, day) and held_on(other, day):
            return True
        day += timedelta(days=1)
    return False


def answer_during(
    facts: Sequence[dict[str, Any]], stints: Sequence[Stint], args: dict[str, Any], until: date
) -> Answer:
    stay = named_stay(facts, args["while"])
    if isinstance(stay, dict):
        return stay
    shared = [next(iter(s.objects.values())) for s in stints if share_a_day(stay, s, until)]
    return ok(shared) if shared else none("none_known")


def answer_pair(
    facts: Sequence[dict[str, Any]], operator: str, a: dict[str, Any], b: dict[str, Any], today: str
) -> Answer:
    one, other = named_stay(facts, a), named_stay(facts, b)
    if isinstance(one, dict):
        return one
    if isinstance(other, dict):
        return other
    if operator == "overlap":
        return ok(share_a_day(one, other, date.fromisoformat(today)))
    assert one.start.day
    assert other.start.day
    values = [next(iter(stay.objects.values())) for stay in (one, other)]
    if one.start.day == other.start.day:
        return {"status": "ambiguous", "choices": values}
    return ok(values[0] if one.start.day < other.start.day else values[1])
