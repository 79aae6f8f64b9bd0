// Where everybody lived, and which session said so. Paste it into Neo4j Browser after `tem-graph demo`.
MATCH path = (s:Subject {memory: 'demo'})-[:HAS_VERSION]->(f:Fact {relation: 'residence'})-[:FROM_SESSION]->(:Session)
RETURN path
