-- One row per crossing: a story's velocity, an entity's mentions, an entity's sentiment. Written by: trends.detected.
CREATE TABLE IF NOT EXISTS detections
(
  namespace         LowCardinality(String)            COMMENT 'Whose data it is',
  type              LowCardinality(String)            COMMENT 'trend.detected, entity.spike or sentiment.shift',
  subject_id        String                            COMMENT 'Cluster id of a trend, else entity id',
  event_id          String                            COMMENT 'The event this row was made of',
  name              String                            COMMENT 'Title or canonical name',
  category          LowCardinality(Nullable(String))  COMMENT 'Of a story: the first of its categories',
  occurred_at       DateTime64(3, 'UTC')              COMMENT 'Event time of the article that crossed',
  velocity          Float64                           COMMENT 'Multiple of the baseline',
  baseline          Float64                           COMMENT 'Per window, before it',
  window_hours      UInt16                            COMMENT 'The window it was seen in',
  count             UInt32                            COMMENT 'Mentions, or articles of a story, in the window',
  origins           UInt32                            COMMENT 'Independent accounts among them',
  p_value           Nullable(Float64)                 COMMENT 'Of a spike: the probability of as much by chance',
  sentiment_before  Nullable(Float64)                 COMMENT 'Of a shift: mean of the 6 hours before the last 6',
  sentiment_after   Nullable(Float64)                 COMMENT 'Of a shift: mean of the last 6 hours',
  low_support       Bool                              COMMENT 'True under 3 origins or 3 days of history',
  _log_at           DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition        UInt32                            COMMENT 'Place of the event in its topic',
  _offset           UInt64                            COMMENT 'Place of the event in its topic',
  _first            UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_time occurred_at TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, type, subject_id, event_id)
COMMENT 'One row per crossing. Written by: trends.detected';
