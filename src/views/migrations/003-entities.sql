-- One row per analysed revision of an article, the pipeline's own and one asked for through Layer 1 apart.
-- Written by: articles.analyzed.
CREATE TABLE IF NOT EXISTS analyzed_articles
(
  namespace            LowCardinality(String)            COMMENT 'Whose data it is',
  article_id           String                            COMMENT 'As in articles',
  content_hash         String                            COMMENT 'Tells one revision from the next',
  direct               Bool                              COMMENT 'True: asked for through Layer 1 alone; gives way to the pipeline''s own',
  event_id             String                            COMMENT 'The event this row was made of',
  occurred_at          DateTime64(3, 'UTC')              COMMENT 'Event time of the article',
  dated                Bool                              COMMENT 'False: occurred_at is the arrival',
  url                  Nullable(String)                  COMMENT 'Canonical address',
  title                Nullable(String)                  COMMENT 'As given',
  source               Nullable(String)                  COMMENT 'Publisher, as given',
  published_date       Nullable(DateTime64(3, 'UTC'))    COMMENT 'As given',
  language             LowCardinality(String)            COMMENT 'ISO 639-1, or und',
  semantic_hash        String                            COMMENT '16 hex digits, equal for re-prints',
  sentiment_score      Float64                           COMMENT '-1 to +1',
  sentiment_label      LowCardinality(String)            COMMENT 'positive, neutral or negative',
  sentence_starts      Array(UInt32)                     COMMENT 'First character of each sentence in the text',
  sentence_ends        Array(UInt32)                     COMMENT 'End of each sentence, exclusive',
  sentence_sentiments  Array(Float64)                    COMMENT '-1 to +1, one a sentence',
  entity_count         UInt32                            COMMENT 'Different entities of all types',
  mention_count        UInt32                            COMMENT 'Rows of this analysis in mentions',
  locations            Array(String)                     COMMENT 'Names of GPE and LOC entities',
  article_embedding    Array(Float32)        COMMENT '384 components, unit length: length-weighted mean of the sentence vectors' CODEC(NONE),
  truncated            Bool                              COMMENT 'True: the text is longer than what was analysed',
  analyzed_chars       UInt32                            COMMENT 'How much of the text was analysed',
  models               Map(String, String)               COMMENT 'Each model that took part, with the hash of its file',
  _log_at              DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition           UInt32                            COMMENT 'Place of the event in its topic',
  _offset              UInt64                            COMMENT 'Place of the event in its topic',
  _first               UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_time occurred_at TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash, direct)
SETTINGS index_granularity = 1024
COMMENT 'One row per analysed revision of an article. Written by: articles.analyzed';

-- One row per mention of an entity in a revision of an article. Written by: articles.analyzed.
CREATE TABLE IF NOT EXISTS mentions
(
  namespace            LowCardinality(String)            COMMENT 'Whose data it is',
  article_id           String                            COMMENT 'Where it stands',
  content_hash         String                            COMMENT 'In which revision',
  direct               Bool                              COMMENT 'By which analysis, as in analyzed_articles',
  entity_id            String                            COMMENT 'The same in every namespace',
  start                UInt32                            COMMENT 'First character in the text',
  end                  UInt32                            COMMENT 'End in the text, exclusive',
  sentence             UInt32                            COMMENT 'Index of the sentence',
  surface              String                            COMMENT 'As written',
  name                 String                            COMMENT 'Canonical name of the entity',
  type                 LowCardinality(String)            COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  occurred_at          DateTime64(3, 'UTC')              COMMENT 'Event time of the article',
  dated                Bool                              COMMENT 'False: occurred_at is the arrival',
  sentiment_score      Float64                           COMMENT '-1 to +1, of the mention',
  _log_at              DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition           UInt32                            COMMENT 'Place of the event in its topic',
  _offset              UInt64                            COMMENT 'Place of the event in its topic',
  _first               UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash, direct, entity_id, start)
SETTINGS index_granularity = 1024
COMMENT 'One row per mention of an entity in a revision of an article. Written by: articles.analyzed';
