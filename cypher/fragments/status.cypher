// The status of the fact `f` by law 3, from its whole version group; tem_graph/temporal/status.py is the
// same rule in Python, and a test holds the two together. In: f. Out: status, successor (the fact that made
// it historical). $policy is 'effective', 'source' or 'paper'; $stated_by, $told_by and $known_after are the
// point that the question is asked from.
CALL (f) {
  WITH f,
       $policy = 'effective' AND EXISTS {
         MATCH (stated:Fact)
         WHERE stated.group = f.group AND stated.valid_from >= '' AND
           // include: visible fact=stated
       } AS by_day
  CALL (f, by_day) {
    WITH f, by_day WHERE by_day
    // include: superseded key=effective_key
    RETURN status, successor
    UNION
    WITH f, by_day WHERE NOT by_day AND $policy <> 'paper'
    // include: superseded key=source_key
    RETURN status, successor
    UNION
    WITH f, by_day WHERE $policy = 'paper'
    // include: superseded_in_paper
    RETURN status, successor
  }
  RETURN status, successor
}
