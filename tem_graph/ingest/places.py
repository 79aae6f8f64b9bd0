"""Where in a session a candidate may stand: its turn, its quoted sentences, its object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tem_graph.domain.conversation import Turn
from tem_graph.domain.extraction import Candidate
from tem_graph.domain.names import fold
from tem_graph.ingest import english
from tem_graph.ingest.clauses import Sentence, find_value, looks_english, sentences
from tem_graph.ingest.text_match import Word, occurrences, quote_span, split_words


class ReadTurn:
    """A turn with its words and sentences, found once for all candidates."""

    def __init__(self, turn: Turn, user: str | None) -> None:
        self.turn = turn
        self.text = turn.content
        self.speaker = user if user and fold(turn.speaker) == "user" else turn.speaker
        self.words = split_words(self.text)
        self.sentences = sentences(self.text, self.words)
        self.is_english = looks_english(self.words)
        self.is_assistant = fold(turn.speaker) in english.ASSISTANTS
        self.gives_instructions = english.INSTRUCTIONS.search(self.text) is not None

    def is_caption(self, word: int) -> bool:
        """Whether a word describes a shared picture and was not said."""
        return self.turn.caption is not None and self.words[word].start >= len(self.turn.text)

    def covered(self, span: tuple[int, int] | None) -> list[Sentence]:
        """The sentences that a span of characters touches; all of them without a span."""
        if span is None:
            return self.sentences
        start, end = span
        return [s for s in self.sentences if self.words[s.first].start < end and self.words[s.stop - 1].end > start]

    def within(self, sentence: Sentence, span: tuple[int, int]) -> Sentence:
        """The part of the sentence that the span covers."""
        inside = [i for i in range(sentence.first, sentence.stop) if span[0] <= self.words[i].start < span[1]]
        if not inside:
            return sentence
        asks = sentence.is_question and inside[-1] + 1 == sentence.stop
        return Sentence(inside[0], inside[-1] + 1, asks)

    def after(self, sentence: Sentence) -> str:
        """The words of the sentence that follows, folded."""
        following = next((s for s in self.sentences if s.first == sentence.stop), None)
        return " ".join(w.key for w in self.words[following.first : following.stop]) if following else ""

    def quote_span(self, quote: str) -> tuple[int, int] | None:
        """Where the quote stands. A quote that leaves words of one sentence out stands for that sentence."""
        if span := quote_span(quote, self.text, self.words):
            return span
        wanted = [w.name_key for w in split_words(quote)]
        for sentence in self.sentences:
            keys = iter(w.name_key for w in self.words[sentence.first : sentence.stop])
            if len(wanted) > 2 and all(key in keys for key in wanted):
                return self.words[sentence.first].start, self.words[sentence.stop - 1].end
        return None


def places_of(candidate: Candidate, turns: Sequence[ReadTurn]) -> Iterator[tuple[ReadTurn, tuple[int, int] | None]]:
    """The turns that may say it, with the place of the quote: the named turn first, then any other with the quote.

    Without a quote, every turn that holds the object is looked at, the subject's own turns first.
    """
    named = [t for t in turns if t.turn.position == candidate.turn]
    if candidate.quote:
        for turn in (*named, *(t for t in turns if t not in named)):
            if span := turn.quote_span(candidate.quote):
                yield turn, span
        return
    if named:
        yield named[0], None
        return
    own = [t for t in turns if speaks(candidate.subject, t, None)]
    for turn in (*own, *(t for t in turns if t not in own)):
        if not candidate.object or any(occurrences(candidate.object, turn.words)) or candidate.object in turn.text:
            yield turn, None


def values_in(
    candidate: Candidate, turn: ReadTurn, sentence: Sentence, span: tuple[int, int] | None
) -> Iterator[tuple[int, int]]:
    """Places of the object, in words; for an end that names none, the last word of the quote."""
    if fold(candidate.object):
        places = list(find_value(candidate.object, turn.words, sentence.first, sentence.stop))
        if not places and not split_words(candidate.object):  # nothing but signs, such as an emoji
            places = _before_sign(candidate.object, turn, sentence)
        inside = [p for p in places if span and span[0] <= turn.words[p[0]].start < span[1]]
        yield from inside or places
        return
    inside_quote = [i for i in range(sentence.first, sentence.stop) if span is None or turn.words[i].end <= span[1]]
    if inside_quote:
        yield inside_quote[-1], inside_quote[-1] + 1


def _before_sign(sign: str, turn: ReadTurn, sentence: Sentence) -> list[tuple[int, int]]:
    """The word of the sentence right before a sign that is no word."""
    at = turn.text.find(sign, turn.words[sentence.first].start)
    stop = turn.words[sentence.stop].start if sentence.stop < len(turn.words) else len(turn.text)
    if not 0 <= at < stop:
        return []
    return [(i, i + 1) for i in range(sentence.first, sentence.stop) if turn.words[i].end <= at][-1:]


def speaks(subject: str, turn: ReadTurn, user: str | None) -> bool:
    """Whether the subject is who speaks: by name, by first name, as "I", or as the user whom everybody knows."""
    wanted, own = fold(subject), fold(turn.speaker)
    if wanted == own or wanted in english.SELF:
        return True
    if wanted == "user":
        return user is not None and fold(user) == own
    parts = {w.name_key for w in split_words(turn.speaker)}
    given = [w.name_key for w in split_words(subject)]
    return bool(given) and len(parts) > len(given) and set(given) <= parts


def words_in(turn: ReadTurn, start: int, end: int) -> list[Word]:
    return [w for w in turn.words if start <= w.start and w.end <= end]
