"""Domain values as node properties, and back. Nothing else knows what a property is called."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from tem_graph.domain.conversation import Provenance, Retraction, Turn
from tem_graph.domain.evidence import MarkedFact
from tem_graph.domain.extraction import Candidate, Rejection
from tem_graph.domain.fact import Fact, FactKind, Source, Status
from tem_graph.domain.names import fold, make_id
from tem_graph.domain.relation import RelationCatalog
from tem_graph.domain.time import PartialDate, SessionDate
from tem_graph.temporal.order import ended_value

Row = Mapping[str, Any]
Properties = dict[str, Any]


def effective_key(fact: Fact) -> str:
    """`Fact.effective_place` as one string; a blank sorts before every digit, so facts without a day come first."""
    return " ".join(fact.effective_place)


def fact_properties(fact: Fact) -> Properties:
    """All properties of a Fact node except its embedding; absent values are left out."""
    provenance = fact.provenance or Provenance("by-hand")
    is_value = fact.kind is FactKind.VALUE
    properties = {
        "id": fact.id,
        "memory": fact.memory,
        "group": fact.group,
        "pair": fact.pair,
        "subject": fact.subject,
        "subject_key": fact.subject_key,
        "canonical_subject": fact.canonical_subject,
        "about": fact.canonical_subject or fact.subject_key,
        "relation": fact.relation.name,
        "relation_key": fact.relation.key,
        "slot": fact.slot,
        "object": fact.object,
        "title": fact.title,  # what Neo4j Browser writes on the node
        "kind": fact.kind.value,
        "value": fact.value if is_value else None,
        "ends": None if is_value else ended_value(fact),
        "session": fact.source.session,
        **date_properties(fact.source.date),
        "index": fact.source.index,
        "source_key": fact.source.key,
        "effective_key": effective_key(fact),
        "day": fact.day.isoformat() if fact.day else None,
        "valid_from": fact.valid_from.isoformat() if fact.valid_from else None,
        "valid_from_words": fact.valid_from.words if fact.valid_from else None,
        "valid_to": fact.valid_to.isoformat() if fact.valid_to else None,
        "valid_to_words": fact.valid_to.words if fact.valid_to else None,
        "recorded_at": fact.recorded_at,
        "extractor": provenance.extractor,
        "quote": provenance.quote,
        "turn": provenance.turn,
        "speaker": provenance.speaker,
        "model": provenance.model,
        "prompt": provenance.prompt,
        "note": provenance.note,
        "retracted_at": fact.retraction.at if fact.retraction else None,
        "retracted_by": fact.retraction.by if fact.retraction else None,
        "retracted_why": fact.retraction.why if fact.retraction else None,
    }
    return {key: value for key, value in properties.items() if value is not None}


def fact_from(row: Row, catalog: RelationCatalog) -> Fact:
    """The fact of a node's properties; equal to the one that was written, and with the id under which it is stored."""
    schema = catalog.get(row["relation"])
    retracted_at = row.get("retracted_at")
    fact = Fact(
        memory=row["memory"],
        subject=row["subject"],
        relation=schema,
        object=row["object"],
        source=Source(row["session"], session_date(row), row.get("index")),
        axis=catalog.axis(schema),
        kind=FactKind(row["kind"]),
        slot=row.get("slot"),
        valid_from=_partial_date(row.get("valid_from"), row.get("valid_from_words")),
        valid_to=_partial_date(row.get("valid_to"), row.get("valid_to_words")),
        recorded_at=native(row.get("recorded_at")),
        provenance=Provenance(
            extractor=row["extractor"],
            quote=row.get("quote"),
            turn=row.get("turn"),
            speaker=row.get("speaker"),
            model=row.get("model"),
            prompt=row.get("prompt"),
            note=row.get("note"),
        ),
        retraction=Retraction(aware(retracted_at), row["retracted_by"], row["retracted_why"]) if retracted_at else None,
        canonical_subject=row.get("canonical_subject"),
    )
    vars(fact)["id"] = row["id"]  # where a cached property keeps it: not to be computed again for every fact read
    return fact


def marked_fact_from(row: Row, catalog: RelationCatalog) -> MarkedFact:
    """A row with `f`, `status` and, where asked for, `successor` and `score`."""
    successor = row.get("successor")
    return MarkedFact(
        fact=fact_from(row["f"], catalog),
        status=Status(row["status"]),
        successor=fact_from(successor, catalog) if successor else None,
        score=row.get("score"),
    )


def turn_id(memory: str, session: str, turn: Turn) -> str:
    """The id of a turn; it changes with the text, so a replaced session keeps its old turns beside the new."""
    return make_id("turn", memory, session, turn.position, turn.speaker, turn.text, turn.caption)


def source_row(memory: str, source: Source) -> Properties:
    """A session that is only named as the source of facts put in by hand: no turns, no digest."""
    return {
        "id": source.session,
        "properties": {
            "memory": memory,
            "id": source.session,
            "index": source.index,
            **date_properties(source.date),
            "source_key": source.key,
        },
        "turns": [],
    }


def turn_properties(memory: str, session: str, turn: Turn) -> Properties:
    properties = {
        "id": turn_id(memory, session, turn),
        "memory": memory,
        "position": turn.position,
        "speaker": turn.speaker,
        "text": turn.text,
        "caption": turn.caption,
        # Node properties hold no maps; JSON text survives every shape that a client sends.
        "metadata": json.dumps(dict(turn.metadata), ensure_ascii=False, default=str) if turn.metadata else None,
    }
    return {key: value for key, value in properties.items() if value is not None}


def turn_from(row: Row) -> Turn:
    return Turn(
        position=row["position"],
        speaker=row["speaker"],
        text=row["text"],
        caption=row.get("caption"),
        metadata=json.loads(row["metadata"]) if row.get("metadata") else {},
    )


def rejection_row(memory: str, session: str, number: int, rejection: Rejection) -> Properties:
    """A rejected candidate; `number` is its place among the session's, which makes the id deterministic."""
    candidate = rejection.candidate
    properties = {
        "id": make_id("rejection", memory, session, number, candidate.subject, candidate.relation, candidate.object),
        "memory": memory,
        "session": session,
        "number": number,
        "subject": candidate.subject,
        "subject_key": fold(candidate.subject),
        "relation": candidate.relation,
        "object": candidate.object,
        "kind": candidate.kind.value,
        "slot": candidate.slot,
        "turn": candidate.turn,
        "quote": candidate.quote,
        "since": candidate.since,
        "until": candidate.until,
        "reason": rejection.reason,
        "detail": rejection.detail,
    }
    return {
        "id": properties["id"],
        "session": session,
        "properties": {key: value for key, value in properties.items() if value is not None},
    }


def rejection_from(row: Row) -> Rejection:
    return Rejection(
        Candidate(
            subject=row["subject"],
            relation=row["relation"],
            object=row["object"],
            turn=row.get("turn"),
            quote=row.get("quote"),
            kind=FactKind(row["kind"]),
            slot=row.get("slot"),
            since=row.get("since"),
            until=row.get("until"),
        ),
        reason=row["reason"],
        detail=row["detail"],
    )


def date_properties(date: SessionDate | None) -> Properties:
    """A session's date as written. A day without a time keeps the offset that it was read in beside it."""
    if date is None:
        return {"date": None}
    offset = date.instant.utcoffset()
    is_elsewhere = not date.has_time and bool(offset)
    return {"date": date.text, "date_offset_s": int(offset.total_seconds()) if offset and is_elsewhere else None}


def session_date(row: Row) -> SessionDate | None:
    """The date of a session's or fact's properties, the same instant as when it was written."""
    text = row.get("date")
    return SessionDate.parse(text, zone=timezone(timedelta(seconds=row.get("date_offset_s") or 0))) if text else None


def native(value: Any) -> datetime | None:
    """The Python datetime of one of the driver's own, or of none."""
    return None if value is None else aware(value)


def aware(value: Any) -> datetime:
    """The Python datetime of one of the driver's own."""
    return value if isinstance(value, datetime) else value.to_native()


def _partial_date(text: str | None, words: str | None) -> PartialDate | None:
    return PartialDate.parse(text, words=words) if text else None
