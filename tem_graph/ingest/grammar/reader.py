"""Reads the clauses of a sentence from left to right; each may lean on the ones before it."""

from __future__ import annotations

from tem_graph.ingest.grammar import lexicon, mood
from tem_graph.ingest.grammar.added import clefts, shared, verbless
from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.fragments import read_entries, read_fragment
from tem_graph.ingest.grammar.keys import key_of, particle, predicate
from tem_graph.ingest.grammar.people import NOBODY, SPEAKER, Person, described, named
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.times import TimeSpan, find_times
from tem_graph.ingest.grammar.verbs import Effect, Negation, Tense, VerbGroup, verb_groups
from tem_graph.ingest.grammar.words import Sentence, find

_PUNCTUATION = frozenset(",.;:-–—!?")
_BECOMING = frozenset(("get", "become", "grow"))
_ANYBODY = frozenset(("someone", "somebody", "person", "one"))
# Verbs that a subjectless start leaves to the speaker also in the present: "Love it here", not "Come over".
_OWN_PRESENT = frozenset(("love", "hate", "adore", "am", "'m", "prefer", "do", "does"))


def read_clauses(sentence: Sentence) -> list[Clause]:
    """The clauses of a sentence, in order; a sentence without a verb may be one ("Still in Lund!")."""
    groups = verb_groups(sentence)
    if not groups:
        return [*read_fragment(sentence, len(sentence.words)), *read_entries(sentence)]
    reader = _Reader(sentence, groups)
    read = reader.clauses()
    clauses = [*read_fragment(sentence, reader.opening_stop(), read[0]), *read]
    added = (f for c in clauses for f in verbless(c))
    return [*clauses, *clefts(clauses), *shared(clauses), *added, *read_entries(sentence)]


class _Reader:
    def __init__(self, sentence: Sentence, groups: list[VerbGroup]) -> None:
        self.sentence = sentence
        self.words = sentence.words
        self.groups = groups
        self.lowers = sentence.lowers(0, len(sentence.words))
        self.times = find_times(sentence.words)
        self.is_fiction = mood.is_fiction(self.lowers) or mood.is_announced_speech(sentence)

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
                if self._ends_clause_before(child.i, floor, group):
                    continue
                if floor <= child.i < group.first and child.tag != "UH":
                    first, stop = self.sentence.subtree(child.i)
                    stop = min(max(stop, child.i + 1), group.first)
                    colon = next((i for i in range(group.first - 2, first - 1, -1) if self.words[i].text == ":"), None)
                    if colon is not None:
                        return max(colon + 1, floor), group.first  # "Reminder: chai is my favourite"
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

    def _ends_clause_before(self, i: int, floor: int, group: VerbGroup) -> bool:
        """Whether the word is the object of the verb before: "Left Porto, moved to Lund"."""
        is_object = 0 < floor == i and self.lowers[i + 1 : i + 2] == [","] and i + 2 == group.first
        return is_object and not self._is_pronoun(i)

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
        is_present = group.tense is Tense.PRESENT and not group.bare
        embedded = mood.is_embedded_unreal(self.sentence, begin, previous, is_present=is_present) or (
            shares is not None and shares.embedded_unreal
        )
        key = key_of(self.sentence, group, labelled, leaves_out_be=leaves_out_be)
        if shares is not None and shares.key == "be let" and group.key == "go":
            key = "let go"  # "I was let go from Acme"
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
                or (shares is not None and group.bare and shares.key in {"trade", "swap", "exchange"})
                or (shares is not None and group.bare and shares.key == "can't stand" and shares.tense is Tense.PAST)
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
        if shares is not None and (group.infinitive or (shares.key == "spend" and group.verbs[0].tag == "VBG")):
            return shares.tense  # "I spent two years living in Lund"
        if shares is not None and group.bare and group.verbs[0].tag == "VB":
            # "I left it behind and drink tea now" changes the tense; "I'd go and work there" does not.
            if shares.key == "be let":
                return shares.tense  # "I was let go"
            return Tense.PRESENT if shares.tense in {Tense.PAST, Tense.PERFECT} and not shares.unreal else shares.tense
        return group.tense

    def _negation(self, group: VerbGroup, words: tuple[str, ...]) -> Negation:
        if {"nobody", "none", "neither"} & set(self.lowers[max(group.first - 2, 0) : group.first]):
            return Negation.NOT
        if words[:2] == ("no", "more") and group.verbs[0].tag == "VBG":
            return Negation.NO_LONGER  # "No more being a cook"
        words = _without_afterthought(words)
        is_over = any(find(words, *cue) for cue in lexicon.cues("clauses", "any_more"))
        if is_over and (group.negation is not Negation.NONE or find(words, "no", "longer")):
            return Negation.NO_LONGER
        return group.negation

    def _tail(self, group: VerbGroup, stop: int, labelled: bool) -> tuple[Phrase, ...]:
        first = group.stop
        said = {particle(self.sentence, group), "" if labelled else predicate(self.sentence, group)} - {""}
        for j in range(group.stop, min(group.stop + 3, stop)):
            if self.lowers[j] in said or self.words[j].dep == "neg" or self.lowers[j] in {"not", "n't", "never"}:
                first = j + 1
        return tuple(phrases(self.sentence, first, stop))

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
        if self.lowers[first : first + 2] == ["yours", "truly"]:
            return phrase, SPEAKER, ()
        if stop - first == 1 and first >= 2 and self.words[first].dep == "pobj":
            # The object of a preposition: "Home for me is Lima".
            wider = next((p for p in phrases(self.sentence, 0, first - 1) if p.stop == first - 1 and not p.prep), None)
            if wider is not None:
                return wider, named(wider), (Phrase(self.sentence, self.lowers[first - 1], first, stop),)
        is_demonstrative = lowers[0] == "that" and first > 0 and self.words[first - 1].tag == "CC"
        if stop - first == 1 and lowers[0] in {"who", "that", "which"} and not is_demonstrative:
            antecedent = next((p for p in phrases(self.sentence, 0, first) if p.stop >= first - 1), None)
            if antecedent is not None and antecedent.prep == "as" and antecedent.head.lower in _ANYBODY:
                return antecedent, SPEAKER, ()  # "as someone who lives in Lund I …"
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


def _without_afterthought(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words up to "and no longer …", which speaks of something else: "I'm a nurse now and no longer a tailor"."""
    for k in range(2, len(words) - 2):
        if words[k - 1] in {"and", "but", ","} and words[k : k + 2] == ("no", "longer"):
            return words[: k - 1]
    return words


def _is_label(subject: Phrase) -> bool:
    """Whether the subject is a thing of somebody's, so that "oolong" after "is" is a value, not a quality."""
    lowers = {w.lower for w in subject.words}
    is_thing = subject.head.lower not in lexicon.words("people", "kin") | lexicon.words("people", "first")
    return is_thing and bool(lowers & {"my", "our", "'s", "favourite", "favorite", "fave"})
