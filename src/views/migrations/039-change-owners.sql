-- Who may read a change. The service may run meanwhile: rows of before, and those that an older process writes, are for all
-- keys of the namespace; older processes write no changes of an owner.
ALTER TABLE changes
  ADD COLUMN IF NOT EXISTS owner LowCardinality(String) DEFAULT '' COMMENT 'The only owner of keys that may read it; empty: all keys of the namespace' AFTER velocity;
