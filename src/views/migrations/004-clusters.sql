-- One row per decision that put an article into a cluster: from valid_from on it belongs there, until a later one.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS cluster_members
(
  namespace        LowCardinality(String)            COMMENT 'Whose data it is',
  cluster_id       String                            COMMENT 'The story',
  article_id       String                            COMMENT 'The member',
  event_id         String                            COMMENT 'The decision this row was made of',
  action           LowCardinality(String)            COMMENT 'opened, joined or revised',
  content_hash     String                            COMMENT 'Which revision of the article',
  valid_from       DateTime64(3, 'UTC')              COMMENT 'Event time from which it belongs there',
  dated            Bool                              COMMENT 'False: valid_from is the arrival',
  title            Nullable(String)                  COMMENT 'Of the article, as given',
  url              Nullable(String)                  COMMENT 'Canonical address',
  source           Nullable(String)                  COMMENT 'Publisher, as given',
  published_date   Nullable(DateTime64(3, 'UTC'))    COMMENT 'As given',
  semantic_hash    String                            COMMENT '16 hex digits, equal for re-prints: members of one value are one origin',
  quality_score    Float64                           COMMENT '0 to 1',
  sentiment_score  Float64                           COMMENT '-1 to +1',
  sentiment_label  LowCardinality(String)            COMMENT 'positive, neutral or negative',
  entity_ids       Array(String)                     COMMENT 'Entities of the article, in parallel with the three below',
  entity_names     Array(String)                     COMMENT 'Canonical names',
  entity_types     Array(LowCardinality(String))     COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  entity_mentions  Array(UInt32)                     COMMENT 'How often the article names each',
  vector           Array(Float32)        COMMENT '384 components, unit length: the lead vector' CODEC(NONE),
  _log_at          DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition       UInt32                            COMMENT 'Place of the event in its topic',
  _offset          UInt64                            COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_time valid_from TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, cluster_id, article_id, event_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per decision that put an article into a cluster. Written by: articles.clustered';

-- One row per decision: everything it was made from. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS cluster_decisions
(
  namespace             LowCardinality(String)   COMMENT 'Whose data it is',
  article_id            String                   COMMENT 'Decided on',
  event_id              String                   COMMENT 'The decision',
  cluster_id            String                   COMMENT 'Where the article went',
  action                LowCardinality(String)   COMMENT 'opened, joined or revised',
  content_hash          String                   COMMENT 'Which revision of the article',
  occurred_at           DateTime64(3, 'UTC')     COMMENT 'Event time of the article',
  dated                 Bool                     COMMENT 'False: occurred_at is the arrival',
  chosen_cluster_id     Nullable(String)         COMMENT 'Best candidate; null where there was none or none was good enough',
  chosen_score          Nullable(Float64)        COMMENT 'Its total',
  chosen_features       Map(String, Float64)     COMMENT 'Value of each feature of the best candidate',
  runner_up_cluster_id  Nullable(String)         COMMENT 'Second best candidate',
  runner_up_score       Nullable(Float64)        COMMENT 'Its total',
  runner_up_features    Map(String, Float64)     COMMENT 'Value of each feature of the second best',
  threshold             Float64                  COMMENT 'A score above it joins',
  versions              Map(String, String)      COMMENT 'Algorithm, weights and tables, each with its version or hash',
  _log_at               DateTime64(3, 'UTC')     COMMENT 'When the log took the event',
  _partition            UInt32                   COMMENT 'Place of the event in its topic',
  _offset               UInt64                   COMMENT 'Place of the event in its topic',
  _first                UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, event_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per decision and what it was made from. Written by: articles.clustered';
