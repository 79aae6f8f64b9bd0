"""One English statement as (subject, relation, object), by the few shapes that plain statements of facts have.

Closed-class words and capital letters decide; there is no list of relations, names or values. The relation keeps
the statement's own words, without what says nothing (articles, "is", "the name of", "current"), so that equal
statements about one subject meet in one version group.

This module refuses to read what it does not see whole: a question, a denial, a condition or a sentence of several
clauses gives None, never half a triple.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_COPULAS = frozenset({"is", "was", "are", "were"})
_AUXILIARIES = _COPULAS | {"has", "have", "had", "been", "being", "be"}
_ARTICLES = frozenset({"the", "a", "an"})
_RELATIVES = frozenset({"where", "which", "that", "who", "whom", "whose"})
_PREPOSITIONS = _words(
    "about after against among around as at before behind below between beyond by during for from in inside into near "
    "of off on onto outside over since through to toward towards under until upon via with within"
)
_DOUBTS = _words("not never neither nor if unless whether may might could would should perhaps maybe")
_FIRST_DOUBTS = _DOUBTS | {"no", "nobody", "none", "when", "while", "although", "because"}
"""Doubts that begin a statement; what follows in lower case tells them from a name (No More Heroes)."""
_UNSAID = frozenset({"current", "currently", "present", "presently", "now", "also"})
_IRREGULAR_VERBS = _words(
    "became began born bought broke brought built came chose did drew drove fell flew fought found gave went got grew "
    "held kept knew known led left lies lost made met paid ran run said sang sat saw set shot sold sought spoke spoken "
    "spent stood swam taken taught told took thought understood wore won wrote written has had"
)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Triple:
    """One statement; `subject` and `object` as written, `relation` in lower case in the statement's own words."""

    subject: str
    relation: str
    object: str


def read_triple(statement: str) -> Triple | None:
    """The triple that a statement says, or None where its shape is not one of those below. Pure.

    >>> read_triple("The author of A Tale of Two Cities is Charles Dickens.")
    Triple(subject='A Tale of Two Cities', relation='author', object='Charles Dickens')
    >>> read_triple("Ana Lind was born in the city of Lund.")
    Triple(subject='Ana Lind', relation='born in city', object='Lund')
    >>> read_triple("Otto's child is Mia.")
    Triple(subject='Otto', relation='child', object='Mia')
    >>> read_triple("The school where Otto was taught is Lund High.")
    Triple(subject='Otto', relation='school where taught', object='Lund High')
    """
    text = _without_stop(statement.strip())
    words = _WORD.findall(text)
    if len(words) < 3 or text.endswith("?") or _DOUBTS & set(words):
        return None
    if words[0].lower() in _FIRST_DOUBTS and (_is_lower(words[1]) or ", " in text):
        return None
    for shape in (_definite, _possessive, _verbal):
        triple = shape(words)
        if triple is not None and triple.subject and triple.relation and triple.object:
            return triple
    return None


def _without_stop(text: str) -> str:
    """The statement without its full stop. One of "Inc.." belongs to the abbreviation, and so does a lone one
    after an initial: "Washington, D.C." keeps its own.

    >>> _without_stop("It is in Washington, D.C.."), _without_stop("It is in Rome.")
    ('It is in Washington, D.C.', 'It is in Rome')
    """
    if not text.endswith("."):
        return text
    is_initials = re.search(r"\b\w\.\w\.$", text) is not None
    return text if is_initials else text[:-1].rstrip()


def _definite(words: Sequence[str]) -> Triple | None:
    """ "The R of S is O", "The R that S V is O", "The R of S is V-ed in O"."""
    if words[0].lower() != "the":
        return None
    copula = _main_copula(words)
    if copula is None:
        return None
    head, tail = words[1:copula], words[copula + 1 :]
    found = _subject_in(head)
    if found is None:
        return None
    start, end = found
    if not start:
        return None
    before, after = list(head[:start]), list(head[end:])
    predicate, value = _predicate(tail)
    is_name_of_work = not _is_lower(head[0]) and bool(predicate)  # "The Wheel of Time was written in …"
    if is_name_of_work or not value:
        return None
    return Triple(" ".join(head[start:end]), _relation(predicate, before, after), value)


def _possessive(words: Sequence[str]) -> Triple | None:
    """ "S's R is O"."""
    owner = next((n for n, w in enumerate(words) if re.search(r"(?:['’]s|s['’])$", w)), None)
    copula = _main_copula(words)
    if owner is None or copula is None or not owner < copula - 1:
        return None
    noun = words[owner + 1 : copula]
    predicate, value = _predicate(words[copula + 1 :])
    if predicate or not all(_is_lower(w) for w in noun):
        return None  # "Rosemary's Baby was performed by …"
    name = [*words[:owner], re.sub(r"['’]s$|(?<=s)['’]$", "", words[owner])]
    return Triple(" ".join(name), _relation(noun), value)


def _verbal(words: Sequence[str]) -> Triple | None:
    """ "S is V-ed in O", "S is a N of O", "S V (the N of) O"."""
    verb = _main_verb(words)
    if verb is None or not verb:
        return None
    predicate, value = _predicate(words[verb:] if words[verb] not in _AUXILIARIES else words[verb + 1 :])
    if not predicate and words[verb] in _COPULAS:
        predicate = ["is"]
    return Triple(" ".join(words[:verb]), _relation(predicate) or "is", value)


def _main_copula(words: Sequence[str]) -> int | None:
    """The copula that joins relation and value: not the one of a relative clause ("where Ana was educated is")."""
    is_relative = any(w in _RELATIVES for w in words)
    for n, word in enumerate(words[:-1]):
        if n and word in _COPULAS and not (is_relative and _is_verb(words[n + 1]) and _has_copula(words[n + 2 :])):
            return n
    return None


def _has_copula(words: Sequence[str]) -> bool:
    return any(w in _COPULAS for w in words[:-1])


def _subject_in(head: Sequence[str]) -> tuple[int, int] | None:
    """Where the name stands in "author of S", "head of the S government", "school where S was taught"."""
    relative = next((n for n, w in enumerate(head) if w in _RELATIVES), None)
    if relative is not None:
        start = relative + 1
        while start < len(head) and head[start] in _PREPOSITIONS | _RELATIVES:
            start += 1
        if start < len(head) and (_is_verb(head[start]) or head[start] in _AUXILIARIES):  # "that produced S"
            while (
                start < len(head)
                and _is_lower(head[start])
                and (_is_verb(head[start]) or head[start] in _AUXILIARIES | _PREPOSITIONS)
            ):
                start += 1
            return (start, len(head)) if start < len(head) else None
        end = next((n for n in range(start, len(head)) if head[n] in _AUXILIARIES), None)
        if end is None:
            verbs = [n for n in range(start + 1, len(head)) if _is_lower(head[n]) and _is_verb(head[n])]
            end = verbs[-1] if verbs else len(head)
        return (start, end) if start < end else None
    joint = next((n for n, w in enumerate(head) if n and w in {"of", "in", "for", "at", "on", "to"}), None)
    if joint is None:
        return None
    capital = next((n for n, w in enumerate(head) if n > joint and not _is_lower(w)), None)
    if capital is None or not _is_lower(head[0]):
        start = joint + 1
        return (start + (head[start] in _ARTICLES), len(head)) if start < len(head) else None
    end = len(head)
    if head[capital - 1] == "the":  # "the S government": what follows the name belongs to the relation
        while end > capital and _is_lower(head[end - 1]):
            end -= 1
    return capital, end


def _main_verb(words: Sequence[str]) -> int | None:
    """The verb that follows the subject: the first auxiliary, else the first word that looks like a verb and is
    followed by what a verb takes."""
    auxiliary = next((n for n, w in enumerate(words[:-1]) if n and w in _AUXILIARIES), None)
    if auxiliary is not None:
        return auxiliary
    for n, word in enumerate(words[:-1]):
        if n and _is_lower(word) and _is_verb(word) and _takes_verb(words[n + 1]):
            return n
    return None


def _takes_verb(following: str) -> bool:
    return following in _ARTICLES | _PREPOSITIONS or not _is_lower(following)


def _predicate(words: Sequence[str]) -> tuple[list[str], str]:
    """The words of the relation and the value in "V-ed in the city of O", "a citizen of O", "O".

    "The N of" in front of the value names its kind, and goes to the relation: born in city.
    """
    n = 0
    while n < len(words) and words[n] in _AUXILIARIES | _UNSAID | {"most", "best", "widely", "primarily", "mainly"}:
        n += 1
    start = n
    if n < len(words) - 1 and words[n] in _ARTICLES:
        noun = _kind(words, n)
        if noun:
            return list(words[n + 1 : noun]), " ".join(words[noun:])
        return [], " ".join(words[n:])
    if n < len(words) and _is_lower(words[n]):
        if n + 1 < len(words) and (_is_verb(words[n]) or words[n + 1] in _PREPOSITIONS):
            n += 1
            while n < len(words) - 1 and _is_lower(words[n]) and words[n].endswith("ly"):
                n += 1
            while n < len(words) - 1 and words[n] in _PREPOSITIONS:
                n += 1
        elif len(words) > n + 2 and words[n + 1] in _PREPOSITIONS:
            n += 2
    relation = list(words[start:n])
    if n < len(words) - 1 and words[n] in _ARTICLES and n > start:
        noun = _kind(words, n)
        if noun:
            return relation + [w for w in words[n + 1 : noun - 1]], " ".join(words[noun:])
    return relation, " ".join(words[n:])


def _kind(words: Sequence[str], article: int) -> int | None:
    """Where the value begins after "the city of", "a citizen of": an article, one to three plain nouns, "of"."""
    for n in range(article + 2, min(article + 5, len(words) - 1)):
        if words[n] == "of" and all(_is_lower(w) and w not in _PREPOSITIONS for w in words[article + 1 : n]):
            return n + 1
    return None


def _relation(predicate: Sequence[str], before: Sequence[str] = (), after: Sequence[str] = ()) -> str:
    """The words of the relation that say something: of the noun phrase around the subject and of the predicate."""
    noun = list(before)
    while noun and not after and noun[-1].lower() in _PREPOSITIONS | _ARTICLES:
        noun.pop()
    if [w.lower() for w in noun[:2]] == ["name", "of"]:
        noun = noun[2:]
    words = (w.lower() for w in (*noun, *after, *predicate))
    return " ".join(w for w in words if w not in _ARTICLES | _AUXILIARIES | _UNSAID)


def _is_lower(word: str) -> bool:
    return word[:1].islower()


def _is_verb(word: str) -> bool:
    """Whether a word has the form of a verb: a participle, a past or a third person."""
    plain = word.lower()
    return plain in _IRREGULAR_VERBS or (len(plain) > 3 and re.search(r"(?:ed|[^su]s)$", plain) is not None)
