-- By which article search ranks articles across languages, and filters by language. The service may run meanwhile: rows of
-- before, and those that an older process writes, take the defaults and are compared by `vector` alone. A rebuild of the
-- view `articles` fills both columns from events that have the vectors (version 7 of `scored`).
ALTER TABLE article_vectors
  ADD COLUMN IF NOT EXISTS language LowCardinality(String) DEFAULT 'und' COMMENT 'ISO 639-1, or und; und where it was stored before the language was recorded' AFTER quality_score,
  ADD COLUMN IF NOT EXISTS cross_vector Array(BFloat16) COMMENT 'Comparable between languages: of the text of an article that is not in English, else of its title; empty if there is none' CODEC(NONE) AFTER vector;
