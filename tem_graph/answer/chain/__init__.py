"""Questions over relations that no catalog lists: a path of stored relations that fits the question's words."""

from tem_graph.answer.chain.search import ChainFinder, FoundChain

__all__ = ["ChainFinder", "FoundChain"]
