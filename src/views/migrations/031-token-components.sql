-- Vectors of tokens in one byte per component. Stop the service first: an API of before fails on rows without `vector`,
-- and a view of before writes no components, which a search by token leaves out. Converting takes about a minute and adds
-- 0.7 GB per 100,000 articles; the two bytes per component stay until `story rebuild articles`. It can be repeated.
ALTER TABLE tokens ADD COLUMN IF NOT EXISTS components Array(Int8)
  COMMENT '384 components of a unit vector, the largest at 63: the mean of its piece states in context' CODEC(ZSTD)
  AFTER vector_model;

-- `story hash` leaves out columns with a default, so that converted rows and rebuilt ones have the same hash.
ALTER TABLE tokens MODIFY COLUMN vector Array(BFloat16) DEFAULT [] COMMENT 'Empty in new rows; see components';

ALTER TABLE tokens
  UPDATE components = arrayMap(
    component -> toInt8(floor(
      toFloat64(toFloat32(component))
        * (63 / greatest(1e-30, arrayMax(other -> abs(toFloat64(toFloat32(other))), vector))) + 0.5
    )), vector
  )
  WHERE empty(components) AND notEmpty(vector);
