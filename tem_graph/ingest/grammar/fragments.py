"""Sentences without a verb: "Still in Lund!", "Back to a nurse at Acme", "New job: welder"."""

from __future__ import annotations

from dataclasses import replace

from tem_graph.ingest.grammar.clause import SPEAKER, Clause
from tem_graph.ingest.grammar.lexicon import is_occupation
from tem_graph.ingest.grammar.lexicon import words as listed
from tem_graph.ingest.grammar.mood import is_fiction
from tem_graph.ingest.grammar.names import looks_like_a_place
from tem_graph.ingest.grammar.phrases import Phrase, phrases
from tem_graph.ingest.grammar.times import find_times
from tem_graph.ingest.grammar.verbs import Negation, Tense
from tem_graph.ingest.grammar.words import Sentence

_SIGNS = frozenset((":", "=", "-", "–", "—", "?"))
_PAUSES = frozenset((",", ".", "!", "-", "–", "—", ":", "and", "but"))
_LONGEST_LABEL = 8
# What may stand between a label and its colon: "Favourite drink rn:", "Same drink as always:".
_BETWEEN = frozenset(("rn", "atm", "as", "always", "before", "ever", "for"))
_LONGEST_BARE = 7
_BESIDES = frozenset(("now", "again", "here", "in", "since", "ago", "last"))
_OPENERS = frozenset(("back", "still", "now", "finally", "again", "officially", "not", "no"))


def read_fragment(sentence: Sentence, stop: int, following: Clause | None = None) -> list[Clause]:
    """The words up to `stop` as a clause that leaves out "I am", or that is a label and its value; else nothing.

    "Back in Rome I worked" says when the clause that follows was so, not where somebody is.
    """
    words = sentence.words[:stop]
    if following is not None and following.tense is Tense.PAST and words and words[-1].lower not in _PAUSES:
        return []
    lowers = tuple(w.lower for w in words)
    if not words:
        return []
    while stop > 1 and words[stop - 1].lower in {".", "!", "?", ",", "and", "but"}:
        stop -= 1
    base = Clause(
        sentence=sentence,
        group=None,
        key="be",
        person=SPEAKER,
        subject=None,
        tail=(),
        first=0,
        stop=stop,
        unreal=sentence.question or any(w.quoted for w in words) or is_fiction(lowers),
        times=tuple(find_times(words)),
        words=lowers,
    )
    return _labelled(base) or _left_out(base) or _bare(base)


def _labelled(base: Clause) -> list[Clause]:
    """ "New job: welder": the first phrase, a sign, and what it is."""
    words = base.sentence.words[: base.stop]
    colon = next((w.i for w in words[1:_LONGEST_LABEL] if w.text in _SIGNS and not _is_inside(base, w.i)), None)
    if colon is None or colon + 1 >= len(words):
        return []
    label = phrases(base.sentence, 0, colon)
    tail = tuple(phrases(base.sentence, colon + 1, len(words)))
    between = words[label[0].stop : colon] if label else ()
    if not label or not tail or not all(w.is_time or w.tag == "RB" or w.lower in _BETWEEN for w in between):
        return []
    return [replace(base, key="label", subject=label[0], tail=tail)]


def read_entries(sentence: Sentence) -> list[Clause]:
    """ "For your records: occupation, cook", "save this: home city Lund": lines of a form, wherever they stand.

    A comma or nothing stands between the label and its value, and no verb near them.
    """
    items = sentence.words
    row = phrases(sentence, 0, len(items))
    found: list[Clause] = []
    for k, phrase in enumerate(row):
        split = _split_entry(phrase, row[k + 1 :])
        if split is None:
            continue
        label, value = split
        ends = items[value.stop].text if value.stop < len(items) else "."
        is_apart = ends[0] in ".,;!)-" or items[value.stop].is_time
        opens = label.first == 0 or not items[label.first - 1].text[0].isalnum()
        if opens and is_apart and not any(w.is_verb for w in items[label.first : value.stop]):
            found.append(_entry(sentence, label, value))
    return found


def _split_entry(phrase: Phrase, after: list[Phrase]) -> tuple[Phrase, Phrase] | None:
    """Label and value: "home city Lund" or "occupation, cook"; None for what is no label of the speaker's."""
    if phrase.owner not in {"", "my", "our"} or phrase.prep or phrase.determiner in {"a", "an"}:
        return None
    last = next((w.i for w in reversed(phrase.words) if w.lower in listed("labels", "held")), None)
    if last is None:
        return None
    label = replace(phrase, stop=last + 1)
    if last + 1 < phrase.stop:
        value = replace(phrase, first=last + 1)
        return (label, value) if looks_like_a_place(value) or is_occupation(value.words[-1].lower) else None
    is_next = bool(after) and phrase.first > 0 and after[0].first - phrase.stop == 1 and not after[0].prep
    is_entry = set(w.lower for w in label.words) <= listed("labels", "held") | listed("labels", "own") | {"my", "our"}
    return (label, replace(after[0], after_comma=False)) if is_next and is_entry else None


def _entry(sentence: Sentence, label: Phrase, value: Phrase) -> Clause:
    words = sentence.words[label.first : value.stop]
    lowers = tuple(w.lower for w in words)
    return Clause(
        sentence=sentence,
        group=None,
        key="label",
        person=SPEAKER,
        subject=label,
        tail=(value,),
        first=label.first,
        stop=value.stop,
        unreal=any(w.quoted for w in words) or is_fiction(lowers),
        words=lowers,
    )


def _is_inside(base: Clause, i: int) -> bool:
    """Whether a dash stands inside a word: "go-to"."""
    words = base.sentence.words
    return words[i - 1].end == words[i].start and i + 1 < len(words) and words[i].end == words[i + 1].start


def _left_out(base: Clause) -> list[Clause]:
    words = base.sentence.words[: base.stop]
    opener = next((w.i for w in words if w.lower in _OPENERS and _opens(base, w.i)), None)
    if opener is None:
        return []
    tail = tuple(phrases(base.sentence, opener + 1, len(words)))
    if not tail or tail[0].determiner == "no":
        return []  # "Still no job as a florist"
    is_over = base.words[opener] in {"not", "no"}
    if is_over and not any(base.says(*cue) for cue in (("any", "more"), ("anymore",), ("no", "longer"))):
        return []
    key = "be back" if "back" in base.words[opener : opener + 3] else "be"
    return [replace(base, key=key, tail=tail, negation=Negation.NO_LONGER if is_over else Negation.NONE)]


def _bare(base: Clause) -> list[Clause]:
    """ "Lund now.", "A welder again.", "Yep, a nurse, since June.": nothing but the value and when."""
    words = base.sentence.words
    found = phrases(base.sentence, 0, base.stop)
    tells_when = {"now", "again"} & set(base.words) or base.time_text("since")
    if not found or not tells_when or len([w for w in words if w.tag not in {".", ",", "UH"}]) > _LONGEST_BARE:
        return []
    value = replace(found[0], after_comma=False)
    others = [w for w in words if not (value.first <= w.i < value.stop or w.is_time)]
    if not all(w.lower in _BESIDES or w.tag in {".", ",", "UH"} for w in others) or value.prep or value.negated:
        return []
    if value.determiner not in {"a", "an"}:
        return []  # a place that stands alone is read with what is around it
    return [replace(base, tail=(value,))]


def _opens(base: Clause, i: int) -> bool:
    """Whether what stands in front is nothing but an opening: "Yep, still …", "Same job as ever, still …"."""
    words = base.sentence.words
    if any(w.tag == "PRP" for w in words[:i]):
        return False
    return i <= 2 or words[i - 1].text in {",", "-", "–", "—"}
