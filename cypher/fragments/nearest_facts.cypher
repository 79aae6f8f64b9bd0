// The $limit facts of the memory `m` nearest to $embedding. In: m. Out: f, score, found, floor. Selecting never looks
// at status. `found` says how many candidates of the vector index were this memory's and `floor` how near the last
// of all candidates came; both are null where every fact was compared.
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
