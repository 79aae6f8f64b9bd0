// The turns around a turn, without reading its whole session.
CREATE INDEX turn_place IF NOT EXISTS FOR (t:Turn) ON (t.memory, t.session, t.position);
