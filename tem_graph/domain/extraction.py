"""What a reader of conversations hands over: candidate facts, before anything has been checked."""

from __future__ import annotations

from dataclasses import dataclass, field

from tem_graph.domain.conversation import Event, Note
from tem_graph.domain.fact import FactKind


@dataclass(frozen=True, slots=True)
class Candidate:
    """A fact that an extractor proposes. Nothing of it is trusted until `ingest.verify` has looked at it.

    `turn` is the position of the turn that says so, `quote` its words. `since` and `until` are either ISO
    dates or the words of the text ("last Friday", "in 2019"); they are resolved against the session's own
    date by `ingest.dates`, never by the extractor.
    """

    subject: str
    relation: str
    object: str
    turn: int | None = None
    quote: str | None = None
    kind: FactKind = FactKind.VALUE
    slot: str | None = None
    since: str | None = None
    until: str | None = None
    proposed_by: str | None = None
    """Which reader proposed it, where an extraction joins several; else the extraction's own."""
    is_whole_statement: bool = False
    """Whether the quote is a plain statement that the reader understood to its last word, so that its tense is
    part of the relation ("worked in city") and no clause of it can wish, doubt or end anything."""


@dataclass(frozen=True, slots=True)
class Rejection:
    """A candidate that was not believed, with the reason; kept and listed (`tem-graph rejected`).

    An event or a note that was not believed is a candidate with the relation `event` or `note` and its words as object.

    `reason` is a short stable code (`not_in_text`, `question`, `wish`, `negated`, `third_person`,
    `assistant_turn`, `malformed`, `instruction`, …: `ingest.verify.REASONS`); `detail` is a sentence for people.
    """

    candidate: Candidate
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What the language model was asked for. Without a model all of it is zero."""

    calls: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.prompt_tokens + other.prompt_tokens,
            self.output_tokens + other.output_tokens,
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """Everything one extractor read out of one session.

    `malformed` are items of a reply that do not fit the schema: they are rejected one by one, and the good
    ones beside them are kept.
    """

    extractor: str
    candidates: tuple[Candidate, ...] = ()
    malformed: tuple[Rejection, ...] = ()
    events: tuple[Event, ...] = ()
    """As proposed: what `ingest.passages` believes of them comes later. `date` holds the words that say when."""
    notes: tuple[Note, ...] = ()
    model: str | None = None
    prompt: str | None = None
    usage: Usage = field(default_factory=Usage)
