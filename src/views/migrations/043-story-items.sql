-- One row per story: what lists show of it, computed from the facts up to `_offset`, as `story_figures`. The service may
-- run meanwhile: until the view has computed the rows of a namespace, with its next articles, lists read the facts.
-- Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS story_items
(
  namespace          LowCardinality(String)         COMMENT 'Whose data it is',
  cluster_id         String                         COMMENT 'The story',
  changed_at         DateTime64(3, 'UTC')           COMMENT 'Newest event time of a fact about one of its articles, or of one that it had: from then on, the row holds',
  updated_at         DateTime64(3, 'UTC')           COMMENT 'Event time of its last article',
  members            Array(Tuple(occurred_at DateTime64(3, 'UTC'), article_id String, origin String, from_origin String, similarity Float64)) COMMENT 'Its articles, oldest first, with their independent source, the source that this one derives from or an empty string, and the cosine to the centre of the story; empty: it has none any more',
  days               Array(Date32)                  COMMENT 'UTC days of event time of its articles',
  revisions          Array(UInt64)                  COMMENT 'Log offset at which an article of the day was last revised, in parallel with days',
  headlines          Array(Tuple(article_id String, title Nullable(String), genre LowCardinality(String), similarity Float64, language LowCardinality(String))) COMMENT 'The articles nearest to the centre, those in English preferred; oldest first',
  source_count       UInt32                         COMMENT 'Different outlets',
  publisher_count    UInt32                         COMMENT 'Different publishers',
  languages          Array(LowCardinality(String))  COMMENT 'Of its articles',
  first_published    Nullable(DateTime64(3, 'UTC')) COMMENT 'Of the publication dates that were given',
  last_published     Nullable(DateTime64(3, 'UTC')) COMMENT 'Of the publication dates that were given',
  positive           UInt32                         COMMENT 'Articles with this sentiment',
  neutral            UInt32                         COMMENT 'Articles with this sentiment',
  negative           UInt32                         COMMENT 'Articles with this sentiment',
  entities           Array(Tuple(id String, name String, type LowCardinality(String), mention_count UInt32, article_count UInt32)) COMMENT 'Its most frequent entities, without dates and amounts of money',
  geographic_spread  Array(LowCardinality(String))  COMMENT 'ISO 3166-1 alpha-2, most articles first',
  categories         Array(LowCardinality(String))  COMMENT 'Categories of at least a third of its articles, most frequent first',
  _partition         UInt32                         COMMENT 'Partition of the facts',
  _offset            UInt64                         COMMENT 'Log offset up to which facts are included; the highest row of a story counts'
)
ENGINE = {{replicated}}ReplacingMergeTree(_offset)
ORDER BY (namespace, cluster_id)
SETTINGS index_granularity = 64
COMMENT 'One row per story: what lists show of it. Written by: articles.clustered';

-- One row per namespace: the log offset up to which `story_items` includes the facts. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS story_items_read
(
  namespace  LowCardinality(String)  COMMENT 'Whose data it is',
  _partition UInt32                  COMMENT 'Partition of the facts',
  _offset    UInt64                  COMMENT 'Log offset; the highest counts'
)
ENGINE = {{replicated}}ReplacingMergeTree(_offset)
ORDER BY (namespace, _partition)
COMMENT 'One row per namespace: the log offset up to which story_items includes the facts. Written by: articles.clustered';
