"""Questions that look like ones about what held and are about something else: what was said, done or felt.

No reader may be sure of an operator for them. The words are those of `english.toml`; here is where they stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tem_graph.answer.rules.items import Item, asker_is_subject

_BETWEEN = frozenset({"ever", "first", "last_time", "current", "still", "again", "most", "all"})
"""Adverbs that may stand between somebody and what they do: "did Ana first mention Lund"."""
_MODALS = frozenset({"can", "should", "will", "shall", "may", "might", "must"})
"""Before a person they ask for a plan or a duty: "When can Ana start at Acme?"."""
_BE = frozenset({"is", "are", "was", "were", "been"})
_SIPS = frozenset({"order", "orders", "ordered", "drink", "drinks", "drank", "sip", "sipped"})


def is_about_something_else(items: Sequence[Item]) -> bool:
    """Whether the question asks for an act, a remark, a plan, an impression or a time of the day. Pure."""
    asked = _asking(items)
    return (
        any(items[at].has("other_act") and at in asked and not _is_passive(items, at) for at in acts(items))
        or any(one.keys[-1] in _MODALS and other.subjects for one, other in pairwise(items))
        or _asks_an_impression(items)
        or _asks_a_time_of_day(items)
        or _asks_of_one_sitting(items)
    )


def _asking(items: Sequence[Item]) -> range:
    """Where the sentence stands that asks, if it is the last of several: "Ana says that … Is that still so?"."""
    start = next((at for at in range(len(items) - 1, 0, -1) if items[at].opens), 0)
    asks = any(
        i.has("auxiliary", "what", "where", "who", "when", "how_long", "how_many", "how_often") for i in items[start:]
    )
    return range(start if asks else 0, len(items))


def acts(items: Sequence[Item]) -> list[int]:
    """Where it stands what somebody does or has: the first word after each person or "'s" that is no adverb."""
    found = []
    is_asker = asker_is_subject(items)
    for at, item in enumerate(items):
        is_person = item.subjects or (item.has("pronoun") and "it" not in item.keys)
        if not (is_person or item.has("possessive") or (is_asker and item.has("who_is_asking"))):
            continue
        after = at + 1
        while after < len(items) and items[after].tags and items[after].tags.keys() <= _BETWEEN:
            after += 1
        if after < len(items):
            found.append(after)
    return found


def _is_passive(items: Sequence[Item], at: int) -> bool:
    """ "Where was Ana believed to live?": others did."""
    is_participle = items[at].keys[-1].endswith(("ed", "said", "told", "thought", "held"))
    return is_participle and any(set(i.keys) & _BE for i in items[max(at - 3, 0) : at])


def _asks_an_impression(items: Sequence[Item]) -> bool:
    """ "What was her first day like?", "How was her move?"."""
    words = [i for i in items if not i.has("mark")]
    if len(words) < 2:
        return False
    return words[0].keys[0] in {"what", "how"} and (
        words[-1].keys == ("like",) or (words[0].keys == ("how",) and words[1].keys[0] in {"was", "is", "were"})
    )


def _asks_a_time_of_day(items: Sequence[Item]) -> bool:
    """ "What time does she start work?": a habit of the present, not a day of the past."""
    keys = [k for i in items for k in i.keys]
    return ("what", "time") in pairwise(keys) and bool({"does", "do"} & set(keys))


def _asks_of_one_sitting(items: Sequence[Item]) -> bool:
    """ "What did she order in session 4?": what happened there, not what was known then."""
    is_sip = any(items[at].keys[0] in _SIPS and len(items[at].keys) == 1 for at in acts(items))
    return is_sip and any(i.session is not None and i.keys[0] in {"in", "during", "at"} for i in items)
