"""One question per template of a wording file, with random people, values and dates, and what the words mean."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from benchmarks.operator_questions import ORDINALS, PAIRS, Args, split_template, word
from benchmarks.timelines import BUILT_IN, FIRMS, PEOPLE, PEOPLE_IN_OTHER_SCRIPTS, USER_RELATIONS, value_pool
from benchmarks.wording import load

_UNANSWERED = "no_operator"
FIRST_SOURCES = (
    "operators",
    "operators2",
    "operators3",
    "operators4",
    "operators5",
    "operators6",
    "operators5_held",
    "operators6_held",
)
WRITERS = tuple(f"operators{n}" for n in range(7, 18))
"""One file per writer, all written on one day with sight of no other. Each has a list `no_operator`."""
HELD = ("operators18_held", "operators19_held")
SOURCES = (*FIRST_SOURCES, *WRITERS, *HELD)
READ = ("operators", "operators2", "operators3", "operators5", "operators6", *WRITERS, "operators_more")
"""What a router was written against."""
PRONOUNS_OF = dict((*PEOPLE, *PEOPLE_IN_OTHER_SCRIPTS, *FIRMS))


def generate_wording(seed: int, source: str = SOURCES[0], *, unread_only: bool = False) -> Iterator[dict[str, Any]]:
    """The rows: question, operator and arguments. `unread_only` leaves out what stands word for word in `READ`."""
    rng = Random(f"operator-wording/{seed}")
    read = {bare(entry) for name in READ for *_, entry in entries_of(name)} if unread_only else set()
    for operator, section, entry in entries_of(source):
        if bare(entry) in read:
            continue
        template, added = split_template(entry)
        args = _pair_args(section, rng) if operator in PAIRS else _args(operator, section, template, added, rng)
        yield {"question": word(template, args, PRONOUNS_OF, rng), "operator": operator, "args": args}


def entries_of(source: str) -> Iterator[tuple[str, str, str]]:
    """(operator, section, template) of every wording in a file."""
    for operator, sections in load(source).items():
        if operator != _UNANSWERED:
            yield from ((operator, section, entry) for section, entries in sections.items() for entry in entries)


def unanswered(source: str) -> list[dict[str, Any]]:
    """The questions in a file that no operator answers, without arguments."""
    return [{"question": question, "operator": None} for question in load(source).get(_UNANSWERED, ())]


def bare(entry: str) -> str:
    """A wording without what makes no other one of it: case and the mark at its end."""
    return entry.casefold().rstrip("?.")


def _args(operator: str, section: str, template: str, added: dict[str, str | None], rng: Random) -> Args:
    relation = section.split("_while_")[0]
    relation = relation if relation in BUILT_IN else rng.choice(list(USER_RELATIONS))
    people = (*PEOPLE, *PEOPLE, *PEOPLE_IN_OTHER_SCRIPTS) if relation in BUILT_IN else (*PEOPLE, *FIRMS)
    args: Args = {"subject": rng.choice(people)[0], "relation": relation}
    if operator == "during":
        other = section.split("_while_")[1]
        stay = {"subject": args["subject"], "relation": other, "value": rng.choice(value_pool(other))}
        return args | {"while": stay}
    old, new = rng.sample(value_pool(relation), 2)
    if "from" in added:
        args |= {"from": old, "to": new}
    elif "{v}" in template.casefold() or "{a_v}" in template.casefold():
        args["value"] = old
    if "occurrence" in added:
        args["occurrence"] = added["occurrence"] or rng.choice(("first", 2, "last"))
    if "until" in added:
        args["until"] = _some_day(rng)
    if operator == "nth":
        args["n"] = rng.choice([n for n in ORDINALS if n != 9])
    if operator == "as_of_session":
        args["index"] = rng.randint(1, 12)
    if operator == "as_of":
        args["known_after"] = rng.randint(1, 12)
    if "date}" in template:
        args["date"] = _some_day(rng)[: rng.choice((4, 7, 7, 10, 10, 10))]
    return args


def _pair_args(section: str, rng: Random) -> Args:
    (one, _), (other, _) = rng.sample(PEOPLE, 2)
    relations = {"pairs": ("residence", "employer"), "homes": ("residence",) * 2, "employers": ("employer",) * 2}[
        section
    ]
    values = [rng.choice(value_pool(relation)) for relation in relations]
    if section != "pairs":
        values[1] = values[0]
    stays = zip((one, other), relations, values, strict=True)
    a, b = ({"subject": subject, "relation": relation, "value": value} for subject, relation, value in stays)
    return {"a": a, "b": b}


def _some_day(rng: Random) -> str:
    return (date(2018, 1, 1) + timedelta(days=rng.randrange(2500))).isoformat()
