// A later place with another value, or with an end of this one; the nearer of the two is the successor. No OR stands
// in these conditions: the planner would split it into two index seeks over the whole group and sort their union,
// where one seek in index order stops at the first row.
OPTIONAL CALL (f) {
  MATCH (later:Fact)
  WHERE later.group = f.group AND later.{key} > f.{key}
    AND later.value IS NOT NULL AND coalesce(later.value <> f.value, true) AND
    // include: visible fact=later
    AND
    // include: reached fact=later
  RETURN later ORDER BY later.group, later.{key} LIMIT 1
}
OPTIONAL CALL (f) {
  UNWIND CASE WHEN f.value IS NULL THEN [] ELSE [f.value, ''] END AS ended  // an end is replaced by values alone
  MATCH (stop:Fact)
  WHERE stop.group = f.group AND stop.ends = ended AND stop.{key} > f.{key} AND
    // include: visible fact=stop
    AND
    // include: reached fact=stop
  RETURN stop ORDER BY stop.{key} LIMIT 1
}
WITH f, CASE WHEN coalesce(stop.{key} < later.{key}, later IS NULL) THEN stop ELSE later END AS successor
WITH f, successor, CASE
  WHEN f.retracted_at IS NOT NULL THEN 'retracted'
  WHEN f.source_key > $known_after THEN 'unknown'
  WHEN NOT
    // include: reached fact=f
    THEN 'planned'
  WHEN successor IS NOT NULL THEN 'historical'
  // Not superseded, so everything later tells this value again; told again, it has settled what stood beside it.
  WHEN f.value IS NOT NULL
    AND EXISTS {
      MATCH (rival:Fact)
      WHERE rival.group = f.group AND rival.{key} = f.{key} AND rival.value <> f.value AND
        // include: visible fact=rival
        AND
        // include: reached fact=rival
        AND NOT EXISTS {
          MATCH (end:Fact)
          WHERE end.group = f.group AND end.ends IN [rival.value, ''] AND end.{key} >= f.{key} AND
            // include: visible fact=end
            AND
            // include: reached fact=end
        }
    }
    AND NOT EXISTS {
      MATCH (end:Fact)
      WHERE end.group = f.group AND end.ends IN [f.value, ''] AND end.{key} = f.{key} AND
        // include: visible fact=end
        AND
        // include: reached fact=end
    }
    AND NOT EXISTS {
      MATCH (again:Fact)
      WHERE again.group = f.group AND again.{key} > f.{key} AND again.value = f.value AND
        // include: visible fact=again
        AND
        // include: reached fact=again
    }
    THEN 'conflicting'
  ELSE 'current'
END AS status
