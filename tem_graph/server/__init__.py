"""The local Neo4j that `tem-graph server` runs."""
