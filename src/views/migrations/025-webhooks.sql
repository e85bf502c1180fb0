-- One row per event of a delivery: that it was planned, and each attempt; the newest in the log is its state.
-- Written by: webhooks.delivered. Rows go when the log forgets them.
CREATE TABLE IF NOT EXISTS deliveries
(
  namespace        LowCardinality(String)            COMMENT 'Whose data it is',
  webhook_id       String                            COMMENT 'The endpoint',
  delivery_id      String                            COMMENT 'One change to one endpoint; asked for again it is another',
  event_id         String                            COMMENT 'The event this row was made of',
  change_id        String                            COMMENT 'event_id of the change, or the id of a test: goes out as webhook-id',
  type             LowCardinality(String)            COMMENT 'Of the change, or webhook.test',
  attempt          UInt16                            COMMENT 'Attempts so far: 0 of one that is planned',
  outcome          LowCardinality(String)            COMMENT 'planned, failed, delivered, gone, given_up or cancelled',
  status_code      Nullable(UInt16)                  COMMENT 'HTTP status, where there was an answer',
  error            LowCardinality(Nullable(String))  COMMENT 'Why not, a constant; null: it went well',
  duration_ms      UInt32                            COMMENT 'How long the attempt took',
  occurred_at      DateTime64(3, 'UTC')              COMMENT 'When it was planned or attempted',
  next_attempt_at  Nullable(DateTime64(3, 'UTC'))    COMMENT 'When it is tried (again); null: not again',
  payload          String                            COMMENT 'The body that is sent, byte for byte; empty where nothing was left to send' CODEC(ZSTD(3)),
  _log_at          DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition       UInt32                            COMMENT 'Place of the event in its topic',
  _offset          UInt64                            COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, webhook_id, delivery_id, event_id)
TTL toDateTime(_log_at) + INTERVAL 30 DAY
SETTINGS index_granularity = 1024
COMMENT 'One row per event of a delivery. Written by: webhooks.delivered';
