-- How certain it is that an article stays in its story. The service may run meanwhile: rows of processes of before have
-- none, as articles of before do.
ALTER TABLE placements
  ADD COLUMN IF NOT EXISTS assignment_confidence Nullable(Float64) COMMENT 'Probability, 0 to 1, that the daily recluster leaves the article there; null: not known' AFTER valid_from;

-- One row per story each time its membership has settled. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS settlements
(
  namespace              LowCardinality(String)  COMMENT 'Whose data it is',
  cluster_id             String                  COMMENT 'The story',
  event_id               String                  COMMENT 'The event this row was made of',
  article_count          UInt32                  COMMENT 'Articles it had',
  assignment_confidence  Nullable(Float64)       COMMENT 'Probability, 0 to 1, that the next daily recluster leaves one of them there; null: not known',
  occurred_at            DateTime64(3, 'UTC')    COMMENT 'Event time of its newest article',
  dated                  Bool                    COMMENT 'Always false: occurred_at may follow from an arrival',
  _log_at                DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition             UInt32                  COMMENT 'Place of the event in its topic',
  _offset                UInt64                  COMMENT 'Place of the event in its topic',
  _first                 UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, cluster_id, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per story each time its membership has settled. Written by: articles.clustered';
