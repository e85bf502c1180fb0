-- A job may fail, be sent again from the dead letters, and fail once more: each time is a row. The service may run meanwhile.
ALTER TABLE jobs_failed
  ADD COLUMN IF NOT EXISTS attempts UInt16 COMMENT 'How often it was refused by then; 0 of rows from before this was noted' AFTER reason,
  MODIFY ORDER BY (namespace, job_id, attempts);

-- One row per time that the article of a job was sent again. Written by: articles.ingested.dead.
CREATE TABLE IF NOT EXISTS jobs_retried
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  job_id      String                  COMMENT 'The ULID that Layer 0 gave out',
  attempts    UInt16                  COMMENT 'How often it had been refused by then',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the word that it was sent again',
  _partition  UInt32                  COMMENT 'Place of that word in its topic',
  _offset     UInt64                  COMMENT 'Place of that word in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, job_id, attempts)
COMMENT 'One row per time that the article of a job was sent again. Written by: articles.ingested.dead';
