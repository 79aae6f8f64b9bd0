"""What a question says, before any operator is chosen: its kind, its clauses, their subjects, relations and values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tem_graph.answer.route import Known
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import Lexicon, Tag, Target
from tem_graph.domain.time import PartialDate

KINDS = ("until_when", "since_when", "how_long", "how_often", "how_many", "where", "who", "what", "when", "list")
_ASPECTS = ("hold", "begin", "end")
_PAST = frozenset({"did", "was", "were", "had", "'d"})
_PRESENT = frozenset({"does", "do", "is", "are", "am"})
_PERFECT = frozenset({"has", "have", "'ve"})
_AUX = _PAST | _PRESENT | _PERFECT
_RELATIVE = frozenset({"where", "who", "what"})
"""Question words that also begin a relative clause: "Is Lund where Ana lives?"."""
_MARKERS = frozenset({
    "current", "previous", "used_to", "first", "first_time", "last_time", "still", "ever", "never", "total", "all",
    "distinct", "versions", "change", "start", "stop", "came_first", "overlap", "ago_far", "next", "again", "from_end",
    "ordinal", "nth_time", "became", "left", "holds", "from", "to", "or", "goes", "whether", "from_the_end",
})  # fmt: skip


class Aspect(StrEnum):
    HOLD = "hold"
    BEGIN = "begin"
    END = "end"


@dataclass
class Mention:
    """A value in a question: its text, the word before it ("at", "a"), and whether it is what something came
    "from" or went "to"."""

    text: str
    role: str | None
    start: int
    way: str | None = None
    relation: Target | None = None
    """The relation of the nearest verb before it."""


@dataclass
class Clause:
    """One clause of a question, taken apart."""

    subject: str | None = None
    choices: tuple[str, ...] = ()
    relation: Target | None = None
    is_relation_sure: bool = False
    aspect: Aspect | None = None
    values: list[Mention] = field(default_factory=list)
    marks: dict[str, Tag] = field(default_factory=dict)
    date: PartialDate | None = None
    date_lead: str | None = None
    session: int | None = None
    session_lead: str | None = None
    has_noun: bool = False
    has_verb: bool = False
    is_plural: bool = False
    unknown_relation: str | None = None
    has_pronoun: bool = False
    named: list[tuple[str, Mention]] = field(default_factory=list)
    """Every known subject in the clause, in order: one of them may be a value here, such as an employer."""

    def has(self, *names: str) -> bool:
        return any(n in self.marks for n in names)

    def going(self, way: str) -> str | None:
        """The value that something came "from" or went "to", where just one did."""
        fitting = [v.text for v in self.values if v.way == way]
        return fitting[0] if len(fitting) == 1 else None

    @property
    def value(self) -> str | None:
        """The only value of the clause."""
        return self.values[0].text if len(self.values) == 1 else None


@dataclass
class Reading:
    """A question taken apart. `kind` is None for yes-or-no questions. `link` joins `sub` to `main`: before,
    after or while."""

    kind: str | None
    main: Clause
    link: str | None = None
    sub: Clause | None = None
    is_past: bool = False
    is_present: bool = False
    is_perfect: bool = False
    is_yes_no: bool = False
    unexplained: tuple[str, ...] = ()


def read_question(question: str, known: Known, lexicon: Lexicon) -> Reading:
    """The question taken apart. Pure; nothing is decided here that another word could still change."""
    items = [i for i in read_items(question, known, lexicon) if not i.has("mark") or i.keys[0] == ","]
    main, link, sub = _clauses(items)
    kind = _kind(main)
    reading = Reading(kind, _read_clause(main, question, known, is_main=True))
    if sub is not None:
        reading.link, reading.sub = link, _read_clause(sub, question, known, is_main=False)
    keys = [k for i in main if not i.is_word for k in i.keys]
    reading.is_past = bool(_PAST & set(keys)) or reading.main.has("used_to")
    reading.is_perfect = bool(_PERFECT & set(keys)) and not reading.is_past
    reading.is_present = not reading.is_past and not reading.is_perfect
    meant = [i for i in main if not (set(i.tags) <= {"filler", "mark"} and i.tags)]
    opens_with_verb = bool(meant) and meant[0].has("auxiliary") and kind in {None, *_RELATIVE}
    if reading.main.has("whether") or opens_with_verb:
        reading.is_yes_no, reading.kind = True, None
    _share(reading, known)
    return reading


def _kind(items: Sequence[Item]) -> str | None:
    """The kind of the first item that has one; "the number of" and the like may follow "what is"."""
    found = [k for i in items if i.tags for k in KINDS if k in i.tags]
    counting = [k for k in found if k in {"how_often", "how_many", "how_long", "since_when", "until_when"}]
    return counting[0] if counting else found[0] if found else None


def _clauses(items: list[Item]) -> tuple[list[Item], str | None, list[Item] | None]:
    """(main clause, link, subordinate clause). A clause in front ends where the question word comes."""
    start = next((n for n, i in enumerate(items) if not (set(i.tags) <= {"filler", "mark"} and i.tags)), 0)
    for at in range(len(items)):
        link = _link_of(items, at, start)
        follows = items[at + 1] if at + 1 < len(items) else None
        if link is None or (follows is not None and (follows.date or follows.session is not None)):
            continue
        if follows is None and link != "while":
            if link == "before":
                return items[:at], "before", []
            continue
        if at == start:
            main_at = _main_after(items, at)
            if main_at is not None:
                return items[main_at:], link, _without_comma(items[at + 1 : main_at])
        return items[:at], link, _without_comma(items[at + 1 :])
    return items, None, None


def _link_of(items: Sequence[Item], at: int, start: int) -> str | None:
    """Before, after or while, if the item joins two clauses. "When" does unless it is what the question asks."""
    item = items[at]
    if item.keys == ("when",):
        is_inside = at > start and (_kind(items[:at]) is not None or bool(set(items[start].keys) & _AUX))
        return "while" if is_inside or (at == start and _main_after(items, at) is not None) else None
    if item.keys == ("once",):
        follows = items[at + 1] if at + 1 < len(items) else None
        if follows is None or not (follows.subjects or follows.has("pronoun", "who_is_asking")):
            return None
    return next((name for name in ("before", "after", "while") if item.has(name)), None)


def _without_comma(items: list[Item]) -> list[Item]:
    return items[:-1] if items and items[-1].keys == (",",) else items


def _main_after(items: Sequence[Item], at: int) -> int | None:
    """Where the main clause begins after a clause in front: at a question word, or at an auxiliary after a comma."""
    commas = [n for n in range(at + 2, len(items)) if items[n].keys == (",",)]
    for n in range(commas[0] if commas else at + 2, len(items)):
        if any(items[n].has(k) for k in KINDS):
            return n
        if items[n].keys == (",",) and n + 1 < len(items) and set(items[n + 1].keys) & _AUX:
            return n + 1
    return None


def _read_clause(items: Sequence[Item], question: str, known: Known, *, is_main: bool) -> Clause:
    clause = Clause()
    hits: list[tuple[str, Target]] = []
    seen_aux = False
    for at, item in enumerate(items):
        is_aux = item.has("auxiliary") and not (seen_aux and item.has("hold"))
        if item.subjects:
            _add_subject(clause, item.subjects, _mention(items, at, question))
        elif item.has("who_is_asking"):
            asking = known.user or _user(known)
            _add_subject(clause, (asking,) if asking else (), _mention(items, at, question))
            clause.has_pronoun = clause.has_pronoun or asking is None
        elif item.has("pronoun"):
            clause.has_pronoun = True
        elif item.date:
            clause.date, clause.date_lead = item.date, item.date_lead
        elif item.session is not None:
            clause.session, clause.session_lead = item.session, items[at - 1].keys[-1] if at else None
        elif item.is_word:
            clause.values.append(_mention(items, at, question))
        if is_aux and not item.date:
            seen_aux = True
        is_verb_last = item.keys == ("last",) and at == len(items) - 1 and at > 0
        if not is_verb_last:
            clause.marks |= {n: t for n, t in item.tags.items() if n in _MARKERS and n not in clause.marks}
        if not (is_aux and item.keys[-1] in _AUX | {"be", "been", "being"} and len(item.keys) == 1):
            hits += [(n, t.target) for n in ("noun", *_ASPECTS) if (t := item.tags.get(n)) and t.target]
            clause.is_plural = clause.is_plural or (item.has("noun") and item.keys[-1].endswith("s"))
    _settle_relation(clause, hits, _owned(items))
    _settle_aspect(clause, hits)
    _find_unknown_names(clause, items, question, is_main)
    return clause


def _add_subject(clause: Clause, names: tuple[str, ...], mention: Mention) -> None:
    if len(names) == 1:
        clause.named.append((names[0], mention))
        clause.subject = clause.subject or names[0]
    elif names:
        clause.choices = names


def _user(known: Known) -> str | None:
    return next((s for s in known.subjects if s.casefold() == "user"), None)


def _mention(items: Sequence[Item], at: int, question: str) -> Mention:
    item = items[at]
    role = items[at - 1].keys[-1] if at else None
    way, relation = None, None
    for before in reversed(items[:at]):
        if before.is_word:
            break
        tag = next((before.tags[name] for name in _ASPECTS if before.has(name) and not before.has("auxiliary")), None)
        if tag is not None:
            relation = tag.target
            break
    for before in reversed(items[:at]):
        if before.is_word or before.subjects or before.date:
            break
        if before.keys[-1] in {"from", "to", "into", "of"} and before.has("from", "to", "begin", "end", "became"):
            way = "to" if before.has("begin", "to", "became") and not before.has("from", "end") else "from"
            break
    return Mention(item.value or question[item.start : item.end], role, item.start, way, relation)


def _owned(items: Sequence[Item]) -> set[Target]:
    """What the nouns name that somebody has: "Ana's brother", "the brother of Ana"."""
    owned = set()
    for at, item in enumerate(items):
        noun = item.tags.get("noun")
        has_owner = at > 0 and items[at - 1].has("possessive")
        of_owner = at + 2 < len(items) and items[at + 1].keys == ("of",) and bool(items[at + 2].subjects)
        if noun is not None and noun.target is not None and not item.has(*_ASPECTS) and (has_owner or of_owner):
            owned.add(noun.target)
    return owned


def _settle_relation(clause: Clause, hits: Sequence[tuple[str, Target]], owned: set[Target]) -> None:
    """The relation of a clause: what its verbs say, else its nouns.

    None where someone's noun and the verb differ: "Where does Ana's brother live?" is about the brother.
    """
    nouns = {t for n, t in hits if n == "noun"}
    verbs = {t for n, t in hits if n != "noun"}
    clause.has_noun, clause.has_verb = bool(nouns), bool(verbs)
    if verbs and owned - verbs:
        return
    narrower = {n for n in nouns if n.slot and Target(n.relation) in verbs}  # "which drink does she like"
    agreed = nouns & verbs or narrower or (verbs if len(verbs) == 1 else nouns if len(nouns) == 1 else set())
    if len(nouns) == 1 and {t.relation for t in verbs} == {"residence"} and Aspect.HOLD not in {n for n, _ in hits}:
        agreed = nouns  # "which company did she move to": moving is more than moving house
    if len(agreed) == 1:
        clause.relation, clause.is_relation_sure = next(iter(agreed)), True


def _settle_aspect(clause: Clause, hits: Sequence[tuple[str, Target]]) -> None:
    verbs = [n for n, _ in hits if n in _ASPECTS]
    if clause.has("stop") or "end" in verbs or clause.has("left"):
        clause.aspect = Aspect.END
    elif clause.has("start") or "begin" in verbs or clause.has("became"):
        clause.aspect = Aspect.BEGIN
    elif verbs:
        clause.aspect = Aspect.HOLD


def _find_unknown_names(clause: Clause, items: Sequence[Item], question: str, is_main: bool) -> None:
    """A subject that the memory does not know, by where it stands; a relation likewise."""
    for at, item in enumerate(items):
        if not item.is_word or item.value:
            continue
        mention = next(v for v in clause.values if v.start == item.start)
        after = items[at + 1] if at + 1 < len(items) else None
        before = items[at - 1] if at else None
        has_subject = bool(clause.subject or clause.choices or clause.has_pronoun)
        owns = after is not None and after.has("possessive")
        is_owned = before is not None and before.has("possessive")
        if is_owned and not clause.has_noun and has_subject:
            clause.unknown_relation = mention.text
            clause.values.remove(mention)
        elif owns and not has_subject:
            clause.subject = mention.text
            clause.values.remove(mention)
        elif not has_subject and before is not None and set(before.keys) & _AUX and after is not None:
            _split_subject(clause, mention)
        elif (
            not has_subject and not is_main and at == 0 and after is not None and after.has(*_ASPECTS, "became", "left")
        ) or (not has_subject and before is not None and before.keys == ("of",) and clause.has_noun):
            clause.subject = mention.text
            clause.values.remove(mention)


def _split_subject(clause: Clause, mention: Mention) -> None:
    """ "Was Bo a nurse": the name in front is the subject, what follows an article the value."""
    name, rest = mention.text, ""
    for article in (" a ", " an ", " the "):
        head, found, tail = mention.text.partition(article)
        if found:
            name, rest = head, tail
            role = article.strip()
            clause.values.append(Mention(rest, role, mention.start + len(head) + len(article)))
            break
    clause.subject = name
    clause.values.remove(mention)


def _share(reading: Reading, known: Known) -> None:
    """What one clause leaves open and the other says: "before she joined Acme" is about the same person."""
    main, sub = reading.main, reading.sub
    if sub is not None:
        if sub.subject is None and not sub.choices:
            sub.subject, sub.choices = main.subject, main.choices
        if main.subject is None and not main.choices:
            main.subject, main.choices = sub.subject, sub.choices
