"""From a name in the question along stored relations to the value asked for, each hop resolved by the law.

Which relations the path takes is decided by the question's words alone (`fit`), never by what the values are; which
value each hop has is decided by the law alone, never by the question. A hop may be read backwards, from an object to
the subjects that have it now. The path that fits best answers, also where its last hop has no value or a conflict:
there is no second choice in silence.

This module refuses questions about another time than now, those for a yes or no, and those whose words the stored
relations leave open (`SURE`): they go the other ways of `ask`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from tem_graph.answer.chain.fit import Hop, Likeness, confidence, fit
from tem_graph.answer.chain.question import OpenQuestion, asks_otherwise, name_key, read_open_question
from tem_graph.answer.route import Known
from tem_graph.answer.wording import word
from tem_graph.domain.names import fold
from tem_graph.ports import Embedder
from tem_graph.temporal.registry import Call, make_call
from tem_graph.temporal.result import Result, ResultStatus, Value

MAX_HOPS = 5
BEAM = 12
"""Paths of one length that are followed further. A guess; more did not change an answer of the small sets."""
SURE = 0.35
"""Confidence below which no path is an answer (see `fit.confidence`)."""
CLOSE = 0.05
"""Difference of fit below which another reading is named and the answer is likely, not sure. Chosen on the multi-hop
sets of 6k and 32k: 46 of the 64 answers this close were right, 124 of the other 133."""
MOST_OWNERS = 20
"""Subjects that an object is traced back to at most: beyond that, "whose" is no question for one hop."""

Resolve = Callable[[Call], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class FoundChain:
    """The answer of a path: `result` is that of its last hop, with the facts of all; one call and result per hop.
    `runner_up` is the value of another reading of the question that fits almost as well: then the answer is likely,
    not sure."""

    result: Result
    calls: tuple[Call, ...]
    steps: tuple[Result, ...]
    confidence: float
    runner_up: Value | None = None

    @property
    def is_sure(self) -> bool:
        return self.runner_up is None


@dataclass(frozen=True, slots=True)
class _Path:
    """A path that has been walked: one call and one result per hop. `end` is where it is now, if that is one value."""

    question: OpenQuestion
    start: str
    hops: tuple[Hop, ...] = ()
    calls: tuple[Call, ...] = ()
    steps: tuple[Result, ...] = ()

    @property
    def end(self) -> str | None:
        if not self.steps:
            return self.start
        match self.steps[-1].value if self.steps[-1].is_found else None:
            case str(value) | (str(value),):
                return value
            case _:
                return None


@dataclass
class _Map:
    """Which relations the memory has of whom, by folded name: the ways that a path may take, not its values."""

    names: dict[str, str] = field(default_factory=dict)
    out: dict[str, dict[str, str]] = field(default_factory=dict)
    """folded subject → relation → slot-free name of the subject"""
    back: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    """folded object → relation → subjects that had it at some time"""

    @classmethod
    def of(cls, known: Known) -> _Map:
        found = cls()
        main = {fold(alias): name for name, aliases in known.subjects.items() for alias in (name, *aliases)}
        for value in known.values:
            subject = main.get(fold(value.subject), value.subject)
            relation = value.slot or value.relation
            found.out.setdefault(fold(subject), {}).setdefault(relation, subject)
            owners = found.back.setdefault(fold(value.object), {}).setdefault(relation, [])
            if subject not in owners:
                owners.append(subject)
            found.names.setdefault(name_key(value.object), value.object)
        for alias, name in main.items():
            found.names[name_key(alias)] = name
        return found

    def hops(self, end: str) -> Iterable[Hop]:
        key = fold(end)
        for relation in self.out.get(key, ()):
            yield Hop(relation)
        for relation, owners in self.back.get(key, {}).items():
            if len(owners) <= MOST_OWNERS:
                yield Hop(relation, is_inverse=True)


class ChainFinder:
    """Answers questions of one or more hops over whatever relations a memory holds. Asks no language model; the
    embedder tells how alike words are."""

    def __init__(self, embedder: Embedder, *, max_hops: int = MAX_HOPS) -> None:
        self._embedder = embedder
        self._max_hops = max_hops
        self._vectors: dict[str, list[float]] = {}

    async def find(self, question: str, known: Known, resolve: Resolve) -> FoundChain | None:
        """The answer of the path that fits best, with that of another one which fits almost as well; None where the
        question names nobody who is known, asks about another time, or speaks of something that no stored relation
        is like."""
        ways = _Map.of(known)
        readings = list(read_open_question(question, ways.names))
        if not readings or asks_otherwise(question, [r.anchor for r in readings]):
            return None
        walked = [way for reading in readings for way in await self._paths(reading, ways, resolve)]
        walked.sort(key=lambda way: -way[0])
        if not walked or walked[0][2] < SURE:
            return None
        score, path, sure = walked[0]
        near = (other for fits, other, _ in walked[1:] if score - fits < CLOSE)
        rival = next((p for p in near if p.steps[-1].is_found and p.steps[-1].value != path.steps[-1].value), None)
        return _found(path, sure, rival)

    async def _paths(self, question: OpenQuestion, ways: _Map, resolve: Resolve) -> list[tuple[float, _Path, float]]:
        """Every path that was followed, with how well it fits and how sure that is."""
        if not question.phrases:
            return []
        walked: list[tuple[float, _Path, float]] = []
        beam = [_Path(question, question.anchor)]
        for _ in range(self._max_hops):
            steps = [(path, hop) for path in beam if path.end is not None for hop in ways.hops(path.end)]
            steps = [(path, hop) for path, hop in steps if not _turns_back(path, hop)]
            if not steps:
                break
            likeness = await self._likeness(
                question, {hop.relation for path, hop in steps for hop in (*path.hops, hop)}
            )
            scored = sorted(
                ((fit(question, likeness, (*path.hops, hop)), path, hop) for path, hop in steps),
                key=lambda s: (-s[0], s[2].is_inverse, s[2].relation),
            )
            followed = await asyncio.gather(*(_walk(path, hop, ways, resolve) for _, path, hop in scored[:BEAM]))
            for (score, _, _), path in zip(scored, followed, strict=False):
                if path is not None:
                    walked.append((score, path, confidence(question, likeness, path.hops)))
            beam = [path for path in followed if path is not None]
        return walked

    async def _likeness(self, question: OpenQuestion, relations: set[str]) -> Likeness:
        texts = [p.text for p in question.phrases]
        asked = [question.asked] if question.asked else []
        named = sorted(relations)
        vectors = await self._embed([*texts, *asked, *(r.replace("_", " ") for r in named)])
        columns = vectors[: len(texts)]
        rows = vectors[len(texts) + len(asked) :]
        return Likeness(
            {name: [_dot(row, column) for column in columns] for name, row in zip(named, rows, strict=True)},
            {name: _dot(row, vectors[len(texts)]) for name, row in zip(named, rows, strict=True)} if asked else {},
        )

    async def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        missing = [t for t in dict.fromkeys(texts) if t not in self._vectors]
        if missing:
            if len(self._vectors) > _MOST_VECTORS:
                self._vectors.clear()
                missing = list(dict.fromkeys(texts))
            self._vectors |= zip(missing, await self._embedder.embed(missing), strict=True)
        return [self._vectors[t] for t in texts]


_MOST_VECTORS = 20_000


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _turns_back(path: _Path, hop: Hop) -> bool:
    """Whether the hop undoes the last one: from a book to its author and back to the author's books."""
    return bool(path.hops) and path.hops[-1].relation == hop.relation and path.hops[-1].is_inverse != hop.is_inverse


async def _walk(path: _Path, hop: Hop, ways: _Map, resolve: Resolve) -> _Path | None:
    """The path with one hop more; None where nobody has the value now that the hop is traced back from."""
    end = path.end
    if end is None:
        return None
    if not hop.is_inverse:
        call = make_call("current", {"subject": end, "relation": hop.relation})
        return _with(path, hop, call, await resolve(call))
    calls = [
        make_call("current", {"subject": owner, "relation": hop.relation})
        for owner in ways.back[fold(end)][hop.relation]
    ]
    results = await asyncio.gather(*map(resolve, calls))
    owners = [(c, r) for c, r in zip(calls, results, strict=True) if r.is_found and fold(end) in _values(r)]
    if not owners:
        return None
    names = tuple(str(c.arguments["subject"]) for c, _ in owners)
    facts = tuple(f for _, r in owners for f in r.facts)
    who = ", ".join(names)
    result = Result(
        "current", ResultStatus.FOUND, f"{hop.relation} {end}: {who}.", names if len(names) > 1 else names[0], facts
    )
    return _with(path, hop, owners[0][0], result)


def _values(result: Result) -> set[str]:
    values = result.value if isinstance(result.value, tuple) else (result.value,)
    return {fold(v) for v in values if isinstance(v, str)}


def _with(path: _Path, hop: Hop, call: Call, result: Result) -> _Path:
    return replace(path, hops=(*path.hops, hop), calls=(*path.calls, call), steps=(*path.steps, result))


def _found(path: _Path, sure: float, rival: _Path | None) -> FoundChain:
    facts = {fact.id: fact for step in path.steps for fact in step.facts}
    told = " ".join(step.sentence for step in path.steps)
    sentence = f"Read as {_reading(path)} (likeness {sure:.2f}). {told}"
    if rival is not None:
        sentence = f"Likely, not sure: read as {_reading(rival)} it would be {word(rival.steps[-1])}. {sentence}"
    result = replace(path.steps[-1], facts=tuple(facts.values()), sentence=sentence)
    return FoundChain(result, path.calls, path.steps, round(sure, 2), rival.steps[-1].value if rival else None)


def _reading(path: _Path) -> str:
    hops = (f"{h.relation} (read backwards)" if h.is_inverse else h.relation for h in path.hops)
    return " → ".join((path.start, *hops))
