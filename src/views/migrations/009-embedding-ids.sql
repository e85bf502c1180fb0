-- An embedding_id is looked up without reading every article. Written by: articles.scored.
ALTER TABLE articles ADD INDEX IF NOT EXISTS by_embedding embedding_id TYPE bloom_filter(0.001);
ALTER TABLE articles MATERIALIZE INDEX IF EXISTS by_embedding;
