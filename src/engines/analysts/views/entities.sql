CREATE OR REPLACE VIEW {{views}}.entities
(
  entity_id       String               COMMENT 'The same in every namespace',
  name            String               COMMENT 'Canonical name',
  type            String               COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  mention_count   UInt64               COMMENT 'Mentions in all articles',
  article_count   UInt64               COMMENT 'Articles that mention it',
  avg_sentiment   Float64              COMMENT '-1 to +1: mean over articles of the sentiment towards the entity',
  first_seen      DateTime64(3, 'UTC') COMMENT 'Event time of the first article that mentions it',
  last_seen       DateTime64(3, 'UTC') COMMENT 'Event time of the last article that mentions it',
  wikidata_id     Nullable(String)     COMMENT 'Wikidata id, such as Q30; null if unknown',
  country         Nullable(String)     COMMENT 'For a place: ISO 3166-1 alpha-2 code; null for a sea or a continent',
  latitude        Nullable(Float64)    COMMENT 'For a place: degrees north',
  longitude       Nullable(Float64)    COMMENT 'For a place: degrees east',
  within          Array(String)        COMMENT 'For a place: names of the places that contain it, innermost first',
  time_start      Nullable(String)     COMMENT 'For a date: first UTC day, YYYY-MM-DD; null if articles refer to different days',
  time_end        Nullable(String)     COMMENT 'For a date: last UTC day, YYYY-MM-DD; null if articles refer to different days',
  money_amount    Nullable(Float64)    COMMENT 'For a sum: amount in whole units of the currency',
  money_currency  Nullable(String)     COMMENT 'For a sum: ISO 4217 code'
)
{{definer}}
AS SELECT
  known.entity_id AS entity_id, known.name AS name, known.type AS type, mention_count, article_count, avg_sentiment,
  first_seen, last_seen, wikidata_id, country, latitude, longitude, within, time_start, time_end, money_amount,
  money_currency
FROM {{facts}}.entities AS known
INNER JOIN
(
  SELECT
    entity_id, sum(mention_count) AS mention_count, count() AS article_count,
    round(avg(sentiment_score), 6) AS avg_sentiment, min(occurred_at) AS first_seen, max(occurred_at) AS last_seen
  FROM {{views}}.article_entities
  GROUP BY entity_id
) AS figures ON known.entity_id = figures.entity_id
COMMENT 'One row per entity mentioned in an article: its attributes and mention counts. From articles.analyzed'
