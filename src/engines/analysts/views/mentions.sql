CREATE OR REPLACE VIEW {{views}}.mentions
(
  article_id       String               COMMENT 'Article that contains the mention',
  entity_id        String               COMMENT 'Entity mentioned',
  name             String               COMMENT 'Canonical name of the entity',
  type             String               COMMENT 'PERSON, ORG, GPE (a place with a government), LOC, EVENT, DATE or MONEY',
  surface          String               COMMENT 'Text of the mention, as written',
  sentence         UInt64               COMMENT 'Index of the sentence, from 0',
  start            UInt64               COMMENT 'Offset of the first character in the text, from 0',
  end              UInt64               COMMENT 'Offset of the end in the text, exclusive',
  sentiment_score  Float64              COMMENT '-1 to +1: sentiment towards the entity in this mention',
  occurred_at      DateTime64(3, 'UTC') COMMENT 'Event time of the article'
)
{{definer}}
AS SELECT
  article_id, entity_id, name, type, surface, sentence, start, end, sentiment_score, occurred_at
FROM {{facts}}.mentions FINAL
WHERE namespace = '{{namespace}}' AND _offset IN (SELECT _offset FROM {{facts}}.current_analyses)
COMMENT 'One row per mention of an entity in an article. From articles.analyzed'
