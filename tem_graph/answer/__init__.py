"""Answers from evidence: by an operator, or by a model."""
