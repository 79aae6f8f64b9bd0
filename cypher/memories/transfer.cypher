// name: export_memory
// What stands at the head of an exported memory. `written_at` tells whether it changed while it was read.
// params: $memory
// returns: ordering, created_at, written_at, importing
// mode: read
MATCH (m:Memory {id: $memory})
RETURN m.ordering AS ordering, m.created_at AS created_at, m.written_at AS written_at, m.importing AS importing

// name: export_relations
// The relations that the facts of a memory use, by name.
// params: $memory
// returns: name
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= ''
RETURN DISTINCT f.relation AS name
ORDER BY name

// name: export_subjects
// A page of subjects with the name that was written first; the next page starts after $after_key.
// params: $memory $after_key $limit
// returns: key, name
// mode: read
MATCH (s:Subject)
WHERE s.memory = $memory AND s.key > $after_key
RETURN s.key AS key, s.name AS name
ORDER BY key LIMIT $limit

// name: export_sessions
// A page of sessions in source order, sources named by hand included; the next starts after the last.
// params: $memory $after_key $after_id $limit
// returns: s
// mode: read
MATCH (s:Session)
WHERE s.memory = $memory AND s.id >= ''
  AND (s.source_key > $after_key OR (s.source_key = $after_key AND s.id > $after_id))
RETURN s {.*} AS s
ORDER BY s.source_key, s.id LIMIT $limit

// name: export_turns
// All turns of these sessions, those set aside included; with their embedding if asked.
// params: $memory $sessions $with_embeddings
// returns: t, session
// mode: read
UNWIND $sessions AS id
MATCH (t:Turn)-[:FROM_SESSION]->(s:Session {memory: $memory, id: id})
RETURN t {.*, embedding: CASE WHEN $with_embeddings THEN t.embedding END} AS t, s.id AS session

// name: export_passages
// All events and notes of these sessions, those set aside included, with the turns behind each; with their embedding
// if asked.
// params: $memory $sessions $with_embeddings
// returns: p, kind, session, based_on
// mode: read
UNWIND $sessions AS id
MATCH (p:Event|Note)-[:FROM_SESSION]->(s:Session {memory: $memory, id: id})
RETURN p {.*, embedding: CASE WHEN $with_embeddings THEN p.embedding END} AS p,
       CASE WHEN p:Event THEN 'event' ELSE 'note' END AS kind, s.id AS session,
       [(p)-[:BASED_ON]->(t:Turn) | t {.*, embedding: null}] AS based_on

// name: export_facts
// All facts of these sessions, retracted ones included, with the turn behind each and what it corrects;
// those of $kinds with their embedding.
// params: $memory $sessions $kinds
// returns: f, session, said_in, corrects
// mode: read
UNWIND $sessions AS id
MATCH (f:Fact)-[:FROM_SESSION]->(s:Session {memory: $memory, id: id})
RETURN f {.*, embedding: CASE WHEN f.kind IN $kinds THEN f.embedding END} AS f,
       s.id AS session,
       [(f)-[:SAID_IN]->(t:Turn) | t {.*, embedding: null}] AS said_in,
       [(f)-[:CORRECTS]->(old:Fact) | old {.*, embedding: null}] AS corrects

// name: export_rejections
// All candidates of these sessions that were not believed.
// params: $memory $sessions
// returns: r, session
// mode: read
UNWIND $sessions AS id
MATCH (r:Rejection)-[:FROM_SESSION]->(s:Session {memory: $memory, id: id})
RETURN r {.*} AS r, s.id AS session

// name: begin_import
// Marks an empty memory as being imported, so that no second import enters it.
// params: $memory $ordering $created_at $token
// returns: importing
// mode: write
MATCH (m:Memory {id: $memory})
SET m.importing = coalesce(m.importing, $token),
    m.ordering = $ordering, m.created_at = coalesce($created_at, m.created_at)
RETURN m.importing AS importing

// name: finish_import
// Takes the mark away: the memory is whole.
// params: $memory
// returns:
// mode: write
MATCH (m:Memory {id: $memory})
REMOVE m.importing

// name: import_subjects
// Subjects under the names by which they were first written.
// params: $memory $subjects
// returns:
// mode: write
UNWIND $subjects AS row
MERGE (s:Subject {memory: $memory, key: row.key})
  ON CREATE SET s.name = row.name

// name: link_corrections
// Says which facts stand in the place of which.
// params: $memory $rows
// returns:
// mode: write
UNWIND $rows AS row
MATCH (old:Fact {id: row.old}), (new:Fact {id: row.new})
WHERE old.memory = $memory AND new.memory = $memory
MERGE (new)-[:CORRECTS]->(old)
