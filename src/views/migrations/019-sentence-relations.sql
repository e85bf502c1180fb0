-- One row per pair of entities that one sentence of an analysed revision names, and what it says of the two. Whom whole
-- articles name together stands in entity_articles. Written by: articles.analyzed.
CREATE TABLE IF NOT EXISTS sentence_relations
(
  namespace        LowCardinality(String)  COMMENT 'Whose data it is',
  source_id        String                  COMMENT 'Entity that acts; of co_mention the smaller id',
  target_id        String                  COMMENT 'Entity that is acted upon',
  article_id       String                  COMMENT 'Where it stands',
  content_hash     String                  COMMENT 'In which revision',
  direct           Bool                    COMMENT 'By which analysis, as in analyzed_articles',
  sentence         UInt32                  COMMENT 'Index of the sentence',
  type             LowCardinality(String)  COMMENT 'co_mention, collaborative, adversarial or causal',
  evidence         String                  COMMENT 'The verb or noun it was told by, as written; empty of co_mention',
  sentiment_score  Float64                 COMMENT '-1 to +1, of the sentence',
  occurred_at      DateTime64(3, 'UTC')    COMMENT 'Event time of the article',
  dated            Bool                    COMMENT 'False: occurred_at is the arrival',
  _log_at          DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition       UInt32                  COMMENT 'Place of the event in its topic',
  _offset          UInt64                  COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_target target_id TYPE bloom_filter(0.001),
  INDEX by_time occurred_at TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, source_id, target_id, article_id, content_hash, direct, sentence)
SETTINGS index_granularity = 1024
COMMENT 'One row per pair of entities that one sentence names. Written by: articles.analyzed';

-- One row per sentence of an analysed revision that names two entities and more, as written: what relationships quote.
-- Apart from the pairs, which are many a sentence. Written by: articles.analyzed.
CREATE TABLE IF NOT EXISTS relation_sentences
(
  namespace        LowCardinality(String)  COMMENT 'Whose data it is',
  article_id       String                  COMMENT 'Where it stands',
  content_hash     String                  COMMENT 'In which revision',
  direct           Bool                    COMMENT 'By which analysis, as in analyzed_articles',
  sentence         UInt32                  COMMENT 'Index of the sentence',
  quote            String                  COMMENT 'The sentence, character for character' CODEC(ZSTD(1)),
  _log_at          DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition       UInt32                  COMMENT 'Place of the event in its topic',
  _offset          UInt64                  COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins'
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash, direct, sentence)
SETTINGS index_granularity = 128, min_compress_block_size = 8192, max_compress_block_size = 32768
COMMENT 'One row per sentence that names two entities and more. Written by: articles.analyzed';
