// name: lock_memory
// The memory, made if need be and locked until this transaction ends, so that two writers of one memory
// take turns. Every writing transaction starts here, so none can wait for another in a circle.
// params: $memory $at
// returns: id, ordering, created
// mode: write
MERGE (m:Memory {id: $memory})
  ON CREATE SET m.created_at = $at, m.facts = 0
SET m.written_at = $at
RETURN m.id AS id, m.ordering AS ordering, m.created_at = $at AS created

// name: set_ordering
// How the memory orders its sessions: by explicit 'index' or by 'date'. Set with the first session, for good.
// params: $memory $ordering
// returns:
// mode: write
MATCH (m:Memory {id: $memory})
SET m.ordering = $ordering

// name: stored_digests
// Which of these sessions are stored, and with what text.
// params: $memory $ids
// returns: id, digest
// mode: read
UNWIND $ids AS id
MATCH (s:Session {memory: $memory, id: id})
RETURN s.id AS id, s.digest AS digest

// name: set_aside_turns
// Marks the turns of an earlier text of a session that the new text no longer has. They stay on record, and no
// search finds them any more.
// params: $memory $session $kept $at
// returns:
// mode: write
MATCH (turn:Turn)-[:FROM_SESSION]->(:Session {memory: $memory, id: $session})
WHERE NOT turn.id IN $kept
SET turn.replaced_at = coalesce(turn.replaced_at, $at)
REMOVE turn.embedding, turn.scope

// name: set_aside_rejections
// Marks what was not believed of an earlier text of a session and is not read from the new one.
// params: $memory $session $kept $at
// returns:
// mode: write
MATCH (rejection:Rejection)-[:FROM_SESSION]->(:Session {memory: $memory, id: $session})
WHERE NOT rejection.id IN $kept
SET rejection.replaced_at = coalesce(rejection.replaced_at, $at)

// name: write_sessions
// Sessions with their turns.
// params: $memory $sessions
// returns:
// mode: write
MATCH (memory:Memory {id: $memory})
UNWIND $sessions AS row
MERGE (session:Session {memory: $memory, id: row.id})
SET session += row.properties
MERGE (session)-[:IN_MEMORY]->(memory)
WITH session, row
UNWIND row.turns AS line
MERGE (turn:Turn {id: line.id})
SET turn = line.properties
MERGE (turn)-[:FROM_SESSION]->(session)

// name: write_new_sessions
// The same for sessions of which no turn is stored: nothing has to be looked for, which saves a fifth of the time. The
// caller has made sure of it; the constraint on Turn.id would refuse a second one.
// params: $memory $sessions
// returns:
// mode: write
MATCH (memory:Memory {id: $memory})
UNWIND $sessions AS row
MERGE (session:Session {memory: $memory, id: row.id})
SET session += row.properties
MERGE (session)-[:IN_MEMORY]->(memory)
WITH session, row
UNWIND row.turns AS line
CREATE (turn:Turn)-[:FROM_SESSION]->(session)
SET turn = line.properties

// name: write_rejections
// What was read but not believed, with the reason.
// params: $memory $rejections
// returns:
// mode: write
UNWIND $rejections AS row
MATCH (session:Session {memory: $memory, id: row.session})
MERGE (rejection:Rejection {id: row.id})
SET rejection = row.properties
MERGE (rejection)-[:FROM_SESSION]->(session)

// name: write_outcomes
// How the reading of each session ended, kept also when it failed and nothing of it was stored.
// params: $memory $outcomes
// returns:
// mode: write
UNWIND $outcomes AS row
MERGE (outcome:Outcome {id: row.id})
SET outcome = row.properties, outcome.memory = $memory

// name: count_new_facts
// Keeps the memory's own count of facts, by which a search chooses how to look.
// params: $memory $added
// returns: facts
// mode: write
MATCH (m:Memory {id: $memory})
SET m.facts = m.facts + $added
RETURN m.facts AS facts

// name: stored_sources
// Which of these sessions are stored, and at what place.
// params: $memory $ids
// returns: id, source_key
// mode: read
UNWIND $ids AS id
MATCH (s:Session {memory: $memory, id: id})
RETURN s.id AS id, s.source_key AS source_key
