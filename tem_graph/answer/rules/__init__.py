"""The routers without a model: English questions to operators by rules, then by the nearest phrasing."""

from tem_graph.answer.rules.nearest import NearestPhrasing
from tem_graph.answer.rules.router import RulesRouter

__all__ = ["NearestPhrasing", "RulesRouter"]
