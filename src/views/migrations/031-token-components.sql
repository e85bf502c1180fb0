-- Vectors of tokens in one byte per component. Stop the service first: a view of before writes no components, and an API
-- of before reads the column that stays empty in new rows. Converting takes about a minute per 100,000 articles and can be
-- repeated. Older rows keep their column `vector` as well; `story rebuild articles` writes them without it.
ALTER TABLE tokens ADD COLUMN IF NOT EXISTS components Array(Int8)
  COMMENT '384 components of a unit vector, the largest at 63: the mean of its piece states in context' CODEC(ZSTD)
  AFTER vector_model;

ALTER TABLE tokens MODIFY COLUMN vector Array(BFloat16) DEFAULT [] COMMENT 'Empty in new rows; see components';

ALTER TABLE tokens
  UPDATE components = arrayMap(
    component -> toInt8(floor(
      toFloat64(toFloat32(component)) * (63 / arrayMax(other -> abs(toFloat64(toFloat32(other))), vector)) + 0.5
    )), vector
  )
  WHERE empty(components) AND notEmpty(vector)
  SETTINGS mutations_sync = 2;
