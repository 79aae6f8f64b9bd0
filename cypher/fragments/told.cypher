// What a fact is in Python (`records.fact_from`), and no embedding: `{.*, embedding: null}` would read that from disk.
{fact} {.id, .memory, .subject, .canonical_subject, .relation, .object, .kind, .slot, .session, .date,
  .date_offset_s, .index, .source_key, .valid_from, .valid_from_words, .valid_to, .valid_to_words,
  .recorded_at, .extractor, .quote, .turn, .speaker, .model, .prompt, .note, .retracted_at, .retracted_by,
  .retracted_why}
