"""The routers without a model: English questions to operators by rules, then by the nearest phrasing."""

from tem_graph.answer.rules.nearest import NearestPhrasing
from tem_graph.answer.rules.router import RulesRouter

READERS = (RulesRouter(), NearestPhrasing())
"""In the order in which they are asked. They keep nothing of their own, so all memories share them."""

__all__ = ["READERS", "NearestPhrasing", "RulesRouter"]
