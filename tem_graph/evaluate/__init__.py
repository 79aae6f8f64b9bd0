"""Evaluation jobs: spec, log, score, report."""
