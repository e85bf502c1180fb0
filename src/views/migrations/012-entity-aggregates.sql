-- What analysts ask first, computed at each reading from facts without repeats: there is no counter that could drift.
-- The same in all of them: of an article only the newest analysis counts, the pipeline's own before a direct one.

-- One row per article: the analysis of it that counts.
CREATE VIEW IF NOT EXISTS current_analyses
(
  namespace     LowCardinality(String)  COMMENT 'Whose data it is',
  article_id    String                  COMMENT 'As in articles',
  content_hash  String                  COMMENT 'The revision that counts',
  direct        Bool                    COMMENT 'True: asked for through Layer 1 alone, and the pipeline has none of its own',
  occurred_at   DateTime64(3, 'UTC')    COMMENT 'Event time of the article',
  _offset       UInt64                  COMMENT 'Place of the event in its topic: its rows in mentions and entity_articles have the same'
)
AS SELECT
  namespace, article_id, analysis.1 AS content_hash, analysis.2 AS direct, analysis.3 AS occurred_at, analysis.4 AS _offset
FROM
(
  SELECT
    namespace, article_id,
    argMax((content_hash, direct, occurred_at, _offset), (NOT direct, _offset)) AS analysis
  FROM analyzed_articles FINAL
  GROUP BY namespace, article_id
)
COMMENT 'One row per article: the analysis of it that counts';

-- One row per entity and UTC hour in which it was named.
CREATE VIEW IF NOT EXISTS entity_hours
(
  namespace      LowCardinality(String)  COMMENT 'Whose data it is',
  entity_id      String                  COMMENT 'The same in every namespace',
  name           String                  COMMENT 'Canonical name',
  type           LowCardinality(String)  COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  hour           DateTime64(3, 'UTC')    COMMENT 'Beginning of the hour, event time; hours without a mention have no row',
  mention_count  UInt64                  COMMENT 'Mentions in articles of that hour',
  article_count  UInt64                  COMMENT 'Different articles',
  avg_sentiment  Float64                 COMMENT '-1 to +1: mean over articles of how each speaks of the entity',
  positive       UInt64                  COMMENT 'Articles at +0.15 and above',
  neutral        UInt64                  COMMENT 'Articles between',
  negative       UInt64                  COMMENT 'Articles at -0.15 and below'
)
AS SELECT
  namespace, entity_id, name, type, fromUnixTimestamp64Milli(at - positiveModulo(at, 3600000), 'UTC') AS hour,
  sum(mentions) AS mention_count, count() AS article_count, round(avg(score), 6) AS avg_sentiment,
  countIf(score >= 0.15) AS positive, count() - positive - negative AS neutral, countIf(score <= -0.15) AS negative
FROM
(
  SELECT
    namespace, entity_id, name, type, toUnixTimestamp64Milli(occurred_at) AS at,
    mention_count AS mentions, sentiment_score AS score
  FROM entity_articles FINAL
  WHERE (namespace, _offset) IN (SELECT namespace, _offset FROM current_analyses)
)
GROUP BY namespace, entity_id, name, type, hour
COMMENT 'One row per entity and UTC hour in which it was named';

-- One row per entity and UTC day on which it was named.
CREATE VIEW IF NOT EXISTS entity_days
(
  namespace      LowCardinality(String)  COMMENT 'Whose data it is',
  entity_id      String                  COMMENT 'The same in every namespace',
  name           String                  COMMENT 'Canonical name',
  type           LowCardinality(String)  COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  day            Date32                  COMMENT 'UTC day of event time; days without a mention have no row',
  mention_count  UInt64                  COMMENT 'Mentions in articles of that day',
  article_count  UInt64                  COMMENT 'Different articles',
  avg_sentiment  Float64                 COMMENT '-1 to +1: mean over articles of how each speaks of the entity',
  positive       UInt64                  COMMENT 'Articles at +0.15 and above',
  neutral        UInt64                  COMMENT 'Articles between',
  negative       UInt64                  COMMENT 'Articles at -0.15 and below'
)
AS SELECT
  namespace, entity_id, name, type, toDate32(at, 'UTC') AS day,
  sum(mentions) AS mention_count, count() AS article_count, round(avg(score), 6) AS avg_sentiment,
  countIf(score >= 0.15) AS positive, count() - positive - negative AS neutral, countIf(score <= -0.15) AS negative
FROM
(
  SELECT
    namespace, entity_id, name, type, occurred_at AS at,
    mention_count AS mentions, sentiment_score AS score
  FROM entity_articles FINAL
  WHERE (namespace, _offset) IN (SELECT namespace, _offset FROM current_analyses)
)
GROUP BY namespace, entity_id, name, type, day
COMMENT 'One row per entity and UTC day on which it was named';

-- One row per entity that was ever named: what is known of it.
CREATE VIEW IF NOT EXISTS entities
(
  namespace       LowCardinality(String)            COMMENT 'Whose data it is',
  entity_id       String                            COMMENT 'The same in every namespace',
  name            String                            COMMENT 'Canonical name',
  type            LowCardinality(String)            COMMENT 'PERSON, ORG, GPE, LOC, EVENT, DATE or MONEY',
  wikidata_id     Nullable(String)                  COMMENT 'Q30; null: the shipped data does not know it',
  country         LowCardinality(Nullable(String))  COMMENT 'Of a place: ISO 3166-1 alpha-2; null of a sea or a continent',
  latitude        Nullable(Float64)                 COMMENT 'Of a place, degrees north',
  longitude       Nullable(Float64)                 COMMENT 'Of a place, degrees east',
  within          Array(String)                     COMMENT 'Of a place: names of what it lies in, the nearest first',
  time_start      Nullable(String)                  COMMENT 'Of a date: first UTC day, YYYY-MM-DD; null where articles mean different days',
  time_end        Nullable(String)                  COMMENT 'Of a date: last UTC day, YYYY-MM-DD; null where articles mean different days',
  money_amount    Nullable(Float64)                 COMMENT 'Of a sum, in whole units of the currency',
  money_currency  LowCardinality(Nullable(String))  COMMENT 'Of a sum: ISO 4217'
)
AS SELECT
  namespace, entity_id, name, type, known_as AS wikidata_id,
  place.1 AS country, place.2 AS latitude, place.3 AS longitude, place.4 AS within,
  if(length(times) = 1, times[1].1, NULL) AS time_start, if(length(times) = 1, times[1].2, NULL) AS time_end,
  money.1 AS money_amount, money.2 AS money_currency
FROM
(
  SELECT
    namespace, entity_id, name, type, argMax(wikidata_id, _offset) AS known_as,
    argMaxIf((country, latitude, longitude, within), _offset, NOT (country IS NULL AND latitude IS NULL AND empty(within))) AS place,
    groupUniqArrayIf(2)((time_start, time_end), time_start IS NOT NULL) AS times,
    argMaxIf((money_amount, money_currency), _offset, money_amount IS NOT NULL) AS money
  FROM entity_articles FINAL
  GROUP BY namespace, entity_id, name, type
)
COMMENT 'One row per entity that was ever named: what is known of it';
