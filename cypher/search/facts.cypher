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
// include: nearest_facts
// include: status
RETURN
  // include: told fact=f
  AS f, score, status,
  // include: told fact=successor
  AS successor, found, floor
ORDER BY score DESC, f.id
