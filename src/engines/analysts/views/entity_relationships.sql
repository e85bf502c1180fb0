CREATE OR REPLACE VIEW {{views}}.entity_relationships
(
  article_id       String               COMMENT 'Article that contains the sentence',
  sentence         UInt64               COMMENT 'Index of the sentence, from 0',
  source_id        String               COMMENT 'Entity that acts; for co_mention the smaller id',
  target_id        String               COMMENT 'Entity that is acted upon; for co_mention the greater id',
  type             String               COMMENT 'co_mention, collaborative, adversarial or causal',
  evidence         String               COMMENT 'Verb or noun that expresses the relationship, as written; empty for co_mention',
  quote            String               COMMENT 'The sentence, verbatim',
  sentiment_score  Float64              COMMENT '-1 to +1: sentiment of the sentence',
  occurred_at      DateTime64(3, 'UTC') COMMENT 'Event time of the article'
)
{{definer}}
AS SELECT
  told.article_id AS article_id, told.sentence AS sentence, told.source_id AS source_id, told.target_id AS target_id,
  told.type AS type, told.evidence AS evidence, said.quote AS quote, told.sentiment_score AS sentiment_score,
  told.occurred_at AS occurred_at
FROM
(
  SELECT * FROM {{facts}}.sentence_relations FINAL
  WHERE _offset IN (SELECT _offset FROM {{facts}}.current_analyses)
) AS told
LEFT JOIN {{facts}}.relation_sentences AS said FINAL
  ON told.article_id = said.article_id AND told._offset = said._offset AND told.sentence = said.sentence
COMMENT 'One row per sentence and pair of entities mentioned in it, with their relationship. From articles.analyzed'
