-- One row per move of a story from one lifecycle state to another; of those up to a moment the newest by evaluated_at
-- holds then. Written by: stories.transitioned.
CREATE TABLE IF NOT EXISTS transitions
(
  namespace        LowCardinality(String)            COMMENT 'Whose data it is',
  cluster_id       String                            COMMENT 'The story',
  event_id         String                            COMMENT 'The event this row was made of',
  lifecycle_state  LowCardinality(String)            COMMENT 'breaking, developing, mature, concluded or contested',
  previous_state   LowCardinality(Nullable(String))  COMMENT 'Null: its first state',
  rule             LowCardinality(String)            COMMENT 'The rule that fired',
  facts            Map(String, Float64)              COMMENT 'The values it fired on; ages in hours',
  evaluated_at     DateTime64(3, 'UTC')              COMMENT 'The moment it was evaluated for, in event time',
  decided_by       LowCardinality(String)            COMMENT 'transitioned: on a tick; api: because somebody asked',
  _log_at          DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition       UInt32                            COMMENT 'Place of the event in its topic',
  _offset          UInt64                            COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, cluster_id, event_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per move of a story between lifecycle states. Written by: stories.transitioned';
