-- Lead vectors of members and embeddings of analyses are written in one byte per component, so their floats repeat and
-- compress to a quarter. New rows are compressed at once, others when ClickHouse merges their parts. The service may run
-- meanwhile.
ALTER TABLE members MODIFY COLUMN vector CODEC(ZSTD(1));
ALTER TABLE analyzed_articles MODIFY COLUMN article_embedding CODEC(ZSTD(1));
