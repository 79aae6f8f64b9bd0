"""An extractor for lists of statements: each line is a fact, read by its shape."""

from __future__ import annotations

from tem_graph.domain.conversation import Session
from tem_graph.domain.extraction import Candidate, Extraction
from tem_graph.ingest.triples.shapes import read_triple


class TripleExtractor:
    """Reads one candidate per line, in the words of the line. Asks no model; its relations are an open vocabulary,
    so the memory needs the setting `open_vocabulary`. Lines of another shape give nothing."""

    name = "triples"

    async def extract(self, session: Session) -> Extraction:
        """Candidates in text order."""
        return self.read(session)

    def read(self, session: Session) -> Extraction:
        """The same without waiting. Pure."""
        candidates = []
        for turn in session.turns:
            for line in turn.text.splitlines():
                triple = read_triple(line)
                if triple is not None:
                    candidates.append(
                        Candidate(
                            triple.subject,
                            triple.relation,
                            triple.object,
                            turn.position,
                            line.strip(),
                            is_whole_statement=True,
                        )
                    )
        return Extraction(self.name, tuple(candidates))
