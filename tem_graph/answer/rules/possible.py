"""Which operators the shape of a question allows: how many names, days and sessions it has, and what it asks."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.rules.doubts import acts, is_about_something_else
from tem_graph.answer.rules.items import Item, asker_is_subject
from tem_graph.answer.rules.mentions import ASPECTS
from tem_graph.answer.rules.phrasings import Phrasings
from tem_graph.answer.rules.sentence import AUX, PAST, asks_of_now, is_inverted, kind_of_items
from tem_graph.ingest.english import PERSONS

PAIRS = frozenset({"overlap", "order"})
OF_STINT = frozenset({"before", "after", "became", "ended", "duration"})
"""Operators that may say which stint at a value they mean."""
NEIGHBOURS = frozenset({"before", "after"})
"""Operators for the stint next to a value."""
_COUNTS = frozenset({"count_versions", "count_changes", "count_distinct"})
_BARE = frozenset({"current", "previous", "first", "history", "distinct", "since"}) | _COUNTS
_BARE_OF_KIND = {
    "when": frozenset({"since"}),
    "since_when": frozenset({"since"}),
    "how_long": frozenset({"since", "count_versions"}),
    "how_often": _COUNTS,
    "how_many": _COUNTS,
}
"""What a question without a value may be, by its question word."""
_OF_VALUE = OF_STINT | {"count_value", "ever", "still", "since", "duration_total", "during"}
_OF_DAYS = frozenset({"became", "ended", "since"})
_OF_LENGTH = frozenset({"duration", "duration_total", "since"})
_OF_VALUE_OF_KIND = {
    "when": _OF_DAYS,
    "since_when": _OF_DAYS,
    "until_when": frozenset({"ended"}),
    "how_long": _OF_LENGTH,
    "how_often": frozenset({"count_value"}),
    "how_many": _OF_LENGTH | {"count_value"},
    "where": frozenset({"before", "after", "during"}),
}
"""What a question about one value may be, likewise."""
_COUNTING = frozenset({
    "count", "counts", "many", "number", "often", "times", "total", "frequency", "frequently", "size", "cardinality",
    "add", "len", "long", "tally", "once", "twice", "sum",
})  # fmt: skip
_CUES = {
    "since": frozenset({"since", "date", "start", "began", "begin", "begun", "started", "far", "long", "day", "when"}),
    "duration_total": frozenset({"total", "much", "sum", "all", "overall", "altogether", "aggregate", "until", "up"}),
    **dict.fromkeys((*_COUNTS, "count_value"), _COUNTING),
}
"""Operators → words of which a question for them has one, if no phrase of it means as much."""
_CUE_TAGS = {"since": {"when", "since_when", "how_long"}, "duration_total": {"total"}}
_COUNT_TAGS = {"how_many", "how_often"}
_SAYS_EVER = frozenset({"ever", "all", "list", "previous", "used_to", "versions", "whether"})
_EVENTS = frozenset({"drink", "drinks", "drank", "drunk", "drinking", "do", "done", "doing"})
_FIRST = frozenset({"first", "before", "after", "earlier", "earliest", "sooner", "order", "later", "already"})
_DIFFERENT = frozenset({"different", "distinct", "unique", "duplicates"})
_TURNS = frozenset({"never", "between"})
"""Phrases that turn a question round, or not: "where did she not live", but "not counting returns"."""
_WIDENS = frozenset({
    *((word,) for word in ("another", "always", "better", "compare", "if", "want", "wants", "will", "should")),
    ("more", "than"), ("less", "than"),
})  # fmt: skip
"""Phrases of plans, conditions and comparisons that stand beside what is asked as well: "the bank wants to know …"."""


def is_out_of_reach(items: Sequence[Item], phrasings: Phrasings) -> bool:
    """Whether the question is about an act or a thing that no phrasing has, a reason, or one event."""
    if is_about_something_else(items):
        return True
    after_people = acts(items)
    for at, item in enumerate(items):
        is_counted = at > 0 and items[at - 1].has("how_many")
        is_unknown = _is_left_over(item)
        if is_unknown and is_counted and not phrasings.is_of_operators(item.keys[0]):
            return True
        if is_unknown and {item.keys[0], item.keys[0].removesuffix("s")} & PERSONS and {at, at - 1} & set(after_people):
            return True  # "Ana's brother", "her best friend"
        if item.has("overlap") and is_counted:
            return True  # "how many colleagues"
        if item.has("ago_far") and item.keys not in _WIDENS:
            return True
        if item.has("replace") and at + 1 < len(items) and items[at + 1].subjects:
            return True  # "Who replaced Ana?"
    return False


def may_be_turned(items: Sequence[Item], phrasings: Phrasings) -> bool:
    """Whether a word of the question turns or widens it, unless the whole is clearly nearest to a phrasing: "not",
    "another", a plan, an act or a name that nobody knows, something going on, or what happened on one day."""
    after_people = acts(items)
    done = [items[at] for at in after_people]
    is_new_act = any(_is_left_over(i) and not phrasings.is_of_operators(i.keys[0]) for i in done)
    goes_on = any(i.has("begin", "end") and i.keys[0].endswith("ing") for i in done)
    return (
        is_new_act
        or any(i.has(*_TURNS) or (i.has("ago_far") and i.keys != ("if",)) for i in items)
        or any(i.has("ago_far") and _is_of_people(items, at) for at, i in enumerate(items))
        or any(_is_left_over(i) and i.is_capital and not i.opens for i in items[1:])
        or (any(i.date for i in items) and _tells_an_event(items))
        or (goes_on and any(set(i.keys) & {"is", "are", "am"} for i in items))
    )


def _is_left_over(item: Item) -> bool:
    """Whether it is a word that means nothing to the rules and is no value that the memory knows."""
    return item.is_word and not item.value


def _is_of_people(items: Sequence[Item], at: int) -> bool:
    """Whether it is said of somebody: "if she moved", not "the bank wants to know how often …"."""
    return any(i.subjects or (i.has("pronoun") and "it" not in i.keys) for i in items[max(at - 1, 0) : at + 2])


def _tells_an_event(items: Sequence[Item]) -> bool:
    """ "What did she drink", not "which drink was her favourite"."""
    return any(
        item.has(*ASPECTS)
        and item.keys[0] in _EVENTS
        and len(item.keys) == 1
        and not (at > 0 and set(items[at - 1].keys) & {"which", "what", "the", "favourite", "favorite"})
        for at, item in enumerate(items)
    )


def conceivable(items: Sequence[Item]) -> frozenset[str]:
    """The operators that take as many people, values, days and sessions as the question names. Pure."""
    match _named(items):
        case 1, 0, 0, 0:
            return _BARE | {"nth"}
        case 1, 1, 0, 0:
            return _OF_VALUE
        case 1, 2, 0, 0:
            return frozenset({"changed", *PAIRS})
        case 1, 1, 1, 0:
            return frozenset({"duration_total"})
        case 1, 0, 1, 0:
            return frozenset({"as_of_date"})
        case 1, 0, 0, 1:
            return frozenset({"as_of_session"})
        case 1, 0, 1, 1:
            return frozenset({"as_of"})
        case 2, 1 | 2, 0, 0:
            return PAIRS
    return frozenset()


def possible(items: Sequence[Item]) -> frozenset[str]:
    """Of the conceivable operators those that the question word, the tense and the cues allow. Pure."""
    has_place = any(i.has("ordinal", "from_end", "nth_time") for i in items)
    match _named(items):
        case 1, 0, 0, 0:
            bare = _of_kind(items, _BARE, _BARE_OF_KIND) - _of_other_count(items)
            return (bare & _COUNTS) | {"nth"} if has_place else bare  # "a second time counts again"
        case 1, 1, 0, 0:
            return OF_STINT if has_place else _of_kind(items, _OF_VALUE, _OF_VALUE_OF_KIND) - _of_other_tense(items)
        case 2, 1 | 2, 0, 0 if not {k for i in items for k in i.keys} & _FIRST:
            return frozenset({"overlap"})
    return conceivable(items)


def _named(items: Sequence[Item]) -> tuple[int, int, int, int]:
    """How many people, values, days and sessions."""
    values, days = sum(i.value is not None for i in items), sum(i.date is not None for i in items)
    people = len({i.subjects for i in items if i.subjects}) or int(asker_is_subject(items))
    return people, values, days, sum(i.session is not None for i in items)


def _of_other_tense(items: Sequence[Item]) -> frozenset[str]:
    """ "Does she have …" is not about ever, "did she have …" not about still, unless a word says so."""
    if asks_of_now(items):
        return frozenset() if any(i.has(*_SAYS_EVER) for i in items) else frozenset({"ever"})
    if any(i.has("still") for i in items):
        return frozenset({"ever"})
    first = next((i.keys[0] for i in items if i.keys[0] in AUX), None)
    return frozenset({"still"}) if first in PAST and not any(i.has("still", "current") for i in items) else frozenset()


def _of_other_count(items: Sequence[Item]) -> frozenset[str]:
    """ "Repeats included" is not about different values, "each once" and "how many different ones" not about stays."""
    again = any(i.has("versions") and len(i.keys) > 1 and not i.has("filler") for i in items)
    if again:  # but "I don't want a firm counted twice: how many different ones"
        return frozenset() if any(i.has("distinct") for i in items) else frozenset({"distinct", "count_distinct"})
    differs = any(set(i.keys) & _DIFFERENT for i in items) and not any(i.has("never") for i in items)
    return frozenset({"history", "count_versions"}) if differs or any(i.has("once") for i in items) else frozenset()


def _of_kind(items: Sequence[Item], operators: frozenset[str], by_kind: dict[str, frozenset[str]]) -> frozenset[str]:
    """The operators that the question word and the cues allow. Beside "when …", another question word is what asks."""
    kind = kind_of_items(items) or ""
    asks_more = is_inverted(items) or any(i.has("where", "who", "what", "still", "all") for i in items)
    is_clause = kind == "when" and asks_more
    allowed = operators if is_clause else operators & by_kind.get(kind, operators)
    keys, tags = {k for i in items for k in i.keys}, {t for i in items for t in i.tags}
    return frozenset(o for o in allowed if o not in _CUES or keys & _CUES[o] or tags & _CUE_TAGS.get(o, _COUNT_TAGS))
