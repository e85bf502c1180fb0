-- One row per entity of an analysed revision of an article: what all questions about one entity are answered from.
-- Written by: articles.analyzed. Counts are of the one event a row was made of; nothing is ever added to them.
CREATE TABLE IF NOT EXISTS entity_articles
(
  namespace        LowCardinality(String)            COMMENT 'Whose data it is',
  entity_id        String                            COMMENT 'The same in every namespace',
  article_id       String                            COMMENT 'Where it is named',
  content_hash     String                            COMMENT 'In which revision',
  direct           Bool                              COMMENT 'By which analysis, as in analyzed_articles',
  name             String                            COMMENT 'Canonical name of the entity',
  type             LowCardinality(String)            COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  occurred_at      DateTime64(3, 'UTC')              COMMENT 'Event time of the article',
  dated            Bool                              COMMENT 'False: occurred_at is the arrival',
  mention_count    UInt32                            COMMENT 'Its rows in mentions',
  sentiment_score  Float64                           COMMENT '-1 to +1: mean of its mentions, to 6 decimals',
  surfaces         Array(String)                     COMMENT 'As written, each once',
  surface_counts   Array(UInt32)                     COMMENT 'How often, in parallel',
  wikidata_id      Nullable(String)                  COMMENT 'Q30; null: the shipped data does not know it',
  country          LowCardinality(Nullable(String))  COMMENT 'Of a place: ISO 3166-1 alpha-2; null of a sea or a continent',
  latitude         Nullable(Float64)                 COMMENT 'Of a place, degrees north',
  longitude        Nullable(Float64)                 COMMENT 'Of a place, degrees east',
  within           Array(String)                     COMMENT 'Of a place: names of what it lies in, the nearest first',
  time_start       Nullable(String)                  COMMENT 'Of a date: first UTC day, YYYY-MM-DD',
  time_end         Nullable(String)                  COMMENT 'Of a date: last UTC day, YYYY-MM-DD',
  money_amount     Nullable(Float64)                 COMMENT 'Of a sum, in whole units of the currency',
  money_currency   LowCardinality(Nullable(String))  COMMENT 'Of a sum: ISO 4217',
  _log_at          DateTime64(3, 'UTC')              COMMENT 'When the log took the event',
  _partition       UInt32                            COMMENT 'Place of the event in its topic',
  _offset          UInt64                            COMMENT 'Place of the event in its topic',
  _first           UInt64 MATERIALIZED bitNot(_offset) COMMENT 'Version of the row: the first event in the log wins',
  _name            String MATERIALIZED lowerUTF8(name) COMMENT 'By which it is looked up',
  INDEX by_name _name TYPE bloom_filter(0.001),
  INDEX by_time occurred_at TYPE minmax
)
ENGINE = {{replicated}}ReplacingMergeTree(_first)
ORDER BY (namespace, entity_id, article_id, content_hash, direct)
SETTINGS index_granularity = 1024
COMMENT 'One row per entity of an analysed revision of an article. Written by: articles.analyzed';

-- Stop the service first: what a view of before writes meanwhile would be missing here. It can be repeated: what is
-- there already is left out.
INSERT INTO entity_articles
(
  namespace, entity_id, article_id, content_hash, direct, name, type, occurred_at, dated, mention_count,
  sentiment_score, surfaces, surface_counts, _log_at, _partition, _offset
)
SELECT
  namespace, entity_id, article_id, content_hash, direct, any(name), any(type), any(occurred_at), any(dated), count(),
  round(avg(sentiment_score), 6), sumMap([surface], [1]).1, sumMap([surface], [1]).2, any(_log_at), any(_partition), _offset
FROM mentions FINAL
WHERE startsWith(article_id, 'art_{{each-32nd}}') AND (namespace, article_id, content_hash, direct, _offset) IN
(
  SELECT namespace, article_id, content_hash, direct, _offset FROM analyzed_articles FINAL
  WHERE startsWith(article_id, 'art_{{each-32nd}}')
)
AND (namespace, entity_id, article_id, content_hash, direct) NOT IN
(
  SELECT namespace, entity_id, article_id, content_hash, direct FROM entity_articles
  WHERE startsWith(article_id, 'art_{{each-32nd}}')
)
GROUP BY namespace, entity_id, article_id, content_hash, direct, _offset;
