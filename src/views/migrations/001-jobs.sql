-- One row per job whose article has reached the log. Written by: articles.ingested.
CREATE TABLE IF NOT EXISTS jobs_processing
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  job_id      String                  COMMENT 'The ULID that Layer 0 gave out',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, job_id)
COMMENT 'One row per job whose article has reached the log. Written by: articles.ingested';

-- One row per job whose article was scored. Written by: articles.scored.
CREATE TABLE IF NOT EXISTS jobs_completed
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  job_id      String                  COMMENT 'The ULID that Layer 0 gave out',
  article_id  String                  COMMENT 'The article it became',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, job_id)
COMMENT 'One row per job whose article was scored. Written by: articles.scored';

-- One row per job whose article was refused. Written by: articles.ingested.dead.
CREATE TABLE IF NOT EXISTS jobs_failed
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  job_id      String                  COMMENT 'The ULID that Layer 0 gave out',
  reason      LowCardinality(String)  COMMENT 'Why, a constant such as text_too_short',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the dead letter',
  _partition  UInt32                  COMMENT 'Place of the dead letter in its topic',
  _offset     UInt64                  COMMENT 'Place of the dead letter in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, job_id)
COMMENT 'One row per job whose article was refused. Written by: articles.ingested.dead';
