CREATE OR REPLACE VIEW {{views}}.changes
(
  sequence     UInt64                COMMENT 'Position in the feed: continue after the last one read',
  type         String                COMMENT 'article.scored, cluster.opened, story.transitioned, trend.detected ...',
  subject_id   String                COMMENT 'Article, cluster or entity id',
  entity_ids   Array(String)         COMMENT 'Entities affected by the change',
  velocity     Nullable(Float64)     COMMENT 'For a trend or spike: multiple of the baseline',
  data         String                COMMENT 'JSON, as returned by GET /v1/changes',
  occurred_at  DateTime64(3, 'UTC')  COMMENT 'Event time of the change',
  recorded_at  DateTime64(3, 'UTC')  COMMENT 'When the change was published'
)
{{definer}}
AS SELECT _offset AS sequence, type, subject_id, entity_ids, velocity, data, occurred_at, _log_at AS recorded_at
FROM {{facts}}.changes FINAL
WHERE owner = ''
COMMENT 'One row per entry of the change feed that webhooks and streams deliver, except matches of monitors in shared; kept for 31 days. From changes.published'
