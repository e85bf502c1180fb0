CREATE OR REPLACE VIEW {{views}}.article_entities
(
  article_id       String               COMMENT 'Article that mentions it',
  entity_id        String               COMMENT 'Who or what is named',
  name             String               COMMENT 'Canonical name of the entity',
  type             String               COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  mention_count    UInt64               COMMENT 'How often the article names it',
  sentiment_score  Float64              COMMENT '-1 to +1: mean of its mentions in the article',
  occurred_at      DateTime64(3, 'UTC') COMMENT 'Event time of the article'
)
{{definer}}
AS SELECT article_id, entity_id, name, type, mention_count, sentiment_score, occurred_at
FROM {{facts}}.entity_articles FINAL
WHERE _offset IN (SELECT _offset FROM {{facts}}.current_analyses)
COMMENT 'One row per article and entity it names: the quickest way to count by entity. From articles.analyzed'
