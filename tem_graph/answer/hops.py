"""Questions in several hops: "the employer of Ana's brother", "where does Ana's manager live".

The innermost phrase is resolved by the law, its value takes the phrase's place in the question, and so on, until
one operator is left. Every hop keeps its facts. An as-of day of the question holds for every hop.

This module refuses to go on where a hop is not settled: a conflict, an unknown or several values end the chain
with that status.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from tem_graph.answer.route import Known
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import Target, lexicon_of
from tem_graph.answer.rules.router import RulesRouter
from tem_graph.domain.time import PartialDate
from tem_graph.temporal.registry import Call, make_call
from tem_graph.temporal.result import Result, ResultStatus

MAX_HOPS = 6
"""Phrases resolved in one question at most; longer chains are not English that anyone asks. A guess."""
_VERBS = ("hold", "begin", "end")
_PLACES = {"previous": "previous", "first": "first"}
"""Cues in front of a noun that choose another stint than the running one: "Ana's previous employer's city"."""
_AROUND = frozenset({"the", "a", "an"})
_RELATIVE = frozenset({"where", "that", "which", "who", "whom"})

Resolve = Callable[[Call], Awaitable[Result]]
"""Applies an operator; the caller brings the facts."""


@dataclass(frozen=True, slots=True)
class Hop:
    """A phrase of a question that stands for a value: characters `start` to `end`, and what it asks."""

    call: Call
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Step:
    """One resolved hop."""

    call: Call
    result: Result


@dataclass(frozen=True, slots=True)
class Chain:
    """The answer of a question in several hops. `result` is that of the last, with the facts of all."""

    result: Result
    steps: tuple[Step, ...]


async def resolve_hops(question: str, known: Known, router: RulesRouter, resolve: Resolve) -> Chain | None:
    """The answer to a question of at least two hops; None where it has fewer or its wording is not understood."""
    steps: list[Step] = []
    while len(steps) < MAX_HOPS and (hop := find_hop(question, known)):
        result = await resolve(hop.call)
        steps.append(Step(hop.call, result))
        value = _single(result)
        if value is None:
            return _chain(steps, _several(result))
        question = question[: hop.start] + value + question[hop.end :]
        known = replace(known, subjects={**known.subjects, value: known.subjects.get(value, ())})
    if not steps:
        return None
    routed = router.place(question, known)
    if routed is None or routed.call is None:
        return None
    last = await resolve(routed.call)
    return _chain([*steps, Step(routed.call, last)], last)


def find_hop(question: str, known: Known) -> Hop | None:
    """The innermost phrase that stands for a value and is not itself what the question asks. Pure."""
    lexicon = lexicon_of(known.catalog, known.relations)
    items = [i for i in read_items(question, known, lexicon, join=False) if not i.is_mark]
    day = next((i.date for i in items if i.date and i.date_lead is None), None)
    for at, item in enumerate(items):
        if len(item.subjects) == 1:
            hop = _owned(items, at, day) or _of(items, at, day) or _relative(items, at, day)
            if hop is not None:
                return hop
    return None


def _owned(items: Sequence[Item], at: int, day: PartialDate | None) -> Hop | None:
    """ "Ana's brother" where something is asked of the brother."""
    if at + 2 >= len(items) or not items[at + 1].has("possessive"):
        return None
    start, operator = at + 2, None
    while start < len(items) and items[start].has("current", *_PLACES) and not items[start].has("noun"):
        operator = next((_PLACES[name] for name in _PLACES if items[start].has(name)), operator)
        start += 1
    end = _noun_end(items, start)
    target = _target(items, start, end)
    if target is None:
        return None
    goes_on = end < len(items) and items[end].has("possessive")
    if goes_on or _is_asked_of(items, at) or _verb_asks_more(items, target, at, end):
        return _hop(items, at, end, items[at].subjects[0], target, operator, day)
    return None


def _of(items: Sequence[Item], at: int, day: PartialDate | None) -> Hop | None:
    """ "the brother of Ana" where something is asked of the brother."""
    of_at = _before(items, at)
    if of_at is None or items[of_at].keys != ("of",) or of_at == 0:
        return None
    start = _noun_start(items, of_at)
    target = _target(items, start, of_at)
    if target is None:
        return None
    if _is_asked_of(items, start) or _verb_asks_more(items, target, start, at + 1):
        return _hop(items, _with_article(items, start), at + 1, items[at].subjects[0], target, None, day)
    return None


def _relative(items: Sequence[Item], at: int, day: PartialDate | None) -> Hop | None:
    """ "the country where Ana lives" where something is asked of the country."""
    if at + 1 >= len(items) or not items[at + 1].has("hold"):
        return None
    target = items[at + 1].tags["hold"].target
    noun_end = at
    while noun_end > 0 and items[noun_end - 1].keys[-1] in _RELATIVE:
        noun_end -= 1
    start = _noun_start(items, noun_end)
    if target is None or _target(items, start, noun_end) is None or not _is_asked_of(items, start):
        return None
    end = at + 2
    while end < len(items) and (items[end].keys[0] in {"in", "at", "for", "with"} or items[end].has("current")):
        end += 1
    return _hop(items, _with_article(items, start), end, items[at].subjects[0], target, None, day)


def _hop(
    items: Sequence[Item],
    start: int,
    end: int,
    subject: str,
    target: Target,
    operator: str | None,
    day: PartialDate | None,
) -> Hop:
    arguments: dict[str, object] = {"subject": subject, "relation": target.relation}
    if target.slot:
        arguments["slot"] = target.slot
    if operator is None and day is not None:
        call = make_call("as_of_date", arguments | {"date": day})
    else:
        call = make_call(operator or "current", arguments)
    return Hop(call, items[start].start, items[end - 1].end)


def _noun_end(items: Sequence[Item], start: int) -> int:
    """Where the noun that starts here ends: one known noun, or words that nothing else claims."""
    if start < len(items) and items[start].has("noun"):
        return start + 1
    end = start
    while end < len(items) and items[end].is_word:
        end += 1
    return end


def _noun_start(items: Sequence[Item], end: int) -> int:
    """Where the noun that ends here starts."""
    if end > 0 and items[end - 1].has("noun"):
        return end - 1
    start = end
    while start > 0 and items[start - 1].is_word:
        start -= 1
    return start


def _target(items: Sequence[Item], start: int, end: int) -> Target | None:
    """The relation that a noun names: as the memory calls it, else by the noun itself."""
    if start >= end:
        return None
    noun = items[start].tags.get("noun")
    return noun.target if noun is not None else Target(" ".join(k for i in items[start:end] for k in i.keys))


def _before(items: Sequence[Item], at: int) -> int | None:
    """The item before this one, articles left out."""
    before = at - 1
    while before >= 0 and items[before].keys[-1] in _AROUND:
        before -= 1
    return before if before >= 0 else None


def _with_article(items: Sequence[Item], start: int) -> int:
    return start - 1 if start > 0 and items[start - 1].keys[-1] in _AROUND else start


def _is_asked_of(items: Sequence[Item], at: int) -> bool:
    """Whether a noun and "of" stand before the phrase: "the employer of …"."""
    of_at = _before(items, at)
    return of_at is not None and items[of_at].keys == ("of",) and _noun_start(items, of_at) < of_at


def _verb_asks_more(items: Sequence[Item], target: Target, start: int, end: int) -> bool:
    """Whether a verb outside the phrase asks for another relation: "where does Ana's brother live"."""
    outside = [*items[:start], *items[end:]]
    verbs = {
        i.tags[v].target for i in outside for v in _VERBS if i.has(v) and not (i.has("auxiliary") and len(i.keys) == 1)
    }
    return bool(verbs) and target not in verbs


def _single(result: Result) -> str | None:
    """The one value that the chain goes on with."""
    match result.value:
        case str(value) if result.is_found:
            return value
        case (str(value),) if result.is_found:
            return value
        case _:
            return None


def _several(result: Result) -> Result:
    """A result with several values as one that leaves open which is meant."""
    if not result.is_found or not isinstance(result.value, tuple):
        return result
    choices = tuple(v for v in result.value if isinstance(v, str))
    return replace(result, status=ResultStatus.AMBIGUOUS, value=None, choices=choices)


def _chain(steps: Sequence[Step], last: Result) -> Chain:
    facts = {f.id: f for step in steps for f in step.result.facts}
    sentence = " ".join(step.result.sentence for step in steps)
    return Chain(replace(last, facts=tuple(facts.values()), sentence=sentence), tuple(steps))
