// Saved queries for Neo4j Browser. Set the memory once:  :param memory => 'demo'
// Then paste any one of these. Facts are never edited, so every one of them is safe to run; none writes.
// Neo4j warns in yellow of names (of properties or relationships) that nothing stored has used so far, such as
// retracted_by before the first retraction or Note where no model has read: the result is right, and empty there.

// 1. Where everybody lived, and which turn said so
MATCH path = (s:Subject {memory: $memory})-[:HAS_VERSION]->(f:Fact {relation: 'residence'})-[:SAID_IN]->(:Turn)
RETURN path;

// 2. One person's history, oldest first, with quotes
MATCH (:Subject {memory: $memory, name: 'Maya'})-[:HAS_VERSION]->(f:Fact)
RETURN f.relation AS relation, f.kind AS kind, f.object AS object, f.valid_from AS since, f.session AS session, f.quote AS quote
ORDER BY relation, f.effective_key;

// 3. Version groups in which something changed: the way from value to value. A value that came back is there again:
//    Porto, Lisbon, Porto. Told again without a change is a version, but no step.
MATCH (f:Fact {memory: $memory}) WHERE f.retracted_at IS NULL AND f.value IS NOT NULL
WITH f ORDER BY f.effective_key, f.id
WITH f.group AS group, collect(f) AS facts, count(DISTINCT f.value) AS different
WHERE different > 1
RETURN facts[0].subject AS subject, facts[0].relation AS relation, size(facts) AS versions,
       [i IN range(0, size(facts) - 1) WHERE i = 0 OR facts[i].value <> facts[i - 1].value | facts[i].object] AS values
ORDER BY versions DESC, subject, relation;

// 4. What was told late: the stated day lies before the session that said it
MATCH (f:Fact {memory: $memory}) WHERE f.valid_from IS NOT NULL AND f.date IS NOT NULL AND f.valid_from < left(f.date, 10)
RETURN f.subject AS subject, f.relation AS relation, f.object AS object, f.valid_from AS since, f.date AS told, f.quote AS quote
ORDER BY since;

// 5. What was read and not believed, by reason
MATCH (r:Rejection {memory: $memory})
RETURN r.reason AS reason, count(*) AS times, collect(r.subject + ' | ' + r.relation + ' | ' + r.object)[..5] AS examples
ORDER BY times DESC;

// 6. Corrections and retractions, with who, when and why
MATCH (f:Fact {memory: $memory}) WHERE f.retracted_at IS NOT NULL
OPTIONAL MATCH (new:Fact)-[:CORRECTS]->(f)
RETURN f.subject AS subject, f.relation AS relation, f.object AS was, new.object AS corrected_to, f.retracted_by AS who, f.retracted_at AS at, f.retracted_why AS why;

// 7. One session as a graph: its turns and what was read from each
MATCH (s:Session {memory: $memory}) WITH s ORDER BY s.source_key DESC LIMIT 1
MATCH path = (t:Turn)-[:FROM_SESSION]->(s)
OPTIONAL MATCH read = (:Subject)-[:HAS_VERSION]->(:Fact)-[:SAID_IN]->(t)
OPTIONAL MATCH told = (:Event|Note)-[:BASED_ON]->(t)
RETURN path, read, told;

// 8. What happened, by day, and which turns say so
MATCH (e:Event {memory: $memory}) WHERE e.replaced_at IS NULL
RETURN coalesce(e.day, e.date) AS day, e.summary AS happened, e.participants AS who, e.session AS session, e.extractor AS read_by,
       [(e)-[:BASED_ON]->(t:Turn) | t.content] AS turns
ORDER BY day, session;

// 9. Who took part in what, as a graph
MATCH path = (:Turn)<-[:BASED_ON]-(e:Event {memory: $memory})-[:FROM_SESSION]->(:Session) WHERE e.replaced_at IS NULL
RETURN path LIMIT 100;

// 10. Plans, reasons and opinions (only a model writes notes)
MATCH (n:Note {memory: $memory}) WHERE n.replaced_at IS NULL
RETURN n.session AS session, n.text AS note, [(n)-[:BASED_ON]->(t:Turn) | t.content] AS turns
ORDER BY n.source_key;

// 11. Full text over events, notes and turns. `scope` keeps it to one memory: take it from any of its turns.
MATCH (t:Turn {memory: $memory}) WHERE t.scope IS NOT NULL WITH t.scope AS scope LIMIT 1
CALL db.index.fulltext.queryNodes('passage_text', '+scope:' + scope + ' +content:(bakery bread)') YIELD node, score
RETURN labels(node)[0] AS kind, node.day AS day, node.content AS line, score LIMIT 20;
