"""The drink that somebody prefers, read from the stance of a whole turn (relation likes, slot drink).

Frames want a verb and its arguments. People also say "Kombucha. My favourite, easily", "Team kvass now",
"I tried mate in May and haven't had anything else since": a drink is named in one segment, and what it is to the
speaker is said in the same one or in the next, with "it" or with nothing at all in place of the drink. So each
segment is written in one plain form in which the drink, or what stands for it, is "§"; cues over that form say
which drink wins (`preference_cues`), and the clauses of the segment say whether it is stated, and by whom.

It reads no ends, and nothing about drinks that a frame has read already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from tem_graph.domain.fact import FactKind
from tem_graph.ingest import english
from tem_graph.ingest.grammar.clause import SPEAKER, Clause, Role
from tem_graph.ingest.grammar.frames import Reading, logical_lines
from tem_graph.ingest.grammar.lexicon import singular, words
from tem_graph.ingest.grammar.mood import is_fiction
from tem_graph.ingest.grammar.passage import Segment
from tem_graph.ingest.grammar.phrases import Phrase
from tem_graph.ingest.grammar.times import find_times
from tem_graph.ingest.grammar.verbs import Tense
from tem_graph.ingest.grammar.words import Word

_FURTHEST = 3
"""How many segments back "it" may look for its drink."""
_NAMES_IT = re.compile(r"(?:(?:and|so|but|,) )*(?:it|that|this) (?=(?:be|have been|would be|'s) )")
_POINTING = frozenset(("it", "that", "this", "which", "them", "they"))
_HUMANS = (words("people", "third") - _POINTING - {"these", "those", "there"}) | {"you"}
_OTHERS_OWN = frozenset(("whose", "his", "her", "their", "your", "hers", "theirs", "yours"))


@dataclass(frozen=True, slots=True)
class Preferred:
    """A reading with the words that name the drink and say what it is to the speaker."""

    reading: Reading
    quote: str


def preferences(
    segments: Sequence[Segment], asked: Sequence[Segment], settled: Sequence[Reading]
) -> Iterator[Preferred]:
    """The drinks preferred in a turn. `asked` is the turn before by somebody else, `settled` what frames have read."""
    taken = [(r.object.sentence, r.object.first, r.object.stop) for r in settled]
    has_ended = any(r.kind is FactKind.END and r.slot == "drink" for r in settled)
    for k, segment in enumerate(segments):
        for named, drink, text in _spoken_of(segments, k):
            if any(s is drink.sentence and a < drink.stop and drink.first < b for s, a, b in taken):
                continue
            if segment.is_verbless and _asks_of_another(asked):
                continue
            is_told = _follows(segment, text.rstrip(" ~")) if text.endswith("~") else _is_preferred(segment, text)
            if (
                is_told
                or _is_habit(segment, text)
                or (named is segment and _answers(segment, text, segments[:k], asked))
                or (named is segment and (has_ended or _replaces(segments[:k])) and _is_told_bare(segment, text))
            ):
                taken.append((drink.sentence, drink.first, drink.stop))
                yield Preferred(_reading(segment, drink), _quote(segment, named))


def _quote(stated: Segment, named: Segment) -> str:
    first, last = sorted((stated, named), key=lambda s: (s.number, s.first))
    start, end = first.words[0].start, last.words[-1].end
    return stated.sentence.source[start:end]


def _reading(stated: Segment, drink: Phrase) -> Reading:
    times = find_times(stated.sentence.words)
    since = next((t for t in times if t.role == "since" and stated.first <= t.first < stated.stop), None)
    words_of = stated.sentence.cut(since.first, since.stop) if since else None
    return Reading(SPEAKER, "likes", drink, FactKind.VALUE, "drink", words_of)


# What a segment speaks of


def _spoken_of(segments: Sequence[Segment], k: int) -> Iterator[tuple[Segment, Phrase, str]]:
    """(segment that names it, drink, plain form) for each drink that a segment may speak of."""
    segment = segments[k]
    if segment.drinks:
        for drink in segment.drinks:
            text = plain(segment, _range(drink))
            yield segment, drink, text
            if k and not segments[k - 1].drinks and (match := _NAMES_IT.match(text)):
                # "I've got a new addiction and it's called kvass"
                yield segment, drink, f"{plain(segments[k - 1]).rstrip(' ,:-')} {text[match.end() :]}"
        texts = [plain(segment, _range(d)) for d in segment.drinks]
        if not all(_is_passed_over(text) or _says("unused", text) for text in texts):
            return
    earlier = _antecedent(segments, k)
    if earlier is not None:
        for text in _pointing(segment):
            yield (*earlier, text)
    if k + 1 < len(segments) and segments[k + 1].drinks and len(segments[k + 1].drinks) == 1:
        following = segments[k + 1]
        if _is_bare(plain(following, _range(following.drinks[0]))):
            yield following, following.drinks[0], f"{plain(segment).rstrip(' ,:-')} : §"


def _range(phrase: Phrase) -> range:
    return range(phrase.first, phrase.stop)


def _pointing(segment: Segment) -> Iterator[str]:
    """The plain forms in which "it", or a gap, is the drink."""
    pronouns = [w for w in segment.words if w.lower in _POINTING or (w.lower == "its" and _is_it_is(segment, w))]
    for word in pronouns:
        text = plain(segment, range(word.i, word.i + 1))
        yield text.replace("§", "§ be", 1) if word.lower == "its" else text
    if not pronouns:
        text = plain(segment)
        if segment.is_verbless:
            yield f"§ be {text}"
        yield f"{text} ~"


def _antecedent(segments: Sequence[Segment], k: int) -> tuple[Segment, Phrase] | None:
    """The nearest drink in front that is not passed over there."""
    for before in reversed(segments[max(k - _FURTHEST, 0) : k]):
        texts = {d: plain(before, _range(d)) for d in before.drinks}
        kept = [d for d, text in texts.items() if not _is_passed_over(text) and not _says("unused", text)]
        kept = kept or [d for d, text in texts.items() if not _is_passed_over(text)]
        if kept:
            return before, kept[-1]
        if before.drinks:
            return None
    return None


# The plain form


def plain(segment: Segment, drink: range | None = None) -> str:
    """The words of a segment in one form, the drink at the places `drink` as "§", other drinks as "¤"."""
    others = {i for d in segment.drinks for i in range(d.first, d.stop)}
    found: list[str] = []
    for word in segment.words:
        if drink is not None and word.i in drink:
            token = "§" if word.i == drink[0] else ""
        elif word.i in others:
            token = "¤" if word.i - 1 not in others else ""
        else:
            token = _form(segment, word)
        if token:
            found.append(token)
    return " ".join(found).rstrip(" ,:-")


def _form(segment: Segment, word: Word) -> str:
    lower = word.lower
    if lower in words("preference", "favourites"):
        return "favourite" if _is_of_drinks(segment, word) else "favourite_"
    if lower in {"'s", "is", "am", "'m", "are", "'re", "m", "re"} and word.lemma == "be":
        return "be"
    if word.tag == "POS":
        return "'s"
    if lower in {"has", "'s", "'ve", "ve", "have"} and word.lemma == "have":
        return "have"
    if lower == "its" and _is_it_is(segment, word):
        return "it be"
    if lower in {"n't", "nt"}:
        return "not"
    if lower in {"our", "mine"}:
        return "my"
    if lower in {"a", "an", "the", "some", "such"} or lower in words("preference", "intensifiers"):
        return ""
    if word.tag == "RB" and lower.endswith("ly") and lower not in words("preference", "telling_adverbs"):
        return ""
    if not any(c.isalnum() for c in lower):
        return lower if lower in {",", ":", ">", "&", "#"} else ""
    return lower.strip("'") if lower not in {"'d", "'ll"} else {"'d": "would", "'ll": "will"}[lower]


def _is_it_is(segment: Segment, word: Word) -> bool:
    """Whether "its" has lost its apostrophe: "its my fave", "its all about tea"."""
    items = segment.sentence.words
    follower = items[word.i + 1] if word.i + 1 < len(items) else None
    starts_a_drink = any(follower is not None and d.first == follower.i for d in segment.drinks)
    return follower is not None and (starts_a_drink or not (follower.is_noun or follower.tag.startswith("JJ")))


def _is_of_drinks(segment: Segment, word: Word) -> bool:
    """Whether "favourite" speaks of a drink of the speaker's: not "my favourite mug", not "her favourite"."""
    items = segment.sentence.words
    before = {w.lower for w in items[max(word.i - 4, segment.first) : word.i]}
    if before & _OTHERS_OWN or "'s" in {w.lower for w in items[max(word.i - 3, 0) : word.i] if w.tag == "POS"}:
        return False
    drinks = {i for d in segment.drinks for i in range(d.first, d.stop)}
    for follower in items[word.i + 1 : word.i + 4]:
        if follower.lower in words("preference", "tasted") or follower.i in drinks:
            return True
        if not (follower.is_noun or follower.tag.startswith("JJ") or follower.text == "-"):
            return True
        if follower.is_noun and not (follower.i + 1 < len(items) and items[follower.i + 1].is_noun):
            return follower.is_time
    return True


# Whether it is preferred


@cache
def _cues() -> dict[str, tuple[re.Pattern[str], ...]]:
    """The patterns of preference.cues by group."""
    text = resources.files(__package__).joinpath("preference.cues").read_text(encoding="utf-8")
    names: dict[str, str] = {}
    groups: dict[str, list[re.Pattern[str]]] = {}
    for line in logical_lines(text):
        line = re.sub(r"\{(\w+)\}", lambda m: names.get(m[1], m[0]), line)
        head, _, rest = line.partition(" ")
        if head == "let":
            name, _, value = rest.partition("=")
            names[name.strip()] = value.strip()
        else:
            groups.setdefault(head, []).append(re.compile(rest.strip()))
    return {name: tuple(patterns) for name, patterns in groups.items()}


def _says(group: str, text: str) -> bool:
    return any(cue.search(text) for cue in _cues()[group])


def _is_preferred(segment: Segment, text: str) -> bool:
    """Whether the plain form says that "§" is what the speaker prefers, and states it."""
    is_cited = segment.sentence.lowers(0, 2) == ["according", "to"]
    if is_cited or _says("never", text) or _is_about_another(segment, text):
        return False
    if segment.is_verbless and (segment.sentence.question or _is_for_another(segment)):
        return False
    state = _state_of(segment)
    if _says("free", text) and not state.asked:
        return True
    if _says("not", text) and not (state.asked or state.past or "if" in segment.lowers):
        return True
    if _says("denied", text) or _says("unused", text) or _says("lost", text):
        return False
    if not state.unreal and _says("event", text):
        return True
    if not state.wished:
        if not state.past and _says("state", text):
            return True
        if len(segment.drinks) == 1 and _says("gap", text):
            return True
        if not state.past and len(segment.drinks) <= 1 and _says("alone", text):
            return True
    return not state.embedded and _says("would", text)


def _follows(segment: Segment, text: str) -> bool:
    """Whether a segment that names no drink says it of the one in front."""
    state = _state_of(segment)
    is_open = not (state.unreal or segment.sentence.question or _is_about_another(segment, text))
    return is_open and (
        _says("gap", text) or (_says("alone", text) and not _says("denied", f"{text} §") and not state.past)
    )


@dataclass(frozen=True, slots=True)
class _State:
    unreal: bool
    wished: bool
    """Unreal, and not only because a verb is an infinitive: "it turned out to be my favourite"."""
    asked: bool
    embedded: bool
    past: bool


def _state_of(segment: Segment) -> _State:
    """What the clauses of a segment say about whether it is so."""
    sentence = segment.sentence
    if _says("tells", plain(segment)) and not sentence.question:
        return _State(unreal=False, wished=False, asked=False, embedded=False, past=False)
    is_told = not is_fiction(sentence.lowers(0, len(sentence.words)))
    return _State(
        unreal=not is_told or any(c.unreal for c in segment.clauses),
        wished=not is_told or any(c.unreal and not _is_mere_infinitive(c) for c in segment.clauses),
        asked=not is_told or sentence.question,
        embedded=not is_told or any(c.embedded_unreal for c in segment.clauses),
        past=any(_is_past_state(c) for c in segment.clauses),
    )


def _is_passed_over(text: str) -> bool:
    return _says("lost", text) and not _says("not", text)


def _is_habit(segment: Segment, text: str) -> bool:
    """ "Kvass again.", "No, rooibos these days": the drink alone, and that it is so now or always."""
    is_asked = segment.sentence.question or _is_for_another(segment) or _state_of(segment).unreal
    return not is_asked and _is_bare(text) and _says("habit", text) and not _says("lost", text)


def _is_mere_infinitive(clause: Clause) -> bool:
    return (
        clause.group is not None and clause.group.infinitive and not clause.embedded_unreal and not clause.group.unreal
    )


def _is_told_bare(segment: Segment, text: str) -> bool:
    return _is_bare(text) and not (segment.sentence.question or _says("lost", text) or _says("denied", text))


def _replaces(before: Sequence[Segment]) -> bool:
    """Whether the drink just named was given up: "Off coffee, on tea"."""
    last = before[-1] if before else None
    return last is not None and any(_says("dropped", plain(last, _range(d))) for d in last.drinks)


def _answers(segment: Segment, text: str, before: Sequence[Segment], asked: Sequence[Segment]) -> bool:
    """Whether the bare drink answers a question after what is preferred: "Still your favourite? - Yep, kvass"."""
    if not _is_question(asked) or any(not s.is_verbless or s.drinks for s in before):
        return False
    if not _is_bare(text) or segment.sentence.question:
        return False
    question = " ".join(plain(s) for s in asked)
    return _says("asks", question) and not _asks_of_another(asked)


def _is_question(asked: Sequence[Segment]) -> bool:
    """Whether a turn ends in a question; of "Favourite drink?" the reader makes a label, so the text is asked."""
    if not asked:
        return False
    opening = asked[-1].sentence.words[0].lower
    return asked[-1].sentence.source.rstrip().endswith("?") or opening in words("clauses", "asking") | {
        "whats",
        "still",
    }


def _asks_of_another(asked: Sequence[Segment]) -> bool:
    """Whether a question is about somebody else: "What does your sister drink?"."""
    if not _is_question(asked):
        return False
    last = [w for s in asked if s.number == asked[-1].number for w in s.words]
    others = english.PERSONS | words("people", "kin") | {"he", "she", "they", "him", "them"}
    return any(singular(w.lower) in others or (w.ent == "PERSON" and w.i > 0) for w in last)


def _is_bare(text: str) -> bool:
    """Whether there is nothing but the drink, fillers, and words of habit or change."""
    return any(cue.fullmatch(text) for cue in _cues()["bare"])


# Who says it, and of whom


def _is_past_state(clause: Clause) -> bool:
    if clause.tense is not Tense.PAST or clause.group is None:
        return False
    is_adjective = clause.key.startswith("be ") and clause.key not in words("preference", "turns")
    return is_adjective or clause.group.head.lemma in words("preference", "states")


def _is_for_another(segment: Segment) -> bool:
    lowers = segment.lowers
    return any(
        before == "for"
        and (
            after.lower in words("people", "kin") | _OTHERS_OWN | {"him", "them", "you"}
            or (after.is_name and after.ent == "PERSON")
        )
        for before, after in zip(lowers, segment.words[1:], strict=False)
    )


def _is_about_another(segment: Segment, text: str) -> bool:
    if _says("others", text) and not _says("own", text) and not {"me", "us"} & set(segment.lowers):
        return True
    if segment.is_verbless:
        return False
    clause = segment.clauses[0]
    if clause.person is SPEAKER:
        return False
    if clause.subject is None:
        return clause.person.role is Role.NAMED
    named = {i for d in segment.drinks for i in range(d.first, d.stop)}
    subject = [w for w in clause.subject.words if w.i not in named]
    lowers = {singular(w.lower) for w in subject} - words("preference", "intensifiers")
    is_person = bool(lowers & (english.PERSONS | words("people", "kin"))) or bool(
        {w.lower for w in (*subject[:1], *subject[-1:])} & _HUMANS
    )
    is_mine = lowers & (words("people", "ours") | words("preference", "impersonal"))
    is_name = clause.person.role is Role.NAMED and clause.subject.head.tag == "NNP" and subject and not is_mine
    if is_person or is_name:
        return not ({"me", "us"} & set(segment.lowers) or _says("own", text))
    is_drink = len(subject) < len(clause.subject.words) or (
        clause.group is not None and clause.group.first - 1 in named
    )
    return not (is_drink or is_mine or not lowers or {"me", "us"} & set(segment.lowers) or _says("own", text))
