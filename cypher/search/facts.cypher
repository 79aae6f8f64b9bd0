// name: search_facts
// The facts of one memory nearest to the question, best first, each with its status, in one round trip.
// The memory's own count decides how: every fact is compared while they are few; beyond $exact_limit the
// candidates come from the vector index over all memories, and `found` says how many of them were this
// memory's, so that the caller can ask for more. Selecting never looks at status: the cut is made first
// (TEM, section 3.3).
// params: $memory $embedding $limit $exact_limit $candidates $weights $kinds $policy $known_after $stated_by $told_by
// returns: f, score, status, successor, found
// mode: read
MATCH (m:Memory {id: $memory})
CALL (m) {
  WITH m WHERE m.facts <= $exact_limit
  MATCH (f:Fact {memory: m.id})
  WHERE f.kind IN $kinds AND
    // include: visible fact=f
  WITH f, (2 * vector.similarity.cosine(f.embedding, $embedding) - 1) * coalesce($weights[f.relation_key], 1.0) AS score
  ORDER BY score DESC, f.id LIMIT $limit
  RETURN f, score, null AS found
  UNION ALL
  WITH m WHERE m.facts > $exact_limit
  CALL db.index.vector.queryNodes('fact_embedding', $candidates, $embedding) YIELD node AS f, score AS similarity
  WHERE f.memory = m.id AND f.kind IN $kinds AND
    // include: visible fact=f
  WITH f, (2 * similarity - 1) * coalesce($weights[f.relation_key], 1.0) AS score
  ORDER BY score DESC, f.id
  WITH collect({fact: f, score: score}) AS own
  WITH own, size(own) AS found
  UNWIND own[..$limit] AS hit
  RETURN hit.fact AS f, hit.score AS score, found
}
// include: status
RETURN f {.*, embedding: null} AS f, score, status, successor {.*, embedding: null} AS successor, found
ORDER BY score DESC, f.id
