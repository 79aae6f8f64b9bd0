{fact}.retracted_at IS NULL AND {fact}.source_key <= $known_after
