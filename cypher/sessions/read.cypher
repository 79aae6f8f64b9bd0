// name: list_sessions
// A memory's sessions in source order, with what each brought.
// params: $memory
// returns: s, turns, facts, events, notes, rejected
// mode: read
MATCH (s:Session {memory: $memory})
RETURN s {.*} AS s,
       count { (t:Turn)-[:FROM_SESSION]->(s) WHERE t.replaced_at IS NULL } AS turns,
       count { (:Fact)-[:FROM_SESSION]->(s) } AS facts,
       count { (e:Event)-[:FROM_SESSION]->(s) WHERE e.replaced_at IS NULL } AS events,
       count { (n:Note)-[:FROM_SESSION]->(s) WHERE n.replaced_at IS NULL } AS notes,
       count { (r:Rejection)-[:FROM_SESSION]->(s) WHERE r.replaced_at IS NULL } AS rejected
ORDER BY s.source_key, s.id

// name: read_turns
// The turns of one session, or of all, in order.
// params: $memory $session
// returns: t, session
// mode: read
MATCH (t:Turn {memory: $memory})-[:FROM_SESSION]->(s:Session)
WHERE t.replaced_at IS NULL AND ($session IS NULL OR s.id = $session)
RETURN t {.*, embedding: null} AS t, s.id AS session
ORDER BY s.source_key, s.id, t.position

// name: list_rejections
// Candidate facts that were not believed, with reasons, in source order.
// params: $memory $session
// returns: r
// mode: read
MATCH (r:Rejection {memory: $memory})-[:FROM_SESSION]->(s:Session)
WHERE r.replaced_at IS NULL AND ($session IS NULL OR s.id = $session)
RETURN r {.*} AS r
ORDER BY s.source_key, r.turn, r.id

// name: list_outcomes
// How the last reading of each session ended.
// params: $memory
// returns: o
// mode: read
MATCH (o:Outcome {memory: $memory})
RETURN o {.*} AS o
ORDER BY o.session
