"""Reads the clauses of a sentence from left to right; each may lean on the ones before it."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from tem_graph.ingest.grammar import lexicon, mood
from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.fillers import profession
from tem_graph.ingest.grammar.fragments import read_fragment
from tem_graph.ingest.grammar.names import place
from tem_graph.ingest.grammar.people import NOBODY, SPEAKER, Person, described, named
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.times import TimeSpan, find_times
from tem_graph.ingest.grammar.verbs import Effect, Negation, Tense, VerbGroup, verb_groups
from tem_graph.ingest.grammar.words import Sentence, find

_PUNCTUATION = frozenset(",.;:-–—!?")
_PARTICLES = frozenset(("up", "down", "off", "out", "over", "back", "away", "in", "on", "behind"))
# Verbs that say what their subject is or becomes.
_LINKING = frozenset(("be", "get", "feel", "become", "grow"))
_BECOMING = frozenset(("get", "become", "grow"))
_ALWAYS_PARTICLES = frozenset(("up", "back", "off", "away"))
_PREDICATES = frozenset(("back", "home", "into", "off", "done", "over", "through", "all"))
_BEFORE_NOUNS = frozenset(("into", "off", "over"))
# Verbs that a subjectless start leaves to the speaker also in the present: "Love it here", not "Come over".
_OWN_PRESENT = frozenset(("love", "hate", "adore", "am", "'m", "prefer", "do", "does"))


def read_clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order; a sentence without a verb may be one ("Still in Lund!")."""
    groups = verb_groups(sentence)
    if not groups:
        return read_fragment(sentence, len(sentence.words))
    reader = _Reader(sentence, groups)
    clauses = [*read_fragment(sentence, reader.opening_stop()), *reader.clauses()]
    return [*clauses, *_clefts(clauses), *(f for c in clauses for f in _verbless(c))]


class _Reader:
    def __init__(self, sentence: Sentence, groups: list[VerbGroup]) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.groups = groups
        self.lowers = sentence.lowers(0, len(sentence.words))
        self.times = find_times(sentence.words)
        self.is_fiction = mood.is_fiction(self.lowers)

    def clauses(self) -> list[Clause]:
        starts = [self._start(group) for group in self.groups]
        read: list[Clause] = []
        previous: Clause | None = None
        for k, group in enumerate(self.groups):
            later = [s for s, g in zip(starts, self.groups, strict=True) if g.first > group.first and s >= group.stop]
            clause = self._clause(group, starts[k], min(later, default=len(self.words)), previous)
            read.append(clause)
            if k + 1 == len(self.groups) or self.groups[k + 1].first != group.first:
                # Of the two readings of "I quit teaching" the later one is what the next clause leans on.
                previous = clause
        return read

    def opening_stop(self) -> int:
        """Where what stands in front of the first clause ends: "Back in Lagos, and it feels right"."""
        return self._start(self.groups[0])

    def _floor(self, group: VerbGroup) -> int:
        return max((g.stop for g in self.groups if g.first < group.first), default=0)

    def _start(self, group: VerbGroup) -> int:
        """Where the clause of a group begins: its subject, and the connectors and adverbs in front of it."""
        floor = self._floor(group)
        subject = self._subject_span(group, floor)
        begin = min(subject[0], group.first) if subject else group.first
        tentative = begin
        while tentative > floor:
            word = self.words[tentative - 1]
            if word.tag == "CC" or word.lower in {"so", "then"}:
                return tentative - 1
            if word.text in _PUNCTUATION:
                return tentative
            is_connector = word.lower in lexicon.words("clauses", "connectors") or word.tag in {"WRB", "WP", "WDT"}
            opens_gerund = word.tag == "IN" and group.bare and tentative == group.first
            if not word.is_time and (is_connector or opens_gerund):
                begin = tentative - 1
            elif not (word.tag in {"RB", "RBR"} or word.is_time):
                break
            tentative -= 1
        return tentative if tentative == 0 else begin

    def _subject_span(self, group: VerbGroup, floor: int) -> tuple[int, int] | None:
        """Words of the subject of a group, looked for no further back than `floor`."""
        if group.infinitive:
            return None
        j = group.first - 1
        while j >= floor and (
            self.words[j].tag in {"RB", "RBR"} or self.lowers[j] in {"still", "now", "both", "all", "just"}
        ):
            j -= 1
        if j >= floor and self._is_pronoun(j):
            return j, j + 1
        for verb in group.verbs:
            for child in self.sentence.children(verb.i, "nsubj", "nsubjpass", "expl", "csubj"):
                if floor <= child.i < group.first and child.tag != "UH":
                    first, stop = self.sentence.subtree(child.i)
                    stop = min(max(stop, child.i + 1), group.first)
                    # What stands between subject and verb belongs to the subject: "my work as a nurse".
                    pauses = _PUNCTUATION & set(self.lowers[stop : group.first])
                    stop = stop if pauses else group.first
                    return max(first, floor), stop
        if j >= floor and self.words[j].is_noun and not group.bare and not self.words[j].is_time:
            candidates = [p for p in phrases(self.sentence, floor, j + 1) if p.stop == j + 1]
            if candidates and not candidates[0].prep:
                return candidates[0].first, candidates[0].stop
        for verb in group.verbs:  # "is Lund your home", "do you live"
            for child in self.sentence.children(verb.i, "nsubj", "nsubjpass"):
                if group.first < child.i < group.stop:
                    return child.i, child.i + 1
        return None

    def _is_pronoun(self, j: int) -> bool:
        tag = self.words[j].tag
        return tag in {"PRP", "WP", "WDT", "EX"} or (tag == "DT" and self.lowers[j] in lexicon.words("people", "third"))

    def _clause(self, group: VerbGroup, begin: int, stop: int, previous: Clause | None) -> Clause:
        floor = self._floor(group)
        span = self._subject_span(group, floor)
        subject, person, subject_tail = self._subject(span, group, previous)
        stop = max(self._trimmed(group.stop, stop), group.stop)
        labelled = subject is not None and _is_label(subject)
        lead = begin if previous is None else max(begin, previous.stop)
        lead = min(lead, begin) if previous is not None else 0
        words = tuple(self.lowers[lead:stop])
        shares = previous if span is None else None
        is_lone = span is None and previous is None and len(group.verbs) == 1
        is_state = is_lone and group.head.lower in lexicon.words("verbs", "states")
        leaves_out_be = is_state or (is_lone and group.head.lower in lexicon.words("verbs", "events"))
        embedded = mood.is_embedded_unreal(self.sentence, begin, previous) or (
            shares is not None and shares.embedded_unreal
        )
        key = self._key(group, labelled, leaves_out_be=leaves_out_be)
        return Clause(
            sentence=self.sentence,
            group=group,
            key=key,
            person=person,
            subject=subject,
            tail=self._tail(group, stop, labelled),
            first=lead if previous is None else begin,
            stop=stop,
            tense=Tense.PRESENT if is_state else self._tense(group, shares),
            progressive=group.progressive,
            effect=group.effect or (Effect.STARTS if group.key in _BECOMING and key.startswith("be ") else None),
            negation=self._negation(group, words),
            unreal=(
                group.unreal
                or embedded
                or self.is_fiction
                or mood.is_question(self.sentence, begin, stop, span, group)
                or mood.is_hedged(self.lowers[:stop], begin, group)
                or (shares is not None and group.bare and shares.unreal)
                or self._is_after_preposition(begin, group, previous)
                or (group.infinitive and not mood.is_achieved(group, previous))
            ),
            embedded_unreal=embedded,
            anchored=mood.is_anchored(self.sentence, begin, group, words),
            times=tuple(t for t in self.times if self._within(t, lead, stop)),
            words=words,
            lead=tuple(phrases(self.sentence, lead, min(begin if previous else (span or (begin, 0))[0], group.first))),
            subject_tail=subject_tail,
        )

    def _within(self, time: TimeSpan, lead: int, stop: int) -> bool:
        return lead <= time.first < stop

    def _is_after_preposition(self, begin: int, group: VerbGroup, previous: Clause | None) -> bool:
        """ "Things like grabbing a coffee", "before moving": an activity is named, nothing is stated."""
        if previous is not None and previous.effect is Effect.WAS and self.lowers[group.first - 1] == "to":
            return False  # "I went from being a cook to being a tailor"
        is_bare_gerund = group.verbs[0].tag == "VBG" and group.bare
        return is_bare_gerund and any(w.tag == "IN" for w in self.words[begin : group.first])

    def _tense(self, group: VerbGroup, shares: Clause | None) -> Tense:
        if shares is not None and group.infinitive:
            return shares.tense
        if shares is not None and group.bare and group.verbs[0].tag == "VB":
            # "I left it behind and drink tea now" changes the tense; "I'd go and work there" does not.
            if shares.key == "be let":
                return shares.tense  # "I was let go"
            return Tense.PRESENT if shares.tense in {Tense.PAST, Tense.PERFECT} and not shares.unreal else shares.tense
        return group.tense

    def _negation(self, group: VerbGroup, words: tuple[str, ...]) -> Negation:
        is_over = any(find(words, *cue) for cue in lexicon.cues("clauses", "any_more"))
        if is_over and (group.negation is not Negation.NONE or find(words, "no", "longer")):
            return Negation.NO_LONGER
        return group.negation

    def _tail(self, group: VerbGroup, stop: int, labelled: bool) -> tuple[Phrase, ...]:
        first = group.stop
        said = {self._particle(group), "" if labelled else self._predicate(group)} - {""}
        for j in range(group.stop, min(group.stop + 3, stop)):
            if self.lowers[j] in said or self.words[j].dep == "neg" or self.lowers[j] in {"not", "n't", "never"}:
                first = j + 1
        return tuple(phrases(self.sentence, first, stop))

    def _key(self, group: VerbGroup, labelled: bool, *, leaves_out_be: bool) -> str:
        if leaves_out_be:
            return f"be {group.head.lower}"
        if group.key in {"be", "become"} and labelled:
            return group.key
        if group.key in _LINKING and (predicate := self._predicate(group)):
            return f"be {predicate}"
        particle = self._particle(group)
        return f"{group.key} {particle}" if particle else group.key

    def _particle(self, group: VerbGroup) -> str:
        """The particle of a phrasal verb: "up" in "gave up"."""
        if group.stop >= len(self.words):
            return ""
        word = self.words[group.stop]
        follows = self.lowers[group.stop + 1] if group.stop + 1 < len(self.words) else ""
        if word.lower not in _PARTICLES or (word.lower, follows) in {("out", "of"), ("away", "from")}:
            return ""
        is_particle = word.tag == "RP" or word.dep == "prt" or word.lower in _ALWAYS_PARTICLES
        return word.lower if is_particle or follows in {"of", "to", "with", "as"} else ""

    def _predicate(self, group: VerbGroup) -> str:
        """The adjective or adverb that "be" says of its subject: "back", "fond", "hooked"."""
        if group.key not in _LINKING:
            return ""
        for j in range(group.stop, min(group.stop + 3, len(self.words))):
            word = self.words[j]
            after = self.words[j + 1] if j + 1 < len(self.words) else None
            if group.key != "be" and word.lower in _PREDICATES:
                return ""  # "got back": a particle
            if word.tag in {"JJ", "VBN", "VBD", "RP"} or word.lower in _PREDICATES:
                is_attribute = after is not None and (after.is_noun or after.tag in {"JJ", "HYPH", "CC"})
                return "" if is_attribute and word.lower not in _BEFORE_NOUNS else word.lower
            if word.tag not in {"RB", "RBR"} and not word.is_time:
                return ""
        return ""

    def _trimmed(self, first: int, stop: int) -> int:
        """The end of the clause without the connectors and punctuation that lead to the next."""
        connectors = lexicon.words("clauses", "connectors")
        while stop > first and (self.lowers[stop - 1] in connectors or self.words[stop - 1].text in _PUNCTUATION):
            stop -= 1
        return stop

    def _subject(
        self, span: tuple[int, int] | None, group: VerbGroup, previous: Clause | None
    ) -> tuple[Phrase | None, Person, tuple[Phrase, ...]]:
        """The subject, whom it stands for, and the phrases inside it."""
        if {"me", "us"} & set(self.lowers[group.first : group.stop]):
            return None, SPEAKER, ()  # "my job made me move"
        if span is not None:
            return self._own_subject(*span)
        if previous is not None and not self._is_joined(group, previous):
            return None, NOBODY, ()
        if previous is not None:
            takes_other = previous.key in {"let", "want", "ask", "tell", "help", "make", "have"} and previous.tail
            person = NOBODY if takes_other and group.infinitive else previous.person
            return previous.subject, person, ()
        return None, SPEAKER if self._leaves_out_i(group) else NOBODY, ()

    def _is_joined(self, group: VerbGroup, previous: Clause) -> bool:
        """Whether a verb without a subject of its own goes on with the one before: "I sold it and bought …"."""
        if group.infinitive or group.bare:
            return True
        j = group.first - 1
        while j >= previous.stop and self.words[j].tag in {"RB", "RBR"}:
            j -= 1
        in_front = self.words[j]
        return in_front.tag == "CC" or in_front.text in _PUNCTUATION or in_front.lower in {"then", "so"}

    def _own_subject(self, first: int, stop: int) -> tuple[Phrase, Person, tuple[Phrase, ...]]:
        phrase = Phrase(self.sentence, "", first, stop)
        lowers = self.lowers[first:stop]
        if stop - first == 1 and first >= 2 and self.words[first].dep == "pobj":
            # The object of a preposition: "Home for me is Lima".
            wider = next((p for p in phrases(self.sentence, 0, first - 1) if p.stop == first - 1 and not p.prep), None)
            if wider is not None:
                return wider, named(wider), (Phrase(self.sentence, self.lowers[first - 1], first, stop),)
        if stop - first == 1 and lowers[0] in {"who", "that", "which"}:
            antecedent = next((p for p in phrases(self.sentence, 0, first) if p.stop >= first - 1), None)
            return (antecedent, named(antecedent), ()) if antecedent else (phrase, NOBODY, ())
        if stop - first == 1 and lowers[0] in lexicon.words("people", "third"):
            return phrase, NOBODY, ()
        inside = phrases(self.sentence, first, stop)
        core, person = described(phrase, inside)
        return core, person, tuple(p for p in inside if p.first >= core.stop)

    def _leaves_out_i(self, group: VerbGroup) -> bool:
        """Whether a sentence starts without its "I": "Moved to Porto!", "Still living in Bath"."""
        if group.infinitive or self._is_gerund_subject(group):
            return False
        first = group.verbs[0]
        nominal = [w for w in self.words[: group.first] if (w.is_noun and not w.is_time) or w.tag == "PRP"]
        is_loose = not nominal or group.bare or nominal[-1].dep in {"intj", "npadvmod", "pobj", "ROOT", "dep", "advmod"}
        is_past = first.tag in {"VBD", "VBN", "VBG"} or first.lower in _OWN_PRESENT
        return is_loose and (is_past or "still" in self.lowers[: group.first])

    def _is_gerund_subject(self, group: VerbGroup) -> bool:
        """ "Living in Tokyo must be great": the gerund is what the next verb speaks of."""
        if group.verbs[0].tag != "VBG":
            return False
        if group.head.dep in {"csubj", "csubjpass"}:
            return True
        following = next((g for g in self.groups if g.first >= group.stop), None)
        if following is None or following.bare or following.infinitive:
            return False
        between = self.words[group.stop : following.first]
        starts_anew = {w.lower for w in between} & {",", "and", "but", "i", "we", "it", "so"}
        return not starts_anew and not any(w.dep in {"nsubj", "nsubjpass"} for w in between)


def _is_label(subject: Phrase) -> bool:
    """Whether the subject is a thing of somebody's, so that "oolong" after "is" is a value, not a quality."""
    lowers = {w.lower for w in subject.words}
    is_thing = subject.head.lower not in lexicon.words("people", "kin") | lexicon.words("people", "first")
    return is_thing and bool(lowers & {"my", "our", "'s", "favourite", "favorite", "fave"})


def _clefts(clauses: list[Clause]) -> list[Clause]:
    """ "Lund is where I live", "What I drink these days is chai": the clause with its missing phrase put back."""
    found: list[Clause] = []
    for before, after in pairwise(clauses):
        if after.key == "be":
            found.extend(_put_back(after, before, next(iter(after.tail), None), _asked_in_front(before)))
        if before.key == "be":
            asked = set(after.sentence.lowers(after.first, after.first + 2)) & {"where", "what"}
            word = next(iter(asked), None)
            found.extend(_put_back(before, after, _meant(before.subject, word), word))
        if after.sentence.lowers(after.first, after.first + 1) == ["where"] and before.tail[-1:]:
            # "It's raining in Lund, where I live": the place is the one just named.
            found.extend(_put_back(before, after, before.tail[-1], "where"))
    return found


def _meant(phrase: Phrase | None, asked: str | None) -> Phrase | None:
    """What "that" in "that's where I live", "that's what I am now" points back to, in the same sentence."""
    if phrase is None or phrase.text.lower() not in {"that", "it"}:
        return phrase
    named_before = [p for p in reversed(phrases(phrase.sentence, 0, phrase.first)) if not p.negated]
    if asked == "where":
        return next((p for p in named_before if p.prep in {"in", "to", "at"} and place(p, ())), None)
    return next((p for p in named_before if p.determiner in {"a", "an"} and profession(p, ())), None)


def _asked_in_front(clause: Clause) -> str | None:
    """What a clause in front of "is" leaves open: "where I live", "the only thing I drink"."""
    opening = clause.words[:2]
    if "where" in opening or any(find(clause.words, "the", noun) for noun in ("place", "city", "town")):
        return "where"
    is_thing = "thing" in clause.words or find(clause.words, "the", "drink")
    return "what" if "what" in opening or is_thing else None


def _put_back(be: Clause, other: Clause, value: Phrase | None, asked: str | None) -> list[Clause]:
    if value is None or asked is None or be.unreal or other.person is not SPEAKER:
        return []
    phrase = replace(value, prep="in" if asked == "where" else "", after_comma=False)
    first, stop = min(be.first, other.first), max(be.stop, other.stop)
    return [replace(other, tail=(phrase, *other.tail), first=first, stop=stop, words=(*other.words, "<cleft>"))]


def _verbless(clause: Clause) -> list[Clause]:
    """What is added without a verb: "I'm living in Lund and still a nurse at Acme"."""
    lowers = clause.sentence.lowers(0, len(clause.sentence.words))
    for k, phrase in enumerate(clause.tail):
        opener = phrase.first - 1 - (1 if lowers[phrase.first - 1] == phrase.prep else 0)
        follows_pause = lowers[opener - 1] in {",", "and", "but"} if opener > 0 else False
        if follows_pause and lowers[opener : phrase.first] == ["still", "in"]:
            return [_went_on(clause, opener, clause.tail[k:])]
        is_bare = not phrase.prep or phrase.conjoined
        is_title = is_bare and phrase.determiner in {"a", "an"}
        if k and is_title and lowers[phrase.first - 1] in {"still", "now", "again"}:
            tail = (replace(phrase, prep="", conjoined=False, after_comma=False), *clause.tail[k + 1 :])
            return [_went_on(clause, phrase.first - 1, tail)]
    return []


def _went_on(clause: Clause, opener: int, tail: tuple[Phrase, ...]) -> Clause:
    """What is added to a clause from the word at `opener` on, as if it began with "I am"."""
    return replace(
        clause,
        key="be",
        tail=tail,
        first=opener,
        words=tuple(clause.sentence.lowers(opener, clause.stop)),
        tense=Tense.PRESENT,
        negation=Negation.NONE,
        progressive=False,
        effect=None,
    )
