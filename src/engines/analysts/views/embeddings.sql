CREATE OR REPLACE VIEW {{views}}.embeddings
(
  article_id  String          COMMENT 'The article, in its newest revision',
  model       String          COMMENT 'Hash of the model file and kind of pooling: compare vectors of one model only',
  embedding   Array(Float32)  COMMENT '384 components of unit length: 1 - cosineDistance(a, b) says how near two texts are'
)
{{definer}}
AS SELECT article_id, embedding_model AS model, embedding
FROM {{facts}}.articles FINAL
WHERE (article_id, _offset) IN (SELECT article_id, max(_offset) FROM {{facts}}.articles FINAL GROUP BY article_id)
COMMENT 'One row per article: where its text lies among all others. From articles.scored'
