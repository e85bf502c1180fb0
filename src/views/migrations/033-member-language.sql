-- The language of each member, by which the title and the quotations of a story are chosen. The service may run meanwhile:
-- until every process is new, rows of older ones take the default.
ALTER TABLE members
  ADD COLUMN IF NOT EXISTS language LowCardinality(String) DEFAULT 'und' COMMENT 'ISO 639-1, or und; und where it was stored before the language was recorded' AFTER genre;
