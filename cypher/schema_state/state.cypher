// name: applied_migrations
// The migrations that this database has seen.
// params:
// returns: name
// mode: read
MATCH (m:Migration)
RETURN m.name AS name
ORDER BY name

// name: record_migration
// Remembers that a migration was applied.
// params: $name $at
// returns:
// mode: write
MERGE (m:Migration {name: $name})
  ON CREATE SET m.applied_at = $at

// name: vector_indexes
// The vector indexes of this database and their dimensions.
// params:
// returns: name, state, dimensions
// mode: read
SHOW VECTOR INDEXES YIELD name, state, options
RETURN name, state, options.indexConfig['vector.dimensions'] AS dimensions
ORDER BY name

// name: server_components
// The version of the server.
// params:
// returns: version, edition
// mode: read
CALL dbms.components() YIELD versions, edition
RETURN versions[0] AS version, edition

// name: await_indexes
// Waits until every index answers, so that a search right after set-up never comes back empty by mistake.
// params: $seconds
// returns:
// mode: read
CALL db.awaitIndexes($seconds)

// name: create_fact_embedding_index
// The vector index of facts.
// params: $dimensions
// returns:
// mode: write
CREATE VECTOR INDEX fact_embedding IF NOT EXISTS FOR (n:Fact) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}

// name: drop_fact_embedding_index
// Drops the vector index of facts, to be made again for another dimension.
// params:
// returns:
// mode: write
DROP INDEX fact_embedding IF EXISTS

// name: create_turn_embedding_index
// The vector index of turns.
// params: $dimensions
// returns:
// mode: write
CREATE VECTOR INDEX turn_embedding IF NOT EXISTS FOR (n:Turn) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}

// name: drop_turn_embedding_index
// Drops the vector index of turns, to be made again for another dimension.
// params:
// returns:
// mode: write
DROP INDEX turn_embedding IF EXISTS

// name: create_event_embedding_index
// The vector index of events.
// params: $dimensions
// returns:
// mode: write
CREATE VECTOR INDEX event_embedding IF NOT EXISTS FOR (n:Event) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}

// name: drop_event_embedding_index
// Drops the vector index of events, to be made again for another dimension.
// params:
// returns:
// mode: write
DROP INDEX event_embedding IF EXISTS

// name: create_note_embedding_index
// The vector index of notes.
// params: $dimensions
// returns:
// mode: write
CREATE VECTOR INDEX note_embedding IF NOT EXISTS FOR (n:Note) ON (n.embedding)
OPTIONS {indexConfig: {`vector.dimensions`: $dimensions, `vector.similarity_function`: 'cosine'}}

// name: drop_note_embedding_index
// Drops the vector index of notes, to be made again for another dimension.
// params:
// returns:
// mode: write
DROP INDEX note_embedding IF EXISTS

// name: any_embedded
// Whether anything carries an embedding, and so binds the dimension.
// params:
// returns: any
// mode: read
RETURN EXISTS { (n:Fact) WHERE n.embedding IS NOT NULL } OR EXISTS { (n:Turn) WHERE n.embedding IS NOT NULL } AS any

// name: embedder_on_record
// Which embedder made the stored vectors.
// params:
// returns: name, dimension
// mode: read
MATCH (e:Embedder {id: 'facts'})
RETURN e.name AS name, e.dimension AS dimension

// name: record_embedder
// Remembers which embedder makes the vectors.
// params: $name $dimension
// returns:
// mode: write
MERGE (e:Embedder {id: 'facts'})
SET e.name = $name, e.dimension = $dimension
