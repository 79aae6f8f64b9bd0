"""The operators against a brute-force reference, and each status on a small history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tem_graph.answer.wording import word
from tem_graph.domain.conversation import Retraction
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.time import AsOf, PartialDate, SessionDate
from tem_graph.temporal.registry import OPERATORS, make_call, views_of
from tem_graph.temporal.result import Result, ResultStatus, Span, to_expected
from tests.unit.strategies import CATALOG

TODAY = date(2024, 6, 1)


def told(
    obj: str,
    session: int,
    *,
    since: str | None = None,
    kind: FactKind = FactKind.VALUE,
    subject: str = "Ana",
    relation: str = "residence",
    slot: str | None = None,
    dated: bool = True,
) -> Fact:
    """A fact of session n, which took place on the first of month n of 2023."""
    return Fact.create(
        CATALOG,
        memory="m",
        subject=subject,
        relation=relation,
        object=obj,
        source=Source(f"s{session}", SessionDate.parse(f"2023-{session:02d}-01") if dated else None, session),
        kind=kind,
        slot=slot,
        valid_from=PartialDate.parse(since) if since else None,
    )


def ended(obj: str, session: int, **more: object) -> Fact:
    return told(obj, session, kind=FactKind.END, **more)  # type: ignore[arg-type]


def ask(operator: str, facts: list[Fact], today: date = TODAY, **args: object) -> Result:
    arguments = {"subject": "Ana", "relation": "residence"} | args
    if operator in {"order", "overlap"}:
        arguments = args
    return make_call(operator, arguments).apply(views_of(facts, CATALOG, AsOf(today)))


# --- the reference: formats.md read literally, over plain tuples, sharing no code with the product ---


@dataclass(frozen=True)
class Row:
    """One generated fact; `index` is the source index, its session day is derived from it."""

    obj: str
    index: int
    effective: date | None


@dataclass
class Run:
    objects: frozenset[str]
    start: date | None
    session: str
    end: date | None = None


def session_day(index: int) -> date:
    return date(2023, 1, 1) + timedelta(days=17 * index)


class Reference:
    def __init__(self, rows: list[Row], dated: bool) -> None:
        self.rows, self.dated = rows, dated

    def day(self, row: Row) -> date | None:
        return row.effective or (session_day(row.index) if self.dated else None)

    def states(self, rows: list[Row]) -> list[tuple[date | None, frozenset[str], str]]:
        by_effective = any(r.effective for r in rows)

        def place(row: Row) -> tuple[date, int]:
            return (self.day(row) or date.min, row.index) if by_effective else (date.min, row.index)

        found = []
        for at in sorted({place(r) for r in rows}):
            here = [r for r in rows if place(r) == at]
            days = [d for r in here if (d := self.day(r))]
            found.append((days[0] if days else None, frozenset(r.obj.lower() for r in here), f"s{here[0].index}"))
        return found

    def runs(self, rows: list[Row] | None = None) -> list[Run]:
        out: list[Run] = []
        for day, objects, session in self.states(self.rows if rows is None else rows):
            if out and out[-1].objects == objects:
                continue
            if out:
                out[-1].end = day
            out.append(Run(objects, day, session))
        return out

    def answer(self, operator: str, args: Mapping[str, object]) -> dict[str, object]:
        if operator == "as_of_date":
            if not self.dated and not any(r.effective for r in self.rows):
                return none("no_dates")
            until = date.fromisoformat(str(args["date"]))
            reached = self.runs([r for r in self.rows if (self.day(r) or date.min) <= until])
            return held(reached[-1]) if reached else none("before_first_record")
        if operator == "as_of_session":
            reached = self.runs([r for r in self.rows if r.index <= int(str(args["index"]))])
            return held(reached[-1]) if reached else none("before_first_record")
        runs = self.runs()
        simple: dict[str, object] = {
            "count_versions": len(runs),
            "count_changes": len(runs) - 1,
            "count_distinct": len({o for r in runs for o in r.objects}),
            "history": [sorted(r.objects) for r in runs],
            "distinct": sorted({o for r in runs for o in r.objects}),
        }
        if operator in simple:
            return ok(simple[operator])
        match operator:
            case "current":
                return held(runs[-1])
            case "first":
                return held(runs[0])
            case "previous":
                return held(runs[-2]) if len(runs) > 1 else none("no_earlier_version")
            case "nth":
                n = int(str(args["n"]))
                try:
                    return held(runs[n - 1 if n > 0 else n]) if n else none("out_of_range")
                except IndexError:
                    return none("out_of_range")
            case "since":
                last = runs[-1]
                return held(last) if len(last.objects) > 1 else moment(last.start, last.session)
        value = str(args["value"]).lower()
        spots = [i for i, r in enumerate(runs) if value in r.objects]
        if operator == "ever":
            return ok(bool(spots))
        if operator == "count_value":
            return ok(len(spots))
        if operator == "still":
            last = runs[-1]
            return held(last) if value in last.objects and len(last.objects) > 1 else ok(value in last.objects)
        if not spots:
            return none("value_never_held")
        if operator == "duration_total":
            lengths = [self.length(runs[i]) for i in spots]
            return none("no_dates") if None in lengths else ok(sum(filter(None, lengths)))
        which = args.get("occurrence", "last")
        number = {"first": 1, "last": len(spots)}.get(str(which)) or int(str(which))
        if number > len(spots):
            return none("out_of_range")
        spot = spots[number - 1]
        match operator:
            case "before":
                return held(runs[spot - 1]) if spot else none("no_earlier_version")
            case "after":
                return held(runs[spot + 1]) if spot + 1 < len(runs) else none("no_later_version")
            case "became":
                return moment(runs[spot].start, runs[spot].session)
            case "duration":
                days = self.length(runs[spot])
                return ok(days) if days is not None else none("no_dates")
        raise AssertionError(operator)

    def length(self, run: Run) -> int | None:
        runs = self.runs()
        end = TODAY if run.start == runs[-1].start and run == runs[-1] else run.end
        return (end - run.start).days if end and run.start else None


def ok(value: object) -> dict[str, object]:
    return {"status": "ok", "value": value}


def none(reason: str) -> dict[str, object]:
    return {"status": "none", "reason": reason}


def held(run: Run) -> dict[str, object]:
    values = sorted(run.objects)
    return ok(values[0]) if len(values) == 1 else {"status": "conflict", "value": values}


def moment(day: date | None, session: str) -> dict[str, object]:
    return ok({"date": day.isoformat(), "session": session}) if day else none("no_dates")


def comparable(operator: str, expected: dict[str, object]) -> dict[str, object]:
    """Strings lowered, a conflict's values and the members of `distinct` in any order."""

    def plain(value: object) -> object:
        match value:
            case str():
                return value.lower()
            case list() if operator == "history":
                return [sorted(map(str.lower, [v] if isinstance(v, str) else v)) for v in value]
            case list():
                return sorted(map(str.lower, value))
            case _:
                return value

    is_moment = isinstance(expected.get("value"), dict)
    return expected if is_moment else {key: plain(value) for key, value in expected.items()}


rows = st.lists(
    st.builds(
        Row,
        st.sampled_from(["Lund", "LUND", "Graz", "Porto"]),
        st.integers(1, 8),
        st.one_of(st.none(), st.none(), st.integers(-5, 30).map(lambda n: session_day(0) + timedelta(days=5 * n))),
    ),
    min_size=1,
    max_size=9,
    unique_by=lambda r: (r.obj.lower(), r.index, r.effective),
)
no_effective = rows.map(lambda found: [replace(r, effective=None) for r in found])
days = st.integers(-60, 200).map(lambda n: (session_day(0) + timedelta(days=n)).isoformat())
VALUES = st.sampled_from(["Lund", "graz", "Porto", "Oslo"])
ARGS: dict[str, dict[str, st.SearchStrategy[object]]] = {
    "nth": {"n": st.integers(-5, 5)},
    "as_of_date": {"date": days},
    "as_of_session": {"index": st.integers(0, 9)},
    **{name: {"value": VALUES} for name in ("count_value", "ever", "still", "duration_total")},
    **{
        name: {"value": VALUES, "occurrence": st.sampled_from(["first", "last", 1, 2, 3])}
        for name in ("before", "after", "became", "duration")
    },
}
NO_REFERENCE = {"as_of", "ended", "changed", "during", "overlap", "order"}


def facts_of(found: list[Row], dated: bool) -> list[Fact]:
    facts = [
        Fact.create(
            CATALOG,
            memory="m",
            subject=["Ana", "ANA", " ana"][n % 3],
            relation="residence",
            object=row.obj,
            source=Source(
                f"s{row.index}",
                SessionDate.parse(session_day(row.index).isoformat()) if dated else None,
                row.index,
            ),
            valid_from=PartialDate(row.effective) if row.effective else None,
        )
        for n, row in enumerate(found)
    ]
    Random(7).shuffle(facts)
    return facts


@pytest.mark.parametrize("operator", sorted(set(OPERATORS) - NO_REFERENCE))
@given(data=st.data())
def test_every_operator_agrees_with_the_reference(operator: str, data: st.DataObject) -> None:
    found, dated = data.draw(st.one_of(rows, no_effective).flatmap(lambda r: st.tuples(st.just(r), st.booleans())))
    if not dated:
        found = [replace(r, effective=None) for r in found]
    args = {name: data.draw(strategy) for name, strategy in ARGS.get(operator, {}).items()}
    result = ask(operator, facts_of(found, dated), **args)
    expected = Reference(found, dated).answer(operator, args)
    assert comparable(operator, to_expected(result)) == comparable(operator, expected)
    assert result.operator == operator
    assert result.sentence


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_arrival_never_changes_an_answer(found: list[Row], random: Random) -> None:
    facts = facts_of(found, dated=True)
    shuffled = facts.copy()
    random.shuffle(shuffled)
    for operator in ("history", "current", "previous", "count_changes"):
        assert ask(operator, facts) == ask(operator, shuffled)


@given(rows)
def test_the_days_of_all_values_add_up_to_the_whole_history(found: list[Row]) -> None:
    """Stints tile the time from the first record to today: no day is lost or counted twice."""
    rows_without_ties = list({(r.effective or session_day(r.index)): r for r in found}.values())
    facts = facts_of(rows_without_ties, dated=True)
    history = ask("history", facts)
    assert isinstance(history.value, tuple)
    spans = [span for span in history.value if isinstance(span, Span)]
    if any(s.is_conflict for s in spans) or any(r.effective is None for r in rows_without_ties):
        return
    names = {s.objects[0].lower() for s in spans}
    total = sum(int(str(to_expected(ask("duration_total", facts, value=name))["value"])) for name in names)
    first = spans[0].start
    assert first is not None
    assert first.date is not None
    assert total == (TODAY - first.date.day).days


# --- one history per status and trap ---

LUND_TWICE = [told("Lund", 1), told("Graz", 3), told("Lund", 5), told("Porto", 8)]


def test_a_value_held_twice_is_asked_by_its_last_time_and_the_answer_says_so() -> None:
    result = ask("before", LUND_TWICE, value="lund")
    assert result.value == "Graz"
    assert "held twice; this is about the last time" in result.sentence
    assert ask("after", LUND_TWICE, value="Lund", occurrence="first").value == "Graz"
    assert ask("before", LUND_TWICE, value="Lund", occurrence=1).status is ResultStatus.NO_EARLIER_VERSION
    assert ask("before", LUND_TWICE, value="Lund", occurrence=3).status is ResultStatus.OUT_OF_RANGE


def test_evidence_is_the_facts_of_the_stints_that_were_chosen() -> None:
    result = ask("previous", [*LUND_TWICE, told("LUND", 6)])
    assert [f.source.session for f in result.facts] == ["s5", "s6", "s8"]


def test_an_end_without_successor_is_none_known_with_the_last_value_in_evidence() -> None:
    facts = [told("Lund", 1), ended("Lund", 4)]
    result = ask("current", facts)
    assert result.status is ResultStatus.NONE_KNOWN
    assert [f.object for f in result.facts] == ["Lund", "Lund"]
    assert "Lund" in result.sentence
    assert ask("previous", facts).value == "Lund"
    assert ask("still", facts, value="Lund").value is False
    assert to_expected(ask("ended", facts, value="Lund")) == ok({"date": "2023-04-01", "session": "s4"})
    assert ask("after", facts, value="Lund").status is ResultStatus.NO_LATER_VERSION


def test_an_end_of_a_value_that_nobody_told_leaves_the_running_one_and_is_said() -> None:
    facts = [told("Rome", 1), ended("Milan", 3)]
    result = ask("current", facts)
    assert (result.status, result.value) == (ResultStatus.FOUND, "Rome")
    assert "never told to have begun: Milan (s3)" in result.sentence
    assert [f.object for f in result.facts] == ["Rome", "Milan"]
    # What was told to have held, ended before, or is answered by a newer value raises no doubt.
    for history in ([told("Milan", 1), told("Rome", 2), ended("Milan", 3)], [ended("Milan", 1), told("Rome", 2)]):
        assert "never told" not in ask("current", history).sentence
    assert "never told" not in ask("current", [*facts, told("Oslo", 4)]).sentence


def test_a_gap_between_two_stays_at_one_value_makes_two_stints() -> None:
    facts = [told("Lund", 1), ended("Lund", 2), told("Lund", 5)]
    assert ask("count_value", facts, value="Lund").value == 2
    assert to_expected(ask("duration_total", facts, value="Lund", until="2023-06-01")) == ok(31 + 31)
    assert ask("as_of_date", facts, date="2023-03-15").status is ResultStatus.NONE_KNOWN


def test_what_a_later_session_told_without_a_day_is_told_later_and_not_planned() -> None:
    facts = [told("Ravn", 1), told("Lund", 3)]
    sentence = ask("as_of_date", facts, date="2023-02-01").sentence
    assert "Later: Lund told on 2023-03-01." in sentence
    assert "Planned" not in sentence
    assert "None" not in sentence


ROSA = [told("Porto", 1, since="2021-02-01"), told("Lyon", 9, since="2022-06-24"), told("Oslo", 10, since="2023-12-01")]


def test_what_was_told_after_the_fact_came_later_and_was_no_plan() -> None:
    """Nobody planned in 2021 what was told in September 2023 of June 2022."""
    sentence = ask("as_of_date", ROSA, date="2021").sentence
    assert "Later: Lyon from 2022-06-24, Oslo from 2023-12-01." in sentence
    assert "Planned" not in sentence
    as_of_2021 = AsOf(TODAY, valid_at=date(2021, 12, 31))

    def then(operator: str, **args: object) -> Result:
        call = make_call(operator, {"subject": "Ana", "relation": "residence"} | args)
        return call.apply(views_of(ROSA, CATALOG, as_of_2021))

    became = then("became", value="Lyon")
    assert (became.status, became.value) == (ResultStatus.NOT_YET, None)
    assert became.sentence == "Lyon came later: from 2022-06-24."
    ended_later = then("ended", value="Porto")
    assert ended_later.status is ResultStatus.STILL_HOLDS
    assert ended_later.sentence == "Porto still held; it ended later: 2022-06-24."
    assert then("ever", value="Lyon").sentence.endswith("It came later: from 2022-06-24.")
    assert "planned" not in then("still", value="Lyon").sentence


def test_what_was_told_before_its_day_was_a_plan_from_then_on() -> None:
    """Oslo from December was told in October 2023: a plan in November, hindsight in September."""
    assert "Planned: Oslo from 2023-12-01." in ask("as_of_date", ROSA, date="2023-11").sentence
    assert "Later: Oslo from 2023-12-01." in ask("as_of_date", ROSA, date="2023-09").sentence
    assert "Planned: Oslo from 2023-12-01." in ask("as_of_date", ROSA, date(2023, 10, 5), date="2022-08").sentence


def test_a_long_history_goes_on_in_one_short_sentence() -> None:
    facts = [told(f"Town {n}", n) for n in range(1, 13)]
    assert "and 8 more." in ask("as_of_date", facts, date="2023-01").sentence


@pytest.mark.parametrize(
    ("day", "said"), [("2021", "In 2021: "), ("2023-06", "In June 2023: "), ("2023-06-04", "On 2023-06-04: ")]
)
def test_a_date_is_said_in_the_precision_of_the_question(day: str, said: str) -> None:
    assert ask("as_of_date", ROSA, date=day).sentence.startswith(said)


def test_a_planned_value_is_never_current() -> None:
    facts = [told("Ravn", 1), told("Lund", 3, since="2023-09-01")]
    march = date(2023, 3, 2)
    assert ask("current", facts, march).value == "Ravn"
    assert "Planned: Lund from 2023-09-01" in ask("current", facts, march).sentence
    assert ask("became", facts, march, value="Lund").status is ResultStatus.PLANNED
    assert ask("ended", facts, march, value="Ravn").status is ResultStatus.PLANNED
    assert ask("ever", facts, march, value="Lund").value is False
    assert ask("as_of_date", facts, march, date="2023-06-01").value == "Ravn"
    assert ask("as_of_date", facts, march, date="2023-10-01").value == "Lund"
    assert to_expected(ask("current", facts[1:], march)) == {"status": "planned", "value": "Lund"}


def test_a_late_report_tells_two_stories() -> None:
    facts = [told("Lund", 2), told("Graz", 4), told("Oslo", 9, since="2023-03-01")]
    assert ask("as_of", facts, date="2023-03-15").value == "Oslo"
    assert ask("as_of", facts, date="2023-03-15", known_after=5).value == "Lund"
    assert ask("as_of_session", facts, index=9).value == "Graz"
    assert ask("as_of_session", facts, index=1).status is ResultStatus.NOT_YET


def test_a_session_without_a_given_index_is_found_by_its_place_in_the_memory() -> None:
    def dated(obj: str, day: str) -> Fact:
        source = Source(f"on-{day}", SessionDate.parse(day))
        return Fact.create(CATALOG, memory="m", subject="Ana", relation="residence", object=obj, source=source)

    facts = [dated("Lund", "2023-01-05"), dated("Graz", "2023-02-05")]
    view_of = views_of(facts, CATALOG, AsOf(TODAY), sessions=[f.source for f in facts])
    call = make_call("as_of_session", {"subject": "Ana", "relation": "residence", "index": 1})
    assert call.apply(view_of).value == "Lund"
    assert make_call("as_of_session", call.arguments | {"index": 3}).apply(view_of).status is ResultStatus.OUT_OF_RANGE


def test_a_month_is_answered_when_one_value_held_throughout_and_ambiguous_otherwise() -> None:
    facts = [told("Lund", 1), told("Graz", 3, since="2023-03-15")]
    assert ask("as_of_date", facts, date="2023-02").value == "Lund"
    assert ask("as_of_date", facts, date="2023-04").value == "Graz"
    march = ask("as_of_date", facts, date="2023-03")
    assert (march.status, march.choices) == (ResultStatus.AMBIGUOUS, ("Lund", "Graz"))


def test_an_undated_source_is_not_placed_on_a_day() -> None:
    facts = [told("Lund", 1), told("Graz", 2, dated=False), told("Porto", 3)]
    assert ask("as_of_date", facts, date="2023-02-15").status is ResultStatus.NO_DATES
    assert ask("as_of_date", facts, date="2023-04-01").value == "Porto"
    assert ask("became", facts, value="Graz").status is ResultStatus.NO_DATES
    assert ask("previous", facts).value == "Graz"


def test_dates_keep_their_precision_and_a_duration_says_that_it_is_rough() -> None:
    facts = [told("Lund", 1, since="2019"), told("Graz", 3, since="2023-02")]
    assert to_expected(ask("became", facts, value="Lund")) == ok({"date": "2019", "session": "s1"})
    assert to_expected(ask("since", facts)) == ok({"date": "2023-02", "session": "s3"})
    assert "its first day was taken" in ask("duration", facts, value="Lund").sentence


def test_an_unknown_subject_is_never_answered_with_no() -> None:
    for operator, args in (("ever", {"value": "Lund"}), ("still", {"value": "Lund"}), ("changed", {}), ("current", {})):
        result = ask(operator, LUND_TWICE, subject="Bo", **args)
        assert to_expected(result) == none("unknown_subject")
        assert to_expected(ask(operator, LUND_TWICE, relation="employer", **args)) == none("unknown_relation")


def test_a_retracted_fact_answers_nothing() -> None:
    withdrawn = replace(told("Lund", 1), retraction=Retraction(datetime(2023, 5, 1, tzinfo=UTC), "Ana", "a slip"))
    assert ask("current", [withdrawn]).status is ResultStatus.NONE_KNOWN
    assert ask("current", [withdrawn, told("Graz", 2)]).value == "Graz"


def test_changed_needs_the_two_values_to_follow_each_other() -> None:
    assert ask("changed", LUND_TWICE, **{"from": "Graz", "to": "Lund"}).value is True
    assert ask("changed", LUND_TWICE, **{"from": "Graz", "to": "Porto"}).value is False
    assert ask("changed", LUND_TWICE).value is True
    assert ask("changed", LUND_TWICE[:1]).value is False


def test_a_conflict_names_all_values_and_a_later_word_settles_it() -> None:
    facts = [told("Lund", 1), told("Graz", 2), told("Porto", 2)]
    assert to_expected(ask("current", facts)) == {"status": "conflict", "value": ["Graz", "Porto"]}
    assert ask("still", facts, value="Graz").status is ResultStatus.CONFLICTING
    assert ask("previous", facts).value == "Lund"
    assert ask("current", [*facts, told("Porto", 3)]).value == "Porto"


def test_a_value_matches_without_its_article_only_where_no_value_is_spelled_so() -> None:
    facts = [told("The Hague", 1), told("hague", 2), told("bakery", 3)]
    assert ask("became", facts, value="the hague").value == ask("became", facts[:1], value="Hague").value
    assert ask("still", facts, value="the Bakery").value is True


# --- several values at once ---

LIKES = [
    told("tea", 1, relation="likes"),
    told("jazz", 2, relation="likes"),
    told("tea", 4, relation="dislikes"),
    told("oolong", 5, relation="likes", slot="drink"),
    told("tea", 7, relation="likes"),
]


def likes(operator: str, facts: list[Fact] = LIKES, **args: object) -> Result:
    return ask(operator, facts, relation="likes", **args)


def test_a_multi_valued_relation_lists_everything_that_holds() -> None:
    assert likes("current").value == ("jazz", "oolong", "tea")
    assert likes("current", LIKES[:3]).value == ("jazz",)
    assert ask("current", LIKES, relation="favourite drink").value == "oolong"
    assert ask("current", LIKES[:3], relation="dislikes").value == ("tea",)
    assert likes("as_of_date", date="2023-01-20").value == ("tea",)


def test_each_object_of_a_multi_valued_relation_has_its_own_history() -> None:
    assert likes("still", value="tea").value is True
    assert likes("still", LIKES[:3], value="tea").value is False
    assert likes("count_value", value="tea").value == 2
    assert to_expected(likes("ended", value="tea", occurrence="first")) == ok({"date": "2023-04-01", "session": "s4"})
    assert to_expected(likes("since", value="jazz")) == ok({"date": "2023-02-01", "session": "s2"})
    assert likes("since").status is ResultStatus.AMBIGUOUS
    assert to_expected(likes("history")) == ok(["tea", "jazz", "oolong", "tea"])
    assert likes("count_distinct").value == 3
    assert likes("previous", LIKES[:3]).value == "tea"


def test_likes_told_beside_dislikes_of_the_same_thing_is_a_conflict() -> None:
    facts = [told("tea", 1, relation="likes"), told("tea", 1, relation="dislikes")]
    assert likes("current", facts).status is ResultStatus.CONFLICTING
    assert likes("still", facts, value="tea").status is ResultStatus.CONFLICTING


# --- two groups ---

JOBS = [told("Acme", 2, relation="employer"), told("Birch", 6, relation="employer")]


def at(relation: str, value: str | None = None, **more: object) -> dict[str, object]:
    return {"subject": "Ana", "relation": relation} | ({"value": value} if value else {}) | more


def test_during_gives_the_stays_that_shared_a_day() -> None:
    facts = [*LUND_TWICE, *JOBS]
    result = ask("during", facts, **{"while": at("employer", "Acme")})
    assert to_expected(result) == ok(["Lund", "Graz", "Lund"])
    assert to_expected(ask("during", facts, **{"while": at("employer", "Birch")})) == ok(["Lund", "Porto"])
    assert to_expected(ask("during", facts, **{"while": at("employer", "Cedar")})) == none("value_never_held")


def test_stays_that_only_meet_do_not_overlap() -> None:
    facts = [told("Lund", 1), told("Graz", 6), *JOBS]
    assert ask("overlap", facts, a=at("residence", "Lund"), b=at("employer", "Acme")).value is True
    assert ask("overlap", facts, a=at("residence", "Graz"), b=at("employer", "Acme")).value is False


def test_order_says_which_began_first_unless_the_dates_are_too_coarse() -> None:
    facts = [*LUND_TWICE, *JOBS]
    assert ask("order", facts, a=at("employer", "Acme"), b=at("residence", "Graz")).value == "Acme"
    coarse = [told("Lund", 1, since="2022"), told("Acme", 2, relation="employer", since="2022-05-01")]
    assert ask("order", coarse, a=at("residence"), b=at("employer")).status is ResultStatus.NO_DATES
    undated = [told("Lund", 1, dated=False), told("Acme", 2, relation="employer", dated=False)]
    assert ask("order", undated, a=at("employer"), b=at("residence")).value == "Lund"


def test_order_knows_which_of_its_stays_came_first_where_both_have_one_value() -> None:
    facts = [told("Acme", 2, relation="employer"), told("Acme", 5, relation="employer", subject="Bo")]
    ana, bo = at("employer", "Acme"), {"subject": "Bo", "relation": "employer", "value": "Acme"}
    assert ask("order", facts, a=ana, b=bo).a_came_first is True
    result = ask("order", facts, a=bo, b=ana)
    assert (result.value, result.a_came_first) == ("Acme", False)
    assert word(result) == "Acme"
    assert word(result, whether=True).startswith("no: Acme began 2023-02-01 (session s2), Acme 2023-05-01")
    same = ask("order", [*facts, told("Lund", 2)], a=ana, b=at("residence", "Lund"))
    assert (same.status, same.a_came_first) == (ResultStatus.AMBIGUOUS, None)
    assert word(same, whether=True).startswith("Both began")


def test_one_stint_is_said_in_the_singular() -> None:
    facts = [told("Lund", 1), *JOBS]
    assert "1 stint of" in ask("during", facts, **{"while": at("employer", "Acme")}).sentence
    sentences = [ask("ever", facts, value="Oslo").sentence, ask("count_value", facts, value="Oslo").sentence]
    assert all("1 stint" in said and "stints" not in said.replace("1 stint", "") for said in sentences)
    assert "1 different value." in ask("distinct", facts).sentence


def test_overlap_says_when_dates_are_too_coarse() -> None:
    facts = [
        told("Lund", 1, since="2020-01-10"),
        told("Graz", 2, since="2021-06"),
        told("Acme", 3, relation="employer", since="2021-06-20"),
    ]
    args = {"a": at("residence", "Lund"), "b": at("employer", "Acme")}
    assert ask("overlap", facts, **args).status is ResultStatus.NO_DATES


def test_a_relation_stored_by_its_own_name_wins_over_a_slot_of_that_name() -> None:
    facts = [told("oolong", 1, relation="drink")]
    assert ask("current", facts, relation="drink").value == "oolong"
    assert ask("current", LIKES, relation="drink").value == "oolong"
