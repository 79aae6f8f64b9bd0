"""Frames: which verb with which arguments says which fact. The tables are the `.frames` files of relations/.

    event  move|relocate  to=place  from=-place?
    state  work           as=title  at|for=org?
    event  hire           obj{me|us}  as=title?

A frame is its kind, the verb keys (lemmas, "be hooked" as `be_hooked`), then the arguments. An argument is
the prepositions it may stand under (`obj` for none, `subj` for the subject), the nouns its head must be in
braces, and what it is read as: a filler of fillers.py, with `-` if it ends. `?` marks an argument that may
be absent, `+word|word` words of which the clause must contain one, `!word|word` words it must not contain, `!obj`
that it must have no object.
`let name = a|b` names a list, used as `$name`; an indented line goes on with the one above.

An *event* makes its value true from then on; a *state* is true while it is told in the present.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar.clause import NOBODY, SPEAKER, Clause, Person, Role
from tem_graph.ingest.grammar.fillers import FILLERS
from tem_graph.ingest.grammar.force import force
from tem_graph.ingest.grammar.lexicon import singular
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.phrases import Phrase

_ARGUMENT = re.compile(
    r"(?P<preps>[a-z_|]+)(?:\{(?P<heads>[^}]*)\})?(?:=(?P<ends>-)?(?P<role>[a-z.]+))?(?P<optional>\?)?"
)
_RELATION_OF = {
    "place": "residence",
    "org": "employer",
    "company": "employer",
    "former": "employer",
    "title": "occupation",
    "profession": "occupation",
    "field": "occupation",
    "thing": "possession",
    "owned": "possession",
    "drink": "likes.drink",
    "like": "likes",
    "dislike": "dislikes",
}
"""The relation that each role fills; behind the dot, its slot."""
_FILLER_OF = {"like": "taste", "dislike": "taste"}


@dataclass(frozen=True, slots=True)
class Reading:
    """One fact that a clause states, before it is filed under a turn."""

    person: Person
    relation: str
    object: Phrase
    kind: FactKind
    slot: str | None = None
    since: str | None = None
    until: str | None = None
    open: bool = False
    """An end of whatever held: `object` is only the words that say so."""


@dataclass(frozen=True, slots=True)
class Argument:
    preps: frozenset[str]
    heads: frozenset[str] = frozenset()
    role: str | None = None
    ends: bool = False
    optional: bool = False

    @property
    def is_subject(self) -> bool:
        return self.preps == {"subj"}

    def choices(self, clause: Clause) -> Iterator[Phrase]:
        """The phrases of the clause that may be this argument, in order."""
        pool = clause.tail if not self.is_subject else (clause.subject,)
        for phrase in pool:
            if phrase is not None and self._accepts(phrase) and (not self.role or fill(self.role, phrase, clause.tail)):
                yield phrase

    def _accepts(self, phrase: Phrase) -> bool:
        if self.heads and not {phrase.head.lower, phrase.head.lemma} & self.heads:
            return False
        if self.is_subject:
            return True
        if phrase.prep not in self.preps or phrase.negated or (phrase.conjoined and self.preps == {""}):
            return False
        return not (phrase.after_comma and phrase.prep == "")


@dataclass(frozen=True, slots=True)
class Frame:
    stative: bool
    verbs: frozenset[str]
    arguments: tuple[Argument, ...]
    needs: tuple[tuple[str, ...], ...] = ()
    bars: tuple[tuple[str, ...], ...] = ()

    def bind(self, clause: Clause) -> dict[Argument, Phrase] | None:
        """The phrase of each argument that is there, or None where the frame does not fit."""
        if self.needs and not any(clause.says(*cue) for cue in self.needs):
            return None
        if any(clause.says(*cue) for cue in self.bars):
            return None
        bound: dict[Argument, Phrase] = {}
        for argument in self.arguments:
            taken = {phrase.first for phrase in bound.values()}
            phrase = next((p for p in argument.choices(clause) if p.first not in taken), None)
            if phrase is not None:
                bound[argument] = phrase
            elif not argument.optional:
                return None
        if not any(a.role for a in bound) or (("obj",) in self.bars and self._leaves_an_object(clause, bound)):
            return None
        return bound

    @staticmethod
    def _leaves_an_object(clause: Clause, bound: Mapping[Argument, Phrase]) -> bool:
        """Whether the verb has an object that the frame does not know: "I moved my books to Lund"."""
        taken = {phrase.first for phrase in bound.values()}
        bare = [p for p in clause.tail if not p.prep and not p.after_comma and p.first < max(taken)]
        moved = [p for p in bare if singular(p.head.lower) not in listed("residence", "generic")]
        return any(p.first not in taken for p in moved)


def fill(role: str, phrase: Phrase, tail: Sequence[Phrase]) -> Phrase | None:
    """What of the phrase is the object, read as `role`; "no nurse" is none."""
    if phrase.words[0].lower in {"no", "neither"} or phrase.head.quoted:
        return None
    return FILLERS[_FILLER_OF.get(role, role)](phrase, [p for p in tail if p.first >= phrase.stop])


@cache
def load_frames(family: str) -> Mapping[str, tuple[Frame, ...]]:
    """The frames of `relations/<family>.frames` by verb key, in the order of the file.

    Raises:
        ValueError: a line of the file cannot be read; names the line.
    """
    path = resources.files("tem_graph.ingest.grammar.relations").joinpath(f"{family}.frames")
    table = parse_frames(path.read_text(encoding="utf-8"))
    return {key: tuple(f for f in table if key in f.verbs) for key in {k for f in table for k in f.verbs}}


def parse_frames(text: str) -> tuple[Frame, ...]:
    """The frames of a table in the form above."""
    names: dict[str, str] = {}
    table: list[Frame] = []
    for line in logical_lines(text):
        line = re.sub(r"\$(\w+)", lambda m: names[m[1]], line)
        if line.startswith("let "):
            name, _, value = line.removeprefix("let ").partition("=")
            names[name.strip()] = value.strip()
        else:
            table.append(_frame(line))
    return tuple(table)


def logical_lines(text: str) -> list[str]:
    """Lines without comments, continued ones joined; a line that goes on with "|" is glued."""
    lines: list[str] = []
    for raw in text.splitlines():
        body = raw.split("#")[0].strip()
        if not body:
            continue
        if raw[0].isspace() and lines:
            lines[-1] += body if body.startswith("|") else f" {body}"
        else:
            lines.append(body)
    return lines


def _frame(line: str) -> Frame:
    kind, verbs, *rest = line.split()
    if kind not in {"event", "state"}:
        raise ValueError(f"frame {line!r}: a line starts with event or state")
    arguments: list[Argument] = []
    needs: list[tuple[str, ...]] = []
    bars: list[tuple[str, ...]] = []
    for item in rest:
        if item[0] in "+!":
            (needs if item[0] == "+" else bars).extend(tuple(w.split("_")) for w in item[1:].split("|"))
            continue
        match = _ARGUMENT.fullmatch(item)
        if match is None or (match["role"] and match["role"] not in _RELATION_OF):
            raise ValueError(f"frame {line!r}: argument {item!r} cannot be read")
        preps = frozenset("" if p == "obj" else p.replace("_", " ") for p in match["preps"].split("|"))
        heads = frozenset((match["heads"] or "").split("|")) - {""}
        arguments.append(Argument(preps, heads, match["role"], bool(match["ends"]), bool(match["optional"])))
    keys = frozenset(v.replace("_", " ") for v in verbs.split("|"))
    return Frame(kind == "state", keys, tuple(arguments), tuple(needs), tuple(bars))


def read_frames(clause: Clause, family: str) -> list[Reading]:
    """What the first frame of a family that fits the clause says."""
    table = load_frames(family)
    for key in clause.keys:
        for frame in table.get(key, ()):
            bound = frame.bind(clause)
            if bound is not None and (readings := list(_readings(clause, frame, bound))):
                return readings
    return []


def _readings(clause: Clause, frame: Frame, bound: dict[Argument, Phrase]) -> Iterator[Reading]:
    kind = force(clause, stative=frame.stative)
    if kind is None:
        return
    person = clause.person
    if any(p.head.lower in {"me", "us"} for a, p in bound.items() if a.role is None):
        person = SPEAKER
    is_of_another = clause.subject is not None and clause.subject.text.lower() in {"he", "she", "they", "you"}
    if (
        person is NOBODY
        and not is_of_another
        and any(p.owner in listed("people", "ours") for a, p in bound.items() if a.role is None)
    ):
        person = SPEAKER  # "Today was my first day as a nurse"
    if any(a.is_subject for a in bound) and person.role is not Role.SPEAKER:
        # The subject is the value ("Matcha has replaced coffee as my favourite"): the owner says whose.
        person = SPEAKER if {"my", "our", "me", "nothing"} & set(clause.words) else NOBODY
    for argument, phrase in bound.items():
        if argument.role is None:
            continue
        if argument.ends and kind is FactKind.END:
            continue
        of_kind = FactKind.END if argument.ends else kind
        relation = _RELATION_OF[argument.role]
        for item in _coordinated(phrase, clause.tail, relation):
            span = fill(argument.role, item, clause.tail)
            if span is not None:
                yield dated(clause, person, relation, span, of_kind, stative=frame.stative)


def _coordinated(phrase: Phrase, tail: Sequence[Phrase], relation: str) -> list[Phrase]:
    """The phrase with those joined to it by "and", where a relation can hold several values."""
    items = [phrase]
    if relation not in {"possession", "likes", "dislikes"}:
        return items
    run = [p for p in tail if p.first >= phrase.stop]
    joined: list[Phrase] = []
    for item in run:
        if (
            item.negated
            or not (item.conjoined or item.after_comma)
            or (item.prep != phrase.prep and not (item.after_comma and not item.prep))
        ):
            break
        joined.append(item)
    while joined and not joined[-1].conjoined:
        joined.pop()
    return [phrase, *(replace(p, prep=phrase.prep) for p in joined)]


def dated(
    clause: Clause,
    person: Person,
    relation: str,
    span: Phrase,
    kind: FactKind,
    slot: str | None = None,
    *,
    stative: bool,
) -> Reading:
    """A reading with the time words of its clause."""
    name, _, own_slot = relation.partition(".")
    since = clause.time_text("since")
    until = clause.time_text("until")
    if until is not None and until.split()[-1].lower() in {"today", "now"}:
        until = None  # "Until today it's my favourite": still
    if since is None and kind is FactKind.VALUE and clause.lasts:
        since = clause.time_text("duration")
    if kind is FactKind.END and stative and clause.is_past_state:
        # "I lived in Paris in 2015" says when it was so, not when it ended.
        since = None
    if kind is FactKind.END and until is not None:
        since, until = until, None
    return Reading(person, name, span, kind, slot or own_slot or None, since, until)
