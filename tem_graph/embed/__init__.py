"""Embedders behind one port."""
