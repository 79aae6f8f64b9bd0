// The $passages turns, events and notes each of the memory `m` nearest to $embedding. In: m,
// is_large. Out: p, proposed: how many turns of the index's proposals were this memory's, null where every vector
// was compared.
CALL (m, is_large) {
  WITH m WHERE NOT is_large
  MATCH (p:Turn {memory: m.id})
  WHERE p.embedding IS NOT NULL AND
    // include: findable passage=p
  WITH p ORDER BY vector.similarity.cosine(p.embedding, $embedding) DESC, p.id LIMIT $passages
  RETURN p, null AS proposed
  UNION ALL
  WITH m WHERE NOT is_large
  MATCH (p:Event {memory: m.id})
  WHERE p.embedding IS NOT NULL AND
    // include: findable passage=p
  WITH p ORDER BY vector.similarity.cosine(p.embedding, $embedding) DESC, p.id LIMIT $passages
  RETURN p, null AS proposed
  UNION ALL
  WITH m WHERE NOT is_large
  MATCH (p:Note {memory: m.id})
  WHERE p.embedding IS NOT NULL AND
    // include: findable passage=p
  WITH p ORDER BY vector.similarity.cosine(p.embedding, $embedding) DESC, p.id LIMIT $passages
  RETURN p, null AS proposed
  UNION ALL
  WITH m WHERE is_large
  UNWIND ['turn_embedding', 'event_embedding', 'note_embedding'] AS index
  CALL (m, index) {
    CALL db.index.vector.queryNodes(index, $candidates, $embedding) YIELD node AS p
    WITH collect(CASE WHEN p.memory = m.id AND
      // include: findable passage=p
      THEN p END) AS own
    UNWIND own AS p
    WITH p, CASE index WHEN 'turn_embedding' THEN size(own) END AS proposed
    ORDER BY vector.similarity.cosine(p.embedding, $embedding) DESC, p.id LIMIT $passages
    RETURN p, proposed
  }
  RETURN p, proposed
}
