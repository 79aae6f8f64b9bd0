(coalesce({fact}.valid_from, '') <= $stated_by AND CASE WHEN {fact}.valid_from IS NULL THEN coalesce({fact}.day, '') ELSE '' END <= $told_by)
