{passage}.content IS NOT NULL AND {passage}.replaced_at IS NULL AND {passage}.source_key <= $known_after
