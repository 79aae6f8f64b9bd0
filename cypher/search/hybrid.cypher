// name: hybrid_candidates
// What a question may need, in one round trip and of one memory: the facts nearest to it, best first, each with its
// status; the turns, events and notes near to it or with its words; the turns beside those, since one may ask what
// the other answers; and the turns that say those facts and stand behind those events and notes. While a memory has
// few turns every vector is compared; beyond $exact_limit the indexes over all memories propose. They only propose:
// similarities are computed from the vectors themselves. `proposed` says how many turns of the vector index's
// proposals were this memory's, null where all were compared.
// params: $memory $embedding $words $limit $passages $exact_limit $candidates $weights $kinds $policy $known_after $stated_by $told_by
// returns: is_large, proposed, facts, passages, worded
// mode: read
MATCH (m:Memory {id: $memory})
CALL (m) {
  // include: nearest_facts
  // include: status
  WITH f, score, status, successor, found, floor ORDER BY score DESC, f.id
  RETURN collect({
    f:
      // include: told fact=f
    , score: score, status: status, successor:
      // include: told fact=successor
    ,
    found: found, floor: floor
  }) AS facts
}
// include: turns_are_many
CALL (m, is_large) {
  // include: nearest_passages
  RETURN collect(p) AS near, max(proposed) AS proposed
}
CALL (m) {
  WITH m WHERE $words <> ''
  CALL db.index.fulltext.queryNodes('passage_text', $words, {limit: $passages}) YIELD node AS p, score
  WITH p, score WHERE p.memory = m.id AND
    // include: findable passage=p
  RETURN collect(p) AS sharing, collect({id: p.id, score: score}) AS worded
}
CALL (m, facts, near, sharing) {
  CALL (facts, near, sharing) {
    UNWIND near + sharing AS p
    UNWIND CASE WHEN p:Turn THEN [p.position - 1, p.position, p.position + 1] ELSE p.turns END AS position
    RETURN p.session AS session, position
    UNION
    UNWIND facts AS hit
    WITH hit WHERE hit.f.turn IS NOT NULL
    RETURN hit.f.session AS session, hit.f.turn AS position
  }
  MATCH (t:Turn {memory: m.id, session: session, position: position})
  WHERE
    // include: findable passage=t
  RETURN collect(t) AS turns
}
CALL (near, sharing, turns) {
  UNWIND turns + [p IN near + sharing WHERE NOT p:Turn] AS p
  WITH DISTINCT p
  MATCH (p)-[:FROM_SESSION]->(s:Session)
  RETURN collect({
    id: p.id, kind: CASE WHEN p:Turn THEN 'turn' WHEN p:Event THEN 'event' ELSE 'note' END, content: p.content,
    speaker: p.speaker, session: p.session, source_key: p.source_key, session_day: left(s.date, 10), day: p.day,
    turns: CASE WHEN p:Turn THEN [p.position] ELSE p.turns END,
    similarity: CASE WHEN p.embedding IS NOT NULL
      THEN 2 * vector.similarity.cosine(p.embedding, $embedding) - 1 END
  }) AS passages
}
RETURN is_large, proposed, facts, passages, worded

// name: nearest_turns
// The turns of one memory nearest to the question, best first: plain retrieval, as a baseline. `proposed` as above.
// params: $memory $embedding $passages $exact_limit $candidates $known_after
// returns: is_large, proposed, passages
// mode: read
MATCH (m:Memory {id: $memory})
// include: turns_are_many
CALL (m, is_large) {
  // include: nearest_passages
  WITH p, proposed WHERE p:Turn
  MATCH (p)-[:FROM_SESSION]->(s:Session)
  RETURN max(proposed) AS proposed, collect({
    id: p.id, kind: 'turn', content: p.content, speaker: p.speaker, session: p.session, source_key: p.source_key,
    session_day: left(s.date, 10), day: p.day, turns: [p.position],
    similarity: 2 * vector.similarity.cosine(p.embedding, $embedding) - 1
  }) AS passages
}
RETURN is_large, proposed, passages
