-- One row per pair of entities and UTC day on which an article named both, computed at each reading from facts without
-- repeats: of an article only the newest analysis counts, the pipeline's own before a direct one. No dates, no sums.
CREATE VIEW IF NOT EXISTS entity_pair_days
(
  namespace      LowCardinality(String)  COMMENT 'Whose data it is',
  source_id      String                  COMMENT 'The smaller id of the two',
  target_id      String                  COMMENT 'The other',
  source_name    String                  COMMENT 'Canonical name',
  target_name    String                  COMMENT 'Canonical name',
  day            Date32                  COMMENT 'UTC day of event time; days without such an article have no row',
  article_count  UInt64                  COMMENT 'Different articles that name both',
  avg_sentiment  Float64                 COMMENT '-1 to +1: mean over these articles of how each speaks of the two'
)
AS SELECT
  namespace, source.1 AS source_id, target.1 AS target_id, source.2 AS source_name, target.2 AS target_name,
  toDate32(at, 'UTC') AS day, count() AS article_count, round(avg((source.3 + target.3) / 2), 6) AS avg_sentiment
FROM
(
  SELECT
    namespace, at,
    arrayJoin(
      arrayFlatten(arrayMap((one, i) -> arrayMap(other -> (one, other), arraySlice(named, i + 1)), named, arrayEnumerate(named)))
    ) AS pair,
    pair.1 AS source, pair.2 AS target
  FROM
  (
    SELECT
      namespace, _offset AS place, any(occurred_at) AS at, arraySort(groupArray((entity_id, name, sentiment_score))) AS named
    FROM entity_articles FINAL
    WHERE type NOT IN ('DATE', 'MONEY')
      AND (namespace, _offset) IN (SELECT namespace, _offset FROM current_analyses)
    GROUP BY namespace, _offset
  )
)
GROUP BY namespace, source_id, target_id, source_name, target_name, day
COMMENT 'One row per pair of entities and UTC day on which an article named both';
