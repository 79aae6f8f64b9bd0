"""The routers without a model: English questions to operators by rules and by the nearest phrasing."""

from tem_graph.answer.rules.english import EnglishRouter
from tem_graph.answer.rules.nearest import NearestPhrasing
from tem_graph.answer.rules.router import RulesRouter

RULES = RulesRouter()
ENGLISH = EnglishRouter(RULES, NearestPhrasing())
"""What a memory asks first. It keeps nothing of its own, so all memories share it."""

__all__ = ["ENGLISH", "RULES", "EnglishRouter", "NearestPhrasing", "RulesRouter"]
