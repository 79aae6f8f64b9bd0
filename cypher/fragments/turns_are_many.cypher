// Whether the memory `m` has more than $exact_limit turns; counting stops where it has. In: m. Out: is_large.
CALL (m) {
  MATCH (t:Turn {memory: m.id})
  WITH t LIMIT $exact_limit + 1
  RETURN count(t) > $exact_limit AS is_large
}
