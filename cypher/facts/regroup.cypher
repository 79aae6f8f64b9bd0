// name: grouping_samples
// How the facts of a memory are grouped: of every relation, with or without a slot, by object or not, two facts.
// params: $memory
// returns: relation, facts, f
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= ''
WITH f.relation AS relation, f.slot IS NULL AS plain, coalesce(f.value, f.ends) = f.relation_key AS by_object,
     count(*) AS facts, min(f.id) AS one, max(f.id) AS other
UNWIND [one, other] AS id
MATCH (f:Fact {id: id})
WHERE f.memory = $memory
RETURN relation, facts, f {.*, embedding: null} AS f
ORDER BY relation, plain, by_object, f.id

// name: facts_to_regroup
// A page of a memory's facts, in source order; the next one starts after the last ($after_key, $after_id).
// params: $memory $after_key $after_id $limit
// returns: f
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= $after_key
  AND (f.source_key > $after_key OR f.id > $after_id)
RETURN f {.*, embedding: null} AS f
ORDER BY f.source_key, f.id LIMIT $limit

// name: place_facts
// Puts facts into the groups that their relations make now. What they say, and their ids, stay.
// params: $memory $rows
// returns:
// mode: write
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
WHERE f.memory = $memory
SET f.group = row.group, f.value = row.value, f.ends = row.ends
