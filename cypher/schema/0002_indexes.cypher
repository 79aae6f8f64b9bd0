// A memory's own records, for exact search and for lists.
CREATE INDEX fact_memory IF NOT EXISTS FOR (f:Fact) ON (f.memory);
CREATE INDEX fact_in_memory IF NOT EXISTS FOR (f:Fact) ON (f.memory, f.source_key);
CREATE INDEX session_memory IF NOT EXISTS FOR (s:Session) ON (s.memory);
CREATE INDEX subject_memory IF NOT EXISTS FOR (s:Subject) ON (s.memory);
CREATE INDEX turn_memory IF NOT EXISTS FOR (t:Turn) ON (t.memory);
CREATE INDEX event_memory IF NOT EXISTS FOR (e:Event) ON (e.memory);
CREATE INDEX note_memory IF NOT EXISTS FOR (n:Note) ON (n.memory);
CREATE INDEX rejection_memory IF NOT EXISTS FOR (r:Rejection) ON (r.memory);
CREATE INDEX outcome_memory IF NOT EXISTS FOR (o:Outcome) ON (o.memory);

// A version group in each of its two orders, and the few facts in it that end a value or state a day.
// Status seeks in these, so its cost does not grow with the length of a group.
CREATE INDEX fact_by_source IF NOT EXISTS FOR (f:Fact) ON (f.group, f.source_key);
CREATE INDEX fact_by_day IF NOT EXISTS FOR (f:Fact) ON (f.group, f.effective_key);
CREATE INDEX fact_ends_by_source IF NOT EXISTS FOR (f:Fact) ON (f.group, f.ends, f.source_key);
CREATE INDEX fact_ends_by_day IF NOT EXISTS FOR (f:Fact) ON (f.group, f.ends, f.effective_key);
CREATE INDEX fact_stated IF NOT EXISTS FOR (f:Fact) ON (f.group, f.valid_from);

// Subject and relation whatever the cardinality: the paper's groups, and questions that name a relation.
CREATE INDEX fact_pair IF NOT EXISTS FOR (f:Fact) ON (f.pair, f.source_key);

// What an operator reads: one subject, merged names included, under one relation.
CREATE INDEX fact_about IF NOT EXISTS FOR (f:Fact) ON (f.memory, f.about, f.relation_key);
