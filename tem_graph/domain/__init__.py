"""Data and the words for it: no I/O, no clock, no randomness."""
