-- One row per word on which subject page lists an article, beside the story it belongs to (placements); the newest in the
-- log among those with valid_from up to a moment holds then. No row: no page lists it. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS subject_listings
(
  namespace   LowCardinality(String)  COMMENT 'Whose data it is',
  article_id  String                  COMMENT 'The article',
  event_id    String                  COMMENT 'The event this row was made of',
  cluster_id  String                  COMMENT 'The subject page that lists it',
  valid_from  DateTime64(3, 'UTC')    COMMENT 'Event time from which it holds',
  assignment_confidence Nullable(Float64) COMMENT 'Always null: a listing is no assignment',
  dated       Bool                    COMMENT 'False: valid_from is an arrival or may follow from one',
  _log_at     DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition  UInt32                  COMMENT 'Place of the event in its topic',
  _offset     UInt64                  COMMENT 'Place of the event in its topic',
  _first      UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_subject cluster_id TYPE bloom_filter(0.01)
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per word on which subject page lists an article. Written by: articles.clustered';
