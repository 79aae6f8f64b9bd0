// name: search_facts
// The facts of one memory nearest to the question, best first, each with its status, in one round trip.
// The memory's own count decides how: every fact is compared while they are few; beyond $exact_limit the
// candidates come from the vector index over all memories. The index compares in fewer bits, so it only
// proposes: scores are computed from the vectors themselves. `found` says how many candidates were this
// memory's and `floor` how near the last of them came, so that the caller can tell whether a fact outside could
// have made the cut. Selecting never looks at status: the cut is made first (TEM, section 3.3).
// params: $memory $embedding $limit $exact_limit $candidates $weights $kinds $policy $known_after $stated_by $told_by
// returns: f, score, status, successor, found, floor
// mode: read
MATCH (m:Memory {id: $memory})
CALL (m) {
  WITH m WHERE m.facts <= $exact_limit
  MATCH (f:Fact {memory: m.id})
  WHERE f.kind IN $kinds AND
    // include: visible fact=f
  WITH f, (2 * vector.similarity.cosine(f.embedding, $embedding) - 1) * coalesce($weights[f.relation_key], 1.0) AS score
  ORDER BY score DESC, f.id LIMIT $limit
  RETURN f, score, null AS found, null AS floor
  UNION ALL
  WITH m WHERE m.facts > $exact_limit
  CALL db.index.vector.queryNodes('fact_embedding', $candidates, $embedding) YIELD node AS f, score AS similarity
  WITH min(2 * similarity - 1) AS floor, collect(CASE WHEN f.memory = m.id AND f.kind IN $kinds AND
    // include: visible fact=f
    THEN f END) AS own
  UNWIND own AS f
  WITH f, size(own) AS found, floor,
       (2 * vector.similarity.cosine(f.embedding, $embedding) - 1) * coalesce($weights[f.relation_key], 1.0) AS score
  ORDER BY score DESC, f.id LIMIT $limit
  RETURN f, score, found, floor
}
// include: status
RETURN f {.*, embedding: null} AS f, score, status, successor {.*, embedding: null} AS successor, found, floor
ORDER BY score DESC, f.id
