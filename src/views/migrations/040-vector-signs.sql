-- The signs of vectors, one bit per component: a search compares these, and the vectors of the best rows only. The service
-- may run meanwhile: the signs of rows of before are computed when they are read, until they are stored, which takes about
-- a minute per million articles.
ALTER TABLE article_vectors
  ADD COLUMN IF NOT EXISTS _signs FixedString(48) MATERIALIZED toFixedString(unbin(substring(arrayStringConcat(arrayMap(component -> if(component < 0, '0', '1'), vector)), 1, 384)), 48) COMMENT 'One bit per component of vector: 0 if it is negative' CODEC(NONE),
  ADD COLUMN IF NOT EXISTS _cross_signs FixedString(48) MATERIALIZED toFixedString(unbin(substring(arrayStringConcat(arrayMap(component -> if(component < 0, '0', '1'), cross_vector)), 1, 384)), 48) COMMENT 'The same of cross_vector; zeros if that is empty' CODEC(NONE);

ALTER TABLE article_vectors MATERIALIZE COLUMN _signs, MATERIALIZE COLUMN _cross_signs;
