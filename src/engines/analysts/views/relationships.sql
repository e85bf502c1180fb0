CREATE OR REPLACE VIEW {{views}}.relationships
(
  source_id        String                COMMENT 'The story it starts from; of an undirected one the smaller id',
  target_id        String                COMMENT 'The story it leads to',
  type             String                COMMENT 'shared_entities, evolved_into (to the later chapter), merged_with or split_from (to the story that was left)',
  is_directed      Bool                  COMMENT 'False: source and target may be exchanged',
  confidence       Float64               COMMENT '0.5 to 1: weight of the entities both are about over that of all; 1 where the ledger says it',
  shared_entities  Array(String)         COMMENT 'Ids of the entities both are about',
  since            DateTime64(3, 'UTC')  COMMENT 'Event time from which it holds'
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
COMMENT 'One row per relationship of two stories that holds now: the graph. From stories.linked'
