-- The language of the article of each row, by which an entity has its names in other languages. The service may run
-- meanwhile: rows of before take the default and count as of no language. A rebuild of the view `entities` fills it.
ALTER TABLE entity_articles
  ADD COLUMN IF NOT EXISTS language LowCardinality(String) DEFAULT 'und' COMMENT 'ISO 639-1 code of the article, or und' AFTER type;
