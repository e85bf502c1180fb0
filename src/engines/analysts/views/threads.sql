CREATE OR REPLACE VIEW {{views}}.threads
(
  thread_id      String                COMMENT 'The narrative thread',
  cluster_id     String                COMMENT 'Story in the thread that has articles',
  since          DateTime64(3, 'UTC')  COMMENT 'Event time from which the story is in the thread',
  cluster_count  UInt64                COMMENT 'Stories in the thread; REST returns threads of at least three'
)
{{definer}}
AS SELECT
  word.2 AS thread_id, cluster_id, word.3 AS since, count() OVER (PARTITION BY thread_id) AS cluster_count
FROM
(
  SELECT cluster_id, argMax((action, thread_id, valid_from), (caused_offset, _offset)) AS word
  FROM {{facts}}.thread_places FINAL
  GROUP BY cluster_id
)
WHERE word.1 != 'removed' AND cluster_id IN
(
  SELECT argMax(cluster_id, _offset) FROM {{facts}}.placements FINAL GROUP BY article_id
)
COMMENT 'One row per story that is in a narrative thread now. From stories.linked'
