CREATE OR REPLACE VIEW {{views}}.changes
(
  sequence     UInt64                COMMENT 'Place in the feed: read on from the last one seen',
  type         String                COMMENT 'article.scored, cluster.opened, story.transitioned, trend.detected ...',
  subject_id   String                COMMENT 'Article, cluster or entity id',
  entity_ids   Array(String)         COMMENT 'Entities it touches',
  velocity     Nullable(Float64)     COMMENT 'Of a trend or spike: multiple of the baseline',
  data         String                COMMENT 'JSON, as GET /v1/changes gives it',
  occurred_at  DateTime64(3, 'UTC')  COMMENT 'Event time of what changed',
  recorded_at  DateTime64(3, 'UTC')  COMMENT 'When it was published'
)
{{definer}}
AS SELECT _offset AS sequence, type, subject_id, entity_ids, velocity, data, occurred_at, _log_at AS recorded_at
FROM {{facts}}.changes FINAL
COMMENT 'One row per line of the feed that webhooks and streams get; kept 31 days. From changes.published'
