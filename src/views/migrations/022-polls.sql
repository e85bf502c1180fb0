-- One row per look of a connector at a public platform: what freshness follows from. Where the next look goes on is the
-- connectors' own, and stays in the log. Written by: discourse.polled.
CREATE TABLE IF NOT EXISTS polls
(
  namespace            LowCardinality(String)            COMMENT 'Whose stories were looked for',
  platform             LowCardinality(String)            COMMENT 'reddit, bluesky or twitter',
  event_id             String                            COMMENT 'The event this row was made of',
  cluster_id           Nullable(String)                  COMMENT 'The story that was looked for; null: the stream of the platform, or posts looked at again',
  polled_at            DateTime64(3, 'UTC')              COMMENT 'When, by the clock of the connector',
  outcome              LowCardinality(String)            COMMENT 'ok; limited by rates or budget; refused for our credentials; failed for the rest',
  detail               LowCardinality(Nullable(String))  COMMENT 'Why it did not go well, a constant; null: it did',
  published            UInt32                            COMMENT 'Posts published: new or changed ones, and deletions',
  posts_read           UInt32                            COMMENT 'Posts the platform gave, known ones included',
  posts_read_in_month  UInt32                            COMMENT 'Posts read of the platform in the UTC month up to then',
  _log_at              DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition           UInt32                            COMMENT 'Place of the event in its topic',
  _offset              UInt64                            COMMENT 'Place of the event in its topic',
  _first               UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, platform, polled_at, event_id)
COMMENT 'One row per look of a connector at a public platform. Written by: discourse.polled';
