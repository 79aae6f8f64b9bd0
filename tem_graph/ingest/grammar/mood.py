"""Whether a clause states something: questions, conditions, reports, dreams and stories do not."""

from __future__ import annotations

from collections.abc import Sequence

from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.clause import NOBODY, Clause, Role
from tem_graph.ingest.grammar.verbs import Negation, Tense, VerbGroup
from tem_graph.ingest.grammar.words import Sentence, find

# "Almost only drinks tea" is no doubt about the drinking.
_EXCLUSIVE = frozenset(("only", "exclusively", "always", "every", "all", "nothing", "entirely"))
_ANYBODY = frozenset(("they", "people", "you", "everyone", "everybody", "folks", "strangers"))
_STARTS_ANEW = frozenset(["and", "but", "so", "because", "since", "then", "when", "though", "although"])


def is_fiction(lowers: Sequence[str]) -> bool:
    """Whether the sentence tells a story, a dream, a rumour, or what somebody else holds."""
    return any(find(lowers, *cue) for cue in lexicon.cues("clauses", "fiction")) or _is_cited(lowers)


def _is_cited(lowers: Sequence[str]) -> bool:
    """ "Nothing beats kvass, according to my brother"."""
    persons = lexicon.person_nouns() | {"him", "her", "them"}
    behind = (lowers[i + 2 : i + 5] for i, w in enumerate(lowers) if list(lowers[i : i + 2]) == ["according", "to"])
    return any(lexicon.singular(w) in persons for run in behind for w in run)


def is_announced_speech(sentence: Sentence) -> bool:
    """Whether the sentence before breaks off at somebody else's saying: "He said: I live in Lund"."""
    if sentence.before is None:
        return False
    *subject, verb = [w.lower for w in sentence.before.words[-3:]]
    return verb in {"said", "says", "goes", "wrote", "texted", "like"} and not {"i", "we", "it", "how"} & set(subject)


def is_hedged(lowers: Sequence[str], begin: int, group: VerbGroup) -> bool:
    """Whether "almost", "maybe", "not yet" keeps the verb from being true."""
    first = max(begin - 2, 0)
    following = [*lowers[first + 1 :], ""]
    near = {w for w, after in zip(lowers[first : group.stop], following, strict=False) if after not in _EXCLUSIVE}
    rest = lowers[begin:]
    return (
        bool(near & lexicon.words("clauses", "unreal_adverbs")) or find(rest, "not", "yet") or find(rest, "or", "not")
    )


def is_embedded_unreal(sentence: Sentence, begin: int, previous: Clause | None, *, is_present: bool) -> bool:
    """Whether what governs the clause at `begin` says that it is not, or not known to be, so.

    `is_present`: the clause itself speaks of today ("I thought that I like it here").
    """
    lowers = sentence.lowers(0, len(sentence.words))
    markers = _markers(lowers, begin)
    unreal = lexicon.words("clauses", "unreal_markers")
    if (
        markers & unreal
        or (begin and lowers[begin - 1] in unreal)
        or find(lowers[max(begin - 2, 0) : begin + 2], "in", "case")
    ):
        return True
    if _is_disowned(lowers, begin):
        return True
    if find(lowers[begin : begin + 4], "as", "if") or find(lowers[begin : begin + 4], "as", "though"):
        return True
    if previous is None:
        return False
    last = previous.tail[-1].head.lower if previous.tail else ""
    if markers & {"that", "where"} and last in lexicon.words("clauses", "imagined"):
        return True
    return _governs(lowers, previous, begin) and _denies(previous, markers, is_present)


def _is_disowned(lowers: Sequence[str], begin: int) -> bool:
    """ "It's not like I'm a pilot", "it isn't that chai is my favourite", "neither coffee nor tea is"."""
    run = lowers[max(begin - 3, 0) : begin + 2]
    if any(find(run, no, marker) for no in ("not", "n't") for marker in ("like", "that")):
        return True
    return lowers[begin : begin + 1] == ["neither"] and "nor" in lowers[begin:]


def _markers(lowers: Sequence[str], begin: int) -> set[str]:
    """The conjunctions that the clause starts with."""
    run: set[str] = set()
    for lower in lowers[begin : begin + 3]:
        if lower not in lexicon.words("clauses", "connectors") | {"even", "only", "just"}:
            break
        run.add(lower)
    return run


def _governs(lowers: Sequence[str], previous: Clause, begin: int) -> bool:
    """Whether the clause at `begin` is what the clause before it says, thinks or hopes."""
    if previous.group is None or "," in lowers[previous.group.stop : begin]:
        return False
    if begin < len(lowers) and lowers[begin] in _STARTS_ANEW:
        return False
    nouns = [p for p in previous.tail if p.head.tag != "PRP" and p.stop <= begin]
    return len(nouns) <= (1 if _verb(previous) in lexicon.words("clauses", "reporting") else 0)


def _verb(clause: Clause) -> str:
    return clause.key.removeprefix("be ").split(" ")[0]


def _asks_politely(governor: Clause) -> bool:
    return bool({"could", "can", "would", "will"} & set(governor.sentence.lowers(0, governor.first + 1)))


def _is_requested(governor: Clause) -> bool:
    """ "Tell them that I live in Lund", "it should say that I'm a cook": what the speaker wants noted is so."""
    group = governor.group
    is_order = group is not None and governor.subject is None and group.verbs[0].tag in {"VB", "VBP"}
    is_polite = governor.subject is not None and governor.subject.text.lower() == "you" and _asks_politely(governor)
    is_bid = (is_order or is_polite) and governor.person is NOBODY and governor.negation is Negation.NONE
    is_text = governor.subject is not None and governor.subject.head.lower in lexicon.words("clauses", "documents")
    return is_bid or (is_text and "should" in governor.words)


def _subject_of(clause: Clause) -> str:
    return clause.subject.text.lower() if clause.subject is not None else ""


def _denies(governor: Clause, markers: set[str], is_present: bool) -> bool:
    verb = _verb(governor)
    if verb in lexicon.words("clauses", "noting") and _is_requested(governor):
        return False
    if {"hardly", "barely", "scarcely"} & set(governor.words):
        return True  # "I'd hardly call it my favourite"
    is_speaker = governor.person.role is Role.SPEAKER
    if verb in lexicon.words("clauses", "imagining"):
        return True
    if verb == "believe" and "you" in governor.words and governor.sentence.question:
        return False  # "Would you believe I moved?"
    if verb in lexicon.words("clauses", "factive") and verb not in lexicon.words("clauses", "thinking"):
        return bool({"if", "whether"} & markers)
    if verb == "hear" and is_present and _subject_of(governor) in _ANYBODY:
        return False  # "when people hear that I live in Lund": what others come to know is so
    if verb in lexicon.words("clauses", "reporting"):
        return not is_speaker or verb in {"hear", "read"}
    if verb in lexicon.words("clauses", "thinking"):
        is_impersonal = governor.subject is not None and governor.subject.head.lower in {"it"}
        is_of_then = governor.tense is Tense.PAST and not (is_present and is_speaker)
        doubts = governor.negation is not Negation.NONE or is_of_then
        is_asked = "you" in governor.words and "can" in governor.words
        return not is_asked and (doubts or not (is_speaker or is_impersonal))
    return (
        governor.subject is not None
        and governor.unreal
        and not (is_speaker and verb in {"say", "admit", "confess", "share"})
    )


def is_question(sentence: Sentence, begin: int, stop: int, subject: tuple[int, int] | None, group: VerbGroup) -> bool:
    """Whether the clause itself is asked: "I moved to Porto, can you believe it?" asks only its second part."""
    if not sentence.question:
        return False
    lowers = sentence.lowers(0, len(sentence.words))
    before = [w for w in lowers[:begin] if w[0].isalpha()]
    if any(find(before, *cue) for cue in lexicon.cues("clauses", "told_in_question")):
        return bool({"if", "whether"} & set(before))
    if "that" in before and set(before) & lexicon.words("clauses", "noting") and "you" in before[:3]:
        return False  # "Could you note that I live in Lund?"
    starts_with_subject = subject is not None and subject[1] <= group.first and lowers[subject[0]] in {"i", "we", "my"}
    is_asked = bool(set(before) & lexicon.words("clauses", "asking"))
    tag = [w for w in lowers[stop:] if w[0].isalpha() or w == "n't"]
    asks_back = len(tag) >= 2 and bool(set(tag[:3]) & lexicon.words("clauses", "asked_back"))
    return not (starts_with_subject and not is_asked and asks_back)


def is_anchored(sentence: Sentence, begin: int, group: VerbGroup, lowers: Sequence[str]) -> bool:
    """Whether the clause plays in another time of life."""
    opening = {w.lower for w in sentence.words[begin : begin + 2] if not w.is_time}
    markers = opening & lexicon.words("clauses", "other_time_markers")
    if markers and group.first > begin:
        return True
    if find(sentence.lowers(begin - 3, group.first), "soon", "as"):
        return True
    return any(find(lowers, *cue) for cue in lexicon.cues("clauses", "long_ago"))


def is_achieved(group: VerbGroup, previous: Clause | None) -> bool:
    """Whether a purpose is told as reached: "I left nursing to become a pilot"."""
    if previous is None or previous.group is None or previous.unreal or previous.negation is not Negation.NONE:
        return False
    verb = previous.key.split(" ")[0]
    is_done = previous.tense in {Tense.PAST, Tense.PERFECT}
    return (
        is_done
        and verb in lexicon.words("clauses", "achieving")
        and group.head.lemma in lexicon.words("clauses", "achieved")
    )
