-- One row per request of a curator: a correction, or the undoing of one. What became of it stands in story_changes.
-- Written by: corrections.requested.
CREATE TABLE IF NOT EXISTS corrections
(
  namespace         LowCardinality(String)  COMMENT 'Whose data it is',
  event_id          String                  COMMENT 'The event this row was made of',
  correction_id     String                  COMMENT 'The same for a correction and its undoing',
  action            LowCardinality(String)  COMMENT 'move, merge, split, keep_apart or undo',
  cluster_id        String                  COMMENT 'The story that is corrected',
  other_cluster_id  Nullable(String)        COMMENT 'Of merge and keep_apart: the other story; of move: where the article goes',
  article_ids       Array(String)           COMMENT 'Those that are to change their story',
  reason            Nullable(String)        COMMENT 'The word of the curator',
  key_id            String                  COMMENT 'The API key that asked',
  requested_at      DateTime64(3, 'UTC')    COMMENT 'When it was asked for',
  _log_at           DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition        UInt32                  COMMENT 'Place of the event in its topic',
  _offset           UInt64                  COMMENT 'Place of the event in its topic',
  _first            UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, correction_id, event_id)
COMMENT 'One row per request of a curator. Written by: corrections.requested';
