-- One row per line of the feed, in the order of the log: what polling and a stream that was cut off read on from. Rows
-- outlive the oldest cursor that is taken (30 days) by a day. Written by: changes.published.
CREATE TABLE IF NOT EXISTS changes
(
  namespace    LowCardinality(String)  COMMENT 'Whose data it is',
  event_id     String                  COMMENT 'The event this row was made of: what readers de-duplicate by',
  type         LowCardinality(String)  COMMENT 'article.scored, cluster.opened, story.transitioned, trend.detected ...',
  subject_id   String                  COMMENT 'Article, cluster or entity id',
  entity_ids   Array(String)           COMMENT 'Entities it touches',
  velocity     Nullable(Float64)       COMMENT 'Of a trend or spike: multiple of the baseline',
  data         String                  COMMENT 'JSON: what readers get as data' CODEC(ZSTD(1)),
  occurred_at  DateTime64(3, 'UTC')    COMMENT 'Event time of what changed',
  _log_at      DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition   UInt32                  COMMENT 'Place of the event in its topic',
  _offset      UInt64                  COMMENT 'Place of the event in its topic',
  _first       UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, _offset)
TTL toDateTime(_log_at) + INTERVAL 31 DAY
SETTINGS index_granularity = 1024
COMMENT 'One row per line of the feed, to be read in the order of the log; kept 31 days. Written by: changes.published';
