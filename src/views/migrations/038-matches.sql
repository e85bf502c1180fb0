-- One row per event and story that matched a monitor. Written by: stories.matched. The service may run meanwhile.
CREATE TABLE IF NOT EXISTS matches
(
  namespace           LowCardinality(String)            COMMENT 'Whose data it is',
  monitor_id          String                            COMMENT 'The monitor',
  event_id            String                            COMMENT 'Identity of the event',
  type                LowCardinality(String)            COMMENT 'monitor.matched, or monitor.digest: earlier matches sent together',
  conditions_version  UInt32                            COMMENT 'Of the conditions that the story met',
  notify              Bool                              COMMENT 'Whether the channels of the monitor receive it',
  cluster_id          String                            COMMENT 'The story',
  title               Nullable(String)                  COMMENT 'Of the newest article that meets the conditions',
  url                 Nullable(String)                  COMMENT 'Of the newest article that meets the conditions',
  source              Nullable(String)                  COMMENT 'Of the newest article that meets the conditions',
  article_ids         Array(String)                     COMMENT 'Articles that meet the conditions, newest first, at most 10',
  article_count       UInt32                            COMMENT 'Articles of the story',
  origin_count        UInt32                            COMMENT 'Independent sources of the story',
  lifecycle_state     LowCardinality(Nullable(String))  COMMENT 'Of the story when it matched; NULL: none yet',
  velocity            Float64                           COMMENT 'Articles of the last 24 hours as a multiple of the usual number',
  sentiment_score     Float64                           COMMENT 'Mean sentiment of the articles, -1 to +1',
  matched_at          DateTime64(3, 'UTC')              COMMENT 'When the story matched',
  occurred_at         DateTime64(3, 'UTC')              COMMENT 'When the event occurred: for monitor.digest, when it was due',
  _log_at             DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition          UInt32                            COMMENT 'Place of the event in its topic',
  _offset             UInt64                            COMMENT 'Place of the event in its topic',
  _first              UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, monitor_id, occurred_at, event_id, cluster_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per event and story that matched a monitor. Written by: stories.matched';
