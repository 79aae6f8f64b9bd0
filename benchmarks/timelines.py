"""Timelines for the operator set: short histories written as patterns, one per trap.

A pattern lists the sessions of a group in order. `A B A` tells three values in three sessions; `B|C` tells both
in one session, which is a conflict; `-` is a session that says nothing of this group; `A'` is A in another
spelling; `B@1.5` states an effective day half way between sessions 1 and 2; `B@1.3+C@1.7` tells two facts in one
session. The facts of a timeline come in random order: the order of arrival must not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random
from typing import Any

from benchmarks.wording import load

TODAY = date(2025, 6, 30)
"""The injected day of the set; every session and every stated day lies before it."""

PATTERNS: dict[str, tuple[str, ...]] = {
    "plain": ("A", "A B", "A B C", "A B C D E", "A - B - - C"),
    "return": ("A B A", "A B A B", "A B C A", "A B A C", "A B C B D"),
    "restatement": ("A A B", "A B B B", "A B B A A"),
    "conflict": ("A|B", "A B|C", "A B|C D", "A|B A", "A B|C B"),
    "late report": ("A - C B@1.5", "A B - B@1.2", "A B C A@0.3", "A C B@1.5 D", "B A@0.2", "A B A@1.5"),
    "partly effective": ("A@0.5 B C", "A B C@2.5", "A - - B@2.3 C"),
    "all effective": ("C@2.5 A@0.5 B@1.5", "A@0.1 B@1.1 A@2.1"),
    "same effective day": ("A B@1.5 - C@1.5",),
    "two in one session": ("A B@1.3+C@1.7 D",),
    "undated": ("A B C", "A B A"),
    "day boundary": ("A B C", "A B A"),
    "other scripts": ("A B A", "A B C"),
    "spelling": ("A A' B B'", "A B A'"),
}
BUILT_IN = ("residence", "employer", "occupation", "drink")
USER_RELATIONS: dict[str, tuple[str, ...]] = {
    "ad budget": ("$3,000/mo", "$8,000/mo", "$4,500/mo", "$6,250/mo", "$1,900/mo", "$12,000/mo"),
    "team": ("Harbour", "Lantern", "Compass", "Driftwood", "Beacon", "Granite"),
    "manager": ("Priscilla Vane", "Ortwin Lachs", "Mirembe Okot", "Del Castellan", "Yara Dubois", "Hilde Storm"),
    "database": ("Neo4j", "PostgreSQL", "MongoDB", "DuckDB", "Cassandra", "ScyllaDB"),
    "phone plan": ("Basic 5", "Family Max", "Unlimited Go", "Prepaid S", "Travel Plus", "Student XL"),
    "sales channel": ("Amazon", "Etsy", "Walmart Marketplace", "Shopify", "eBay", "TikTok Shop"),
}
EMPLOYERS = (
    *("Acme", "Northwind", "Birchline", "Cedarworks", "Ferrow", "Santa Clara Hospital", "Brightline", "Oduya & Sons"),
    *("Kestrel Labs", "Hanse Logistik", "Moravia Glass", "Tern Air"),
)
PEOPLE = (
    *(("Ana", "she"), ("Ben", "he"), ("Mia", "she"), ("Omar", "he"), ("Ingrid Solberg", "she"), ("Tomasz", "he")),
    *(("Priya", "she"), ("Caleb O'Neil", "he"), ("Zsófia", "she"), ("Luca", "he")),
)
PEOPLE_IN_OTHER_SCRIPTS = (
    ("林小雨", "she"),
    ("Дмитрий Орлов", "he"),
    ("Ελένη", "she"),
    ("نور", "she"),
    ("प्रिया", "she"),
)
FIRMS = (("Cozy Home Co.", "it"), ("Project Aster", "it"))


@dataclass(frozen=True)
class Timeline:
    """One group with its facts, the facts of others beside them, and what may be asked."""

    trap: str
    pattern: str
    subject: str
    pronoun: str
    relation: str
    facts: tuple[dict[str, Any], ...]
    others: tuple[dict[str, Any], ...]
    values: tuple[str, ...]
    """In order of first telling, without the other spellings."""
    unused: str
    """A value of this relation that nobody in the timeline ever has."""
    session_days: tuple[date, ...] = field(default=())

    @property
    def all_facts(self) -> tuple[dict[str, Any], ...]:
        return (*self.facts, *self.others)


def value_pool(relation: str, *, other_scripts: bool = False) -> list[str]:
    if relation == "employer":
        return list(EMPLOYERS)
    if relation in USER_RELATIONS:
        return list(USER_RELATIONS[relation])
    return [entry["name"] for entry in load("values")[relation]["other_scripts" if other_scripts else "latin"]]


def other_spelling(value: str, rng: Random) -> str:
    """The same name as folding sees it, written otherwise."""
    return rng.choice((value.upper(), value.lower(), f" {value}  ", value.replace(" ", "  ").swapcase()))


def make_timelines(rng: Random) -> list[Timeline]:
    """Two timelines per pattern, over built-in and user relations."""
    return [
        make_timeline(trap, pattern, relation, rng)
        for trap, patterns in PATTERNS.items()
        for number, pattern in enumerate(patterns)
        for relation in _relations(trap, number, rng)
    ]


def _relations(trap: str, number: int, rng: Random) -> tuple[str, str]:
    if trap == "other scripts":
        return ("residence", "residence")
    return (BUILT_IN[number % len(BUILT_IN)], rng.choice([*USER_RELATIONS, *BUILT_IN]))


def make_timeline(trap: str, pattern: str, relation: str, rng: Random) -> Timeline:
    foreign = trap == "other scripts"
    people = PEOPLE_IN_OTHER_SCRIPTS if foreign else (*PEOPLE, *FIRMS) if relation in USER_RELATIONS else PEOPLE
    subject, pronoun = rng.choice(people)
    pool = value_pool(relation, other_scripts=foreign)
    rng.shuffle(pool)
    named = dict(zip("ABCDE", pool, strict=False))
    sessions = pattern.split()
    days = _session_days(len(sessions), rng)
    facts = []
    for index, (session, day) in enumerate(zip(sessions, days, strict=True), start=1):
        for told in [] if session == "-" else session.replace("|", "+").split("+"):
            letter, _, place = told.partition("@")
            value = named[letter[0]]
            fact = {
                "subject": other_spelling(subject, rng) if trap == "spelling" and rng.random() < 0.5 else subject,
                "relation": relation,
                "object": other_spelling(value, rng) if letter.endswith("'") else value,
                "session": f"s{index}",
                "index": index,
            }
            if trap != "undated":
                fact["date"] = _stamp(day, rng) if trap == "day boundary" else day.isoformat()
            if place:
                fact["effective"] = _between(days, float(place)).isoformat()
            facts.append(fact)
    rng.shuffle(facts)
    letters = sorted({letter for letter in pattern if letter in named})
    return Timeline(
        trap=trap,
        pattern=pattern,
        subject=subject,
        pronoun=pronoun,
        relation=relation,
        facts=tuple(facts),
        others=tuple(_others(subject, relation, pool[6:] or pool[5:], days, rng)),
        values=tuple(named[letter] for letter in letters),
        unused=pool[5],
        session_days=tuple(days),
    )


def _session_days(count: int, rng: Random) -> list[date]:
    days = [date(2019, 1, 1) + timedelta(days=rng.randrange(700))]
    while len(days) < count:
        days.append(days[-1] + timedelta(days=rng.randint(40, 330)))
    return days


def _between(days: Sequence[date], place: float) -> date:
    """A day by its place among the sessions: 1.5 is half way between the first and the second; 0.5 before them."""
    whole = int(place)
    if whole == 0:
        return days[0] - timedelta(days=int((1 - place) * 300))
    following = days[whole] if whole < len(days) else days[-1] + timedelta(days=60)
    return days[whole - 1] + timedelta(days=max(1, int((following - days[whole - 1]).days * (place - whole))))


def _stamp(day: date, rng: Random) -> str:
    """A time so close to midnight that another zone is on another day; the day given is the local one."""
    time, offset = rng.choice(
        (("23:45:00", "-07:00"), ("00:10:00", "+09:00"), ("23:59:59", "-03:00"), ("00:00:00", "+05:30"))
    )
    return f"{day.isoformat()}T{time}{offset}"


def _others(
    subject: str, relation: str, values: Sequence[str], days: Sequence[date], rng: Random
) -> list[dict[str, Any]]:
    """Facts that must not leak into the answer: the same relation of somebody else, another one of the subject."""
    somebody = rng.choice([name for name, _ in (*PEOPLE, *FIRMS) if name != subject])
    day = days[-1]
    return [
        {
            "subject": somebody,
            "relation": relation,
            "object": rng.choice(values),
            "session": f"s{len(days) + 1}",
            "index": len(days) + 1,
            "date": (day + timedelta(days=10)).isoformat(),
        },
        {
            "subject": subject,
            "relation": "pet",
            "object": "Miso",
            "session": f"s{len(days) + 1}",
            "index": len(days) + 1,
            "date": (day + timedelta(days=10)).isoformat(),
        },
    ]
