(coalesce({fact}.valid_from, '') <= $stated_by AND ({fact}.valid_from IS NOT NULL OR coalesce({fact}.day, '') <= $told_by))
