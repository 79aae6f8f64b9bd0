// name: write_events
// What happened, by sessions that this transaction has written, with the turns behind each event.
// params: $memory $events
// returns:
// mode: write
UNWIND $events AS row
MATCH (session:Session {memory: $memory, id: row.session})
MERGE (event:Event {id: row.id})
SET event = row.properties
MERGE (event)-[:FROM_SESSION]->(session)
WITH event, row
UNWIND row.turn_ids AS turn_id
MATCH (turn:Turn {id: turn_id})
MERGE (event)-[:BASED_ON]->(turn)

// name: write_new_events
// The same for sessions of which nothing is stored: only the turns behind an event have to be looked for.
// params: $memory $events
// returns:
// mode: write
UNWIND $events AS row
MATCH (session:Session {memory: $memory, id: row.session})
CREATE (event:Event)-[:FROM_SESSION]->(session)
SET event = row.properties
WITH event, row
UNWIND row.turn_ids AS turn_id
MATCH (turn:Turn {id: turn_id})
CREATE (event)-[:BASED_ON]->(turn)

// name: write_notes
// Plans, conditions and opinions, by sessions that this transaction has written, with the turns behind each note.
// params: $memory $notes
// returns:
// mode: write
UNWIND $notes AS row
MATCH (session:Session {memory: $memory, id: row.session})
MERGE (note:Note {id: row.id})
SET note = row.properties
MERGE (note)-[:FROM_SESSION]->(session)
WITH note, row
UNWIND row.turn_ids AS turn_id
MATCH (turn:Turn {id: turn_id})
MERGE (note)-[:BASED_ON]->(turn)

// name: write_new_notes
// The same for sessions of which nothing is stored.
// params: $memory $notes
// returns:
// mode: write
UNWIND $notes AS row
MATCH (session:Session {memory: $memory, id: row.session})
CREATE (note:Note)-[:FROM_SESSION]->(session)
SET note = row.properties
WITH note, row
UNWIND row.turn_ids AS turn_id
MATCH (turn:Turn {id: turn_id})
CREATE (note)-[:BASED_ON]->(turn)

// name: set_aside_passages
// Marks the events and notes of an earlier text of a session that are not read from the new one. They stay on
// record, and no search finds them any more.
// params: $memory $session $kept $at
// returns:
// mode: write
MATCH (passage:Event|Note)-[:FROM_SESSION]->(:Session {memory: $memory, id: $session})
WHERE NOT passage.id IN $kept
SET passage.replaced_at = coalesce(passage.replaced_at, $at)
REMOVE passage.embedding, passage.scope

// name: list_events
// The events of one session, or of all, in source order.
// params: $memory $session
// returns: e
// mode: read
MATCH (e:Event {memory: $memory})
WHERE e.replaced_at IS NULL AND ($session IS NULL OR e.session = $session)
RETURN e {.*, embedding: null} AS e
ORDER BY e.source_key, e.session, e.turns[0], e.id

// name: list_notes
// The notes of one session, or of all, in source order.
// params: $memory $session
// returns: n
// mode: read
MATCH (n:Note {memory: $memory})
WHERE n.replaced_at IS NULL AND ($session IS NULL OR n.session = $session)
RETURN n {.*, embedding: null} AS n
ORDER BY n.source_key, n.session, n.turns[0], n.id

// name: sessions_to_index
// Sessions with turns that no search by passage can find: stored before passages were, or without them.
// params: $memory
// returns: s, events
// mode: read
MATCH (t:Turn {memory: $memory})
WHERE t.scope IS NULL AND t.replaced_at IS NULL
MATCH (t)-[:FROM_SESSION]->(s:Session)
WITH DISTINCT s
RETURN s {.*} AS s, count { (e:Event)-[:FROM_SESSION]->(s) WHERE e.replaced_at IS NULL } AS events
ORDER BY s.source_key, s.id

// name: count_sessions_to_index
// How many sessions have turns that say something and that no search by passage can find.
// params: $memory
// returns: sessions
// mode: read
MATCH (t:Turn {memory: $memory})
WHERE t.scope IS NULL AND t.replaced_at IS NULL AND (trim(t.text) <> '' OR t.caption IS NOT NULL)
MATCH (t)-[:FROM_SESSION]->(s:Session)
RETURN count(DISTINCT s) AS sessions

// name: prompts_behind_facts
// The prompts under which a model read the facts of a memory, and how many facts each.
// params: $memory
// returns: prompt, facts
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= '' AND f.prompt IS NOT NULL
RETURN f.prompt AS prompt, count(*) AS facts
