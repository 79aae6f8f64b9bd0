"""What a question says, before any operator is chosen: its kind, its clauses, their subjects, relations and values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tem_graph.answer.route import Known
from tem_graph.answer.rules.items import Item, read_items
from tem_graph.answer.rules.lexicon import Lexicon, Tag, Target
from tem_graph.answer.rules.mentions import ASPECTS, Mention, read_mention
from tem_graph.answer.rules.sentence import (
    AUX,
    PAST,
    PERFECT,
    asks_of_now,
    is_inverted,
    kind_of_items,
    split_clauses,
    tells_the_past,
    without_tail,
)
from tem_graph.domain.time import PartialDate

_WEAK = frozenset({"stay", "stays", "stayed", "staying", "do", "does", "did", "done", "doing"})
"""Verbs that say the relation only where nothing else does: "stay" is no residence in "stay at Acme"."""
_EVENTS = _WEAK | {"drink", "drinks", "drank", "drunk", "drinking", "order", "orders", "ordered", "sip", "sipped"}
"""Verbs that tell of one event as well as of what holds: "What did she drink yesterday?"."""
_POSSESSIVE = frozenset({"his", "her", "their", "its", "hers", "theirs"})
"""Pronouns that need not be who the question is about: "Since when has Bo had their present job?"."""
_FRAMED = frozenset({"residence", "employer", "occupation"})
NO_PERSON = frozenset({"residence", "occupation", "likes", "dislikes", "possession"})
"""Relations that nobody asks for with "who": "Who lives with Ana?" wants somebody else."""
_PLURAL = re.compile(r"(?<!whereabout)(?<!quarter)(?<!dig)(?<!s)s$")
_COUNTING = frozenset({"how_often", "how_many", "how_long", "when", "since_when", "until_when"})
_RELATIVE = frozenset({"where", "who", "what"})
"""Question words that also begin a relative clause: "Is Lund where Ana lives?"."""
_MARKERS = frozenset({
    "current", "previous", "used_to", "first", "first_time", "last_time", "still", "ever", "never", "total", "all",
    "distinct", "versions", "change", "start", "stop", "came_first", "overlap", "ago_far", "next", "again", "from_end",
    "ordinal", "nth_time", "became", "left", "holds", "from", "to", "or", "goes", "whether", "from_the_end", "replace",
    "gives_way", "set", "most", "gets", "once", "would", "starts_with",
})  # fmt: skip


class Aspect(StrEnum):
    HOLD = "hold"
    BEGIN = "begin"
    END = "end"


@dataclass
class Clause:
    """One clause of a question, taken apart."""

    subject: str | None = None
    choices: tuple[str, ...] = ()
    relation: Target | None = None
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
    is_event: bool = False
    """Whether only a verb that may tell of one event says the relation: "drink", "do", "stay"."""
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
    items: Sequence[Item] = ()
    """All items of the question, in order."""


def read_question(question: str, known: Known, lexicon: Lexicon) -> Reading:
    """The question taken apart. Pure; nothing is decided here that another word could still change."""
    items = [i for i in read_items(question, known, lexicon) if not i.has("mark", "opening") or i.keys[0] == ","]
    while items and items[0].keys == (",",):
        items.pop(0)
    main, link, sub = split_clauses(items)
    kind = kind_of_items(main)
    main, is_tagged = without_tail(main)
    reading = Reading(kind, read_clause(main, question, known, is_main=True))
    if sub is not None:
        reading.link, reading.sub = link, read_clause(sub, question, known, is_main=False)
    keys = [k for i in main if not i.is_word for k in i.keys]
    reading.is_past = bool(PAST & set(keys)) or reading.main.has("used_to") or tells_the_past(main)
    reading.is_perfect = bool(PERFECT & set(keys)) and not reading.is_past and not asks_of_now(main)
    if set(keys) & (PERFECT | {"is", "'s"}) and "got" in keys and not reading.is_past and _only_gets(reading.main):
        reading.main.aspect, reading.is_perfect = None, False  # "What plan has she got?"
    reading.is_present = not reading.is_past and not reading.is_perfect
    is_statement = kind is None and bool(reading.main.values) and (is_tagged or reading.main.has("still", "ever"))
    asks_whether = reading.main.has("whether") and kind not in _COUNTING
    if asks_whether or is_statement or (kind in {None, *_RELATIVE} and is_inverted(main)):
        reading.is_yes_no, reading.kind = True, None
    if kind == "how" and _is_what(reading.main):
        reading.kind = "what"
    reading.items = without_tail(items)[0]
    _share(reading, known)
    return reading


def _only_gets(clause: Clause) -> bool:
    return clause.has("gets") and not clause.has("start", "starts_with", "became") and not clause.has_verb


def _is_what(clause: Clause) -> bool:
    """ "How does Ana earn a living" asks for an occupation."""
    is_work = clause.relation is not None and clause.relation.relation == "occupation" and clause.has_verb
    return is_work and not clause.has("all", "change")


def read_clause(items: Sequence[Item], question: str, known: Known, *, is_main: bool) -> Clause:
    clause = Clause()
    hits: list[tuple[str, Target]] = []
    weak: list[tuple[str, Target]] = []
    tellers: list[bool] = []
    seen_aux = False
    for at, item in enumerate(items):
        is_aux = item.has("auxiliary") and not (seen_aux and item.has("hold"))
        if item.subjects:
            _add_subject(clause, item.subjects, read_mention(items, at, question))
        elif item.has("who_is_asking"):
            asking = known.user or _user(known)
            _add_subject(clause, (asking,) if asking else (), read_mention(items, at, question))
            clause.has_pronoun = clause.has_pronoun or asking is None
        elif item.has("pronoun"):
            owns = set(item.keys) <= _POSSESSIVE and at + 1 < len(items)
            clause.has_pronoun = clause.has_pronoun or not owns
        elif item.date:
            clause.date, clause.date_lead = item.date, item.date_lead
        elif item.session is not None:
            clause.session, clause.session_lead = item.session, item.session_lead
        elif item.is_word:
            clause.values.append(read_mention(items, at, question))
        if is_aux and not item.date:
            seen_aux = True
        is_verb_last = item.keys == ("last",) and at == len(items) - 1 and at > 0
        if not is_verb_last:
            said = item.tags.keys() - ({"current"} if item.has("while") else set())  # "at the time"
            clause.marks |= {n: item.tags[n] for n in item.tags if n in said & _MARKERS and n not in clause.marks}
        if not (is_aux and item.keys[-1] in AUX | {"be", "been", "being"} and len(item.keys) == 1):
            is_first = item.has("starts_with") and at == len(items) - 1  # "which plan did she start with"
            meant = [(n, t.target) for n in ("noun", *ASPECTS) if (t := item.tags.get(n)) and t.target]
            if meant:
                tellers.append(_may_tell_an_event(items, at))
            if item.keys[0] in _WEAK and len(item.keys) == 1:
                weak += meant
            elif is_first and not any(i.has("noun") for i in items[:at]):
                hits += [("hold", target) for n, target in meant if n != "noun" and item.keys[-1] == "as"]
            else:
                hits += meant
            clause.is_plural = clause.is_plural or (item.has("noun") and _PLURAL.search(item.keys[-1]) is not None)
    stays = next((i.keys[0] for i in items if i.keys[0] in {"stayed", "remained"} and len(i.keys) == 1), None)
    is_something = any(i.has("noun") for i in items) or any(v.role in {"a", "an", "as"} for v in clause.values)
    if stays and any(i.keys[0] in PERFECT for i in items) and is_something:
        clause.marks.setdefault("still", Tag("still"))  # "Has her team stayed Lantern?", "Has she stayed a nurse?"
    if clause.has("once"):
        clause.marks.setdefault("distinct", clause.marks["once"])
    if not hits and not any(v.role in {"at", "with", "a", "an", "as"} for v in clause.values):
        hits = weak
    _settle_relation(clause, hits, _owned(items))
    clause.is_event = bool(tellers) and bool(hits) and not clause.has("most") and all(tellers)
    _settle_aspect(clause, hits)
    _find_unknown_names(clause, items, question, is_main)
    return clause


def _may_tell_an_event(items: Sequence[Item], at: int) -> bool:
    """Whether the item is a verb such as "drink" or "do", not the noun ("how many drinks")."""
    before = items[at - 1] if at else None
    after_subject = before is not None and (
        before.subjects or before.has("pronoun", "who_is_asking", "auxiliary", "ever")
    )
    return bool(after_subject) and len(items[at].keys) == 1 and items[at].keys[0] in _EVENTS


def _add_subject(clause: Clause, names: tuple[str, ...], mention: Mention) -> None:
    if len(names) == 1:
        clause.named.append((names[0], mention))
        clause.subject = clause.subject or names[0]
    elif names:
        clause.choices = names


def _user(known: Known) -> str | None:
    return next((s for s in known.subjects if s.casefold() == "user"), None)


def _owned(items: Sequence[Item]) -> set[Target]:
    """What the nouns name that somebody has: "Ana's brother", "the brother of Ana"."""
    owned = set()
    for at, item in enumerate(items):
        noun = item.tags.get("noun")
        has_owner = at > 0 and items[at - 1].has("possessive")
        of_owner = at + 2 < len(items) and items[at + 1].keys == ("of",) and bool(items[at + 2].subjects)
        if noun is not None and noun.target is not None and not item.has(*ASPECTS) and (has_owner or of_owner):
            owned.add(noun.target)
    return owned


def _settle_relation(clause: Clause, hits: Sequence[tuple[str, Target]], owned: set[Target]) -> None:
    """The relation of a clause: what its verbs say, else its nouns.

    None where someone's noun and the verb differ: "Where does Ana's brother live?" is about the brother.
    """
    nouns = {t for n, t in hits if n == "noun"}
    verbs = {t for n, t in hits if n != "noun"}
    clause.has_noun, clause.has_verb = bool(nouns), bool(verbs)
    if verbs and owned - verbs and not any(t.base for t in owned):
        return
    narrower = {n for n in nouns if n.base and Target(n.base) in verbs}  # "which drink does she like"
    agreed = nouns & verbs or narrower or (verbs if len(verbs) == 1 else nouns if len(nouns) == 1 else set())
    relations = {t.relation for t in verbs}
    is_bought = relations == {"possession"} and {t.relation for t in nouns} <= _FRAMED  # "buy a house in Lund"
    if len(nouns) == 1 and verbs and Aspect.HOLD not in {n for n, _ in hits} and not is_bought:
        agreed = nouns  # "which company did she move to", "when did she adopt Neo4j as her database"
    if {t.relation for t in nouns} == {"occupation", "employer"} and clause.has("all"):
        agreed = {t for t in nouns if t.relation == "employer"}  # "the companies in her job history"
    if {t.relation for t in nouns} == {"occupation"} and relations == {"employer"}:
        agreed = nouns  # "in which professions has she worked"
    if {t.relation for t in nouns} == {"occupation", "employer"} and relations == {"residence"}:
        agreed = {t for t in nouns if t.relation == "employer"}  # "job moves between companies"
    if len(agreed) == 1:
        clause.relation = next(iter(agreed))


def _settle_aspect(clause: Clause, hits: Sequence[tuple[str, Target]]) -> None:
    verbs = [n for n, _ in hits if n in ASPECTS]
    if clause.has("stop") or "end" in verbs or clause.has("left"):
        clause.aspect = Aspect.END
    elif clause.has("start", "starts_with", "gets") or "begin" in verbs or clause.has("became"):
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
        is_name = item.is_capital or not question[item.start : item.end].isascii()
        acts = after is not None and (after.has(*ASPECTS) or bool(set(after.keys) & AUX)) and not after.has("noun")
        owns = after is not None and after.has("possessive")
        is_owned = before is not None and before.has("possessive")
        if is_owned and not clause.has_noun and has_subject:
            clause.unknown_relation = mention.text
            clause.values.remove(mention)
        elif owns and not has_subject:
            clause.subject = mention.text
            clause.values.remove(mention)
        elif not has_subject and before is not None and set(before.keys) & AUX and after is not None:
            _split_subject(clause, mention)
        elif not has_subject and (
            (is_main and is_name and (acts or _is_for_somebody(clause, items, at)))
            or (not is_main and at == 0 and after is not None and after.has(*ASPECTS, "became", "left"))
            or (before is not None and before.keys == ("of",) and clause.has_noun)
        ):
            clause.subject = mention.text
            clause.values.remove(mention)


def _is_for_somebody(clause: Clause, items: Sequence[Item], at: int) -> bool:
    """ "the earliest job on record for Wanda": the question's last word, with the relation before it."""
    return at == len(items) - 1 and at > 0 and items[at - 1].keys[-1] == "for" and clause.has_noun


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
