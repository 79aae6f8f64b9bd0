"""Questions for the operators: typed arguments, and the English that a person would use for them.

The wording is `wording/operators.toml`, which is held out. The typed arguments are those of `formats`: what an
English question does not say (the day that counts as today) is set by the row's `today` instead.
"""

from __future__ import annotations

from calendar import month_name
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from benchmarks.timelines import BUILT_IN, TODAY, Timeline, value_pool
from benchmarks.wording import Deck, fill, load

Args = dict[str, Any]
PRONOUNS = {"she": "her", "he": "his", "it": "its"}
UNUSED_CHANCE = 0.4
"""How often a timeline is also asked about a value that it never had."""
ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 9: "ninth", -2: "second to last", -3: "third to last"}
OCCURRENCES = {"first": "first", "last": "last", 1: "first", 2: "second", 3: "third"}
PAIRS = {"overlap", "order"}


@dataclass(frozen=True)
class Asked:
    """One question before it is worded."""

    operator: str
    args: Args


def possible_questions(timeline: Timeline, rng: Random) -> Iterator[Asked]:
    """Everything that can be asked about a timeline and has one right answer.

    A value that only a conflict holds is not asked about by name: whether it "held" is what the conflict is
    about. Neither is the order inside a conflict, nor the length of a stay without dates.
    """
    group = {"subject": timeline.subject, "relation": timeline.relation}
    if timeline.trap == "spelling":
        group["subject"] = rng.choice((timeline.subject.upper(), timeline.subject.lower()))
    ends_in_conflict = "|" in timeline.pattern.split()[-1]
    is_dated = timeline.trap != "undated"
    last_index = len(timeline.session_days)

    for operator in ("current", "previous", "first", "count_versions", "count_changes", "count_distinct"):
        yield Asked(operator, group)
    for n in (2, 3, -2, 9):
        yield Asked("nth", group | {"n": n})
    for index in range(1, last_index + 1):
        yield Asked("as_of_session", group | {"index": index})
    for day in _days_to_ask(timeline):
        yield Asked("as_of_date", group | {"date": day.isoformat()})
        if "@" in timeline.pattern or rng.random() < 0.3:
            yield Asked("as_of", group | {"date": day.isoformat(), "known_after": rng.randint(1, last_index)})
    if not ends_in_conflict:
        yield Asked("since", group)
    if "|" not in timeline.pattern:
        yield Asked("history", group)
        yield Asked("distinct", group)
    contested = set("".join(s for s in timeline.pattern.split() if "|" in s))
    values = [v for v, letter in zip(timeline.values, "ABCDE", strict=False) if letter not in contested]
    for value in (*values, timeline.unused) if not values or rng.random() < UNUSED_CHANCE else values:
        yield from _about_value(timeline, group | {"value": _as_asked(timeline, value, rng)}, rng, is_dated=is_dated)
    for old in values:
        for new in rng.sample(values, min(2, len(values))):
            if old != new:
                yield Asked("changed", group | {"from": old, "to": new})
    yield from _about_the_unknown(group, timeline, rng)


def _about_value(timeline: Timeline, args: Args, rng: Random, *, is_dated: bool) -> Iterator[Asked]:
    for operator in ("ever", "still", "count_value", "before", "after"):
        yield Asked(operator, args)
    told = sum(args["value"].strip().casefold() == f["object"].strip().casefold() for f in timeline.facts)
    for operator in ("before", "after", "became", "ended", "duration"):
        if told > 1 or rng.random() < 0.1:
            yield Asked(operator, args | {"occurrence": rng.choice(("first", "last", 1, 2, 3))})
    yield Asked("became", args)
    if is_dated:
        yield Asked("ended", args)
        yield Asked("duration", args)
        yield Asked("duration_total", args | {"until": TODAY.isoformat()})
        latest = max(timeline.session_days) + timedelta(days=rng.randint(20, 40))
        yield Asked("duration_total", args | {"until": latest.isoformat()})


def _about_the_unknown(group: Args, timeline: Timeline, rng: Random) -> Iterator[Asked]:
    stranger = group | {"subject": rng.choice(("Wanda Nobody", "Herr Niemand", "无名氏"))}
    missing = group | {"relation": rng.choice([r for r in (*BUILT_IN, "team", "manager") if r != timeline.relation])}
    for unknown in (stranger, missing):
        yield Asked(rng.choice(("current", "previous", "first", "history", "count_changes", "since")), unknown)
        value = rng.choice(value_pool(unknown["relation"]))
        yield Asked(rng.choice(("ever", "still", "before")), unknown | {"value": value})


def _as_asked(timeline: Timeline, value: str, rng: Random) -> str:
    return rng.choice((value.upper(), value.lower(), value)) if timeline.trap == "spelling" else value


def _days_to_ask(timeline: Timeline) -> list[date]:
    """The edges, the days beside them, and one long before and one long after."""
    days = set(timeline.session_days)
    days |= {date.fromisoformat(f["effective"]) for f in timeline.facts if "effective" in f}
    edges = {day + timedelta(days=shift) for day in days for shift in (-1, 0, 1)}
    return sorted(edges | {min(days) - timedelta(days=400), max(days) + timedelta(days=45)})


class Wordings:
    """Words questions, using every template of a section before any is used again."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._templates = load("operators")
        self._decks: dict[tuple[str, ...], Deck] = {}

    def ask(self, asked: Asked, pronouns: Mapping[str, str]) -> str:
        """The English of a question about one group or two."""
        template, _ = split_template(self._draw(asked))
        return word(template, asked.args, pronouns, self._rng)

    def _draw(self, asked: Asked) -> str:
        section = section_of(asked)
        path = (asked.operator, section, *sorted(_said_in_words(asked)))
        if path not in self._decks:
            entries = self._templates[asked.operator][section]
            fitting = [e for e in entries if _fits(e, asked)]
            self._decks[path] = Deck(fitting or [e for e in entries if "#" not in e], self._rng)
        drawn: str = self._decks[path].draw()
        template, added = split_template(drawn)
        occurrence = asked.args.get("occurrence", "last")
        if occurrence != "last" and "occurrence" not in added:
            return f"{template.rstrip('?')}, the {OCCURRENCES[occurrence]} time?"
        return drawn


def _said_in_words(asked: Asked) -> set[str]:
    """The optional arguments that the wording has to carry."""
    said = {key for key in ("occurrence", "from", "to") if key in asked.args}
    if asked.operator == "since" and "value" in asked.args:
        said.add("value")
    if asked.operator == "duration_total" and asked.args.get("until", TODAY.isoformat()) != TODAY.isoformat():
        said.add("until")
    if asked.args.get("occurrence") == "last":
        said.discard("occurrence")
    return said


def _fits(entry: str, asked: Asked) -> bool:
    _, added = split_template(entry)
    return set(added) == _said_in_words(asked) and all(
        fixed is None or OCCURRENCES.get(asked.args.get(key)) == fixed for key, fixed in added.items()
    )


def split_template(entry: str) -> tuple[str, dict[str, str | None]]:
    """The template and the arguments that its wording adds, with the value where the words fix it.

    >>> split_template("When did {s} join {v} first? #occurrence=first")
    ('When did {s} join {v} first?', {'occurrence': 'first'})
    """
    template, *marks = entry.split(" #")
    return template, {key: value or None for key, _, value in (mark.partition("=") for mark in marks)}


def section_of(asked: Asked) -> str:
    """The list of `operators.toml` that words this question."""
    if asked.operator in PAIRS:
        a, b = asked.args["a"], asked.args["b"]
        if a["relation"] != b["relation"]:
            return "pairs"
        return "homes" if a["relation"] == "residence" else "employers"
    if asked.operator == "during":
        return f"{asked.args['relation']}_while_{asked.args['while']['relation']}"
    relation: str = asked.args["relation"]
    return relation if relation in BUILT_IN else "any"


def word(template: str, args: Args, pronouns: Mapping[str, str], rng: Random) -> str:
    """The template filled with what the arguments say."""
    if "a" in args:
        one, other = args["a"], args["b"]
        words = {"x": one["subject"], "xv": one["value"], "y": other["subject"], "yv": other["value"]}
        words |= {"x_live": f"{words['x']} live in {words['xv']}", "x_lived": f"{words['x']} lived in {words['xv']}"}
        return fill(template, words | {"y_worked": f"{words['y']} worked for {words['yv']}"})
    pronoun = pronouns.get(args["subject"], "they")
    words = {"s": args["subject"], "he": pronoun, "his": PRONOUNS.get(pronoun, "their"), "r": args["relation"]}
    for key, name in (("value", "v"), ("from", "v"), ("to", "v2")):
        if key in args:
            words[name] = args[key]
    if "while" in args:
        words["v"] = args["while"]["value"]
    if "date" in args:
        preposition, words["date"] = say_date(args["date"], rng)
        words["on_date"] = f"{preposition} {words['date']}"
    if "until" in args:
        words["until"] = say_date(args["until"], rng)[1]
    if "n" in args:
        words["nth"] = ORDINALS[args["n"]]
    for key in ("index", "known_after"):
        if key in args:
            words["session"] = str(args[key])
    words["which"] = OCCURRENCES[args.get("occurrence", "last")]
    return fill(template, words)


def say_date(text: str, rng: Random) -> tuple[str, str]:
    """Preposition and words of a date that is stated to the day, month or year.

    >>> say_date("2021-03", Random(0)), say_date("2021", Random(0))
    (('in', 'March 2021'), ('in', '2021'))
    """
    parts = [int(part) for part in text.split("-")]
    if len(parts) == 1:
        return "in", text
    month = month_name[parts[1]]
    if len(parts) == 2:
        return "in", f"{month} {parts[0]}"
    year, day = parts[0], parts[2]
    return "on", rng.choice((f"{day} {month} {year}", f"{month} {day}, {year}", text, f"{day} {month[:3]} {year}"))


def balanced(asked: Iterable[Asked], used: dict[str, int], count: int, rng: Random) -> list[Asked]:
    """Up to `count` different questions, the operators that were asked least so far first."""
    pool: dict[str, list[Asked]] = {}
    for question in asked:
        if question not in pool.setdefault(question.operator, []):
            pool[question.operator].append(question)
    chosen: list[Asked] = []
    while len(chosen) < count and any(pool.values()):
        operator = min((o for o, left in pool.items() if left), key=lambda o: (used.get(o, 0), rng.random()))
        chosen.append(pool[operator].pop(rng.randrange(len(pool[operator]))))
        used[operator] = used.get(operator, 0) + 1
    return chosen
