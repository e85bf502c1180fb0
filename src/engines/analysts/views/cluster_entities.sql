CREATE OR REPLACE VIEW {{views}}.cluster_entities
(
  cluster_id     String  COMMENT 'The story',
  entity_id      String  COMMENT 'Entity mentioned in the story',
  name           String  COMMENT 'Canonical name',
  type           String  COMMENT 'PERSON, ORG, GPE (a place with a government), LOC or EVENT; dates and sums are excluded',
  article_count  UInt64  COMMENT 'Articles of the story that mention it',
  mention_count  UInt64  COMMENT 'Mentions in these articles'
)
{{definer}}
AS
WITH words AS
(
  SELECT article_id, argMax(cluster_id, _offset) AS story FROM {{facts}}.placements FINAL GROUP BY article_id
)
SELECT
  story AS cluster_id, entity.1 AS entity_id, entity.2 AS name, toString(entity.3) AS type, count() AS article_count,
  sum(entity.4) AS mention_count
FROM
(
  SELECT
    words.story AS story,
    arrayJoin(arrayZip(facts.entity_ids, facts.entity_names, facts.entity_types, facts.entity_mentions)) AS entity
  FROM {{facts}}.members AS facts FINAL
  INNER JOIN words ON facts.article_id = words.article_id
  WHERE (facts.article_id, facts._offset) IN (SELECT article_id, max(_offset) FROM {{facts}}.members FINAL GROUP BY article_id)
)
WHERE entity.3 NOT IN ('DATE', 'MONEY')
GROUP BY cluster_id, entity_id, name, type
COMMENT 'One row per story and entity mentioned in its articles. From articles.clustered'
