"""Facts from English conversation by grammar alone: spaCy's parse, normalised clauses, frames per relation."""

from tem_graph.ingest.grammar.extractor import GrammarExtractor

__all__ = ["GrammarExtractor"]
