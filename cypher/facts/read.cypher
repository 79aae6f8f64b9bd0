// name: list_facts
// A page of a memory's facts, told first to told last, each with its status; optionally of one subject or
// relation. The next page starts after the last ($after_key, $after_id).
// params: $memory $subject $relation $after_key $after_id $limit $policy $known_after $stated_by $told_by
// returns: f, status, successor
// mode: read
OPTIONAL MATCH (:Subject {memory: $memory, key: $subject})-[:SAME_AS*]->(last:Subject)
WHERE NOT EXISTS { (last)-[:SAME_AS]->() }
WITH coalesce(last.key, $subject) AS about
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= $after_key
  AND (f.source_key > $after_key OR f.id > $after_id)
  AND (about IS NULL OR f.about = about)
  AND ($relation IS NULL OR f.relation_key = $relation)
WITH f ORDER BY f.source_key, f.id LIMIT $limit
// include: status
RETURN
  // include: told fact=f
  AS f, status,
  // include: told fact=successor
  AS successor
ORDER BY f.source_key, f.id

// name: facts_about
// Every fact of the given subjects under the given relations, retracted ones too: what an operator needs.
// A merged name asks for the subject that it was merged into.
// params: $memory $subjects $relations
// returns: asked, f
// mode: read
UNWIND $subjects AS asked
OPTIONAL MATCH (:Subject {memory: $memory, key: asked})-[:SAME_AS*]->(last:Subject)
WHERE NOT EXISTS { (last)-[:SAME_AS]->() }
WITH asked, coalesce(last.key, asked) AS about
UNWIND $relations AS relation
MATCH (f:Fact)
WHERE f.memory = $memory AND f.about = about AND f.relation_key = relation
RETURN asked,
  // include: told fact=f
  AS f
ORDER BY f.source_key, f.turn, f.id

// name: fact_by_id
// One fact of this memory.
// params: $memory $id
// returns: f
// mode: read
MATCH (f:Fact {id: $id})
WHERE f.memory = $memory
RETURN
  // include: told fact=f
  AS f

// name: list_conflicts
// Facts that stand beside another value at their place, nothing later having settled which one holds.
// params: $memory $policy $known_after $stated_by $told_by
// returns: f, status
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= '' AND f.value IS NOT NULL
WITH f.group AS group, collect(f) AS members
WHERE size(members) > 1 AND any(m IN members WHERE m.value <> members[0].value)
UNWIND members AS f
// include: status
WITH f, status, f.group AS group WHERE status = 'conflicting'
RETURN
  // include: told fact=f
  AS f, status
ORDER BY group, f.source_key, f.id

// name: list_subjects
// Who and what the memory knows something about, with how much.
// params: $memory
// returns: key, name, facts, relations, merged_into
// mode: read
MATCH (s:Subject {memory: $memory})
OPTIONAL MATCH (s)-[:HAS_VERSION]->(f:Fact)
WITH s, count(f) AS facts, collect(DISTINCT f.relation) AS relations
RETURN s.key AS key, s.name AS name, facts, relations, [(s)-[:SAME_AS]->(other:Subject) | other.name][0] AS merged_into
ORDER BY key

// name: status_of_facts
// The status of single facts, each from its whole group.
// params: $memory $ids $policy $known_after $stated_by $told_by
// returns: id, status
// mode: read
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.memory = $memory
// include: status
RETURN id, status

// name: known_values
// What the memory has values for: subject, relation, object and slot, each once, for reading a question; a page of
// facts at a time, in the order of telling.
// params: $memory $after_key $after_id $limit
// returns: named, facts, after_key, after_id
// mode: read
MATCH (f:Fact)
WHERE f.memory = $memory AND f.source_key >= $after_key AND (f.source_key > $after_key OR f.id > $after_id)
WITH f
ORDER BY f.source_key, f.id
LIMIT $limit
WITH collect(f) AS page
UNWIND page AS f
WITH page, collect(DISTINCT CASE WHEN f.retracted_at IS NULL AND f.object <> ''
  THEN [f.subject, f.relation, f.object, f.slot] END) AS named
RETURN named, size(page) AS facts, last(page).source_key AS after_key, last(page).id AS after_id
