CREATE OR REPLACE VIEW {{views}}.article_entities
(
  article_id       String               COMMENT 'Article that mentions it',
  entity_id        String               COMMENT 'Entity mentioned',
  name             String               COMMENT 'Canonical name of the entity',
  type             String               COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  mention_count    UInt64               COMMENT 'Mentions of the entity in the article',
  sentiment_score  Float64              COMMENT '-1 to +1: mean over its mentions in the article',
  occurred_at      DateTime64(3, 'UTC') COMMENT 'Event time of the article'
)
{{definer}}
AS SELECT article_id, entity_id, name, type, mention_count, sentiment_score, occurred_at
FROM {{facts}}.entity_articles FINAL
WHERE namespace = '{{namespace}}' AND _offset IN (SELECT _offset FROM {{facts}}.current_analyses)
COMMENT 'One row per article and entity mentioned in it: the fastest way to count by entity. From articles.analyzed'
