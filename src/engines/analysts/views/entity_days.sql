CREATE OR REPLACE VIEW {{views}}.entity_days
(
  day            Date     COMMENT 'UTC day of event time; days without a mention have no row',
  entity_id      String   COMMENT 'Who or what is named',
  name           String   COMMENT 'Canonical name',
  type           String   COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  mention_count  UInt64   COMMENT 'Mentions in articles of that day',
  article_count  UInt64   COMMENT 'Articles of that day that name it',
  avg_sentiment  Float64  COMMENT '-1 to +1: mean over these articles of how each speaks of it',
  positive       UInt64   COMMENT 'Articles at +0.15 and above',
  neutral        UInt64   COMMENT 'Articles between',
  negative       UInt64   COMMENT 'Articles at -0.15 and below'
)
{{definer}}
AS SELECT
  day, entity_id, name, type, mention_count, article_count, avg_sentiment, positive, neutral, negative
FROM {{facts}}.entity_days
COMMENT 'One row per entity and UTC day on which it was named: the time line of REST. From articles.analyzed'
