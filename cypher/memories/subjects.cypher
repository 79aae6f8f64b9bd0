// name: merged_subjects
// Which subjects were explicitly merged into another one, each with the last of its chain.
// params: $memory
// returns: key, into
// mode: read
MATCH (s:Subject {memory: $memory})-[:SAME_AS]->(:Subject)
MATCH (s)-[:SAME_AS*]->(last:Subject)
WHERE NOT EXISTS { (last)-[:SAME_AS]->() }
RETURN s.key AS key, last.key AS into
ORDER BY key

// name: merge_subject
// Says that two subjects are one. A name that nothing is known about yet may be merged too, as an alias.
// params: $memory $key $name $into_key $into_name $by $why $at
// returns:
// mode: write
MERGE (s:Subject {memory: $memory, key: $key})
  ON CREATE SET s.name = $name
MERGE (into:Subject {memory: $memory, key: $into_key})
  ON CREATE SET into.name = $into_name
MERGE (s)-[merge:SAME_AS]->(into)
  ON CREATE SET merge.by = $by, merge.why = $why, merge.at = $at

// name: split_subject
// Takes a merge back.
// params: $memory $key
// returns: merged
// mode: write
MATCH (s:Subject {memory: $memory, key: $key})-[merge:SAME_AS]->()
DELETE merge
RETURN count(merge) AS merged

// name: facts_by_subject
// The facts that were told under one of these names.
// params: $memory $subjects
// returns: f
// mode: read
UNWIND $subjects AS key
MATCH (:Subject {memory: $memory, key: key})-[:HAS_VERSION]->(f:Fact)
RETURN f {.*, embedding: null} AS f
ORDER BY f.source_key, f.id

// name: regroup_facts
// Moves facts into the groups of the subject that they are about now. What they say stays as it was told.
// params: $memory $rows
// returns:
// mode: write
UNWIND $rows AS row
MATCH (f:Fact {id: row.id})
WHERE f.memory = $memory
SET f.group = row.group, f.pair = row.pair, f.about = row.about, f.canonical_subject = row.canonical_subject
