"""The rules router: English questions to operators without a model."""

from tem_graph.answer.rules.router import RulesRouter

__all__ = ["RulesRouter"]
