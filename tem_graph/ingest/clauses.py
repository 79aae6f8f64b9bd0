"""What one clause of a text says about a value that stands in it: whose it is, and whether it is stated at all.

A clause is judged, not a turn: "I don't live in Rome, I live in Porto" denies Rome and states Porto. The
reading works on words and a little punctuation; it neither parses nor guesses, and a wording that it does
not know counts as a plain statement. English only (`english`); other languages pass as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from tem_graph.ingest import english
from tem_graph.ingest.text_match import Word, occurrences, split_words

_TERMINATOR = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n\s*\n|\n(?=\s*[^a-z\s])")
_CLAUSE_MARK = re.compile(r"[;:()—–]|\s-\s")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|「[^」]*」")
_REPORTING = re.compile(r"\b(?:said|says|told|tells|asked|wrote|writes|texted|goes|was like|replied|answered)\b")


class Whose(Enum):
    """Whom the clause speaks of, by the last subject before the value."""

    SPEAKER = "speaker"
    LISTENER = "listener"
    OTHER = "other"
    NAMED = "named"
    OPEN = "open"
    """No subject is written: "Moved to Porto!"."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words from `first` up to, without, `stop` of a turn; `is_question` when it ends in a question mark."""

    first: int
    stop: int
    is_question: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A value in its clause. `before` and `after` are the clause's words on either side of it, folded."""

    before: str
    after: str
    start: int
    end: int
    """Characters of the clause in the turn, `[start, end)`."""
    whose: Whose
    names: frozenset[str]
    """Folded words that stand as named subjects before the value, or own it ("Mia's")."""
    is_question: bool
    has_question_mark: bool
    """The sentence ends in one, whatever the clause itself does."""
    is_quoted: bool
    """Inside quotation marks that somebody else's saying introduces."""
    in_condition: bool
    """Another clause of the sentence sets a condition."""
    sentence: str
    """All words of the sentence, folded."""

    @property
    def words(self) -> str:
        return f"{self.before} {self.after}".strip()

    @property
    def _counted(self) -> str:
        return english.IDIOMS.sub(" ", self.before)

    def is_conditional(self) -> bool:
        hypothetical = english.HYPOTHETICAL.search(self.before) or english.HYPOTHETICAL.search(self.after)
        return bool(english.CONDITIONS.search(self.before)) or bool(self.in_condition and hypothetical)

    def is_supposed(self) -> bool:
        """A condition other than an "if", which a parse sees by itself."""
        return bool(english.SUPPOSITIONS.search(self._counted))

    def is_wish(self) -> bool:
        wishes = english.WISHES.search(self._counted) and not english.ALWAYS.search(self.after)
        return bool(wishes or english.VISITS_AFTER.search(self.after))

    def is_figure(self) -> bool:
        return bool(english.FIGURES.search(self.before))

    def is_plan(self) -> bool:
        return bool(english.PLANS.search(self._counted))

    def is_negated(self) -> bool:
        return bool(english.NEGATIONS.search(self._counted)) or (
            not self.before and bool(english.NEGATIONS_AFTER.search(self.after))
        )

    def is_ended(self) -> bool:
        """The words say that the value is over: quit, sold, used to, moved from, no longer."""
        return bool(english.ENDS.search(f"{self._counted.strip()} ")) or bool(english.ENDS_AFTER.search(self.after))

    def is_past(self) -> bool:
        """The words place the value in the past: lived, worked, was a, had a."""
        return bool(english.PAST.search(f"{self.before} ")) or bool(english.PAST_AFTER.search(self.after))

    def leaves_nothing(self) -> bool:
        return bool(english.NOTHING_LEFT.search(self.words))

    def has_cue(self, cues: Sequence[str]) -> bool:
        """Whether a word that speaks of the relation stands in the clause, in any of its forms."""
        return has_cue(cues, self.words)


def sentences(text: str, words: Sequence[Word]) -> list[Sentence]:
    """The sentences of a turn, in order; every word is in one. Pure."""
    found: list[Sentence] = []
    first = stop = 0
    for mark in _TERMINATOR.finditer(text):
        while stop < len(words) and words[stop].start < mark.start():
            stop += 1
        if stop > first and not _goes_on(text, mark, words[stop - 1], words[stop] if stop < len(words) else None):
            found.append(Sentence(first, stop, "?" in mark[0] or "？" in mark[0]))
            first = stop
    if first < len(words):
        found.append(Sentence(first, len(words), False))
    return found


def _goes_on(text: str, mark: re.Match[str], last: Word, following: Word | None) -> bool:
    """Whether the full stop belongs to an abbreviation, an initial, or a name that goes on in lower case."""
    if mark[0] != "." or following is None:
        return False
    is_initial = last.end - last.start == 1 and text[last.start].isupper() and last.key != "i"
    return last.key in english.ABBREVIATIONS or is_initial or text[following.start].islower()


def read(text: str, words: Sequence[Word], sentence: Sentence, value: tuple[int, int], speaker: str) -> Reading:
    """How the clause around `value` (words `[first, stop)` of the turn) speaks of it. Pure."""
    clauses = list(_clauses(text, words, sentence, value))
    at = next(i for i, (first, stop) in enumerate(clauses) if first <= value[0] < stop)
    first, stop = clauses[at]
    stop = max(stop, value[1])
    whose, names = _subject(text, words, first, value, stop, speaker)
    if whose is Whose.OPEN and not names:
        whose, names = _inherited(text, words, clauses[:at], speaker)
        if whose is Whose.OPEN and (
            _is_third_person_verb(words[first].key) or _is_subject(words, value, stop, sentence.stop)
        ):
            whose = Whose.OTHER
    own = " ".join(w.key for w in words[first:stop])
    if whose is Whose.OTHER and english.DONE_TO_ME.search(own):
        whose = Whose.SPEAKER
    if whose is Whose.NAMED and english.HIRED_ME.search(own):
        whose, names = Whose.SPEAKER, frozenset()
    return Reading(
        before=" ".join(w.key for w in words[first : value[0]]),
        after=" ".join(w.key for w in words[value[1] : stop]),
        start=words[first].start,
        end=words[stop - 1].end,
        whose=whose,
        names=names,
        is_question=_is_question(words, sentence, clauses, at, own),
        has_question_mark=sentence.is_question,
        is_quoted=_is_reported(text, words[value[0]].start),
        sentence=" ".join(w.key for w in words[sentence.first : sentence.stop]),
        in_condition=any(
            english.CONDITIONS.search(" ".join(w.key for w in words[a:b])) for a, b in clauses if (a, b) != clauses[at]
        ),
    )


def _clauses(text: str, words: Sequence[Word], sentence: Sentence, value: tuple[int, int]) -> Iterator[tuple[int, int]]:
    first = sentence.first
    for i in range(sentence.first + 1, sentence.stop):
        if value[0] < i < value[1]:
            continue  # never inside the value: "Trinidad and Tobago"
        if _opens_clause(text, words, i, sentence.stop):
            yield first, i
            first = i
    yield first, sentence.stop


def _opens_clause(text: str, words: Sequence[Word], i: int, stop: int) -> bool:
    gap = text[words[i - 1].end : words[i].start]
    key, following = words[i].key, words[i + 1].key if i + 1 < stop else ""
    if _CLAUSE_MARK.search(gap):
        return True
    if key in english.SUBORDINATORS:
        return words[i - 1].key not in english.COPULAS  # "Malmö is where I live"
    if "," in gap and (key in {"not", "now"} or _starts_subject(text, words, i, stop)):
        return True
    if "," in gap and (key in english.PAST_VERBS or english.INVERSION.match(f"{key} {following}")):
        return True
    if key in english.BEFORE_SUBJECT:
        if _starts_subject(text, words, i + 1, stop):
            # "my wife and I moved" is one subject, and "I think that I ..." one thought.
            return not (key in {"and", "or"} and following in english.FIRST and _ends_in_person(words, i))
        return following in english.PAST_VERBS or (key == "and" and following in {"now", "then", "since"})
    return False


def _ends_in_person(words: Sequence[Word], i: int) -> bool:
    """Whether a person stands right before place `i`, as in "my wife and I", and not a whole statement."""
    return _is_person(words[i - 1].name_key) and not any(
        w.key in english.FIRST or w.key in english.FINITE for w in words[max(0, i - 4) : i]
    )


def _starts_subject(text: str, words: Sequence[Word], i: int, stop: int) -> bool:
    if i >= stop:
        return False
    key, following = words[i].key, words[i + 1].key if i + 1 < stop else ""
    possessives = english.FIRST_POSSESSIVE | english.THIRD_POSSESSIVE | english.SECOND_POSSESSIVE
    is_name = text[words[i].start].isupper() and following in english.FINITE
    is_thing = any(w.key in english.COPULAS for w in words[i + 1 : min(i + 4, stop)])
    return key in english.NOMINATIVE or key in possessives or is_name or is_thing


def _subject(
    text: str, words: Sequence[Word], first: int, value: tuple[int, int], stop: int, speaker: str
) -> tuple[Whose, frozenset[str]]:
    """The last subject before the value; where none is, one behind it ("Porto is my home")."""
    own = {w.name_key for w in split_words(speaker)}
    for begin, end in ((first, value[0]), (value[1], stop)):
        whose, names = Whose.OPEN, set[str]()
        for i in range(begin, end):
            mark = _mark(text, words, i, begin, end, own)
            if mark is Whose.NAMED:
                names.add(words[i].name_key)
                whose = mark
            elif mark is not None:
                whose = mark
                names = names if mark is Whose.OTHER else set()
        if whose is not Whose.OPEN or names:
            return whose, frozenset(names)
    return Whose.OPEN, frozenset()


def _mark(text: str, words: Sequence[Word], i: int, begin: int, end: int, own: set[str]) -> Whose | None:
    """What the word says about the subject; None when it says nothing."""
    key = words[i].key
    previous = words[i - 1].key if i > begin else ""
    after = [w.name_key for w in words[i + 1 : min(i + 4, end)]]
    is_governed = previous in english.PREPOSITIONS - {"and", "or", "than", "like", "before", "after"}
    if key in english.FIRST:
        return Whose.SPEAKER
    if key in english.SECOND:
        is_filler = is_governed or (bool(after) and after[0] in english.DISCOURSE)
        return None if is_filler else Whose.LISTENER
    if key in english.THIRD:
        return Whose.OTHER
    if key in english.FIRST_POSSESSIVE:
        is_anothers = any(_is_person(word) for word in after[:3])
        return None if is_governed else Whose.OTHER if is_anothers else Whose.SPEAKER
    if key in english.THIRD_POSSESSIVE:
        return None if is_governed else Whose.OTHER
    if key in english.SECOND_POSSESSIVE:
        return None if is_governed else Whose.LISTENER
    if key in {"a", "an", "the", "some", "one", "another"} and not is_governed and i == begin:
        return Whose.OTHER if any(_is_person(word) for word in after[:2]) else None
    return _name_mark(text, words, i, begin, end, own, is_governed)


def _is_person(key: str) -> bool:
    return key in english.PERSONS or key.removesuffix("s") in english.PERSONS


def _name_mark(
    text: str, words: Sequence[Word], i: int, begin: int, end: int, own: set[str], is_governed: bool
) -> Whose | None:
    word = words[i]
    following = words[i + 1].key if i + 1 < end else ""
    first_letter = text[word.start]
    is_written_as_name = first_letter.isupper() or (first_letter.isalpha() and not first_letter.islower())
    if not is_written_as_name or word.name_key in english.NOT_NAMES or is_governed:
        return None
    owns = word.key != word.name_key
    is_followed_by_name = i + 1 < end and text[words[i + 1].start].isupper()
    acts = not is_followed_by_name and (
        following in english.FINITE or (len(following) > 3 and following.endswith(("ed", "s")))
    )
    stands_first = i == begin and following and not following.endswith("ly")
    if not (owns or acts or (stands_first and following in {"and", "who", "is", "got"})):
        return None
    return Whose.SPEAKER if word.name_key in own else Whose.NAMED


def _inherited(
    text: str, words: Sequence[Word], earlier: Sequence[tuple[int, int]], speaker: str
) -> tuple[Whose, frozenset[str]]:
    """The subject of the nearest earlier clause that has one: "I quit and joined Northwind"."""
    for first, stop in reversed(earlier):
        whose, names = _subject(text, words, first, (stop, stop), stop, speaker)
        if whose is not Whose.OPEN:
            return whose, names
    return Whose.OPEN, frozenset()


def _is_subject(words: Sequence[Word], value: tuple[int, int], stop: int, sentence_stop: int) -> bool:
    """Whether the value itself is what the clause speaks of ("the team is small"), and nobody claims it after that
    ("chicory coffee is the best, it's my favourite")."""
    claims = english.FIRST_POSSESSIVE | english.FIRST | {"home"}
    claimed = any(w.key in claims for w in words[value[1] : sentence_stop])
    return value[1] < stop and words[value[1]].key in english.COPULAS and not claimed


def _is_third_person_verb(key: str) -> bool:
    return key in english.FINITE and key.endswith("s") and key not in {"is", "was", "has", "does"}


def _is_question(
    words: Sequence[Word], sentence: Sentence, clauses: Sequence[tuple[int, int]], at: int, own: str
) -> bool:
    """Whether the clause at place `at` asks. A tag ("right?") asks nothing about what stands before it."""
    if english.TOLD.search(own):
        return False
    if english.INVERSION.search(own):
        return True
    if not sentence.is_question:
        return False
    last = " ".join(w.key for w in words[clauses[-1][0] : clauses[-1][1]])
    if at == len(clauses) - 1:
        return not any(last.endswith(f" {tag}") for tag in english.TAGS)
    return False


def _is_reported(text: str, position: int) -> bool:
    for quoted in _QUOTED.finditer(text):
        if quoted.start() < position < quoted.end():
            lead = text[max(0, quoted.start() - 40) : quoted.start()].casefold()
            return bool(_REPORTING.search(lead)) and not re.search(r"\bi (?:said|told|wrote|asked|replied)\b", lead)
    return False


def has_cue(cues: Sequence[str], text: str) -> bool:
    """Whether one of the words (or runs of words) stands in a folded text, in any of its forms. Pure."""
    words = text.split()
    return any(_has_word(cue.split(), words) for cue in cues)


def _has_word(cue: Sequence[str], words: Sequence[str]) -> bool:
    return any(
        all(_is_form(part, word) for part, word in zip(cue, words[i : i + len(cue)], strict=True))
        for i in range(len(words) - len(cue) + 1)
    )


def _is_form(cue: str, word: str) -> bool:
    if word == cue or word in english.IRREGULAR.get(cue, "").split():
        return True
    stem = cue.removesuffix("e") if len(cue) > 3 else cue
    stem = stem[:-1] + "i" if stem.endswith("y") and word.startswith(stem[:-1] + "i") else stem
    ending = word.removeprefix(stem)
    return (
        word.startswith(stem)
        and len(ending) <= 4
        and re.fullmatch(r"(?:[a-z]?(?:ing|ed|er|s)|e?[ds]|e|es|er|y)", ending) is not None
    )


def looks_english(words: Sequence[Word]) -> bool:
    return any(w.key in english.COMMON for w in words)


def find_value(value: str, words: Sequence[Word], first: int, stop: int) -> Iterator[tuple[int, int]]:
    """Each place of `value` among the words `[first, stop)`, as places in the turn."""
    for a, b in occurrences(value, words[first:stop]):
        yield first + a, first + b
