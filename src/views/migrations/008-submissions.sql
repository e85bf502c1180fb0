-- One row per article submitted under an Idempotency-Key. Written by: articles.ingested.
CREATE TABLE IF NOT EXISTS submissions
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  key_hash    String                  COMMENT '32 hex digits: the namespace and the key, hashed',
  body_hash   String                  COMMENT '32 hex digits: what was asked under the key, hashed',
  job_id      String                  COMMENT 'The job of the article',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, key_hash, job_id)
SETTINGS index_granularity = 512
COMMENT 'One row per article submitted under an Idempotency-Key. Written by: articles.ingested';
