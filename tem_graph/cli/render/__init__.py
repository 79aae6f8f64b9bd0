"""Results as text for people and as JSON for programs. Nothing here asks the memory anything."""
