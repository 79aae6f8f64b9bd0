"""Domain values as plain JSON values: what `--json` writes. Absent values are null, so the shape never changes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from tem_graph.answer.ask import Answer
from tem_graph.domain.conversation import Event, Note
from tem_graph.domain.evidence import MarkedFact, Passage
from tem_graph.domain.extraction import Rejection, Usage
from tem_graph.domain.fact import Fact
from tem_graph.domain.outcome import Outcome
from tem_graph.domain.time import AsOf
from tem_graph.graph.store import MemoryInfo, SessionInfo
from tem_graph.memory import GroupHistory
from tem_graph.retrieve.block import MemoryBlock
from tem_graph.retrieve.hybrid import HybridEvidence
from tem_graph.temporal.order import Stint
from tem_graph.temporal.result import Result, to_expected

Json = dict[str, object]


def fact(value: Fact) -> Json:
    """A fact with everything that is on record about it."""
    provenance, retraction = value.provenance, value.retraction
    return {
        "id": value.id,
        "subject": value.subject,
        "relation": value.relation.name,
        "slot": value.slot,
        "object": value.object,
        "kind": value.kind.value,
        "session": value.source.session,
        "date": value.source.date.text if value.source.date else None,
        "index": value.source.index,
        "effective": str(value.valid_from) if value.valid_from else None,
        "effective_words": value.valid_from.words if value.valid_from else None,
        "until": str(value.valid_to) if value.valid_to else None,
        "recorded_at": _instant(value.recorded_at),
        "turn": provenance.turn if provenance else None,
        "speaker": provenance.speaker if provenance else None,
        "quote": provenance.quote if provenance else None,
        "extractor": provenance.extractor if provenance else None,
        "model": provenance.model if provenance else None,
        "prompt": provenance.prompt if provenance else None,
        "note": provenance.note if provenance else None,
        "retracted": {"at": _instant(retraction.at), "by": retraction.by, "why": retraction.why}
        if retraction
        else None,
    }


def marked_fact(hit: MarkedFact) -> Json:
    """A fact with its status, the fact that replaced it, and its score where something was searched for."""
    return {
        **fact(hit.fact),
        "status": hit.status.value,
        "score": hit.score,
        "replaced_by": {"id": hit.successor.id, "object": hit.successor.object, "session": hit.successor.source.session}
        if hit.successor
        else None,
    }


def marked_facts(hits: Iterable[MarkedFact]) -> list[Json]:
    return [marked_fact(hit) for hit in hits]


def history(group: GroupHistory) -> Json:
    """A version group with its stints, oldest first, and what is planned."""
    return {
        "subject": group.subject,
        "relation": group.relation,
        "slot": group.slot,
        "object": group.object,
        "policy": group.timeline.policy.value,
        "stints": [_stint(stint) for stint in group.timeline.stints],
        "planned": [fact(f) for f in group.timeline.planned],
    }


def _stint(stint: Stint) -> Json:
    return {
        "objects": list(stint.objects),
        "relations": sorted({f.relation.name for f in stint.facts}),
        "start": stint.start.isoformat() if stint.start else None,
        "end": stint.end.isoformat() if stint.end else None,
        "running": stint.is_running,
        "conflicting": stint.is_conflict,
        "facts": [fact(f) for f in stint.facts],
        "ended_by": [fact(f) for f in stint.ended_by],
    }


def result(value: Result) -> Json:
    """An operator's result. `answer` has the form that operator sets use."""
    return {
        "operator": value.operator,
        "status": value.status.value,
        "answer": to_expected(value),
        "sentence": value.sentence,
        "choices": list(value.choices),
        "facts": [fact(f) for f in value.facts],
    }


def block(value: MemoryBlock) -> Json:
    return {
        "text": value.text,
        "tokens": value.tokens,
        "counted_by": value.counted_by,
        "facts": marked_facts(value.facts),
        "left_out": marked_facts(value.left_out),
    }


def hybrid(value: HybridEvidence) -> Json:
    return {
        "text": value.text,
        "tokens": value.tokens,
        "counted_by": value.counter,
        "facts": marked_facts(value.facts),
        "passages": [_passage(passage) for passage in value.passages],
        "turns": [{"session": session, "turn": position} for session, position in value.turns],
    }


def _passage(value: Passage) -> Json:
    return {
        "kind": value.kind.value,
        "text": value.text,
        "session": value.session,
        "day": value.day.isoformat() if value.day else None,
        "turns": list(value.turns),
    }


def _evidence(value: MemoryBlock | HybridEvidence) -> Json:
    return hybrid(value) if isinstance(value, HybridEvidence) else block(value)


def answer(value: Answer) -> Json:
    return {
        "answer": value.text,
        "path": value.path,
        "operator": value.operator,
        "arguments": value.arguments,
        "result": result(value.result) if value.result else None,
        "facts": [fact(f) for f in value.facts],
        "evidence": _evidence(value.block) if value.block else None,
        "note": value.note,
        "model": value.model,
        "usage": usage(value.usage),
        "seconds": round(value.seconds, 4),
    }


def outcome(value: Outcome) -> Json:
    return {
        "session": value.session,
        "status": value.status.value,
        "reason": value.reason,
        "extractor": value.extractor,
        "facts": value.facts,
        "events": value.events,
        "notes": value.notes,
        "rejected": value.rejected,
        "usage": usage(value.usage),
        "seconds": round(value.seconds, 4),
        "at": _instant(value.at),
    }


def session(value: SessionInfo, last: Outcome | None) -> Json:
    """A stored session, with how its last reading ended."""
    return {
        "id": value.id,
        "place": value.place,
        "date": value.date.text if value.date else None,
        "index": value.index,
        "turns": value.turns,
        "facts": value.facts,
        "events": value.events,
        "notes": value.notes,
        "rejected": value.rejected,
        "outcome": outcome(last) if last else None,
    }


def event(value: Event) -> Json:
    return {
        "session": value.session,
        "date": value.date,
        "summary": value.summary,
        "participants": list(value.participants),
        "turns": list(value.turns),
        "extractor": value.extractor,
    }


def note(value: Note) -> Json:
    return {
        "session": value.session,
        "text": value.text,
        "turns": list(value.turns),
        "extractor": value.extractor,
    }


def rejection(session_id: str, value: Rejection) -> Json:
    candidate = value.candidate
    return {
        "session": session_id,
        "turn": candidate.turn,
        "subject": candidate.subject,
        "relation": candidate.relation,
        "slot": candidate.slot,
        "object": candidate.object,
        "kind": candidate.kind.value,
        "quote": candidate.quote,
        "since": candidate.since,
        "until": candidate.until,
        "reason": value.reason,
        "detail": value.detail,
    }


def memory(value: MemoryInfo) -> Json:
    return {
        "id": value.id,
        "sessions": value.sessions,
        "facts": value.facts,
        "events": value.events,
        "notes": value.notes,
        "ordering": value.ordering,
        "created_at": _instant(value.created_at),
    }


def usage(value: Usage) -> Json:
    return {"calls": value.calls, "prompt_tokens": value.prompt_tokens, "output_tokens": value.output_tokens}


def as_of(value: AsOf) -> Json:
    return {
        "today": value.today.isoformat(),
        "on": value.valid_at.isoformat() if value.valid_at else None,
        "known_after": value.known_after,
    }


def _instant(value: datetime | None) -> str | None:
    return value.isoformat() if value else None
