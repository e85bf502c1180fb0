CREATE OR REPLACE VIEW {{views}}.entity_days
(
  day            Date     COMMENT 'UTC day of event time; days without a mention have no row',
  entity_id      String   COMMENT 'Entity mentioned',
  name           String   COMMENT 'Canonical name',
  type           String   COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  mention_count  UInt64   COMMENT 'Mentions in articles of that day',
  article_count  UInt64   COMMENT 'Articles of that day that mention it',
  avg_sentiment  Float64  COMMENT '-1 to +1: mean over these articles of the sentiment towards the entity',
  positive       UInt64   COMMENT 'Articles with a sentiment of +0.15 or more',
  neutral        UInt64   COMMENT 'Articles with a sentiment between -0.15 and +0.15',
  negative       UInt64   COMMENT 'Articles with a sentiment of -0.15 or less'
)
{{definer}}
AS SELECT
  day, entity_id, name, type, mention_count, article_count, avg_sentiment, positive, neutral, negative
FROM {{facts}}.entity_days
COMMENT 'One row per entity and UTC day on which it was mentioned: the timeline in REST. From articles.analyzed'
