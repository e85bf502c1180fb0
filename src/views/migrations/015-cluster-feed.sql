-- One row per thing that happened to a story, in the order of the log: what a follower of all stories reads. In one table,
-- because two are never written at one moment, and who reads on from a place must have missed nothing before it.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS cluster_feed
(
  namespace          LowCardinality(String)  COMMENT 'Whose data it is',
  event_id           String                  COMMENT 'The event this row was made of',
  type               LowCardinality(String)  COMMENT 'opened, grown, merged, split, moved or corrected',
  cluster_id         String                  COMMENT 'The story; of articles that change theirs, the one that has them now',
  from_cluster_id    Nullable(String)        COMMENT 'The story they leave; null: none does',
  article_ids        Array(String)           COMMENT 'The articles that came, or that change their story',
  occurred_at        DateTime64(3, 'UTC')    COMMENT 'Event time',
  dated              Bool                    COMMENT 'False: occurred_at is an arrival or may follow from one',
  correction_id      Nullable(String)        COMMENT 'Of corrected: the request',
  correction_action  LowCardinality(Nullable(String))  COMMENT 'move, merge, split, keep_apart or undo',
  _log_at            DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition         UInt32                  COMMENT 'Place of the event in its topic',
  _offset            UInt64                  COMMENT 'Place of the event in its topic',
  _first             UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_place _offset TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per thing that happened to a story, to be read in the order of the log. Written by: articles.clustered';

-- Stop the service first, as for the migration before the last. It can be repeated.
INSERT INTO cluster_feed
(
  namespace, event_id, type, cluster_id, from_cluster_id, article_ids, occurred_at, dated, correction_id,
  correction_action, _log_at, _partition, _offset
)
SELECT
  namespace, event_id, if(action = 'opened', 'opened', 'grown'), cluster_id, NULL, [article_id], valid_from, dated, NULL,
  NULL, _log_at, _partition, _offset
FROM placements FINAL
WHERE action IN ('opened', 'joined') AND startsWith(article_id, 'art_{{each-32nd}}')
  AND (namespace, event_id) NOT IN (SELECT namespace, event_id FROM cluster_feed);
