CREATE OR REPLACE VIEW {{views}}.relationships
(
  source_id        String                COMMENT 'Source story; for an undirected relationship the smaller id',
  target_id        String                COMMENT 'Target story',
  type             String                COMMENT 'shared_entities, evolved_into (to the later chapter), merged_with or split_from (to the story that it was split from)',
  is_directed      Bool                  COMMENT 'False: source and target are interchangeable',
  confidence       Float64               COMMENT '0.5 to 1: weight of the entities that both stories share, divided by the weight of all their entities; 1 if recorded in the ledger',
  shared_entities  Array(String)         COMMENT 'Ids of the entities that both stories share',
  since            DateTime64(3, 'UTC')  COMMENT 'Event time from which the relationship is valid'
)
{{definer}}
AS SELECT
  source AS source_id, target AS target_id, type, word.2 AS is_directed, word.3 AS confidence, word.4 AS shared_entities,
  word.5 AS since
FROM
(
  SELECT
    source, target, type,
    argMax((action, directed, confidence, shared_entities, valid_from), (caused_offset, _offset)) AS word
  FROM {{facts}}.relationships FINAL
  GROUP BY source, target, type
)
WHERE word.1 != 'removed'
COMMENT 'One row per current relationship between two stories: the story graph. From stories.linked'
