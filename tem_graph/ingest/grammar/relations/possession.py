"""What somebody owns: things and pets, bought, given, sold, lost."""

from __future__ import annotations

from tem_graph.ingest.grammar.clause import Clause
from tem_graph.ingest.grammar.frames import Reading, read_frames
from tem_graph.ingest.grammar.lexicon import is_drink, words


def read(clause: Clause) -> list[Reading]:
    """Possession facts of a clause."""
    return [r for r in read_frames(clause, "possession") if _is_concrete(r)]


def _is_concrete(reading: Reading) -> bool:
    """Whether what changes hands is a thing, not a drink, a town or a trade."""
    span = reading.object
    is_trade = span.words[-1].lower in words("occupation", "fields")
    return not (is_trade or is_drink(span.text) or span.head.is_name)
