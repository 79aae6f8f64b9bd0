"""What the grammar reads and the verifier believes of one conversation, for the tests of whole turns."""

from __future__ import annotations

from tem_graph.domain.conversation import Session, Turn
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.domain.fact import FactKind
from tem_graph.ingest.grammar import GrammarExtractor
from tem_graph.ingest.verify import verify
from tem_graph.settings import load_relations


def accepted(extractor: GrammarExtractor, *said: str) -> tuple[Candidate, ...]:
    """What is believed of these turns of Ana's; a turn that starts with `@` is Bo's."""
    turns = tuple(Turn(i, "Bo" if s[0] == "@" else "Ana", s.removeprefix("@")) for i, s in enumerate(said))
    session = Session("s", turns)
    found = Extraction(extractor="grammar", candidates=tuple(extractor.read(session)))
    return tuple(verify(session, found, load_relations(), user="Ana")[0])


def believed(extractor: GrammarExtractor, *said: str) -> set[str]:
    """The homes, jobs and drinks of Ana's that hold, as "relation=object"."""
    own = (c for c in accepted(extractor, *said) if c.subject == "Ana" and c.kind is FactKind.VALUE and not c.until)
    return {
        f"{c.slot or c.relation}={c.object}"
        for c in own
        if c.slot == "drink" or c.relation in {"residence", "occupation"}
    }
