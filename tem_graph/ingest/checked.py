"""Model and grammar reading the same session, each checking the other.

What both propose is kept in the grammar's form, whose quote is one clause. What only the grammar proposes is
kept: it reads little, and that reliably. What only the model proposes is kept unless the grammar read the
same words otherwise (ended where the model says that it is so, wished, asked, about somebody else), or read
another value of the same single-valued relation in that session.
Figures and reasons: docs/decisions/model-and-grammar.md.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate, Extraction, Rejection
from tem_graph.domain.fact import FactKind
from tem_graph.domain.names import fold, relation_key
from tem_graph.domain.relation import Cardinality, RelationCatalog, slot_key
from tem_graph.ingest.objections import read_objections
from tem_graph.ingest.text_match import split_words
from tem_graph.ports import Extractor

Objection = Callable[[Candidate], str | None]
"""Why the grammar cannot agree with a candidate, in a clause for people; None when it has nothing against it."""


class CheckedExtractor:
    """Both extractors at once, and of what they propose the union that neither contradicts."""

    def __init__(self, model: Extractor, grammar: Extractor, catalog: RelationCatalog) -> None:
        self._model = model
        self._grammar = grammar
        self._catalog = catalog

    @property
    def name(self) -> str:
        return "model+grammar"

    async def extract(self, session: Session) -> Extraction:
        """Candidates by turn, those of the grammar first; each says who proposed it.

        Raises:
            BadReply: the model's reply was unusable, also after one repair attempt.
            ModelUnavailable: the model did not answer.
            SettingsError: the extra `grammar` is not installed.
        """
        by_model, by_grammar, objection = await asyncio.gather(
            self._model.extract(session), self._grammar.extract(session), asyncio.to_thread(read_objections, session)
        )
        return merge(by_model, by_grammar, objection, self._catalog)


def merge(by_model: Extraction, by_grammar: Extraction, objection: Objection, catalog: RelationCatalog) -> Extraction:
    """One extraction of two. What the model loses is listed with its reason among the malformed. Pure."""
    sure = [replace(c, proposed_by="grammar") for c in by_grammar.candidates]
    kept: list[Candidate] = list(sure)
    refused: list[Rejection] = []
    for candidate in by_model.candidates:
        if any(_agree(candidate, other) for other in sure):
            continue
        why = _contradiction(candidate, sure, catalog) or objection(candidate)
        if why is None:
            kept.append(replace(candidate, proposed_by="model"))
        else:
            refused.append(Rejection(candidate, "contradicted", f"the grammar reads {why}"))
    return replace(
        by_model,
        extractor="model+grammar",
        candidates=tuple(sorted(kept, key=lambda c: c.turn if c.turn is not None else -1)),
        malformed=(*by_model.malformed, *refused, *by_grammar.malformed),
    )


def _agree(one: Candidate, other: Candidate) -> bool:
    """Whether both say the same; an object may be longer by a word or two ("nurse", "nurse at the clinic")."""
    return one.kind == other.kind and _same_statement(one, other)


def _contradiction(candidate: Candidate, sure: Sequence[Candidate], catalog: RelationCatalog) -> str | None:
    """What the grammar states instead: the other kind for the object, or another value where one holds at a time."""
    for other in sure:
        if _same_statement(candidate, other) or _excludes(candidate, other, catalog):
            return f"the {other.kind.value} of {other.relation} {other.object!r}"
    return None


def _excludes(one: Candidate, other: Candidate, catalog: RelationCatalog) -> bool:
    if one.kind is not FactKind.VALUE or other.kind is not FactKind.VALUE or not _same_relation(one, other):
        return False
    slots = slot_key(one.slot), slot_key(other.slot)
    is_single = catalog.get(one.relation).cardinality is Cardinality.SINGLE
    return is_single or (slots[0] is not None and slots[0] == slots[1])


def _same_relation(one: Candidate, other: Candidate) -> bool:
    return (fold(one.subject), relation_key(one.relation)) == (fold(other.subject), relation_key(other.relation))


def _same_statement(one: Candidate, other: Candidate) -> bool:
    if not _same_relation(one, other):
        return False
    ours = {word.name_key for word in split_words(one.object)}
    theirs = {word.name_key for word in split_words(other.object)}
    return ours == theirs or (bool(ours and theirs) and (ours <= theirs or theirs <= ours))
