// Words of turns, events and notes. `scope` is one word that stands for the memory, so that a search can be bound
// to one: +scope:word +content:(…). The vector indexes beside it have the embedder's dimension and are made with it.
CREATE FULLTEXT INDEX passage_text IF NOT EXISTS FOR (n:Turn|Event|Note) ON EACH [n.scope, n.content]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}};
