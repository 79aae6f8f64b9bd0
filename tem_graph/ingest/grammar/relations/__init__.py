"""One module per family of relations: its frames, and what frames cannot say."""

from __future__ import annotations

from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.frames import Reading
from tem_graph.ingest.grammar.relations import edits, labels, possession, residence, taste, work

_FAMILIES = (edits.read, labels.read, residence.read, work.read, possession.read, taste.read)


def read(clause: Clause) -> list[Reading]:
    """Everything that a clause states about any of the six relations."""
    return [reading for family in _FAMILIES for reading in family(clause)]
