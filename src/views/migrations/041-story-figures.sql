-- One row per story: the figures that lists rank and filter it by, computed from the facts up to `_offset`. Lists read a
-- story from its facts if these are newer. Never content: `story hash` leaves it out. The service may run meanwhile.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS story_figures
(
  namespace       LowCardinality(String)         COMMENT 'Whose data it is',
  cluster_id      String                         COMMENT 'The story',
  changed_at      DateTime64(3, 'UTC')           COMMENT 'Newest event time of a fact about one of its articles, or of one that it had: from then on, the row holds',
  articles        UInt32                         COMMENT 'Articles that belong to it; 0: none any more',
  sources         UInt32                         COMMENT 'Different outlets',
  origins         Float64                        COMMENT 'Independent sources',
  updated_at      DateTime64(3, 'UTC')           COMMENT 'Event time of its last article',
  languages       Array(LowCardinality(String))  COMMENT 'Of its articles',
  min_confidence  Float64                        COMMENT 'The least assignment confidence of its articles; 0 if one is not known',
  days            Array(Date32)                  COMMENT 'UTC days of event time of its articles',
  revisions       Array(UInt64)                  COMMENT 'Log offset at which an article of the day was last revised, in parallel with days',
  times           Array(DateTime64(3, 'UTC'))    COMMENT 'Event times of its articles, oldest first',
  sentiments      Array(Float64)                 COMMENT 'Sentiment of the articles, -1 to +1, in parallel with times',
  categories      Array(LowCardinality(String))  COMMENT 'Categories of at least a third of its articles',
  abouts          Array(String)                  COMMENT 'Title and entity names of each article',
  _partition      UInt32                         COMMENT 'Partition of the facts',
  _offset         UInt64                         COMMENT 'Log offset up to which facts are included; the highest row of a story counts'
)
ENGINE = {{replicated}}ReplacingMergeTree(_offset)
ORDER BY (namespace, cluster_id)
SETTINGS index_granularity = 1024
COMMENT 'One row per story: the figures that lists rank and filter it by. Written by: articles.clustered';

-- One row per namespace: the log offset up to which `story_figures` includes the facts. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS story_figures_read
(
  namespace  LowCardinality(String)  COMMENT 'Whose data it is',
  _partition UInt32                  COMMENT 'Partition of the facts',
  _offset    UInt64                  COMMENT 'Log offset; the highest counts'
)
ENGINE = {{replicated}}ReplacingMergeTree(_offset)
ORDER BY (namespace, _partition)
COMMENT 'One row per namespace: the log offset up to which story_figures includes the facts. Written by: articles.clustered';
