"""Hybrid evidence: facts, events, notes and turns in one token budget (TEM, sections 3.5 and 4.6)."""

from tem_graph.retrieve.hybrid.evidence import BUDGET_TOKENS, HybridEvidence, hybrid_evidence
from tem_graph.retrieve.hybrid.when import When

__all__ = ["BUDGET_TOKENS", "HybridEvidence", "When", "hybrid_evidence"]
