"""The only home of the neo4j driver: named Cypher, schema, rows to domain and back."""
