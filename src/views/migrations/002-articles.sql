-- One row per revision of an article (article_id, content_hash); the first time it stands in the log wins.
-- Written by: articles.scored.
CREATE TABLE IF NOT EXISTS articles
(
  namespace            LowCardinality(String)            COMMENT 'Whose data it is',
  article_id           String                            COMMENT 'Derived from the canonical URL, or from the text where there is none',
  content_hash         String                            COMMENT 'Tells one revision from the next',
  event_id             String                            COMMENT 'The event this row was made of',
  occurred_at          DateTime64(3, 'UTC')              COMMENT 'Event time: publication, at most arrival; arrival where there is no publication date',
  dated                Bool                              COMMENT 'False: occurred_at is the arrival',
  url                  Nullable(String)                  COMMENT 'Canonical address',
  title                Nullable(String)                  COMMENT 'As given',
  source               Nullable(String)                  COMMENT 'Publisher, as given',
  author               Nullable(String)                  COMMENT 'As given',
  published_date       Nullable(DateTime64(3, 'UTC'))    COMMENT 'As given',
  text                 String             COMMENT 'Plain text: mark-up stripped, trimmed' CODEC(ZSTD(1)),
  language             LowCardinality(String)            COMMENT 'ISO 639-1, or und',
  quality_score        Float64                           COMMENT '0 to 1',
  quality_rating       LowCardinality(String)            COMMENT 'Excellent, Good, Medium, Low or Noise',
  quality_depth        Float64                           COMMENT '0 to 1, higher is better',
  quality_coherence    Float64                           COMMENT '0 to 1, higher is better',
  quality_credibility  Float64                           COMMENT '0 to 1, higher is better',
  quality_spam         Float64                           COMMENT '0 to 1, 1 is clean',
  semantic_hash        String                            COMMENT '16 hex digits, equal for re-prints',
  token_count          UInt32                            COMMENT 'Word tokens of the body',
  embedding_id         String                            COMMENT 'Name of the vector below',
  embedding_model      LowCardinality(String)            COMMENT 'Hash of the model file and kind of pooling',
  embedding            Array(Float32)        COMMENT '384 components, unit length' CODEC(NONE),
  forwarded            Bool                              COMMENT 'True: it went on to Layer 1',
  gate_reason          LowCardinality(String)            COMMENT 'passed, below_gate or private_bypass',
  _log_at              DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition           UInt32                            COMMENT 'Place of the event in its topic',
  _offset              UInt64                            COMMENT 'Place of the event in its topic',
  _first               UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_body semantic_hash TYPE bloom_filter(0.01),
  _search_vector       Array(BFloat16) MATERIALIZED CAST(embedding, 'Array(BFloat16)') COMMENT 'The embedding in half the bytes: what search compares' CODEC(NONE)
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash)
SETTINGS index_granularity = 512
COMMENT 'One row per revision of an article. Written by: articles.scored';
