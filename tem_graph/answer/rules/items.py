"""A question as items: dates, subjects, phrases that the lexicon knows, and the words that are left over."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tem_graph.answer.route import Known
from tem_graph.answer.rules.lexicon import Lexicon, Tag, english
from tem_graph.answer.rules.runs import LATER, join_runs
from tem_graph.answer.rules.words import Word, read_words
from tem_graph.domain.names import fold
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.ingest.dates import find_time_words, read_date

_BRIDGES = frozenset({"of", "the", "and", "with", "a", "an", "de", "la", "&", "for"})
"""Small words inside a value: "head of marketing", "coffee with oat milk"."""
SWAPS = frozenset(
    {"swap", "swaps", "swapped", "swapping", "trade", "trades", "traded", "trading", "exchange", "exchanged"}
)
"""Verbs whose object is what goes: "swap tea for coffee"."""
_INVERTING = frozenset({"do", "does", "did", "has", "have", "had"})
_DATE_LEADS = frozenset({"before", "after", "since", "until", "till", "by", "between", "from"})
_SOFT = frozenset({
    "noun", "hold", "filler", "wh", "versions", "all", "start", "stop", "change", "again", "end", "other_act",
})  # fmt: skip
_SAYS_NOTHING = frozenset({"filler", "opening", "mark"})
_NEVER_NAMES = frozenset({"auxiliary", "wh", "pronoun", "who_is_asking"})
_ABBREVIATED = frozenset({"cv", "ok", "q"})
"""Words in capitals that are no names."""
_MOSTLY = 0.6
"""Share of words in capitals from which capitals say nothing about names. A guess."""
_LONGEST_NAME = 12
"""Words of a name or value that are looked up at most. A guess."""
_TO_NUMBER = frozenset({"number", "no", "nr", "up", "to", "through", "until", "and", "including"})
_YEAR = re.compile(r"(19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Item:
    """A stretch of the question. `tags` is everything that it may mean; without tags, a date or subjects it
    is a word left over: part of a value or a name."""

    keys: tuple[str, ...]
    start: int
    end: int
    tags: Mapping[str, Tag] = field(default_factory=dict)
    date: PartialDate | None = None
    date_lead: str | None = None
    session: int | None = None
    session_lead: str | None = None
    """What makes it another point than the session's end: "before session 4"."""
    subjects: tuple[str, ...] = ()
    value: str | None = None
    """The stored spelling, where the words are a value that the memory knows."""
    is_capital: bool = False
    opens: bool = False
    """Whether a sentence ends before it."""

    def has(self, *names: str) -> bool:
        return any(name in self.tags for name in names)

    @property
    def is_word(self) -> bool:
        return not (self.tags or self.date or self.subjects or self.session is not None)

    @property
    def is_mark(self) -> bool:
        return self.keys[0] in {",", ";", ":", "?", "!", "(", ")", '"', "“", "”"}

    @property
    def is_soft(self) -> bool:
        """Whether it may be part of a value when words of a value stand around it."""
        return bool(self.tags) and set(self.tags) <= _SOFT


def read_items(question: str, known: Known, lexicon: Lexicon, *, join: bool = True) -> list[Item]:
    """The items of a question, in order; words left over side by side are one item unless not to `join`. Pure."""
    words = read_words(question)
    book = _book(known)
    names, values = Names(book.full, book.first, any(w.is_capital for w in words[1:])), book.values
    words = list(_with_apostrophes(words, book))
    dates = _dates(question, known)
    keys = [w.key for w in words]
    letters = [w for w in words if not w.is_mark]
    is_title = sum(w.is_capital for w in letters) > _MOSTLY * max(len(letters), 1)
    items: list[Item] = []
    at = 0
    while at < len(words):
        is_opening = all(i.is_mark or (i.tags and set(i.tags) <= _SAYS_NOTHING) for i in items)
        item, count = _item_at(words, keys, at, names, values, dates, lexicon, is_title, is_opening)
        items.append(item)
        at += count
    numbered = join_runs(_join_numbers(_tell_verbs(items)))
    return _join_values(numbered, question) if join else numbered


def asker_is_subject(items: Sequence[Item]) -> bool:
    """Whether "I" is who the question is about: not where it names somebody ("I have a parcel for Ana")."""
    return not any(item.subjects for item in items)


def _item_at(
    words: Sequence[Word],
    keys: Sequence[str],
    at: int,
    names: Names,
    values: Mapping[tuple[str, ...], str],
    dates: Mapping[int, tuple[int, PartialDate, str | None]],
    lexicon: Lexicon,
    is_title: bool,
    is_opening: bool,
) -> tuple[Item, int]:
    first = words[at]

    def item(count: int, **more: object) -> tuple[Item, int]:
        span = words[at : at + count]
        keys = tuple(w.key for w in span)
        return Item(keys, first.start, span[-1].end, is_capital=first.is_capital, opens=first.opens, **more), count  # type: ignore[arg-type]

    if first.start in dates:
        end, date, lead = dates[first.start]
        return item(sum(first.start <= w.start < end for w in words), date=date, date_lead=lead)
    if _YEAR.fullmatch(first.key) and (first.key,) not in values:
        lead = keys[at - 1] if at and keys[at - 1] in _DATE_LEADS else None
        return item(1, date=PartialDate.parse(first.key), date_lead=lead)
    until_date = next((n for n in range(at + 1, len(words)) if words[n].start in dates), len(words))
    last = next((n for n in range(len(words), 0, -1) if not words[n - 1].is_mark), 0)
    length, tags = lexicon.match(keys[:until_date], at, last, is_opening=is_opening)
    cut = next((n for n in range(at + 1, at + length) if n + _longest(values, keys, n) > at + length), at)
    if cut > at:  # "to [New York]", not "to new"
        length, tags = lexicon.match(keys[:cut], at, last, is_opening=is_opening)
    value_length, (name_length, subjects) = _longest(values, keys, at), names.match(keys, at, first)
    if name_length >= max(length, value_length, 1):
        return item(name_length, subjects=subjects)
    if value_length >= max(length, 1):
        return item(value_length, value=values[tuple(keys[at : at + value_length])])
    begins = at == 0 or words[at - 1].is_mark or first.opens
    is_name = (
        length == 1
        and first.is_capital
        and first.key not in _ABBREVIATED
        and not (begins or is_title or {t.name for t in tags} & _NEVER_NAMES)
    )
    if length and not is_name:
        return item(
            length, tags={t.name: t for t in tags} if len(tags) == len({t.name for t in tags}) else _merge(tags)
        )
    if first.is_mark or first.key == "'s":
        return item(1, tags={"mark" if first.is_mark else "possessive": Tag("mark")})
    return item(1)


def _tell_verbs(items: Sequence[Item]) -> list[Item]:
    """ "Did Ana trade Lund for Graz": after a person no trade that somebody has, but a change. And "by order of time"
    is no drink that somebody orders."""
    told = list(items)
    for at, item in enumerate(items):
        acts = at > 0 and bool(items[at - 1].subjects or items[at - 1].has("pronoun", "who_is_asking", "ever"))
        if item.keys[0] in SWAPS and acts:
            told[at] = replace(item, tags={"change": Tag("change")})
        elif item.keys == ("like",) and at > 0 and items[at - 1].is_mark:
            told[at] = replace(item, tags={"filler": Tag("filler", is_filler=True)})  # "she moved, like, a lot"
        elif item.keys == ("order",) and not acts:
            told[at] = replace(item, tags={"filler": Tag("filler", is_filler=True)})
    return told


def _merge(tags: Sequence[Tag]) -> dict[str, Tag]:
    """Of several relations behind one word, the first in the file."""
    merged: dict[str, Tag] = {}
    for tag in tags:
        merged.setdefault(tag.name, tag)
    return merged


@dataclass(frozen=True, slots=True)
class Names:
    """Spelled name → the subjects that it may mean. `first` are first names that are nobody's full name."""

    full: Mapping[tuple[str, ...], tuple[str, ...]]
    first: Mapping[tuple[str, ...], tuple[str, ...]]
    has_capitals: bool

    def match(self, keys: Sequence[str], at: int, word: Word) -> tuple[int, tuple[str, ...]]:
        """(number of words, subjects) of the longest name at a word; (0, ()) where there is none.

        The first word of "Project Aster" names it only with a capital, where other names have theirs.
        """
        length = _longest(self.full, keys, at)
        if length:
            return length, self.full[tuple(keys[at : at + length])]
        is_small = self.has_capitals and not word.is_capital and word.key.upper() != word.key
        subjects = () if is_small else self.first.get((word.key,), ())
        return (1, subjects) if subjects else (0, ())


@dataclass(frozen=True, slots=True)
class _Book:
    """The names and values of a memory by their words."""

    known: Known
    full: Mapping[tuple[str, ...], tuple[str, ...]]
    first: Mapping[tuple[str, ...], tuple[str, ...]]
    values: Mapping[tuple[str, ...], str]
    last_words: frozenset[str]
    """The last words of people's names."""
    words: frozenset[str]
    """All words of full names and values."""


_books: list[_Book] = []
"""The book of the memory that was asked about last: the next question is most often about the same one."""


def _book(known: Known) -> _Book:
    if not _books or _books[0].known is not known:
        _books[:] = [_write_book(known)]
    return _books[0]


def _write_book(known: Known) -> _Book:
    full: dict[tuple[str, ...], set[str]] = {}
    first: dict[tuple[str, ...], set[str]] = {}
    # "MIA" and "Mia" are one person, under the name that comes first.
    distinct = {fold(subject): subject for subject in reversed(tuple(known.subjects))}
    for subject in distinct.values():
        for spelled in (subject, *known.subjects[subject]):
            keys = name_keys(spelled)
            full.setdefault(keys, set()).add(subject)
            if len(keys) > 1:
                first.setdefault(keys[:1], set()).add(subject)
    full.pop((), None)
    named, by_first = ({k: tuple(sorted(v)) for k, v in table.items()} for table in (full, first))
    values = {name_keys(v.object): v.object for v in known.values}
    return _Book(
        known,
        named,
        by_first,
        values,
        last_words=frozenset(keys[-1] for keys in (*named, *by_first)),
        words=frozenset(key for keys in (*named, *values) for key in keys),
    )


def _with_apostrophes(words: Sequence[Word], book: _Book) -> Iterator[Word]:
    """The words with "Anas" taken apart where Ana is somebody and Anas is nobody and nothing."""
    for word in words:
        if word.key.endswith("s") and word.key[:-1] in book.last_words and word.key not in book.words:
            yield replace(word, key=word.key[:-1], end=word.end - 1)
            yield Word("'s", word.end - 1, word.end)
        else:
            yield word


@lru_cache(maxsize=65_536)
def name_keys(name: str) -> tuple[str, ...]:
    """The words of a name as they are looked up in a question."""
    return tuple(w.key for w in read_words(name))


def _longest(table: Mapping[tuple[str, ...], object], keys: Sequence[str], at: int) -> int:
    lengths = range(min(_LONGEST_NAME, len(keys) - at), 0, -1)
    return next((n for n in lengths if tuple(keys[at : at + n]) in table), 0)


def _dates(question: str, known: Known) -> dict[int, tuple[int, PartialDate, str | None]]:
    """Start → (end, date, the word before it that says more than "on") of every wording that names a day."""
    today = SessionDate.parse(known.today)
    taken = {name_keys(name) for name in (*known.subjects, *(v.object for v in known.values))}
    found = {}
    for start, end in find_time_words(question):
        words = question[start:end]
        if name_keys(words) in taken:
            continue
        date = read_date(words, today).date
        if date is not None and date.day != known.today:
            lead = fold(words).split(" ")[0]
            before = fold(question[:start]).split(" ")[-1]
            found[start] = (end, date, next((w for w in (lead, before) if w in _DATE_LEADS), None))
    return found


def _join_numbers(items: list[Item]) -> list[Item]:
    """ "session" or "number" and its number as one item: "session 4", "sessions up to no. 4", "the fourth chat"."""
    joined: list[Item] = []
    for item in items:
        number, before = _number_of(item), joined[-1] if joined else None
        at = next((n for n in range(len(joined) - 1, -1, -1) if not _leads_to_number(joined[n])), None)
        named = joined[at] if at is not None else None
        if number is not None and named is not None and named.has("session"):
            span = joined[at:]
            joined[at:] = [_session([*span, item], number)]
        elif before is not None and number is not None and item.is_word and before.keys in {("number",), ("no",)}:
            joined[-1] = replace(before, end=item.end, tags={"ordinal": Tag("ordinal", number=number)})
        elif before is not None and item.has("session") and (place := _place_of(before)) is not None:
            joined[-1] = _session([before, item], place)
        else:
            joined.append(item)
    return joined


def _session(span: Sequence[Item], number: int) -> Item:
    keys = tuple(k for i in span for k in i.keys)
    return Item(keys, span[0].start, span[-1].end, tags={"session": Tag("session")}, session=number)


def _number_of(item: Item) -> int | None:
    key = item.keys[0].lstrip("#s") if item.is_word else item.keys[0]
    if len(item.keys) > 1 or (not item.is_word and key not in english()["numbers"]):
        return None
    return int(key) if key.isdigit() else english()["numbers"].get(key)


def _place_of(item: Item) -> int | None:
    """The number in front of "session": "the fourth session", "the first 4 sessions"."""
    if item.has("ordinal"):
        return item.tags["ordinal"].number
    if item.keys == ("first",):
        return 1
    return _number_of(item)


def _leads_to_number(item: Item) -> bool:
    """Whether the item may stand between "sessions" and its last number: "sessions 1 to 4", "sessions up to 4"."""
    return all(
        k in {"number", "no", "nr", "up", "to", "through", "until", "and", "including", *LATER} for k in item.keys
    )


def _join_values(items: list[Item], question: str) -> list[Item]:
    """Words that are left over side by side, with the small words between them, as one item."""
    joined: list[Item] = []
    at = 0
    while at < len(items):
        if not items[at].is_word or items[at].value:
            joined.append(items[at])
            at += 1
            continue
        end = at + 1
        bridges = _BRIDGES - {"for"} if any(_lets_go(i) for i in items[:at]) else _BRIDGES
        is_subject = at > 0 and items[at - 1].keys[-1] in _INVERTING  # "did Wanda Nobody work for …"
        while (more := _run_goes_on(items, end, bridges)) > end:
            if is_subject and any(i.has("hold", "begin", "end") for i in items[end:more]):
                break
            end = more
        run = items[at:end]
        while joined and _is_inside_value(joined):
            run.insert(0, joined.pop())
        joined.append(
            Item(tuple(k for i in run for k in i.keys), run[0].start, run[-1].end, is_capital=run[0].is_capital)
        )
        at = end
    return joined


def _lets_go(item: Item) -> bool:
    """Whether "for" after this word leads to another value: "drop tea for coffee"."""
    return item.has("left", "stop", "end") or item.keys[0] in SWAPS


def _run_goes_on(items: Sequence[Item], at: int, bridges: frozenset[str]) -> int:
    """Where the run stands after its next word; `at` where it is over."""
    ahead = at
    while ahead < len(items) and (
        (items[ahead].keys[0] in bridges and len(items[ahead].keys) == 1) or items[ahead].is_soft
    ):
        ahead += 1
    is_comma_inside = ahead < len(items) and items[ahead].keys == (",",) and ahead == at
    if is_comma_inside and ahead + 1 < len(items) and items[ahead + 1].is_word and items[ahead + 1].is_capital:
        return ahead + 2
    if ahead < len(items) and items[ahead].is_word and not items[ahead].value:
        starts_with_article = ahead > at and items[at].keys[0] in {"a", "an", "the"}
        return at if starts_with_article else ahead + 1
    return at


def _is_inside_value(joined: Sequence[Item]) -> bool:
    """Whether the last item is a noun that belongs to the value after it: "as a [house] painter"."""
    last = joined[-1]
    if not (set(last.tags) <= {"noun", "other_act"} and last.tags) or len(joined) < 2:
        return False
    opener = joined[-2]
    return opener.keys[-1] in {"a", "an", "as", "at", "for", "to", "being", "become", "became"}
