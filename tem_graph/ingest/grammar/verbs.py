"""Verb groups: "have been thinking about moving" is one group whose lexical verb is "move", and unreal.

A group is read from left to right over the tags, because the parser's attachments are least reliable in
just the sentences that matter here (plans, wishes, colloquial starts). The catenatives of lexicon.toml say
what a verb does to the one that it governs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from functools import cache

from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.words import Sentence, Word


class Tense(Enum):
    PRESENT = auto()
    PERFECT = auto()
    PAST = auto()
    FUTURE = auto()


class Effect(Enum):
    """What a governing verb says about the governed one."""

    HOLDS = "holds"
    """It is so: keep, love, manage to."""
    STARTS = "starts"
    STOPS = "stops"
    WAS = "was"
    """It was so: used to, miss, remember."""
    PLAN = "plan"
    """It will be so: going to, about to, due to."""
    UNREAL = "unreal"
    """Nothing is said about whether it is so: want, hope, think about, try."""


class Negation(Enum):
    NONE = auto()
    NOT = auto()
    NO_LONGER = auto()


@dataclass(frozen=True, slots=True)
class VerbGroup:
    """Words `first` up to `stop`. `key` names the lexical verb: "move", "be hooked", "can't stand"."""

    first: int
    stop: int
    verbs: tuple[Word, ...]
    key: str
    tense: Tense
    negation: Negation
    progressive: bool = False
    effect: Effect | None = None
    unreal: bool = False
    infinitive: bool = False
    """Starts with "to": a purpose, not a statement."""
    bare: bool = False
    """Has no finite verb of its own: a gerund, participle or base form."""
    governor: str | None = None
    """The catenative right above the lexical verb, if there is one: "love" in "love hiking"."""

    @property
    def head(self) -> Word:
        return self.verbs[-1]


_ADVERBS = frozenset(("RB", "RBR", "RBS"))
_NON_FINITE = frozenset(("VBG", "VBN", "VB"))
_MOST_WORDS_BETWEEN = 5


@cache
def _effects() -> dict[str, Effect]:
    return {key: effect for effect in Effect for key in lexicon.words("verbs", effect.value)}


def verb_groups(sentence: Sentence) -> list[VerbGroup]:
    """Every verb group of a sentence, in order; quoted words say nothing."""
    groups: list[VerbGroup] = []
    i = 0
    while i < len(sentence.words):
        group = _group_at(sentence, i)
        if group is None:
            i += 1
            continue
        if not group.head.quoted:
            groups.append(group)
            groups.extend(_nominal_reading(group))
        i = group.stop
    return groups


def _nominal_reading(group: VerbGroup) -> list[VerbGroup]:
    """ "I quit teaching" also says what was quit: the same group, ended before the gerund."""
    governor = group.governor or ""
    is_gerund = len(group.verbs) > 1 and group.head.tag == "VBG"
    if not is_gerund or governor.split("_")[0] not in lexicon.words("verbs", "nominal"):
        return []
    shorter = replace(
        group, stop=group.head.i, verbs=group.verbs[:-1], key=governor.replace("_", " "), effect=None, governor=None
    )
    return [shorter]


def is_verbal(words: Sequence[Word], i: int) -> bool:
    """Whether the word acts as a verb here; participles inside a noun phrase and nominal gerunds do not."""
    word = words[i]
    if not word.is_verb or word.is_time:
        return False
    before = words[i - 1] if i else None
    after = words[i + 1] if i + 1 < len(words) else None
    if before is not None and word.tag != "MD" and _makes_a_noun(before, word):
        return False
    if word.lower == "put" and before is not None and before.lemma == "stay":
        return False
    if word.tag != "MD" and (_is_glued_dash(word, after) or (before is not None and _is_glued_dash(word, before))):
        return False
    if word.lower in {"drink", "eat", "order", "wear"} and _completes_thing(words, i):
        return False
    is_attribute = word.tag in {"VBN", "VBG", "VBD"} and word.dep in {"amod", "compound", "nmod"}
    return not (is_attribute and after is not None and (after.is_noun or after.tag in {"JJ", "VBN", "VBG"}))


def _makes_a_noun(before: Word, word: Word) -> bool:
    """Whether what stands in front lets no verb follow: "my training", "a rented flat"."""
    if before.tag == "JJ":
        return not (word.tag == "VBG" and word.dep in {"xcomp", "advcl", "ccomp", "ROOT"}) and word.tag != "VBZ"
    if before.tag == "DT":
        return before.lower not in {"that", "this", "these", "all", "both"}
    return before.tag in {"PRP$", "POS", "CD"}


def _is_glued_dash(word: Word, neighbour: Word | None) -> bool:
    return neighbour is not None and neighbour.text == "-" and word.start - 1 <= neighbour.start <= word.end


def _completes_thing(words: Sequence[Word], i: int) -> bool:
    """ "My favourite thing to drink": the infinitive belongs to the noun."""
    return i >= 2 and words[i - 1].lower == "to" and words[i - 2].lower in {"thing", "stuff"}


def _group_at(sentence: Sentence, i: int) -> VerbGroup | None:
    words = sentence.words
    infinitive = words[i].tag == "TO" and words[i].lower == "to"
    j = i + 1 if infinitive else i
    while infinitive and j < len(words) and words[j].tag in _ADVERBS:
        j += 1
    if j >= len(words) or not is_verbal(words, j) or (infinitive and words[j].tag not in {"VB", "VBP"}):
        return None
    verbs = [words[j]]
    links: list[str] = []
    stop = j + 1
    while (step := _next_verb(words, verbs[-1], stop)) is not None:
        link, place = step
        links.append(link)
        verbs.append(words[place])
        stop = place + 1
    return _build(sentence, i, stop, verbs, links, infinitive)


def _next_verb(words: Sequence[Word], verb: Word, stop: int) -> tuple[str, int] | None:
    """The next verb of the same group and the catenative key that leads to it ("" for an auxiliary)."""
    mid: list[str] = []
    adjective = ""
    for j in range(stop, min(stop + _MOST_WORDS_BETWEEN, len(words))):
        word = words[j]
        if is_verbal(words, j):
            return _link(verb, adjective, mid, word, j)
        if word.lower in lexicon.words("verbs", "links") or word.tag == "RP":
            mid.append(word.lower)
        elif word.tag in _ADVERBS or word.dep == "neg":
            adjective = word.lower if verb.lemma == "be" and word.lower in {"about", "done"} else adjective
        elif verb.lemma in {"be", "get", "come"} and word.tag.startswith("JJ") and not adjective:
            adjective = word.lower
        elif verb.lemma in {"make", "get"} and word.lower in {"me", "us"}:
            continue
        else:
            return None
    return None


def _link(verb: Word, adjective: str, mid: Sequence[str], follower: Word, place: int) -> tuple[str, int] | None:
    if not adjective and not mid and _is_auxiliary(verb, follower):
        return "", place
    is_gerund = follower.tag == "VBG"
    if not is_gerund and not (mid and mid[-1] == "to") and verb.lemma != "make":
        return None
    if not is_gerund and verb.lemma in {"remember", "forget", "stop"}:
        return "forget_to", place
    links = [m for m in mid if m != "to" or is_gerund]
    stems = [f"be_{verb.lower}", verb.lemma] if verb.lower in {"done", "finished"} else [verb.lemma]
    if adjective:
        stems = [f"{verb.lemma}_{adjective}"]
    if verb.lower == "had" or (verb.lemma == "have" and follower.lemma == "be"):
        stems = ["had"]  # "had to move" was done, "has to be chai" is a way of saying "is"
    keys = ["_".join([stem, *links]) for stem in stems]
    return next(((key, place) for key in keys if key in _effects()), None)


def _is_auxiliary(verb: Word, follower: Word) -> bool:
    match verb.lemma:
        case "be":
            return follower.tag in {"VBG", "VBN", "VBD"}
        case "get" | "become" | "grow":
            return follower.tag in {"VBN", "VBD"} and follower.lower != "been"
        case "have":
            return follower.tag in {"VBN", "VBD"} or follower.lower == "been"
        case "do":
            return follower.tag in {"VB", "VBP"} and verb.lower != "done"
    return verb.tag == "MD" and follower.tag in {"VB", "VBP", "VBN", "VBD"}


def _build(
    sentence: Sentence, first: int, stop: int, verbs: Sequence[Word], links: Sequence[str], infinitive: bool
) -> VerbGroup:
    chain = [link for link in links if link]
    finite = verbs[: links.index(chain[0]) + 1] if chain else verbs
    tense, progressive, unreal = _tense(finite, governs=bool(chain))
    effect = _effect(chain)
    if Effect.UNREAL in {_effects()[link] for link in chain}:
        unreal = True
    if effect is Effect.PLAN:
        unreal = unreal or tense not in {Tense.PRESENT, Tense.FUTURE}
        tense = Tense.FUTURE
    before = verbs[-2] if len(verbs) > 1 and not links[-1] else None
    negation = _negation(sentence, first, stop)
    key = _key(verbs[-1], before, negation)
    if before is not None and before.lemma != "be" and key.startswith("be "):
        # "I got hooked": a change, not a state.
        effect = effect or Effect.STARTS
    modals = {v.lower for v in verbs if v.tag == "MD"}
    if modals & {"can", "ca"} and {"finally", "now"} & set(sentence.lowers(first, stop)):
        unreal = False  # "I can finally call myself a baker"
    if modals & {"can", "ca"} and negation is Negation.NOT and chain[:1] == ["stop"]:
        effect, negation, unreal = Effect.HOLDS, Negation.NONE, False  # "I can't stop drinking chai"
    if before is not None and before.lemma == "have" and verbs[-1].lower == "got":
        key, tense = "have", Tense.PRESENT
    if key.startswith("can't"):
        negation, unreal = Negation.NONE, False
        tense = Tense.PAST if "could" in {v.lower for v in verbs} else Tense.PRESENT
    bare = verbs[0].tag in _NON_FINITE and not infinitive
    bare = bare and (verbs[0].tag == "VBG" or verbs[0].lemma not in {"be", "have", "do"})
    governor = links[-1] if links and links[-1] else None
    return VerbGroup(
        first, stop, tuple(verbs), key, tense, negation, progressive, effect, unreal, infinitive, bare, governor
    )


def _effect(chain: Sequence[str]) -> Effect | None:
    """What a row of catenatives comes to: "stopped trying to" stops, "went back to" starts."""
    effect: Effect | None = None
    for link in chain:
        found = _effects()[link]
        if effect is None or found not in {Effect.HOLDS, Effect.STARTS}:
            effect = found
    return effect


def _key(head: Word, before: Word | None, negation: Negation) -> str:
    if before is not None and before.lemma in {"be", "get", "become", "grow"} and head.tag in {"VBN", "VBD"}:
        return f"be {head.lower}"
    if before is not None and before.lower in {"can", "ca", "could"} and negation is Negation.NOT:
        return f"can't {head.lemma}"
    return head.lemma


def _tense(verbs: Sequence[Word], *, governs: bool) -> tuple[Tense, bool, bool]:
    """(tense, progressive, unreal) of the finite part of a group."""
    first = verbs[0]
    progressive = any(v.lemma == "be" for v in verbs[:-1]) and verbs[-1].tag == "VBG"
    if first.tag == "MD":
        if first.lower in {"will", "'ll", "wo", "ll"}:
            return Tense.FUTURE, progressive, False
        return Tense.PRESENT, progressive, first.lower in lexicon.words("verbs", "unreal_modals")
    if first.lower in {"used", "use"} and governs:
        return Tense.PAST, progressive, False
    if first.lower == "been":
        return Tense.PERFECT, progressive, False  # "Been living here for years" has lost its "I have"
    if first.lemma == "have" and len(verbs) > 1:
        return (Tense.PAST if first.lower in {"had", "'d", "d"} else Tense.PERFECT), progressive, False
    if first.tag in {"VBD", "VBN"} or first.lower in {"was", "were", "did", "got", "had"}:
        # "Lived in Vienna until May": a participle without an auxiliary has lost only its "I".
        return Tense.PAST, progressive, False
    return Tense.PRESENT, progressive or first.tag == "VBG", False


def _negation(sentence: Sentence, first: int, stop: int) -> Negation:
    """Negation inside the group, or right behind "be"; what the clause adds ("any more") comes later."""
    lowers = sentence.lowers(first - 1, stop)
    if sentence.words[stop - 1].lemma in {"be", "become"}:
        for word in sentence.words[stop : stop + 2]:
            if word.tag not in _ADVERBS and word.dep != "neg":
                break
            lowers.append(word.lower)
    if "no" in lowers and "longer" in lowers:
        return Negation.NO_LONGER
    return Negation.NOT if lexicon.words("verbs", "negatives") & set(lowers) else Negation.NONE
