-- One row per revision of an article: what article search compares and shows. Narrow and finely marked, because a search
-- reads every vector and then a few rows by their key. Written by: articles.scored.
CREATE TABLE IF NOT EXISTS article_vectors
(
  namespace       LowCardinality(String)          COMMENT 'Whose data it is',
  article_id      String                          COMMENT 'The article',
  content_hash    String                          COMMENT 'Which revision of the article',
  occurred_at     DateTime64(3, 'UTC')            COMMENT 'Event time of the article',
  dated           Bool                            COMMENT 'False: occurred_at is the arrival',
  title           Nullable(String)                COMMENT 'As given',
  url             Nullable(String)                COMMENT 'Canonical address',
  source          Nullable(String)                COMMENT 'Publisher, as given',
  published_date  Nullable(DateTime64(3, 'UTC'))  COMMENT 'As given',
  quality_score   Float64                         COMMENT '0 to 1',
  vector          Array(BFloat16)                 COMMENT 'The embedding of the article in half the bytes' CODEC(NONE),
  _log_at         DateTime64(3, 'UTC')            COMMENT 'When the log took the event',
  _partition      UInt32                          COMMENT 'Place of the event in its topic',
  _offset         UInt64                          COMMENT 'Place of the event in its topic',
  _first          UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash)
SETTINGS index_granularity = 64, min_compress_block_size = 2048
COMMENT 'One row per revision of an article: what article search compares and shows. Written by: articles.scored';

-- Stop the service first: an API of before selects the column that goes, and what a view of before wrote meanwhile would
-- be missing here. It can be repeated: what is there already is left out.
INSERT INTO article_vectors
SELECT
  namespace, article_id, content_hash, occurred_at, dated, title, url, source, published_date, quality_score,
  CAST(embedding, 'Array(BFloat16)') AS vector, _log_at, _partition, _offset
FROM articles
WHERE startsWith(article_id, 'art_{{each-32nd}}') AND (namespace, article_id, content_hash) NOT IN
(
  SELECT namespace, article_id, content_hash FROM article_vectors WHERE startsWith(article_id, 'art_{{each-32nd}}')
);

ALTER TABLE articles DROP COLUMN IF EXISTS _search_vector;
