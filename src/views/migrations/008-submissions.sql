-- One row per article submitted under an Idempotency-Key. Written by: articles.ingested.
-- A key is good for 24 hours; the rest is for a view that lags.
CREATE TABLE IF NOT EXISTS submissions
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  key_hash    String                  COMMENT '32 hex digits: HMAC of namespace, caller and key',
  body_hash   String                  COMMENT '32 hex digits: HMAC of what was asked under it',
  job_id      String                  COMMENT 'The job of the article',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, key_hash, job_id)
TTL toDateTime(_log_at) + INTERVAL 3 DAY
SETTINGS index_granularity = 512
COMMENT 'One row per article submitted under an Idempotency-Key. Written by: articles.ingested';
