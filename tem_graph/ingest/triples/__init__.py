"""Open triples from plain statements, one a line: "The author of Emma is Jane Austen." No model, no relation list."""

from tem_graph.ingest.triples.extractor import TripleExtractor
from tem_graph.ingest.triples.fact_list import is_fact_list, parse_fact_list
from tem_graph.ingest.triples.shapes import Triple, read_triple

__all__ = ["Triple", "TripleExtractor", "is_fact_list", "parse_fact_list", "read_triple"]
