"""Timelines to look at: stints as bars on one time axis, for a terminal and for a web page. Pure."""
