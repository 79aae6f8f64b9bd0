"""English questions to operators by rules: read, find the row that accounts for every word, fill in the names."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.answer.route import Known, Routed
from tem_graph.answer.rules.doubts import is_about_something_else
from tem_graph.answer.rules.intents import Intent, kind_of, occurrence
from tem_graph.answer.rules.items import name_keys
from tem_graph.answer.rules.lexicon import Target, lexicon_of
from tem_graph.answer.rules.mentions import Mention
from tem_graph.answer.rules.pairs import read_pair
from tem_graph.answer.rules.reading import NO_PERSON, Aspect, Clause, Reading, read_question
from tem_graph.answer.rules.table import find_intents
from tem_graph.domain.names import fold
from tem_graph.temporal.operators.view import bare_value
from tem_graph.temporal.registry import make_call

_BY_PREPOSITION = {"as": "occupation", "in": "residence", "at": "employer", "with": "employer", "for": "employer"}
_GUESSED = 0.8
_NO_NAME = 0.6
"""Small words where a place or a firm should be named ("living somewhere"): most likely not a value at all."""
_OF_TASTE = frozenset({"possession", "likes", "dislikes"})
_CITIES = frozenset({"city", "town", "place", "country"})
_OF_DRINKS = ("drink", "drank", "drunk", "sip", "beverage")
_NAMED = frozenset({"residence", "employer"})
_OF_WORK = frozenset({"employer", "occupation"})
_LOOSE = frozenset({"her", "his", "their", "my", "its", "many", "once", "often"})
"""Words before a small word that make it no value: "her mind", "did Ana jump", "how many stations"."""
_MARKS = frozenset({",", ";", ":", "(", "?", "!"})
"""Marks that do so likewise, but in a list: "…, no doubles"."""
_COUNTS_EVENTS = frozenset({
    "ever", "count_value", "count_versions", "count_changes", "count_distinct", "as_of", "history",
})  # fmt: skip
DOUBTED = 0.5
"""A relation that no schema and no fact names, or a question about something else: the caller may prefer the evidence
path."""


class RulesRouter:
    """A `Router` without a model. English only; a question in another language is not placed."""

    name = "rules"

    async def route(self, question: str, known: Known) -> Routed | None:
        """The operator of a question; None where some word of it is not accounted for."""
        return self.place(question, known)

    def place(self, question: str, known: Known) -> Routed | None:
        """The same, without waiting: nothing here does I/O."""
        lexicon = lexicon_of(known.catalog, known.relations)
        reading = read_question(question, known, lexicon)
        if is_about_something_else(reading.items):
            return None
        pair = self._pair(reading, question, known)
        if pair is not None:
            return pair
        confidence = _settle_relations(reading, known, lexicon.aspects)
        if reading.main.choices or (reading.sub and reading.sub.choices):
            choices = reading.main.choices or (reading.sub.choices if reading.sub else ())
            return Routed(None, 1.0, self.name, f"The name fits {' and '.join(choices)}.", choices)
        if reading.main.subject is None or not _tell_subject_from_value(reading, known):
            return None
        return self._single(reading, known, confidence)

    def _single(self, reading: Reading, known: Known, confidence: float) -> Routed | None:
        main = reading.main
        if main.relation is None or _is_about_someone_else(reading):
            return None
        if reading.kind == "who" and not main.has_noun and main.relation.relation in NO_PERSON:
            return None
        clauses = tuple(c for c in (main, reading.sub) if c is not None)
        for intent in find_intents(reading):
            args = intent.build(reading)
            if args is None:
                continue
            if isinstance(args.get("while"), dict) and reading.sub is not None:
                args["while"] = _group(reading.sub) | args["while"]  # type: ignore[operator]
            call = make_call(intent.operator, _group(main) | args)
            sure = confidence * intent.confidence * (1.0 if _are_names(clauses, reading, known) else _NO_NAME)
            if _may_be_an_event(intent, main) or _is_unplaced_taste(clauses, reading) or _is_doubtful(reading):
                sure = min(sure, DOUBTED)
            return Routed(call, round(sure, 2), self.name, _explain(intent, reading))
        return None

    def _pair(self, reading: Reading, question: str, known: Known) -> Routed | None:
        """Questions over two stays: which came first, did they overlap."""
        pair = read_pair(reading.items, reading, question, known)
        if pair is None:
            return None
        a, b = (_claim(clause, clause.values[0], known) for clause in (pair.a, pair.b))
        if a is None or b is None or not _are_names((pair.a, pair.b), reading, known):
            return None
        stays = f"Two stays: {a['subject']} and {a['value']}, {b['subject']} and {b['value']}."
        offers_both = any(i.has("or") or "or" in i.keys for i in reading.items)  # "before or after", "Lund or Acme"
        asks_whether = reading.is_yes_no and pair.operator == "order" and not offers_both
        call = make_call(pair.operator, {"a": a, "b": b})
        return Routed(call, 0.9, self.name, stays, asks_whether=asks_whether)


def _tell_subject_from_value(reading: Reading, known: Known) -> bool:
    """Move subjects that are values here ("before Birch", where Birch is known too) to the values.

    Returns whether each clause is left with one subject. What is a value of the relation is known from the
    memory's values alone: "did Ana ever live with Bo" is not about a home called Bo.
    """
    main, sub = reading.main, reading.sub
    if main.relation is None:
        return len({name for name, _ in main.named}) < 2
    of_relation = {(fold(v.subject), fold(v.object)) for v in known.values if v.relation == main.relation.relation}
    objects = {obj for _, obj in of_relation}
    names = list(dict.fromkeys(name for name, _ in main.named))
    if len(names) == 2:
        one, other = names
        is_turned = fold(one) in objects and (fold(other), fold(one)) in of_relation
        subject, value = (other, one) if is_turned or fold(other) not in objects else (one, other)
        if fold(value) not in objects:
            return False
        main.subject = subject
        main.values.append(next(m for name, m in main.named if name == value))
    elif len(names) > 2:
        return False
    if sub is not None and sub.subject != main.subject and not sub.values and len(sub.named) == 1:
        name, mention = sub.named[0]
        if fold(name) in objects:
            sub.subject = main.subject
            sub.values.append(mention)
    return sub is None or len({name for name, _ in sub.named} - {main.subject}) < 2


def _is_about_someone_else(reading: Reading) -> bool:
    """ "Ana's brother moved": what she owns is no relation of this question but the one that it is about."""
    clauses = [c for c in (reading.main, reading.sub) if c is not None]
    return any(c.unknown_relation and c.relation and c.relation.relation != c.unknown_relation for c in clauses)


def _may_be_an_event(intent: Intent, clause: Clause) -> bool:
    """ "What did she drink yesterday?", "How often did she drink oolong?": about what happened, not what held."""
    return clause.is_event and (clause.date is not None or intent.operator in _COUNTS_EVENTS)


def _is_unplaced_taste(clauses: Sequence[Clause], reading: Reading) -> bool:
    """ "Did she like oolong best?", where nothing says of what: liking it is less than liking it best. Neither does
    "What does she like best?", where no value tells."""
    says_what = any(clause.values for clause in clauses) or any(
        key.startswith(_OF_DRINKS) for item in reading.items for key in item.keys
    )
    return any(
        (c.has("most") and c.relation == Target("likes"))
        or (c.relation is not None and c.relation.base and not (c.has_noun or says_what))
        for c in clauses
    )


def _is_doubtful(reading: Reading) -> bool:
    """ "When is Ana moving?" is a plan, "What has she been doing?" no occupation, "Who did she replace at Acme?" wants
    a person."""
    main, verbs = reading.main, [i for i in reading.items if i.has("hold", "begin", "end")]
    is_plan = reading.kind == "when" and reading.is_present and main.aspect is Aspect.BEGIN
    is_plan = is_plan and any(i.keys[0].endswith("ing") and not i.has("noun") for i in verbs)
    is_plan = is_plan and not any(i.keys[0] in {"started", "began"} for i in reading.items)
    is_pastime = reading.is_perfect and any(i.keys == ("doing",) for i in verbs)
    is_person = reading.kind == "who" and main.has("replace") and any(v.role == "at" for v in main.values)
    targets = {tag.target for i in reading.items for tag in i.tags.values() if tag.target is not None}
    is_disliked = Target("dislikes") in targets and main.relation is not None and main.relation.relation == "likes"
    return is_plan or is_pastime or is_person or is_disliked


def _group(clause: Clause) -> dict[str, object]:
    if clause.subject is None or clause.relation is None:
        raise AssertionError("a clause is routed only once its subject and relation are settled")
    return {"subject": clause.subject} | _named(clause.relation)


def _named(target: Target) -> dict[str, object]:
    slot: dict[str, object] = {"slot": target.slot} if target.slot else {}
    return {"relation": target.relation, **slot}


def _claim(clause: Clause, mention: Mention, known: Known) -> dict[str, object] | None:
    target = mention.relation or _relation_of_value(clause, mention, known) or clause.relation
    if target == Target("residence") and clause.aspect is Aspect.BEGIN and not clause.has_noun:
        target = _relation_of_value(clause, mention, known) or target  # "who came to Acme first"
    if target is None or clause.subject is None:
        return None
    which = {k: v for k, v in occurrence(clause).items() if v != "first"}
    return {"subject": clause.subject, "value": mention.text} | _named(target) | which


def _settle_relations(reading: Reading, known: Known, aspects: Sequence[Target]) -> float:
    """Fill in relations that no word names; returns how sure that is (1.0: every one was named)."""
    main, sub = reading.main, reading.sub
    confidence = 1.0
    for clause in filter(None, (main, sub)):
        if clause.relation is None and not clause.has_noun and not clause.has_verb:
            meant = (_relation_of_value(clause, v, known, is_open=main.relation is None) for v in clause.values)
            clause.relation = next(filter(None, meant), None)
            confidence = confidence if clause.relation is None else 0.95
    for clause in filter(None, (main, sub)):
        _move_elsewhere(clause, known)
        _take_job_of_values(clause, known)
    if reading.kind in {"where", "who"} and main.relation == Target("occupation"):
        main.relation = Target("employer")  # "Where did she find a job?"
    if main.relation is None and reading.kind == "who" and not main.has_noun and not main.has_verb:
        main.relation, confidence = Target("employer"), _GUESSED
    for clause in filter(None, (main, sub)):
        if clause.relation is not None and clause.relation.slot is None:
            clause.relation = _narrowed(clause, clause.relation, known, aspects)
    if main.relation is None and reading.kind == "what" and main.has("became") and not main.has_noun:
        main.relation, confidence = Target("occupation"), 0.95
    if main.relation is None and sub is not None:
        main.relation = sub.relation
    if main.relation is None and reading.kind == "where" and not main.has_noun and not main.has_verb:
        # Where she was on one day need not be home; "which city was she in" asks for it.
        asks_city = any(i.has("where") and _CITIES & set(i.keys) for i in reading.items)
        is_day = main.session is None and main.date is not None and main.date.precision == "day" and not asks_city
        main.relation, confidence = Target("residence"), DOUBTED if is_day else _GUESSED
    is_bare = not (main.has_noun or main.has_verb or main.values)
    if main.relation is None and is_bare and any(set(i.keys) & {"stay", "stays"} for i in reading.items):
        main.relation, confidence = Target("residence"), _GUESSED
    if main.relation is None and main.unknown_relation:
        main.relation, confidence = Target(main.unknown_relation), DOUBTED
    return confidence


def _move_elsewhere(clause: Clause, known: Known) -> None:
    """ "Did Ana move from Acme to Birch": moving is about what the memory knows the values as."""
    if clause.relation != Target("residence") or clause.has_noun or clause.aspect is Aspect.HOLD or not clause.values:
        return
    keys = {bare_value(fold(v.text)) for v in clause.values}
    held = {Target(v.relation, v.slot) for v in known.values if bare_value(fold(v.object)) in keys}
    if len(held) == 1:
        clause.relation = held.pop()


def _take_job_of_values(clause: Clause, known: Known) -> None:
    """ "Leave Acme for a job at Birch": of the relations that a job may mean, the one that the values are known in."""
    if clause.relation is None or clause.relation.relation not in _OF_WORK or not clause.values:
        return
    keys = {bare_value(fold(v.text)) for v in clause.values}
    held = {Target(v.relation, v.slot) for v in known.values if bare_value(fold(v.object)) in keys}
    if len(held) == 1 and {t.relation for t in held} <= _OF_WORK:
        clause.relation = held.pop()


def _narrowed(clause: Clause, target: Target, known: Known, aspects: Sequence[Target]) -> Target:
    """The slot that all values of the clause are known in, where they are known in no other way: taking to
    oolong is about the favourite drink."""
    keys = {bare_value(fold(v.text)) for v in clause.values}
    held = {Target(v.relation, v.slot) for v in known.values if bare_value(fold(v.object)) in keys}
    aspects = [a for a in aspects if a.base == target.relation and a in held]
    if aspects and target not in held:
        return aspects[0]
    slots = {t.slot for t in held if t.relation == target.relation}
    return Target(target.relation, slots.pop()) if len(slots) == 1 else target


def _relation_of_value(clause: Clause, mention: Mention, known: Known, *, is_open: bool = True) -> Target | None:
    """The relation that a value belongs to: one that it is known in, else what the words before it say.

    "It became Lund" says nothing of a relation by itself; only where none is in sight (`is_open`) does
    becoming something mean an occupation.
    """
    key = bare_value(fold(mention.text))
    of_subject = {
        Target(v.relation, v.slot)
        for v in known.values
        if bare_value(fold(v.object)) == key and (clause.subject is None or fold(v.subject) == fold(clause.subject))
    }
    if len(of_subject) == 1:
        return next(iter(of_subject))
    is_named = any(c.isalpha() for c in key)  # "when did she turn 30"
    if mention.role in {"a", "an"} and not clause.has("gets"):
        return Target("occupation")
    if is_open and is_named and clause.has("became") and mention.way != "from":
        return Target("occupation")
    if mention.role == "for" and mention.way:  # "swap Lund for Graz"
        return None
    return Target(_BY_PREPOSITION[mention.role]) if mention.role in _BY_PREPOSITION else None


def _are_names(clauses: Sequence[Clause], reading: Reading, known: Known) -> bool:
    """Whether the places and firms of the clauses look like names, where the question's other names have capitals;
    and nothing that is liked or owned is where something happens ("a house in Lund")."""
    is_written_small = not any(i.is_capital for i in reading.items[1:] if i.subjects or i.is_word)
    stored = {fold(v.object) for v in known.values}
    is_list = any(i.has("or") for i in reading.items)
    for clause in clauses:
        target = clause.relation or reading.main.relation
        relation = target.relation if target else None
        loose = _LOOSE | {name_keys(clause.subject)[-1] for _ in clause.named if clause.subject}
        if not is_list:
            loose |= _MARKS
        for value in clause.values:
            is_unknown = (value.text.islower() or value.text.isdigit()) and fold(value.text) not in stored
            is_small = is_unknown and not is_written_small
            is_opening = value.start == reading.items[0].start and fold(value.text) not in stored
            is_loose = is_opening or (is_unknown and (value.role in loose or value.text.isdigit()))
            if (relation in _NAMED and is_small) or (relation in _OF_TASTE and value.role == "in") or is_loose:
                return False
    return True


def _explain(intent: Intent, reading: Reading) -> str:
    asked = {"yes_no": "a yes or no", "fragment": "a value"}.get(kind_of(reading), f"a {kind_of(reading)} question")
    return f"Read as {asked}: {intent.operator}."
