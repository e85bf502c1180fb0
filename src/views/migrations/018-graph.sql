-- One row per word on a relationship of two stories; the newest in the log of each (source, target, type) among those
-- with valid_from up to a moment holds then, unless it is removed. Written by: stories.linked.
CREATE TABLE IF NOT EXISTS relationships
(
  namespace        LowCardinality(String)  COMMENT 'Whose data it is',
  source           String                  COMMENT 'The story it starts from; of an undirected one the smaller id',
  target           String                  COMMENT 'The story it leads to',
  type             LowCardinality(String)  COMMENT 'shared_entities, evolved_into (to the later chapter), merged_with or split_from (to the story that was left)',
  event_id         String                  COMMENT 'The event this row was made of',
  action           LowCardinality(String)  COMMENT 'added, changed or removed',
  directed         Bool                    COMMENT 'Whether source and target may not be exchanged',
  confidence       Float64                 COMMENT '0.5 to 1: weight of the entities both name over that of all; 1 where the ledger says it',
  shared_entities  Array(String)           COMMENT 'Entity ids both name',
  valid_from       DateTime64(3, 'UTC')    COMMENT 'Event time from which it holds',
  caused_offset    Int64                   COMMENT 'Place in articles.clustered up to which the graph is that of the facts; -1: not known',
  _log_at          DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition       UInt32                  COMMENT 'Place of the event in its topic',
  _offset          UInt64                  COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_target target TYPE bloom_filter(0.01)
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, source, target, type, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per word on a relationship of two stories. Written by: stories.linked';

-- One row per word on the narrative thread a story is in; the newest in the log of each story among those with valid_from
-- up to a moment holds then, unless it is removed. Written by: stories.linked.
CREATE TABLE IF NOT EXISTS thread_places
(
  namespace      LowCardinality(String)  COMMENT 'Whose data it is',
  cluster_id     String                  COMMENT 'The story',
  event_id       String                  COMMENT 'The event this row was made of',
  action         LowCardinality(String)  COMMENT 'added, changed or removed',
  thread_id      String                  COMMENT 'The thread',
  valid_from     DateTime64(3, 'UTC')    COMMENT 'Event time from which it holds',
  caused_offset  Int64                   COMMENT 'Place in articles.clustered up to which the graph is that of the facts; -1: not known',
  _log_at        DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition     UInt32                  COMMENT 'Place of the event in its topic',
  _offset        UInt64                  COMMENT 'Place of the event in its topic',
  _first         UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_thread thread_id TYPE bloom_filter(0.01)
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, cluster_id, event_id)
SETTINGS index_granularity = 512
COMMENT 'One row per word on the narrative thread a story is in. Written by: stories.linked';

-- One row per complete build of the whole graph. Written by: stories.linked.
CREATE TABLE IF NOT EXISTS graph_builds
(
  namespace                LowCardinality(String)  COMMENT 'Whose data it is',
  build_id                 String                  COMMENT 'The build',
  event_id                 String                  COMMENT 'The event this row was made of',
  occurred_at              DateTime64(3, 'UTC')    COMMENT 'When it was asked for',
  clusters_processed       UInt32                  COMMENT 'Stories it looked at',
  relationships_created    UInt32                  COMMENT 'Relationships of all types',
  entity_pairs_processed   UInt64                  COMMENT 'Pairs of entities that some article names both of',
  narrative_threads_built  UInt32                  COMMENT 'Threads of three stories and more',
  differences              UInt32                  COMMENT 'What the graph that is kept all the time had otherwise: 0 unless there is a defect',
  duration_seconds         Float64                 COMMENT 'How long it took',
  _log_at                  DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition               UInt32                  COMMENT 'Place of the event in its topic',
  _offset                  UInt64                  COMMENT 'Place of the event in its topic',
  _first                   UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, build_id, event_id)
COMMENT 'One row per complete build of the whole graph. Written by: stories.linked';
