// Every fact has a source key, so (memory, source_key) serves whoever seeks a memory: name both. One index less to
// write for each fact.
DROP INDEX fact_memory IF EXISTS;
