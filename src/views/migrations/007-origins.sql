-- One row per clustered revision of an article: whose text it is. Written by: articles.clustered.
CREATE TABLE IF NOT EXISTS origins
(
  namespace          LowCardinality(String)  COMMENT 'Whose data it is',
  article_id         String                  COMMENT 'The article',
  content_hash       String                  COMMENT 'Which revision of the article',
  event_id           String                  COMMENT 'The event this row was made of',
  occurred_at        DateTime64(3, 'UTC')    COMMENT 'Event time of the article',
  dated              Bool                    COMMENT 'False: occurred_at is the arrival',
  syndication_group  String                  COMMENT 'syn_ and 26 characters: the same for all re-prints of one text',
  duplicate_of       Nullable(String)        COMMENT 'The remembered article it shares most of its text with: containment 0.6 and above',
  derived_from       Nullable(String)        COMMENT 'The remembered article it quotes or rewrites: containment 0.25 to 0.6',
  containment        Float64                 COMMENT 'Common word 3-shingles over those of the shorter text, 0 to 1',
  _log_at            DateTime64(3, 'UTC')    COMMENT 'When the log took the event',
  _partition         UInt32                  COMMENT 'Place of the event in its topic',
  _offset            UInt64                  COMMENT 'Place of the event in its topic',
  _first             UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  INDEX by_group syndication_group TYPE bloom_filter(0.01)
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, article_id, content_hash)
SETTINGS index_granularity = 512
COMMENT 'One row per clustered revision of an article: whose text it is. Written by: articles.clustered';
