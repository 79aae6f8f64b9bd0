"""Laws about version groups: pure functions over facts, no I/O and no clock."""
