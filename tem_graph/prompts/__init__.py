"""Prompts as text files with a version in the name; the loader gives id, text and hash."""
