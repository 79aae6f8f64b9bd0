"""Scores of answers that a log already holds. Everything here reads and counts; nothing asks the memory.

One module a measure, each named after what defines it; `score.py` puts them together, `files.py` writes them.
The only one that talks to a model is `judging.py`, and what it hears it writes down at once.
"""
