"""AttachSource (TEM, Algorithm 1): a believed candidate becomes a fact with its session, place and dates. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tem_graph.domain.conversation import Provenance, Session
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import Fact, FactKind, Source
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import PartialDate
from tem_graph.ingest.dates import Direction, read_date

_AHEAD = re.compile(
    r"\b(will|'ll|shall|going to|gonna|about to|soon|moving|starting|joining|leaving|relocating|becoming|planning)\b",
    re.IGNORECASE,
)


def attach_source(
    candidates: Iterable[Candidate],
    session: Session,
    extraction: Extraction,
    catalog: RelationCatalog,
    *,
    memory: str,
    recorded_at: datetime,
) -> tuple[Fact, ...]:
    """The facts of one session, each id once, in the order of the candidates.

    The words of a date are resolved against the session's own day. A date that does not exist or cannot be
    placed is left out and noted on the fact (`Provenance.note`): the fact itself is still what was said.
    """
    source = Source(session.id, session.date, session.index)
    speakers = {turn.position: turn.speaker for turn in session.turns}
    facts: dict[str, Fact] = {}
    for candidate in candidates:
        since, no_since = _read(candidate.since, candidate, session)
        until, no_until = _read(candidate.until, candidate, session, end=True)
        if candidate.kind is FactKind.END and until is not None:
            since, until = until, None  # "I left in May", "I was there until May": one day, that of the end
        provenance = Provenance(
            extractor=extraction.extractor,
            quote=candidate.quote,
            turn=candidate.turn,
            speaker=speakers.get(candidate.turn) if candidate.turn is not None else None,
            model=extraction.model,
            prompt=extraction.prompt,
            note="; ".join(note for note in (no_since, no_until) if note) or None,
        )
        fact = Fact.create(
            catalog,
            memory=memory,
            subject=candidate.subject,
            relation=candidate.relation,
            object=candidate.object,
            source=source,
            kind=candidate.kind,
            slot=candidate.slot,
            valid_from=since,
            valid_to=until,
            recorded_at=recorded_at,
            provenance=provenance,
        )
        for record in fact.expanded():
            facts.setdefault(record.id, record)
    return tuple(facts.values())


def _read(
    words: str | None, candidate: Candidate, session: Session, *, end: bool = False
) -> tuple[PartialDate | None, str | None]:
    if words is None or not words.strip():
        return None, None
    reading = read_date(words, session.date, direction=direction_of(candidate.quote), end=end)
    return reading.date and replace(reading.date, words=words), reading.note


def direction_of(text: str | None) -> Direction | None:
    """Whether a clause looks ahead, which decides what "in June" means."""
    return "future" if text and _AHEAD.search(text) else None
