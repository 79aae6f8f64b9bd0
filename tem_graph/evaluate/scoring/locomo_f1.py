"""LoCoMo's token F1, reimplemented from its description (Maharana et al., ACL 2024, and its published scorer). Pure.

Its quirks are part of the measure and kept: "and" is dropped like an article, punctuation means ASCII punctuation,
and a gold answer with commas in it is a list in category 1 whatever the commas stand for. The stemmer is NLTK's with
NLTK's own additions to Porter's rules, since that is what the published figures were made with. The TEM paper scores
LoCoMo by a strict judge instead (section 4.6); this figure is for comparing with those that report F1.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable
from functools import cache

from tem_graph.errors import SettingsError

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
"""LoCoMo's numbers for its categories; the order of the names in its paper is another one."""
DECLINES = ("no information available", "not mentioned")
"""What LoCoMo accepts as a refusal in category 5."""
_DROPPED = re.compile(r"\b(?:a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)


def locomo_f1(answer: str, reference: str, category: int) -> float:
    """LoCoMo's score of an answer, 0 to 1, higher is better.

    Category 1: both sides are split at commas; the mean over gold parts of the best F1 of any answer part. 2 to 4:
    one F1, in 3 against the reference up to its first ";". 5: 1 if the answer declines in one of two fixed phrases,
    the reference is not looked at.

    >>> locomo_f1("She paints, and runs", "painting, running", 1)
    0.8333333333333333
    >>> locomo_f1("Yes", "Yes; she has two dogs", 3), locomo_f1("Not mentioned.", "", 5)
    (1.0, 1.0)

    Raises:
        ValueError: no such category.
        SettingsError: the extra `evaluate` is not installed.
    """
    match category:
        case 1:
            given = answer.split(",")
            parts = reference.split(",")
            return sum(max(token_f1(one, part) for one in given) for part in parts) / len(parts)
        case 2 | 4:
            return token_f1(answer, reference)
        case 3:
            return token_f1(answer, reference.split(";")[0])
        case 5:
            return float(any(phrase in answer.lower() for phrase in DECLINES))
        case _:
            raise ValueError(f"LoCoMo has no category {category}; it has 1 to 5")


def token_f1(answer: str, reference: str) -> float:
    """Harmonic mean of precision and recall over stemmed tokens, each counted as often as it occurs.

    >>> token_f1("the dog", "two dogs")
    0.6666666666666666
    """
    given, gold = tokens(answer), tokens(reference)
    shared = (Counter(given) & Counter(gold)).total()
    if shared == 0:
        return 0.0
    precision, recall = shared / len(given), shared / len(gold)
    return 2 * precision * recall / (precision + recall)


def tokens(text: str) -> list[str]:
    """The stems that are compared: commas out, lower case, punctuation out, a/an/the/and out, split at blanks.

    Commas go first and leave nothing behind, like all punctuation: "ran,swam" is one token.
    """
    kept = _DROPPED.sub(" ", text.lower().translate(_PUNCTUATION))
    stem = _stemmer()
    return [stem(word) for word in kept.split()]


@cache
def _stemmer() -> Callable[[str], str]:
    try:
        from nltk.stem.porter import PorterStemmer
    except ImportError as error:
        raise SettingsError(
            "LoCoMo's F1 needs a Porter stemmer", hint="install it: pip install 'tem-graph[evaluate]'"
        ) from error
    return cache(PorterStemmer().stem)
