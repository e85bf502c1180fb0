-- ClickHouse merges parts with a file for each column into another one of that kind, so migration 046 did not change the
-- rows that were there. They are copied: some seconds per million articles. The service may run meanwhile: a story that
-- has no row yet is read from its facts.
CREATE TABLE IF NOT EXISTS story_items_before AS story_items;

EXCHANGE TABLES story_items AND story_items_before;

INSERT INTO story_items SELECT * FROM story_items_before FINAL;

DROP TABLE IF EXISTS story_items_before;
