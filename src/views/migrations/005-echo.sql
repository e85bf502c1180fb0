-- One row per record of how one platform received one story; the newest in the log holds. Written by: stories.enriched.
CREATE TABLE IF NOT EXISTS enrichments
(
  namespace                     LowCardinality(String)      COMMENT 'Whose data it is',
  cluster_id                    String                      COMMENT 'The story',
  platform                      LowCardinality(String)      COMMENT 'reddit, bluesky or twitter',
  event_id                      String                      COMMENT 'The event this row was made of',
  occurred_at                   DateTime64(3, 'UTC')        COMMENT 'Event time of the newest post it rests on',
  story_title                   String                      COMMENT 'As it was then',
  thread_urls                   Array(String)               COMMENT 'Source threads or posts',
  fetched_at                    DateTime64(3, 'UTC')        COMMENT 'When the posts were fetched',
  comment_count_analyzed        UInt32                      COMMENT 'Posts analysed',
  sentiment_score               Float64                     COMMENT '-1 to +1',
  sentiment_label               LowCardinality(String)      COMMENT 'positive, neutral or negative',
  controversy_score             Float64                     COMMENT '0 to 1',
  dominant_themes               Array(String)               COMMENT 'At most five',
  editorial_entities            Array(String)               COMMENT 'Names in the story''s own articles',
  public_entities               Array(String)               COMMENT 'Names in the posts',
  novel_entities                Array(String)               COMMENT 'Public minus editorial',
  counter_narrative_detected    Bool                        COMMENT 'A second reading of the story was found',
  counter_narrative_summary     Nullable(String)            COMMENT 'Null where none was found',
  counter_narrative_confidence  Float64                     COMMENT '0 to 1',
  evidence_novel_entities       Map(String, Array(String))  COMMENT 'Novel entity to the posts that name it',
  evidence_counter_narrative    Array(String)               COMMENT 'Posts that carry it',
  sample_posts                  UInt32                      COMMENT 'Posts in the window',
  sample_authors                UInt32                      COMMENT 'Different authors in the window',
  sample_window_start           DateTime64(3, 'UTC')        COMMENT 'First post of the window',
  sample_window_end             DateTime64(3, 'UTC')        COMMENT 'Last post of the window',
  source_status                 LowCardinality(String)      COMMENT 'live, degraded or stale',
  _log_at                       DateTime64(3, 'UTC')        COMMENT 'When the log took the event',
  _partition                    UInt32                      COMMENT 'Place of the event in its topic',
  _offset                       UInt64                      COMMENT 'Place of the event in its topic',
  _first                        UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, cluster_id, platform, event_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per record of how one platform received one story. Written by: stories.enriched';
