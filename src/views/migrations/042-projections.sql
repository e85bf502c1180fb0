-- Copies of some columns in another order, which ClickHouse reads by itself where they are shorter to read: the articles
-- of a story, and the entities of a short time. Only queries without FINAL use them. The service may run meanwhile.
ALTER TABLE placements MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';

ALTER TABLE placements ADD PROJECTION IF NOT EXISTS by_story
(
  SELECT namespace, cluster_id, article_id ORDER BY namespace, cluster_id
);

ALTER TABLE placements MATERIALIZE PROJECTION by_story;

ALTER TABLE entity_articles MODIFY SETTING deduplicate_merge_projection_mode = 'rebuild';

ALTER TABLE entity_articles ADD PROJECTION IF NOT EXISTS by_time
(
  SELECT namespace, occurred_at, entity_id, article_id, type, name, mention_count, _offset ORDER BY namespace, occurred_at
);

ALTER TABLE entity_articles MATERIALIZE PROJECTION by_time;
