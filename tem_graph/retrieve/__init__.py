"""Out: question to evidence."""
