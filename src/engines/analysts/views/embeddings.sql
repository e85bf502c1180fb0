CREATE OR REPLACE VIEW {{views}}.embeddings
(
  article_id  String          COMMENT 'The article, in its newest revision',
  model       String          COMMENT 'Hash of the model file and pooling method: only compare vectors of the same model',
  embedding   Array(Float32)  COMMENT '384 components, normalized to unit length: 1 - cosineDistance(a, b) is the similarity of two texts'
)
{{definer}}
AS SELECT article_id, embedding_model AS model, embedding
FROM {{facts}}.articles FINAL
WHERE (article_id, _offset) IN (SELECT article_id, max(_offset) FROM {{facts}}.articles FINAL GROUP BY article_id)
COMMENT 'One row per article: the embedding of its text. From articles.scored'
