// name: stored_fact_ids
// Which of these facts are stored already.
// params: $memory $ids
// returns: id
// mode: read
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.memory = $memory
RETURN f.id AS id

// name: create_facts
// New facts of sessions that this transaction has written, with their subjects and turns. The caller has
// made sure that none of the ids exists; the constraint on Fact.id would refuse a second one.
// params: $memory $facts
// returns:
// mode: write
UNWIND $facts AS row
MATCH (session:Session {memory: $memory, id: row.session})
MERGE (subject:Subject {memory: $memory, key: row.subject_key})
  ON CREATE SET subject.name = row.subject
CREATE (subject)-[:HAS_VERSION]->(fact:Fact)-[:FROM_SESSION]->(session)
SET fact = row.properties
WITH fact, row WHERE row.turn_id IS NOT NULL
MATCH (turn:Turn {id: row.turn_id})
CREATE (fact)-[:SAID_IN]->(turn)

// name: retract_facts
// Withdraws facts on record: they stay, with who, when and why, and no longer count.
// params: $memory $ids $at $by $why
// returns: id
// mode: write
UNWIND $ids AS id
MATCH (f:Fact {id: id})
WHERE f.memory = $memory AND f.retracted_at IS NULL
SET f.retracted_at = $at, f.retracted_by = $by, f.retracted_why = $why
RETURN f.id AS id

// name: retract_replaced_facts
// Withdraws what an earlier text of a session said and the new one does not say again. What was put in by
// hand was never said by the text, and a correction stands as long as the fact that it corrects is said.
// params: $memory $session $kept $at $by $why
// returns: id
// mode: write
MATCH (f:Fact)-[:FROM_SESSION]->(:Session {memory: $memory, id: $session})
WHERE f.retracted_at IS NULL AND NOT f.id IN $kept AND f.extractor <> 'by-hand'
  AND NOT EXISTS { (f)-[:CORRECTS*]->(said:Fact) WHERE said.id IN $kept OR said.extractor = 'by-hand' }
SET f.retracted_at = $at, f.retracted_by = $by, f.retracted_why = $why
RETURN f.id AS id

// name: restore_facts
// Takes back the retraction of facts that a replaced session says again, and of corrections of those. What a
// person withdrew stays withdrawn.
// params: $memory $ids $by
// returns:
// mode: write
UNWIND $ids AS id
MATCH (:Fact {id: id})<-[:CORRECTS*0..]-(f:Fact)
WHERE f.memory = $memory AND f.retracted_by = $by
REMOVE f.retracted_at, f.retracted_by, f.retracted_why

// name: reinstate_fact
// Lets a fact count again that was corrected away and is now what a correction says.
// params: $memory $id
// returns:
// mode: write
MATCH (f:Fact {id: $id})
WHERE f.memory = $memory
REMOVE f.retracted_at, f.retracted_by, f.retracted_why

// name: standing_correction
// Whether the fact $new counts and was put in the place of $old.
// params: $memory $old $new
// returns: id
// mode: read
MATCH (old:Fact {id: $old})<-[:CORRECTS]-(new:Fact {id: $new})
WHERE old.memory = $memory AND new.memory = $memory AND new.retracted_at IS NULL
RETURN new.id AS id

// name: link_correction
// Says which fact a correction stands for.
// params: $memory $old $new
// returns:
// mode: write
MATCH (old:Fact {id: $old}), (new:Fact {id: $new})
WHERE old.memory = $memory AND new.memory = $memory
MERGE (new)-[:CORRECTS]->(old)
