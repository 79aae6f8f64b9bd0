"""Candidates for hybrid evidence, read in one round trip: facts with their status, and passages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tem_graph.domain.evidence import Passage, PassageKind, ScoredPassage
from tem_graph.graph.passages import scope_of
from tem_graph.graph.records import Row

MOST_WORDS = 64
"""Words of a question that are searched for: Lucene refuses more than 1,024 clauses, and no question needs them."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """The passages of one answer of `hybrid_candidates`."""

    passages: tuple[ScoredPassage, ...]
    is_large: bool
    """Whether the memory has more turns than are compared one by one, so that an index proposed."""
    proposed: int | None
    """How many turns of the index's proposals were this memory's."""

    def are_settled(self, wanted: int) -> bool:
        """Whether the index need not be asked for more: a memory among larger ones must not be starved."""
        return not self.is_large or (self.proposed or 0) >= wanted


def full_text_query(memory: str, text: str) -> str:
    """The full-text query for the words of `text` in one memory; empty where there are none.

    Words are letters, digits and underscores in lower case, so nothing in `text` is an operator of Lucene.
    """
    words = dict.fromkeys(_WORD.findall(unicodedata.normalize("NFKC", text).lower()))
    return f"+scope:{scope_of(memory)} +content:({' '.join(list(words)[:MOST_WORDS])})" if words else ""


def passages_from(row: Row) -> FoundPassages:
    """The passages of a row, by similarity, ties by id."""
    lexical = {hit["id"]: float(hit["score"]) for hit in row.get("worded", ())}
    found = [
        ScoredPassage(_passage_from(properties), properties["similarity"], lexical.get(properties["id"]))
        for properties in row["passages"]
    ]
    found.sort(key=lambda hit: (-(hit.similarity if hit.similarity is not None else -1.0), hit.passage.id))
    return FoundPassages(tuple(found), bool(row["is_large"]), row["proposed"])


def _passage_from(row: Mapping[str, object]) -> Passage:
    turns: Sequence[int] = row["turns"]  # type: ignore[assignment]
    told_on = _day(row["session_day"])
    kind = PassageKind(str(row["kind"]))
    return Passage(
        kind=kind,
        id=str(row["id"]),
        text=str(row["content"]),
        session=str(row["session"]),
        source_key=str(row["source_key"]),
        day=_day(row["day"]) if kind is PassageKind.EVENT else told_on,
        turns=tuple(turns),
        speaker=str(row["speaker"]) if row["speaker"] is not None else None,
        told_on=told_on,
    )


def _day(text: object) -> date | None:
    return date.fromisoformat(str(text)) if text else None
