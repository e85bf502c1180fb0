-- Why an article counts as a translation of `derived_from`. The service may run meanwhile: rows of before, and those that
-- an older process writes, have none.
ALTER TABLE origins
  ADD COLUMN IF NOT EXISTS translation Map(String, Float64) COMMENT 'Why it is a translation of derived_from: length_distance (of the sentence lengths, 0 to 2), sentences, shared_numerals, numerals; empty if it is none' AFTER containment;
