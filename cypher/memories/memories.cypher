// name: list_memories
// Every memory of this database, with its size. The one list that crosses memories: for the operator of the
// database, never for a question.
// params:
// returns: id, ordering, facts, sessions, events, notes, created_at
// mode: read
MATCH (m:Memory)
RETURN m.id AS id, m.ordering AS ordering, m.facts AS facts, count { (:Session)-[:IN_MEMORY]->(m) } AS sessions,
       count { (e:Event {memory: m.id}) WHERE e.replaced_at IS NULL } AS events,
       count { (n:Note {memory: m.id}) WHERE n.replaced_at IS NULL } AS notes,
       m.created_at AS created_at
ORDER BY id

// name: memory_by_id
// One memory, or nothing where it was never made.
// params: $memory
// returns: id, ordering, facts
// mode: read
MATCH (m:Memory {id: $memory})
RETURN m.id AS id, m.ordering AS ordering, m.facts AS facts

// name: count_session_contents
// What forgetting a session would remove.
// params: $memory $session
// returns: sessions, turns, facts, rejections, events, notes
// mode: read
MATCH (s:Session {memory: $memory, id: $session})
RETURN count(s) AS sessions,
       sum(count { (:Turn)-[:FROM_SESSION]->(s) }) AS turns,
       sum(count { (:Fact)-[:FROM_SESSION]->(s) }) AS facts,
       sum(count { (:Rejection)-[:FROM_SESSION]->(s) }) AS rejections,
       sum(count { (:Event)-[:FROM_SESSION]->(s) }) AS events,
       sum(count { (:Note)-[:FROM_SESSION]->(s) }) AS notes

// name: forget_session
// Removes a session and all that came from it: turns, facts, rejections, events, notes, its outcome.
// params: $memory $session
// returns: facts
// mode: write
MATCH (s:Session {memory: $memory, id: $session})
OPTIONAL MATCH (part:Turn|Rejection|Event|Note)-[:FROM_SESSION]->(s)
DETACH DELETE part
WITH DISTINCT s
OPTIONAL MATCH (f:Fact)-[:FROM_SESSION]->(s)
WITH s, collect(f) AS facts
FOREACH (f IN facts | DETACH DELETE f)
DETACH DELETE s
RETURN size(facts) AS facts

// name: forget_outcome
// Removes how the reading of a session ended.
// params: $memory $session
// returns:
// mode: write
MATCH (o:Outcome {memory: $memory})
WHERE o.session = $session
DELETE o

// name: count_subject_contents
// What forgetting a subject would remove: its facts, the events and notes with it, and the rejections that name it.
// params: $memory $subject
// returns: subjects, facts, events, notes, rejections
// mode: read
OPTIONAL MATCH (s:Subject {memory: $memory, key: $subject})
RETURN count(s) AS subjects, sum(count { (s)-[:HAS_VERSION]->(:Fact) }) AS facts,
       count { MATCH (e:Event {memory: $memory}) WHERE $subject IN e.people } AS events,
       count { MATCH (n:Note {memory: $memory}) WHERE $subject IN n.people } AS notes,
       count { MATCH (r:Rejection {memory: $memory}) WHERE r.subject_key = $subject } AS rejections

// name: forget_subject
// Removes a subject, its facts, the events in which it takes part, the notes of what it said, and the rejected
// candidates about it. The turns that speak of it stay.
// params: $memory $subject
// returns: facts
// mode: write
OPTIONAL MATCH (s:Subject {memory: $memory, key: $subject})
OPTIONAL MATCH (s)-[:HAS_VERSION]->(f:Fact)
WITH s, collect(f) AS facts
FOREACH (f IN facts | DETACH DELETE f)
DETACH DELETE s
WITH size(facts) AS facts
OPTIONAL MATCH (r:Rejection {memory: $memory}) WHERE r.subject_key = $subject
DETACH DELETE r
WITH DISTINCT facts
OPTIONAL MATCH (e:Event {memory: $memory}) WHERE $subject IN e.people
DETACH DELETE e
WITH DISTINCT facts
OPTIONAL MATCH (n:Note {memory: $memory}) WHERE $subject IN n.people
DETACH DELETE n
RETURN DISTINCT facts

// name: forget_orphan_subjects
// Removes subjects that nothing is known about any more and that no merge names.
// params: $memory
// returns:
// mode: write
MATCH (s:Subject {memory: $memory})
WHERE NOT EXISTS { (s)-[:HAS_VERSION]->() } AND NOT EXISTS { (s)-[:SAME_AS]-() }
DETACH DELETE s

// name: count_memory_contents
// What forgetting a memory would remove.
// params: $memory
// returns: sessions, turns, subjects, facts, rejections, outcomes, events, notes
// mode: read
RETURN count { (:Session {memory: $memory}) } AS sessions,
       count { (:Turn {memory: $memory}) } AS turns,
       count { (:Subject {memory: $memory}) } AS subjects,
       count { (f:Fact) WHERE f.memory = $memory AND f.source_key >= '' } AS facts,
       count { (:Rejection {memory: $memory}) } AS rejections,
       count { (:Outcome {memory: $memory}) } AS outcomes,
       count { (:Event {memory: $memory}) } AS events,
       count { (:Note {memory: $memory}) } AS notes

// name: forget_memory_part
// Removes up to $limit records of a memory; called until nothing is left, so that a large memory needs no
// large transaction.
// params: $memory $limit
// returns: removed
// mode: write
CALL () {
  MATCH (n:Fact) WHERE n.memory = $memory AND n.source_key >= '' RETURN n
  UNION ALL
  MATCH (n:Turn {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Rejection {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Event {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Note {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Outcome {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Subject {memory: $memory}) RETURN n
  UNION ALL
  MATCH (n:Session {memory: $memory}) RETURN n
}
WITH n LIMIT $limit
DETACH DELETE n
RETURN count(*) AS removed

// name: forget_memory_node
// Removes the memory itself, after everything in it.
// params: $memory
// returns:
// mode: write
MATCH (m:Memory {id: $memory})
DETACH DELETE m
