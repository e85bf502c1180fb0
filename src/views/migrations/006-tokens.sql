-- One row per token of a revision of an article: what token search compares. Written by: articles.scored.
CREATE TABLE IF NOT EXISTS tokens
(
  namespace          LowCardinality(String)  COMMENT 'Whose data it is',
  article_id         String                  COMMENT 'The article it stands in',
  content_hash       String                  COMMENT 'Which revision of the article',
  ordinal            UInt8                   COMMENT 'Place in the list, the most important first; the token_id follows from the key',
  text               String                  COMMENT 'As it stands in the article',
  pos_tag            LowCardinality(String)  COMMENT 'Universal Dependencies: NOUN, PROPN, VERB ...; X where not known',
  entity_type        LowCardinality(String)  COMMENT 'PERSON, ORG, GPE, LOC, or O',
  importance         Float64                 COMMENT '0 to 1 within the article',
  context_sentiment  Float64                 COMMENT '-1 to +1: of its sentence',
  vector_model       LowCardinality(String)  COMMENT 'Hash of the model file and kind of pooling',
  vector             Array(BFloat16)         COMMENT '384 components, unit length: the mean of its piece states in context' CODEC(NONE),
  _log_at            DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition         UInt32                  COMMENT 'Place of the event in its topic',
  _offset            UInt64                  COMMENT 'Place of the event in its topic',
  _first             UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash, ordinal)
SETTINGS index_granularity = 64, min_compress_block_size = 2048
COMMENT 'One row per token of a revision of an article. Written by: articles.scored';
