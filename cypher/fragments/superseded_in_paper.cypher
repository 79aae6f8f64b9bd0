// TEM, section 3.2: historical if the source index is below the maximum of subject and relation.
OPTIONAL CALL (f) {
  MATCH (later:Fact)
  WHERE later.pair = f.pair AND later.source_key > f.source_key AND later.value IS NOT NULL AND
    // include: visible fact=later
  RETURN later ORDER BY later.pair, later.source_key LIMIT 1
}
WITH f, later AS successor, CASE
  WHEN f.retracted_at IS NOT NULL THEN 'retracted'
  WHEN f.source_key > $known_after THEN 'unknown'
  WHEN later IS NOT NULL THEN 'historical'
  ELSE 'current'
END AS status
